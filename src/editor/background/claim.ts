/**
 * Which window of the machine looks for all of them, as a file says. It touches that file again and again, so that another
 * one takes over when it is gone, however it went.
 */
import { utimes } from 'node:fs/promises';
import { newToken } from '../../base/token.ts';
import { type Machine, thisMachine } from '../../files/machine.ts';
import { changeShared, readShared, type SharedText } from '../../files/sharedFile.ts';
import { isFree, textOf, type Holder, holderIn } from './claimText.ts';

export class Claim {
  readonly #path: string;
  readonly #machine: Machine;
  readonly #token = newToken();

  constructor(path: string, machine: Machine = thisMachine) {
    this.#path = path;
    this.#machine = machine;
  }

  /**
   * Takes it if nobody has it, and renews it if it is ours. A window that people look at takes it from one that they do
   * not. Returns whether it is ours now.
   */
  async take(isSeen: boolean): Promise<boolean> {
    const before = await readShared(this.#path);
    let isOurs = this.#isOurs(before);
    if (!isOurs || holderIn(before)?.isSeen !== isSeen) {
      const ours = textOf({ ...this.#here(), isSeen });
      await changeShared(
        this.#path,
        (now) => {
          isOurs = this.#isOurs(now) || this.#isForUs(now, isSeen);
          return isOurs ? ours : undefined;
        },
        this.#machine,
      );
    }
    if (isOurs) await this.#touch();
    return isOurs;
  }

  /** Leaves it to others, if it is ours. */
  async release(): Promise<void> {
    if (!this.#isOurs(await readShared(this.#path))) return;
    await changeShared(this.#path, (now) => (this.#isOurs(now) ? '' : undefined), this.#machine);
  }

  #here(): Omit<Holder, 'isSeen'> {
    return { pid: this.#machine.pid, space: this.#machine.pidSpace(), token: this.#token };
  }

  #isOurs(now: SharedText): boolean {
    return holderIn(now)?.token === this.#token;
  }

  #isForUs(now: SharedText, isSeen: boolean): boolean {
    if (isFree(now, this.#machine.clock.now(), isSeen)) return true;
    const { pid = 0, space } = holderIn(now) ?? {};
    return space === this.#machine.pidSpace() && !this.#machine.runs(pid);
  }

  async #touch(): Promise<void> {
    const now = this.#machine.clock.now() / 1_000;
    await utimes(this.#path, now, now);
  }
}
