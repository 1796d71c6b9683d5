/** Paths below a folder of this machine that do not lead outside. */
import type { BigIntStats } from 'node:fs';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { UserError } from '../base/errors.ts';
import { userError } from '../base/l10n.ts';
import { plainText } from '../base/plainText.ts';

/**
 * A path as Git has it, below the root and with `/`: one character for each
 * byte. Not to be shown.
 */
export type RawPath = string;

export function rawPath(path: string): RawPath {
  return Buffer.from(path, 'utf8').toString('latin1');
}

/** Text that is not safe to show without more. */
export function pathText(path: RawPath): string {
  return Buffer.from(path, 'latin1').toString('utf8');
}

/** Safe to show. */
export function shownRawPath(path: RawPath): string {
  return plainText(pathText(path), 200);
}

/**
 * True for a path that no file of a repository has: it would be elsewhere, or
 * belong to Git.
 */
export function isUnsafe(path: RawPath): boolean {
  const parts = pathText(path).split(
    process.platform === 'win32' ? /[/\\]/ : '/',
  );
  return path.includes('\0') || parts.some(isUnsafePart);
}

export function invalidPath(path: RawPath): UserError {
  return userError(
    'Nothing was taken over: “{0}” is not a valid path in a repository.',
    shownRawPath(path),
  );
}

function isUnsafePart(part: string): boolean {
  if (part === '' || part === '.' || part === '..') return true;
  if (process.platform === 'win32' && /[:<>"|?*]|[. ]$/.test(part)) return true;
  const plain = plainPart(part);
  return plain === '.git' || plain === 'git~1';
}

/**
 * Name as compared by file systems that ignore case, invisible characters or
 * ends.
 */
function plainPart(part: string): string {
  return part
    .replace(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, '')
    .normalize('NFC')
    .toLowerCase()
    .replace(/:.*$/s, '')
    .replace(/[. ]+$/, '');
}

/**
 * The path for functions of the file system. Keeps names that are not UTF-8.
 */
export function onDisk(root: string, path: RawPath): string | Buffer {
  if (process.platform === 'win32')
    return join(root, ...pathText(path).split('/'));
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, 'latin1')]);
}

/** The folders above it, the topmost first. */
export function foldersOf(path: RawPath): RawPath[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/**
 * Stats of a path itself, without following links; undefined if there is
 * nothing.
 */
export async function statOf(
  root: string,
  path: RawPath,
): Promise<BigIntStats | undefined> {
  try {
    return await lstat(onDisk(root, path), { bigint: true });
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** A link or a file in the place of a folder above it. */
export async function obstacleAbove(
  root: string,
  path: RawPath,
): Promise<RawPath | undefined> {
  for (const folder of foldersOf(path)) {
    const stat = await statOf(root, folder);
    if (!stat) return undefined;
    if (!stat.isDirectory()) return folder;
  }
  return undefined;
}

/**
 * True if the target of a link at this path is outside the folder, in Git's own
 * folder, or behind another link: one on disk, or one of `links`, which come
 * with the same patch.
 */
export async function leadsOut(
  root: string,
  path: RawPath,
  target: RawPath,
  links: readonly RawPath[],
): Promise<boolean> {
  if (/^([/\\]|[A-Za-z]:)/.test(target)) return true;
  const parts = target
    .split(/[/\\]/)
    .filter((part) => part !== '' && part !== '.');
  const firstName = parts.findIndex((part) => part !== '..');
  const upwards = firstName === -1 ? parts.length : firstName;
  const names = parts.slice(upwards);
  const folders = path.split('/').slice(0, -1);
  // A `..` after a name starts from the name's target if the name is a link.
  if (
    upwards > folders.length ||
    names.some((name) => isUnsafePart(pathText(name)))
  )
    return true;
  const start = folders.slice(0, folders.length - upwards);
  const newLinks = new Set(links.map(plainPath));
  for (const index of names.keys()) {
    const reached = [...start, ...names.slice(0, index + 1)].join('/');
    if (
      newLinks.has(plainPath(reached)) ||
      (await statOf(root, reached))?.isSymbolicLink()
    )
      return true;
  }
  return false;
}

function plainPath(path: RawPath): string {
  return pathText(path).split('/').map(plainPart).join('/');
}
