import { type Clock, sleep } from '../../base/clock.ts';

const minBackoffMs = 500;
const maxBackoffMs = 5 * 60_000;

/** Waiting between two requests, which something can end. */
export class Pauses {
  readonly #clock: Clock;
  #wake: () => void = () => undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
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

  /** The milliseconds to wait after this many failures. */
  backoff(failures: number): number {
    return Math.min(minBackoffMs * 2 ** failures, maxBackoffMs) * (0.5 + Math.random() / 2);
  }
}
