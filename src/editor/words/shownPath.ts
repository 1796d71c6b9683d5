import { sep } from 'node:path';
import { plainText } from '../../base/plainText.ts';
import { homeFolder } from '../../files/homeFolder.ts';

/** A path with `~` for the home folder, except on Windows. */
export function shownPath(
  path: string,
  home = homeFolder(),
  platform = process.platform,
): string {
  const isInHome =
    home !== undefined && platform !== 'win32' && path.startsWith(home + sep);
  return plainText(isInHome ? `~${path.slice(home.length)}` : path, 500);
}
