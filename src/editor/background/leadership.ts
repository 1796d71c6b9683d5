import type { Clock } from '../../base/clock.ts';
import { reason } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { Log } from '../../base/log.ts';
import { Serial } from '../../base/serial.ts';
import type { LeaderLock } from './leaderLock.ts';
import { leaderRenewalMs } from './leaderLockText.ts';

interface LeadershipOptions {
  readonly lock: () => Promise<Pick<LeaderLock, 'acquire' | 'release'>>;
  readonly clock: Clock;
  readonly log: Log;
  /** True if there is a service to poll, and the settings ask for it. */
  readonly isWanted: () => boolean;
  /** True if the user sees this window. */
  readonly isSeen: () => boolean;
  /**
   * False if the window is gone: extensions on another machine outlive a window
   * whose connection broke.
   */
  readonly isThere: () => Promise<boolean>;
}

/**
 * Decides, with the other windows on this machine, which one of them polls for
 * all.
 */
export class Leadership {
  readonly #options: LeadershipOptions;
  readonly #changed = new Emitter();
  readonly #updates = new Serial();
  #isLeader = false;
  #ended = false;
  #cancelRenewal: (() => void) | undefined;

  constructor(options: LeadershipOptions) {
    this.#options = options;
  }

  get isLeader(): boolean {
    return this.#isLeader;
  }

  /** Fires when `isLeader` changes. */
  get onChange(): Emitter['on'] {
    return this.#changed.on;
  }

  /**
   * Takes the lock if it is free, and keeps it while leadership is wanted; then
   * releases it.
   */
  update(): Promise<void> {
    return this.#updates.run(() => this.#update());
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.update();
  }

  async #update() {
    const { lock, clock, log, isWanted, isSeen, isThere } = this.#options;
    this.#cancelRenewal?.();
    const before = this.#isLeader;
    try {
      if (!this.#ended && isWanted() && (await isThere()))
        this.#isLeader = await (await lock()).acquire(isSeen());
      else if (before) {
        this.#isLeader = false;
        await (await lock()).release();
      }
    } catch (error) {
      this.#isLeader = false;
      log.debug(
        `The lock of the window that polls for all could not be used: ${reason(error)}`,
      );
    }
    if (this.#isLeader)
      this.#cancelRenewal = clock.after(
        leaderRenewalMs,
        () => void this.update(),
      );
    if (this.#isLeader !== before) this.#changed.fire();
  }
}
