/**
 * The extensions that come with VS Code. Each costs every window time, and most
 * have nothing to do with ours.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cache } from './paths.ts';

/**
 * Extensions that ours works with, and those that show the files of the tests.
 */
const needed = [
  'configuration-editing',
  'diff',
  'git',
  'git-base',
  'javascript',
  'json',
  'json-language-features',
  'log',
  'markdown-basics',
  'markdown-language-features',
  'merge-conflict',
  'python',
  'search-result',
  'shellscript',
  'theme-defaults',
  'theme-modern-icons',
  'theme-seti',
  'typescript-basics',
  'yaml',
];

const isWindows = process.platform === 'win32';

/**
 * A folder with links to those extensions of a server, made when it is first
 * asked for. The links are relative, so that they outlive a move of the
 * checkout; only the junctions of Windows must be absolute.
 */
export async function neededExtensions(program: string): Promise<string> {
  const all = join(dirname(program), '..', 'extensions');
  const links = isWindows ? all : join('..', 'extensions');
  const hash = createHash('sha256')
    .update([links, ...needed].join())
    .digest('hex');
  const folder = join(dirname(program), '..', `extensions-${hash.slice(0, 8)}`);
  if (existsSync(folder)) return folder;
  const work = await mkdtemp(join(cache, 'extensions-'));
  for (const name of needed) {
    if (existsSync(join(all, name)))
      await symlink(join(links, name), join(work, name), 'junction');
  }
  // If another process was faster, its folder is there and complete.
  await rename(work, folder).catch(async (error: unknown) => {
    await rm(work, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  });
  return folder;
}
