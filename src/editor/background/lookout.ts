/** Whether this window is the one of the machine that looks at the services for all of them. */
import type { Clock } from '../../base/clock.ts';
import { reason } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import type { Log } from '../../base/log.ts';
import { Serial } from '../../base/serial.ts';
import type { Claim } from './claim.ts';
import { renewal } from './claimText.ts';

interface LookoutOptions {
  readonly claim: () => Promise<Pick<Claim, 'take' | 'release'>>;
  readonly clock: Clock;
  readonly log: Log;
  /** Whether there is something to look at, and somebody wants to know. */
  readonly isWanted: () => boolean;
  /** Whether people look at this window. */
  readonly isSeen: () => boolean;
  /** Whether there is a window: where extensions run on another machine, they outlive one whose connection broke. */
  readonly isThere: () => Promise<boolean>;
}

export class Lookout {
  readonly #options: LookoutOptions;
  readonly #changed = new Emitter();
  #isOurs = false;
  #ended = false;
  #cancel: (() => void) | undefined;
  readonly #queue = new Serial();

  constructor(options: LookoutOptions) {
    this.#options = options;
  }

  get isLooking(): boolean {
    return this.#isOurs;
  }

  /** Fires when this window begins to look, and when it ends. */
  get onChange(): Emitter['on'] {
    return this.#changed.on;
  }

  /** Takes the claim if it can be had, keeps it as long as that is wanted, and leaves it to others then. */
  decide(): Promise<void> {
    return this.#queue.run(() => this.#decide());
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.decide();
  }

  async #decide(): Promise<void> {
    const { claim, clock, log, isWanted, isSeen, isThere } = this.#options;
    this.#cancel?.();
    const before = this.#isOurs;
    try {
      if (!this.#ended && isWanted() && (await isThere()))
        this.#isOurs = await (await claim()).take(isSeen());
      else if (before) {
        this.#isOurs = false;
        await (await claim()).release();
      }
    } catch (error) {
      this.#isOurs = false;
      log.debug(`No window could be chosen that looks for all: ${reason(error)}`);
    }
    if (this.#isOurs) this.#cancel = clock.after(renewal, () => void this.decide());
    if (this.#isOurs !== before) this.#changed.fire();
  }
}
