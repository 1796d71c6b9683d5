import { lstatSync, mkdirSync, realpathSync, type Stats } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { Host } from './host.ts';

interface User extends Pick<Host, 'env' | 'home' | 'platform'> {
  /** Undefined on Windows. */
  readonly uid: number | undefined;
}

/**
 * Where Node may keep compiled code: a folder that only this user can write to, because the code in it is run. (The
 * folder for temporary files, Node's default, is often shared.) Undefined if there is no such folder and none can be
 * made.
 */
export function cacheFolder(user: User): string | undefined {
  const folder = usualFolder(user);
  if (folder === undefined) return undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if (!lstatSync(folder).isDirectory()) return undefined;
    // On Windows, permissions are those of the folder above, which belongs to the user.
    if (user.platform === 'win32') return folder;
    // A link on the way to it could lead elsewhere later.
    const real = realpathSync.native(folder);
    return isPrivate(real, user) && isOutOfReach(real, user) ? real : undefined;
  } catch {
    return undefined;
  }
}

function usualFolder({ env, home, platform }: User): string | undefined {
  const name = 'agent-switchboard';
  if (platform === 'win32') {
    return inside(env.LOCALAPPDATA, name, 'Cache') ?? inside(home, 'AppData', 'Local', name, 'Cache');
  }
  if (platform === 'darwin') return inside(home, 'Library', 'Caches', name);
  // The XDG Base Directory Specification says to ignore a relative path.
  return inside(env.XDG_CACHE_HOME, name) ?? inside(home, '.cache', name);
}

function inside(folder: string | undefined, ...names: readonly string[]): string | undefined {
  return folder !== undefined && isAbsolute(folder) ? join(folder, ...names) : undefined;
}

function isPrivate(folder: string, { uid }: User): boolean {
  const { uid: owner, mode } = lstatSync(folder);
  return owner === uid && (mode & 0o077) === 0;
}

/** Whether nobody else can put another folder in its place, or in the place of one above it. */
function isOutOfReach(folder: string, user: User): boolean {
  const above = dirname(folder);
  return above === folder || (isSafe(lstatSync(above), user) && isOutOfReach(above, user));
}

/** In a sticky folder, such as /tmp, a name can only be changed by the owner of what it names. */
function isSafe({ uid: owner, mode }: Stats, { uid }: User): boolean {
  return (owner === uid || owner === 0) && ((mode & 0o022) === 0 || (mode & 0o1000) !== 0);
}
