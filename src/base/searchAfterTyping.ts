import { type Clock, sleep } from './clock.ts';

const pauseMs = 250;

/**
 * Searches for typed text once the user pauses, so that not every key is a
 * request.
 */
export class SearchAfterTyping {
  readonly #clock: Clock;
  #last = new AbortController();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Returns a search that finds nothing if other text was typed in the
   * meantime.
   */
  search<T>(
    find: (typed: string, signal: AbortSignal) => Promise<readonly T[]>,
  ): (typed: string) => Promise<readonly T[]> {
    return async (typed) => {
      this.stop();
      const { signal } = (this.#last = new AbortController());
      try {
        if (typed !== '') await sleep(this.#clock, pauseMs, signal);
        return await find(typed, signal);
      } catch (error) {
        if (signal.aborted) return [];
        throw error;
      }
    };
  }

  stop(): void {
    this.#last.abort();
  }
}
