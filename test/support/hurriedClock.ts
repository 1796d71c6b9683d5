import { type Clock, systemClock } from '../../src/base/clock.ts';

/** Real time that goes many times as fast, for what waits for the network and for time as well. */
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
