import type { Time } from '../model/entities.ts';

/**
 * Tells a state that lasts from one that is over soon, by id. Believes the
 * state at once of an id that was never seen without it.
 */
export class BriefStates {
  readonly #longestMs: number;
  /** Start of the current state, or `undefined` while an id is without it. */
  readonly #since = new Map<string, Time | undefined>();

  constructor(longestMs: number) {
    this.#longestMs = longestMs;
  }

  end(id: string): void {
    this.#since.set(id, undefined);
  }

  /** Takes the state for a lasting one until it ends. */
  believe(id: string): void {
    this.#since.delete(id);
  }

  /** True if the state, which was just seen, lasts. */
  lasts(id: string, now: Time): boolean {
    if (!this.#since.has(id)) return true;
    const since = this.#since.get(id) ?? now;
    this.#since.set(id, since);
    return now - since >= this.#longestMs;
  }
}
