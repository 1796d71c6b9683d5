/** Resolves symbolic links without reading their targets. */
import { readlink, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { plainText } from '../../base/plainText.ts';
import { isSecretFile } from './secretFiles.ts';

interface FileAddress {
  readonly scheme: string;
  readonly authority: string;
  readonly fsPath: string;
}

/**
 * The path on the machine that the extension runs on, which is the remote one
 * in a remote window; `undefined` for a file elsewhere, whose links cannot be
 * followed.
 */
export function localPath(
  { scheme, authority, fsPath }: FileAddress,
  remoteName: string | undefined,
): string | undefined {
  const isRemote =
    scheme === 'vscode-remote' && authority.split('+')[0] === remoteName;
  return scheme === 'file' || isRemote ? fsPath : undefined;
}

/**
 * Returns the real path of the file, below the same folder if the file is in
 * one. `isConcealed`: the path hides that the file is outside the folders, or
 * is a secret file.
 */
export async function followLinks(path: string, folders: readonly string[]) {
  const real = await realpath(path).catch(() => path);
  const realFolders = await Promise.all(
    folders.map((folder) => realpath(folder).catch(() => folder)),
  );
  const index = realFolders.findIndex((folder) => isIn(folder, real));
  const folder = folders[index];
  const realFolder = realFolders[index];
  const wasIn = [...folders, ...realFolders].some((parent) =>
    isIn(parent, path),
  );
  if (folder === undefined || realFolder === undefined)
    return {
      path: real,
      isConcealed: wasIn || (isSecretFile(real) && !isSecretFile(path)),
    };
  const inside = relative(realFolder, real);
  return {
    path: join(folder, inside),
    isConcealed: isSecretFile(inside) && !isSecretFile(path),
  };
}

function isIn(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return (
    inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside)
  );
}

export async function newLinkDiff(
  path: string,
  name: string,
): Promise<string | undefined> {
  const target = await readlink(path).catch(() => undefined);
  return target === undefined
    ? undefined
    : `+++ b/${name} -> ${plainText(target, 500)}\n`;
}
