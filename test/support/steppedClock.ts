import type { Clock } from '../../src/base/clock.ts';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that moves only when a test advances it. */
export class SteppedClock implements Clock {
  #now: number;
  readonly #timers = new Set<Timer>();

  constructor(now = Date.UTC(2026, 0, 15, 10, 42)) {
    this.#now = now;
  }

  /**
   * The number of pending callbacks. 0 once everything that waits is disposed.
   */
  get pending(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { at: this.#now + Math.max(0, milliseconds), callback };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  /**
   * Advances the clock and runs the callbacks that are due, each at its own
   * time; those due at the same time run in the order they were requested.
   * Callbacks requested on the way also run if they are due.
   */
  advance(milliseconds: number): void {
    const end = this.#now + milliseconds;
    for (let timer = this.#next(end); timer; timer = this.#next(end)) {
      this.#timers.delete(timer);
      this.#now = timer.at;
      timer.callback();
    }
    this.#now = end;
  }

  /**
   * Advances by such steps until the promise is settled, and resolves or
   * rejects with it.
   */
  async advanceUntil<T>(promise: Promise<T>, step: number): Promise<T> {
    const steps = { goOn: true };
    const settled = () => {
      steps.goOn = false;
    };
    promise.then(settled, settled);
    do {
      await new Promise((resolve) => setImmediate(resolve));
      this.advance(step);
    } while (steps.goOn);
    return await promise;
  }

  #next(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= end && (!next || timer.at < next.at)) next = timer;
    }
    return next;
  }
}
