import { basename, dirname, join } from 'node:path';
import { ageOf, removeStaleLock, type Lock } from './lock.ts';
import type { Machine } from './machine.ts';
import { removeIfPossible } from './temporary.ts';

const hourMs = 3_600_000;

/**
 * Removes what processes left beside the file when they were killed while writing it. Only for the holder of the lock.
 * What cannot be removed now is left to the next write.
 */
export async function removeAbandonedFiles(target: string, lock: Lock, machine: Machine): Promise<void> {
  const folder = dirname(target);
  const base = basename(target);
  const names = await machine.disk.readdir(folder).catch(() => []);
  // Longest first, because the right to remove a lock has a longer name than the lock.
  for (const name of names.sort((a, b) => b.length - a.length)) {
    const path = join(folder, name);
    if (name.startsWith(`.${base}.`)) {
      const parts = /^(?:lock\.)?([\w-]+)\.(\d+)\.[0-9a-f]{16}\.tmp$/.exec(name.slice(base.length + 2));
      if (!parts) continue;
      const [, space, pid] = parts;
      const ended = space === machine.pidSpace() && !machine.runs(Number(pid));
      if (ended || (await isOld(path, lock, machine))) await removeIfPossible(path, machine);
    } else if (name.startsWith(`${base}.lock.`)) {
      const rights = name.slice(base.length + '.lock'.length);
      if (/^(\.[0-9a-f]{16})+$/.test(rights))
        await removeStaleLock(path, lock.claim, machine).catch(() => undefined);
    }
  }
}

/** No write takes an hour, so an older file is abandoned, whatever its process id says. */
async function isOld(path: string, { claim }: Lock, { disk }: Machine): Promise<boolean> {
  const stats = await disk.lstat(path).catch(() => undefined);
  return stats !== undefined && ageOf(stats, claim) > hourMs;
}
