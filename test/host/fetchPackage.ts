/**
 * Downloads packages from an npm registry, and believes none that this project
 * does not know.
 */
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { npm, run } from './processes.ts';
import { type Progress, StepError } from './steps.ts';

export interface KnownPackage {
  readonly name: string;
  readonly version: string;
  /**
   * The hash of its archive, as in a lock file: `sha512-` and the hash in
   * base64.
   */
  readonly integrity: string;
}

export const registryAdvice =
  'Check that this machine can reach its npm registry ("npm ping"), then run the command again.';

/**
 * Downloads a package and unpacks it into `folder`/package. None of its scripts
 * run.
 */
export async function fetchPackage(
  { name, version, integrity }: KnownPackage,
  folder: string,
  progress: Progress,
): Promise<void> {
  const npmCache = join(folder, 'npm-cache');
  await mkdir(npmCache, { recursive: true });
  const stop = watchSize(npmCache, progress);
  try {
    await npm(
      ['pack', `${name}@${version}`, '--cache', npmCache],
      folder,
      registryAdvice,
    );
  } finally {
    stop();
  }
  await rm(npmCache, { recursive: true });
  const archive = `${name}-${version}.tgz`;
  requireIntegrity(
    await readFile(join(folder, archive)),
    integrity,
    `${name} ${version}`,
  );
  progress('unpacking');
  await run(
    'tar',
    ['-xzf', archive],
    'Check that "tar" works on this machine.',
    { cwd: folder },
  );
}

/** Throws unless these are the bytes that the project knows. */
export function requireIntegrity(
  bytes: Uint8Array,
  integrity: string,
  what: string,
): void {
  const found = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
  if (found === integrity) return;
  throw new StepError(
    `${what} is not the package that this project knows: its hash is ${found}, not ${integrity}.`,
    'Do not use it. Find out why this npm registry has another one.',
  );
}

/**
 * Reports how much has arrived in a folder. Returns a function that stops the
 * reports.
 */
export function watchSize(folder: string, progress: Progress): () => void {
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    void sizeOf(folder).then((bytes) => {
      busy = false;
      progress(`${(bytes / 1e6).toFixed(0)} MB`);
    });
  }, 500);
  return () => {
    clearInterval(timer);
  };
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, {
    recursive: true,
    withFileTypes: true,
  }).catch(() => []);
  const sizes = entries
    .filter((entry) => entry.isFile())
    .map((entry) =>
      stat(join(entry.parentPath, entry.name)).then(
        ({ size }) => size,
        () => 0,
      ),
    );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
