/** Asking again and again, only while somebody looks. */
import type { Clock } from '../base/clock.ts';

export interface PollerOptions {
  /** Asks once. Says how it went, and whether something is about to change by itself. Never rejects. */
  readonly ask: () => Promise<'steady' | 'inTransition' | 'failed'>;
  /** Milliseconds between two askings; 0 is never. */
  readonly interval: () => number;
  readonly clock: Clock;
  readonly random?: () => number;
}

const inTransition = 3_000;
const longestBackoff = 5 * 60_000;

/** Never asks twice at the same time: the pause begins when the answer is there. */
export class Poller {
  readonly #options: PollerOptions;
  #active = false;
  #asking = false;
  #failures = 0;
  #cancel: (() => void) | undefined;

  constructor(options: PollerOptions) {
    this.#options = options;
  }

  /** Whether somebody looks. Who comes back sees what is new at once. */
  set active(active: boolean) {
    if (active === this.#active) return;
    this.#active = active;
    if (active) this.now();
    else this.stop();
  }

  /** Asks at once, and goes on from there. For after a change of the interval or of what is asked. */
  now(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#active && !this.#asking) void this.#ask();
  }

  stop(): void {
    this.#active = false;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  async #ask(): Promise<void> {
    this.#asking = true;
    const outcome =
      this.#options.interval() === 0 && this.#failures === 0 ? 'steady' : await this.#options.ask();
    this.#asking = false;
    this.#failures = outcome === 'failed' ? this.#failures + 1 : 0;
    const pause = this.#pause(outcome);
    if (this.#active && pause !== undefined) {
      this.#cancel = this.#options.clock.after(pause, () => void this.#ask());
    }
  }

  #pause(outcome: 'steady' | 'inTransition' | 'failed'): number | undefined {
    const { interval, random = Math.random } = this.#options;
    const usual = interval();
    if (usual === 0) return undefined;
    if (outcome === 'inTransition') return Math.min(inTransition, usual);
    if (outcome === 'steady') return usual;
    const backoff = Math.min(usual * 2 ** this.#failures, longestBackoff);
    return backoff * (0.75 + random() / 2);
  }
}
