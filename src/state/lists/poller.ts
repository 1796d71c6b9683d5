import type { Clock } from '../../base/clock.ts';
import { restFactor } from '../../service/http/pacer.ts';

interface PollerOptions {
  /** Asks once. Resolves with the outcome, and whether something is about to change. Never rejects. */
  readonly ask: () => Promise<'steady' | 'inTransition' | 'failed'>;
  /**
   * Milliseconds from an answer to the next request, or longer where an answer takes long; 0 is never, not even when
   * somebody looks again.
   */
  readonly interval: () => number;
  /** For how long questions have waited for their turn so far, in milliseconds. That is not work that needs a rest. */
  readonly waited?: () => number;
  /** True while somebody looks at a service that cannot be reached: it may be back at any moment. */
  readonly isRetriedSoon?: () => boolean;
  readonly clock: Clock;
  readonly random?: () => number;
}

const inTransition = 3_000;
/** A service that is back is seen within 10 s. */
const soonMs = 8_000;
const maxBackoffMs = 5 * 60_000;

/** Never asks twice at the same time: the pause begins with the answer. */
export class Poller {
  readonly #options: PollerOptions;
  #active = false;
  #asking = false;
  /** Somebody wants a newer answer than the one under way. */
  #again = false;
  #failures = 0;
  #cancel: (() => void) | undefined;

  constructor(options: PollerOptions) {
    this.#options = options;
  }

  get active(): boolean {
    return this.#active;
  }

  /** Asks at once when set to true. */
  set active(active: boolean) {
    if (active === this.#active) return;
    if (!active) {
      this.stop();
      return;
    }
    this.#active = true;
    // An answer under way is new enough.
    if (!this.#asking) this.now();
  }

  /** Asks at once and goes on from there, after a change of the interval or of the question. */
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
    const { ask, interval, waited = () => 0, clock } = this.#options;
    if (interval() === 0) return;
    this.#asking = true;
    const begin = clock.now() - waited();
    const outcome = await ask();
    this.#asking = false;
    this.#failures = outcome === 'failed' ? this.#failures + 1 : 0;
    const pause = this.#again ? 0 : this.#pause(outcome, clock.now() - waited() - begin);
    this.#again = false;
    if (this.#active && pause !== undefined) this.#cancel = clock.after(pause, () => void this.#ask());
  }

  #pause(outcome: 'steady' | 'inTransition' | 'failed', took: number): number | undefined {
    const { interval, random = Math.random } = this.#options;
    const usual = interval();
    if (usual === 0) return undefined;
    if (outcome === 'failed') {
      if (this.#options.isRetriedSoon?.() === true) return Math.min(usual, soonMs);
      const backoff = Math.min(usual * 2 ** this.#failures, Math.max(maxBackoffMs, usual));
      return Math.max(usual, backoff * (0.75 + random() / 4));
    }
    // The machine may have slept in the meantime.
    const least = Math.min(restFactor * took, maxBackoffMs);
    return Math.max(outcome === 'inTransition' ? Math.min(inTransition, usual) : usual, least);
  }
}
