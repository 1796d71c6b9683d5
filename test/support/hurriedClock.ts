import { type Clock, systemClock } from '../../src/base/clock.ts';

/**
 * Real time, sped up by a factor, for code that waits for the network as well
 * as for time.
 */
export class HurriedClock implements Clock {
  readonly #factor: number;
  readonly #begin = systemClock.now();

  constructor(factor: number) {
    this.#factor = factor;
  }

  now(): number {
    return this.#begin + (systemClock.now() - this.#begin) * this.#factor;
  }

  after(milliseconds: number, callback: () => void): () => void {
    return systemClock.after(milliseconds / this.#factor, callback);
  }
}
