/** Real repositories for tests, and what is in their folders byte for byte. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Patch } from '../../src/service/abilities/fileChanges.ts';

export function git(folder: string, ...args: string[]): Buffer {
  const who = [
    '-c',
    'user.name=A',
    '-c',
    'user.email=a@example.com',
    '-c',
    'commit.gpgsign=false',
  ];
  const env = {
    ...process.env,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
  };
  return execFileSync('git', ['-C', folder, ...who, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1e8,
  });
}

/** The content that a test writes: text, bytes, or a link. */
export type Content =
  string | Buffer | { readonly link: string } | { readonly run: string };

/** Undefined deletes. */
export function write(
  root: string,
  files: Readonly<Record<string, Content | undefined>>,
): void {
  for (const [path, content] of Object.entries(files)) {
    const place = join(root, path);
    rmSync(place, { recursive: true, force: true });
    if (content === undefined) continue;
    mkdirSync(dirname(place), { recursive: true });
    if (typeof content === 'string' || Buffer.isBuffer(content))
      writeFileSync(place, content);
    else if ('link' in content) symlinkSync(content.link, place);
    else {
      writeFileSync(place, content.run);
      chmodSync(place, 0o755);
    }
  }
}

export function commit(
  root: string,
  files: Readonly<Record<string, Content | undefined>>,
  subject = 'more',
): string {
  write(root, files);
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', subject, '--allow-empty');
  return git(root, 'rev-parse', 'HEAD').toString().trim();
}

/**
 * Everything below a folder but Git's own, with kinds, modes and contents;
 * folders too.
 */
export function snapshot(root: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const walk = (folder: Buffer, name: string) => {
    for (const entry of readdirSync(folder, {
      encoding: 'buffer',
    }) as unknown as Buffer[]) {
      const path = `${name}${entry.toString('latin1')}`;
      if (path === '.git') continue;
      const place = Buffer.concat([folder, Buffer.from('/'), entry]);
      const stat = lstatSync(place);
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isSymbolicLink()) found[path] = `link ${readlinkSync(place)}`;
      else if (stat.isDirectory()) {
        found[path] = `folder ${mode}`;
        walk(place, `${path}/`);
      } else
        found[path] = `file ${mode} ${readFileSync(place).toString('latin1')}`;
    }
  };
  walk(Buffer.from(root), '');
  return found;
}

/**
 * The patch of an Agent Server: everything since a commit, uncommitted changes
 * included.
 */
export function patchSince(root: string, base: string): Patch {
  git(root, 'add', '-A');
  const bytes = git(
    root,
    'diff',
    '--cached',
    '--binary',
    '--full-index',
    '-M',
    base,
  );
  const head = git(root, 'rev-parse', 'HEAD').toString().trim();
  return { bytes, base, head, branch: 'main' };
}
