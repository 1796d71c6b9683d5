/** Resolves symbolic links without reading their targets. */
import { readlink, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { plainText } from '../../base/plainText.ts';
import { isSecretFile } from './secretFiles.ts';

/**
 * Returns the real path of the file, below the same folder if the file is in one. `isConcealed`: the path hides that the
 * file is outside the folders, or is a secret file.
 */
export async function followLinks(path: string, folders: readonly string[]) {
  const real = await realpath(path).catch(() => path);
  const realFolders = await Promise.all(folders.map((folder) => realpath(folder).catch(() => folder)));
  const index = realFolders.findIndex((folder) => isIn(folder, real));
  const [folder, realFolder] = [folders[index], realFolders[index]];
  const wasIn = [...folders, ...realFolders].some((each) => isIn(each, path));
  if (folder === undefined || realFolder === undefined)
    return { path: real, isConcealed: wasIn || (isSecretFile(real) && !isSecretFile(path)) };
  const inside = relative(realFolder, real);
  return { path: join(folder, inside), isConcealed: isSecretFile(inside) && !isSecretFile(path) };
}

function isIn(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}

export async function newLinkDiff(path: string, name: string): Promise<string | undefined> {
  const target = await readlink(path).catch(() => undefined);
  return target === undefined ? undefined : `+++ b/${name} -> ${plainText(target, 500)}\n`;
}
