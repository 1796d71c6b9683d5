/**
 * The lock of the one window that polls for all windows on this machine: a file
 * that its holder touches while it lives.
 */
import { utimes } from 'node:fs/promises';
import { newToken } from '../../files/temporary.ts';
import { type Machine, thisMachine } from '../../files/machine.ts';
import {
  changeShared,
  readShared,
  type SharedText,
} from '../../files/sharedFile.ts';
import { isLockFree, lockHolderIn, lockText } from './leaderLockText.ts';

export class LeaderLock {
  readonly #path: string;
  readonly #machine: Machine;
  readonly #token = newToken();

  constructor(path: string, machine: Machine = thisMachine) {
    this.#path = path;
    this.#machine = machine;
  }

  /**
   * Takes or renews the lock, and returns true if it is ours. A window that the
   * user sees takes it from one unseen.
   */
  async acquire(isSeen: boolean): Promise<boolean> {
    const before = await readShared(this.#path);
    let isOurs = this.#isOurs(before);
    if (!isOurs || lockHolderIn(before)?.isSeen !== isSeen) {
      const { pid } = this.#machine;
      const ours = lockText({
        pid,
        space: this.#machine.pidSpace(),
        token: this.#token,
        isSeen,
      });
      await changeShared(
        this.#path,
        (current) => {
          isOurs = this.#isOurs(current) || this.#isFree(current, isSeen);
          return isOurs ? ours : undefined;
        },
        this.#machine,
      );
    }
    const now = this.#machine.clock.now() / 1_000;
    if (isOurs) await utimes(this.#path, now, now);
    return isOurs;
  }

  /** Leaves the lock to others, if it is ours. */
  async release(): Promise<void> {
    if (!this.#isOurs(await readShared(this.#path))) return;
    await changeShared(
      this.#path,
      (current) => (this.#isOurs(current) ? '' : undefined),
      this.#machine,
    );
  }

  #isOurs(current: SharedText): boolean {
    return lockHolderIn(current)?.token === this.#token;
  }

  /** True if the lock is free, or if the process of its holder has ended. */
  #isFree(current: SharedText, isSeen: boolean): boolean {
    if (isLockFree(current, this.#machine.clock.now(), isSeen)) return true;
    const { pid = 0, space } = lockHolderIn(current) ?? {};
    return space === this.#machine.pidSpace() && !this.#machine.runs(pid);
  }
}
