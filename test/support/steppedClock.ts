import type { Clock } from '../../src/base/clock.ts';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that stands still until a test advances it. */
export class SteppedClock implements Clock {
  #now: number;
  readonly #timers = new Set<Timer>();

  constructor(now = Date.UTC(2026, 0, 15, 10, 42)) {
    this.#now = now;
  }

  /** How many callbacks are still to come: none, once everything that waits is disposed. */
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
   * Goes on by so many milliseconds, and calls on the way what is due: in the order of time and then of request, each at
   * its own time. What a callback asks for is called as well, if it is due by then.
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

  #next(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= end && (!next || timer.at < next.at)) next = timer;
    }
    return next;
  }
}
