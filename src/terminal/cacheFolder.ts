import { join } from 'node:path';
import type { Host } from './host.ts';

/**
 * Where Node may keep what it has compiled: a folder of the user alone, because what lies there is run. The folder for
 * temporary files, which Node would take, is often shared.
 */
export function cacheFolder({ env, home, platform }: Pick<Host, 'env' | 'home' | 'platform'>): string {
  const name = 'agent-switchboard';
  if (platform === 'win32') return join(env.LOCALAPPDATA ?? join(home, 'AppData', 'Local'), name, 'Cache');
  if (platform === 'darwin') return join(home, 'Library', 'Caches', name);
  const given = env.XDG_CACHE_HOME ?? '';
  // A relative path is to be ignored: XDG Base Directory Specification.
  return join(given.startsWith('/') ? given : join(home, '.cache'), name);
}
