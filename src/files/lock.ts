/**
 * The lock for reading, changing and replacing a file: `<file>.lock` beside it,
 * which says who holds it.
 *
 * An abandoned lock is taken over. The danger: two processes find the same dead
 * lock, one removes it and takes a lock of its own, and the other then removes
 * that one. So the right to remove the lock with the token T is itself a lock,
 * `<file>.lock.T`, and its holder looks again before removing.
 *
 * Processes on other machines and in other containers use the same lock. An id
 * says nothing about them, and their clocks may be wrong; but the file system
 * dates files by one clock for all of them.
 */
import type { Stats } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { sleep } from '../base/clock.ts';
import type { UserError } from '../base/errors.ts';
import { t, userError } from '../base/l10n.ts';
import { isBusy, type Machine } from './machine.ts';
import {
  createTemporary,
  newToken,
  removeIfPossible,
  retryRemoval,
  temporaryPath,
} from './temporary.ts';
import { codeOf } from './systemErrors.ts';

export interface Lock {
  readonly claim: LockClaim;
  /**
   * False once another process has taken it over, because this one slept for
   * too long.
   */
  held(): boolean;
  /** Never fails: if the lock cannot be removed now, it is taken over later. */
  release(): Promise<void>;
}

/**
 * A process that wants a lock: the text of its lock, and a file with that text
 * that can be linked into place.
 */
interface LockClaim {
  readonly token: string;
  readonly text: string;
  readonly file: string;
  /** Milliseconds since 1970, by the clock of the file system. */
  readonly now: () => number;
}

interface Holder {
  readonly token: string;
  /** Part of a sentence. Undefined for another program. */
  readonly description?: string;
  /** The process, if its id means something here. */
  readonly pid?: number;
  readonly stats: Stats;
  /** The age at which the lock counts as abandoned. */
  readonly staleAfter: number;
}

const maxWaitMs = 10_000;
const staleAfter = 30_000;
/**
 * Milliseconds that a lock may lack its content, on file systems where it
 * cannot be made in one step.
 */
const staleWithoutContentAfterMs = 5_000;
/** More than any lock says, in bytes. */
const maxLockSize = 1_000;

/**
 * Waits for the lock of a file that is not a link. Throws a UserError that says
 * who has held it for too long.
 */
export async function lockFile(
  target: string,
  machine: Machine,
): Promise<Lock> {
  const { disk, clock } = machine;
  const path = `${target}.lock`;
  const claim = await makeClaim(path, machine);
  const { token, text } = claim;
  try {
    const end = clock.now() + maxWaitMs;
    while (!(await take(path, claim, machine))) {
      if (clock.now() >= end) throw await waitedTooLong(target, path, machine);
      await sleep(clock, 5 + Math.random() * 20);
    }
  } finally {
    await removeIfPossible(claim.file, machine);
  }
  return {
    // The lock itself is now a file with that text.
    claim: { ...claim, file: path },
    held: () => {
      try {
        return disk.readFileSync(path, maxLockSize).bytes?.toString() === text;
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return false;
        throw error;
      }
    },
    release: () => release(path, token, machine),
  };
}

async function makeClaim(path: string, machine: Machine): Promise<LockClaim> {
  const { clock, pid, name, pidSpace } = machine;
  const token = newToken();
  const text = `${pid} ${name} ${pidSpace()} ${token}\n`;
  const file = temporaryPath(path, machine, token);
  let ahead = 0;
  await createTemporary(file, text, machine, async (handle) => {
    ahead = (await handle.stat()).ctimeMs - clock.now();
  });
  return { token, text, file, now: () => clock.now() + ahead };
}

/**
 * The age of a file in milliseconds. The clock may have been set back since.
 */
function ageOf({ ctimeMs }: Stats, { now }: LockClaim): number {
  return Math.abs(now() - ctimeMs);
}

async function take(
  path: string,
  claim: LockClaim,
  machine: Machine,
): Promise<boolean> {
  if (await makeLock(path, claim, machine)) return true;
  const holder = await holderOf(path, machine);
  // A network drive can report a link as failed that was made.
  if (holder?.token === claim.token) return true;
  if (holder && isStale(holder, claim, machine))
    await removeDeadLock(path, holder.token, claim, machine);
  return false;
}

function isStale(
  { pid, stats, staleAfter }: Holder,
  claim: LockClaim,
  { runs }: Machine,
): boolean {
  return (pid !== undefined && !runs(pid)) || ageOf(stats, claim) > staleAfter;
}

async function makeLock(
  path: string,
  claim: LockClaim,
  machine: Machine,
): Promise<boolean> {
  try {
    await machine.disk.link(claim.file, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
  }
  // The file system may lack hard links. Any other reason makes this fail too.
  try {
    await createTemporary(path, claim.text, machine);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || isBusy(error, machine)) return false;
    throw error;
  }
}

/** Removes an abandoned lock, unless another process has replaced it. */
async function removeDeadLock(
  path: string,
  token: string,
  claim: LockClaim,
  machine: Machine,
): Promise<void> {
  const right = `${path}.${token}`;
  if (!(await take(right, claim, machine))) return;
  try {
    if (await holds(token, path, machine))
      await removeIfPossible(path, machine);
  } finally {
    await release(right, claim.token, machine);
  }
}

/** Removes the remains of a takeover by a dead process. */
async function removeStaleLock(
  path: string,
  claim: LockClaim,
  machine: Machine,
): Promise<void> {
  const holder = await holderOf(path, machine);
  if (holder && isStale(holder, claim, machine))
    await removeDeadLock(path, holder.token, claim, machine);
}

async function release(
  path: string,
  token: string,
  machine: Machine,
): Promise<void> {
  await retryRemoval(async () => {
    if (await holds(token, path, machine)) await machine.disk.unlink(path);
  }, machine);
}

async function holds(
  token: string,
  path: string,
  machine: Machine,
): Promise<boolean> {
  const holder = await holderOf(path, machine);
  return holder?.token === token;
}

async function holderOf(
  path: string,
  machine: Machine,
): Promise<Holder | undefined> {
  try {
    const { stats, bytes } = await machine.disk.readFile(path, maxLockSize);
    const parts = /^(\d+) (\S*) (\S+) ([0-9a-f]{16})\n$/.exec(String(bytes));
    if (!parts) {
      // No other lock that becomes stale is there at the same moment.
      const token = Math.floor(stats.ctimeMs).toString(16).padStart(16, '0');
      // Other programs use a folder of this name as their lock, and remove it
      // themselves.
      return {
        token,
        stats,
        staleAfter: stats.isFile() ? staleWithoutContentAfterMs : Infinity,
      };
    }
    const [, pid = '', name = '', space = '', token = ''] = parts;
    const description = t('process {0} on {1}', pid, name);
    const isHere = space === machine.pidSpace();
    return {
      token,
      description,
      ...(isHere && { pid: Number(pid) }),
      stats,
      staleAfter,
    };
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || isBusy(error, machine)) return undefined;
    throw error;
  }
}

async function waitedTooLong(
  target: string,
  path: string,
  machine: Machine,
): Promise<UserError> {
  const holder =
    (await holderOf(path, machine))?.description ?? t('another program');
  return userError(
    'The configuration file {0} could not be written: it has been locked for 10 seconds, most recently by {1}. Try again; if that does not help, end that process or remove {2}.',
    target,
    holder,
    path,
  );
}

const hourMs = 3_600_000;

/**
 * Removes the files of processes that were killed while they wrote this one.
 * Only for the holder of the lock. The next write tries again with those that
 * cannot be removed.
 */
export async function removeAbandonedFiles(
  target: string,
  lock: Lock,
  machine: Machine,
): Promise<void> {
  const folder = dirname(target);
  const base = basename(target);
  const names = await machine.disk.readdir(folder).catch(() => []);
  // Longest first, because the right to remove a lock has a longer name than
  // the lock.
  for (const name of names.sort((a, b) => b.length - a.length)) {
    const path = join(folder, name);
    if (name.startsWith(`.${base}.`)) {
      const parts = /^(?:lock\.)?([\w-]+)\.(\d+)\.[0-9a-f]{16}\.tmp$/.exec(
        name.slice(base.length + 2),
      );
      if (!parts) continue;
      const [, space, pid] = parts;
      const ended = space === machine.pidSpace() && !machine.runs(Number(pid));
      if (ended || (await isOld(path, lock, machine)))
        await removeIfPossible(path, machine);
    } else if (name.startsWith(`${base}.lock.`)) {
      const rights = name.slice(base.length + '.lock'.length);
      if (/^(\.[0-9a-f]{16})+$/.test(rights))
        await removeStaleLock(path, lock.claim, machine).catch(() => undefined);
    }
  }
}

/**
 * No write takes an hour, so an older file is abandoned even if its process
 * runs.
 */
async function isOld(
  path: string,
  { claim }: Lock,
  { disk }: Machine,
): Promise<boolean> {
  const stats = await disk.lstat(path).catch(() => undefined);
  return stats !== undefined && ageOf(stats, claim) > hourMs;
}
