import { lstatSync, mkdirSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
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
  if (!isAbsolute(folder)) return undefined;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return isPrivate(folder, user) ? folder : undefined;
  } catch {
    return undefined;
  }
}

function usualFolder({ env, home, platform }: User): string {
  const name = 'agent-switchboard';
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), name, 'Cache');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', name);
  const given = env.XDG_CACHE_HOME ?? '';
  // The XDG Base Directory Specification says to ignore a relative path.
  return join(isAbsolute(given) ? given : join(home, '.cache'), name);
}

function isPrivate(folder: string, { platform, uid }: User): boolean {
  const stats = lstatSync(folder);
  // On Windows, permissions are those of the folder above, which belongs to the user.
  return stats.isDirectory() && (platform === 'win32' || (stats.uid === uid && (stats.mode & 0o077) === 0));
}
