import { type Clock, sleep } from '../../base/clock.ts';

/** In milliseconds. */
const shortestBackoff = 500;
const longestBackoff = 5 * 60_000;

/** Waiting between two questions, which something can end. */
export class Pauses {
  readonly #clock: Clock;
  readonly #random: () => number;
  #wake: () => void = () => undefined;

  constructor(clock: Clock, random: () => number) {
    this.#clock = clock;
    this.#random = random;
  }

  /** Ends the pause that is under way. */
  wake(): void {
    this.#wake();
  }

  async pause(milliseconds: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => {
      woken.abort();
    };
    await sleep(this.#clock, milliseconds, AbortSignal.any([signal, woken.signal])).catch(() => undefined);
    this.#wake = () => undefined;
  }

  /** How long to wait after so many failures. */
  backoff(failures: number): number {
    return Math.min(shortestBackoff * 2 ** failures, longestBackoff) * (0.5 + this.#random() / 2);
  }
}
