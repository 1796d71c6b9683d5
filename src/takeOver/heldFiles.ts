/**
 * Files and links as they are on the disk, and making them so again. Nothing is
 * written through a link.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  mkdir,
  readFile,
  readlink,
  rename,
  rm,
  rmdir,
  symlink,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { userError } from '../base/l10n.ts';
import {
  foldersOf,
  obstacleAbove,
  onDisk,
  type RawPath,
  shownRawPath,
  statOf,
} from './rawPaths.ts';

export type HeldFile =
  | { readonly kind: 'none' }
  | { readonly kind: 'file'; readonly mode: number; readonly sha256: string }
  /** `target` has a character for each byte. */
  | { readonly kind: 'link'; readonly target: string };

interface HeldContents {
  readonly held: HeldFile;
  readonly bytes: Buffer | undefined;
}

const isWindows = process.platform === 'win32';

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A folder counts as nothing: there is no file. */
export async function readHeld(
  root: string,
  path: RawPath,
): Promise<HeldContents> {
  const none: HeldContents = { held: { kind: 'none' }, bytes: undefined };
  if ((await obstacleAbove(root, path)) !== undefined) return none;
  const stat = await statOf(root, path);
  if (!stat || stat.isDirectory()) return none;
  const place = onDisk(root, path);
  if (stat.isSymbolicLink()) {
    const target = (await readlink(place, { encoding: 'buffer' })).toString(
      'latin1',
    );
    return { held: { kind: 'link', target }, bytes: undefined };
  }
  if (!stat.isFile())
    throw userError(
      '“{0}” is not a file that can be changed.',
      shownRawPath(path),
    );
  const bytes = await readFile(place);
  return {
    held: {
      kind: 'file',
      mode: Number(stat.mode) & 0o7777,
      sha256: sha256(bytes),
    },
    bytes,
  };
}

export function isSame(one: HeldFile, other: HeldFile): boolean {
  if (one.kind === 'file' && other.kind === 'file')
    return (
      one.sha256 === other.sha256 && (isWindows || one.mode === other.mode)
    );
  if (one.kind === 'link' && other.kind === 'link')
    return one.target === other.target;
  return one.kind === other.kind;
}

/**
 * Replaces the file at this path by the held one, atomically. `source` has the
 * contents of a file.
 */
export async function writeHeld(
  root: string,
  path: RawPath,
  held: HeldFile,
  source: string | Buffer = '',
): Promise<void> {
  const obstacle = await obstacleAbove(root, path);
  if (obstacle !== undefined) {
    if (held.kind === 'none') return;
    throw userError('“{0}” is in the way.', shownRawPath(obstacle));
  }
  const place = onDisk(root, path);
  const stat = await statOf(root, path);
  if (held.kind === 'none') {
    if (stat && !stat.isDirectory()) await unlink(place);
    return;
  }
  if (stat?.isDirectory()) await rmdir(place);
  for (const folder of foldersOf(path))
    if (!(await statOf(root, folder))) await mkdir(onDisk(root, folder));
  const beside = onDisk(
    root,
    [
      ...path.split('/').slice(0, -1),
      `.switchboard-${randomBytes(6).toString('hex')}`,
    ].join('/'),
  );
  try {
    if (held.kind === 'link')
      await symlink(Buffer.from(held.target, 'latin1'), beside);
    else {
      await writeFile(beside, await readFile(source), {
        flag: 'wx',
        mode: 0o600,
      });
      if (!isWindows) await chmod(beside, held.mode);
    }
    await rename(beside, place);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** Empty folders only. */
export async function removeEmpty(
  root: string,
  folders: readonly RawPath[],
): Promise<void> {
  const deepest = [...folders].sort((a, b) => b.length - a.length);
  for (const folder of deepest)
    if (
      (await obstacleAbove(root, folder)) === undefined &&
      (await statOf(root, folder))?.isDirectory()
    )
      await rmdir(onDisk(root, folder)).catch(() => undefined);
}
