import type { Clock } from '../../base/clock.ts';
import { restFactor } from '../../service/http/pacer.ts';

interface PollerOptions {
  /**
   * Polls once. Resolves with the outcome; `inTransition` if rows will soon
   * change. Never rejects.
   */
  readonly ask: () => Promise<'steady' | 'inTransition' | 'failed'>;
  /**
   * Milliseconds from an answer to the next request, more after a slow answer.
   * 0 disables polling.
   */
  readonly interval: () => number;
  /**
   * Total time that requests spent queued, in milliseconds, which needs no
   * rest.
   */
  readonly waited: () => number;
  /**
   * True while an unreachable service is visible, which may be back at any
   * moment.
   */
  readonly isRetriedSoon: () => boolean;
  readonly clock: Clock;
  readonly random?: () => number;
}

const inTransition = 3_000;
/** Notices a returning service within 10 s. */
const soonMs = 8_000;
const maxBackoffMs = 5 * 60_000;

/** Never polls concurrently: the pause begins with the answer. */
export class Poller {
  readonly #options: PollerOptions;
  #active = false;
  #asking = false;
  /** Poll again when the current request ends. */
  #again = false;
  #failures = 0;
  #cancel: (() => void) | undefined;

  constructor(options: PollerOptions) {
    this.#options = options;
  }

  get active(): boolean {
    return this.#active;
  }

  /** Polls at once when set to true. */
  set active(active: boolean) {
    if (active === this.#active) return;
    if (!active) {
      this.stop();
      return;
    }
    this.#active = true;
    // The current request is new enough.
    if (!this.#asking) this.now();
  }

  /**
   * Polls at once and continues from there, after a change of the interval or
   * the query.
   */
  now(): void {
    if (!this.#active) return;
    this.#cancel?.();
    if (this.#asking) this.#again = true;
    else void this.#ask();
  }

  stop(): void {
    this.#active = this.#again = false;
    this.#cancel?.();
  }

  async #ask(): Promise<void> {
    const { ask, interval, waited, clock } = this.#options;
    if (interval() === 0) return;
    this.#asking = true;
    const begin = clock.now() - waited();
    const outcome = await ask();
    this.#asking = false;
    this.#failures = outcome === 'failed' ? this.#failures + 1 : 0;
    const pause = this.#again
      ? 0
      : this.#pause(outcome, clock.now() - waited() - begin);
    this.#again = false;
    if (this.#active && pause !== undefined)
      this.#cancel = clock.after(pause, () => void this.#ask());
  }

  #pause(
    outcome: 'steady' | 'inTransition' | 'failed',
    took: number,
  ): number | undefined {
    const { interval, random = Math.random } = this.#options;
    const usual = interval();
    if (usual === 0) return undefined;
    if (outcome === 'failed') {
      if (this.#options.isRetriedSoon()) return Math.min(usual, soonMs);
      const backoff = Math.min(
        usual * 2 ** this.#failures,
        Math.max(maxBackoffMs, usual),
      );
      return Math.max(usual, backoff * (0.75 + random() / 4));
    }
    // The machine may have slept.
    const least = Math.min(restFactor * took, maxBackoffMs);
    return Math.max(
      outcome === 'inTransition' ? Math.min(inTransition, usual) : usual,
      least,
    );
  }
}
