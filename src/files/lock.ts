/**
 * The lock around reading, changing and replacing a file: `<file>.lock` beside it, which says who holds it.
 *
 * What nobody holds any more is taken over. The danger in that: two find the same dead lock, one removes it and takes a
 * lock of its own, and the other then removes that one. So the right to remove the lock with the token T is itself a
 * lock, `<file>.lock.T`, and whoever has it looks again before removing.
 */
import { sleep } from '../base/clock.ts';
import { UserError } from '../base/errors.ts';
import { t } from '../base/l10n.ts';
import { isBusy, type Machine } from './machine.ts';
import { create, newToken, remove, stubbornly, temporaryPath } from './temporary.ts';
import { codeOf } from './fileErrors.ts';

export interface Lock {
  readonly claim: Claim;
  /** Whether it was not taken over, as happens to a process that slept for long. */
  held(): boolean;
  /** Never fails: a lock that cannot be removed now is taken over later. */
  release(): Promise<void>;
}

/** What somebody who wants a lock writes into it, and a file that has it, to be linked into place. */
export interface Claim {
  readonly token: string;
  readonly text: string;
  readonly file: string;
}

interface Holder {
  readonly token: string;
  readonly words: string;
  /** Nobody holds it any more. */
  readonly stale: boolean;
}

const patience = 10_000;
const oldAge = 30_000;
/** How long a lock may stand without its content, where it cannot be made in one step. */
const garbledFor = 5_000;

/** Waits for the lock of a file, which is not a link. Throws a UserError that tells who holds it for too long. */
export async function lockFile(target: string, machine: Machine): Promise<Lock> {
  const { disk, clock } = machine;
  const path = `${target}.lock`;
  const token = newToken();
  const text = `${machine.pid} ${machine.name} ${token}\n`;
  const claim: Claim = { token, text, file: temporaryPath(path, machine, token) };
  await create(claim.file, text, machine);
  try {
    const end = clock.now() + patience;
    while (!(await take(path, claim, machine))) {
      if (clock.now() >= end) throw await waitedTooLong(target, path, machine);
      await sleep(clock, 5 + Math.random() * 20);
    }
  } finally {
    await remove(claim.file, machine);
  }
  return {
    // From now on the lock itself is a file that has the content.
    claim: { ...claim, file: path },
    held: () => {
      try {
        return disk.readFileSync(path).toString() === text;
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return false;
        throw error;
      }
    },
    release: () => release(path, token, machine),
  };
}

/** Tries once. */
async function take(path: string, claim: Claim, machine: Machine): Promise<boolean> {
  if (await place(path, claim, machine)) return true;
  const holder = await holderOf(path, machine);
  // A link that came into being although it was said to have failed, as on network drives.
  if (holder?.token === claim.token) return true;
  if (holder?.stale === true) await takeAway(path, holder.token, claim, machine);
  return false;
}

async function place(path: string, claim: Claim, machine: Machine): Promise<boolean> {
  try {
    await machine.disk.link(claim.file, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
  }
  // Not every file system has hard links. If something else is the matter, this says so.
  try {
    await create(path, claim.text, machine);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || isBusy(error, machine)) return false;
    throw error;
  }
}

/** Removes a lock that nobody holds, unless it has become another one. */
async function takeAway(path: string, token: string, claim: Claim, machine: Machine): Promise<void> {
  const right = `${path}.${token}`;
  if (!(await take(right, claim, machine))) return;
  try {
    if ((await holderOf(path, machine))?.token === token) await remove(path, machine);
  } finally {
    await release(right, claim.token, machine);
  }
}

/** Removes what a dead process left of taking over a lock. */
export async function sweepLock(path: string, claim: Claim, machine: Machine): Promise<void> {
  const holder = await holderOf(path, machine);
  if (holder?.stale === true) await takeAway(path, holder.token, claim, machine);
}

async function release(path: string, token: string, machine: Machine): Promise<void> {
  await stubbornly(async () => {
    if ((await holderOf(path, machine))?.token === token) await machine.disk.unlink(path);
  }, machine);
}

async function holderOf(path: string, machine: Machine): Promise<Holder | undefined> {
  const { disk, clock } = machine;
  try {
    // In this order, a lock that is replaced in between looks younger than it is, and never older.
    const text = (await disk.readFile(path)).toString();
    const { ino, ctimeMs } = await disk.stat(path);
    const age = clock.now() - ctimeMs;
    const [, pid = '', name = '', token] = /^(\d+) (\S*) ([0-9a-f]{16})\n$/.exec(text) ?? [];
    if (token === undefined) {
      const hex = (value: number) => Math.floor(value).toString(16);
      const substitute = `${hex(ino)}${hex(ctimeMs)}`.slice(-16).padStart(16, '0');
      return { token: substitute, words: t('another program'), stale: age > garbledFor };
    }
    const dead = name === machine.name && !machine.runs(Number(pid));
    return { token, words: t('process {0} on {1}', pid, name), stale: dead || age > oldAge };
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    // Some programs lock with a folder of this name, and remove it themselves.
    if (codeOf(error) === 'EISDIR' || isBusy(error, machine)) {
      return { token: '', words: t('another program'), stale: false };
    }
    throw error;
  }
}

async function waitedTooLong(target: string, path: string, machine: Machine): Promise<UserError> {
  const who = (await holderOf(path, machine))?.words ?? t('another program');
  return new UserError(
    t(
      'The configuration file {0} could not be written: it has been locked for 10 seconds, at last by {1}. Try again; if that does not help, end that process or remove {2}.',
      target,
      who,
      path,
    ),
  );
}
