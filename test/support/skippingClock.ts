import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../src/base/clock.ts';

interface Timer {
  readonly at: number;
  readonly callback: () => void;
  /** Cancels the real timer. */
  cancel: () => void;
}

/**
 * Real time that a test can skip, for code that waits for the network as well
 * as for time.
 */
export class SkippingClock implements Clock {
  readonly #real: Clock;
  readonly #timers = new Set<Timer>();
  #skipped = 0;
  /** The real time while it stands still. */
  #stoppedAt: number | undefined;

  /** `real` is copied, so that it can be replaced by this clock. */
  constructor(real: Clock) {
    this.#real = { now: real.now.bind(real), after: real.after.bind(real) };
  }

  now(): number {
    return (this.#stoppedAt ?? this.#real.now()) + this.#skipped;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer: Timer = {
      at: this.now() + Math.max(0, milliseconds),
      callback,
      cancel: () => undefined,
    };
    this.#timers.add(timer);
    this.#arm(timer);
    return () => {
      this.#timers.delete(timer);
      timer.cancel();
    };
  }

  /**
   * Runs everything that is due meanwhile, in order and each at its own time,
   * together with what follows from it before anything is waited for. What is
   * left is due that much earlier.
   */
  async skip(milliseconds: number): Promise<void> {
    const end = this.now() + milliseconds;
    for (let timer = this.#next(end); timer; timer = this.#next(end)) {
      this.#skipTo(timer.at);
      this.#timers.delete(timer);
      timer.cancel();
      timer.callback();
      await turns();
    }
    this.#skipTo(end);
    for (const timer of this.#timers) this.#arm(timer);
    await turns();
  }

  /**
   * No time but what is skipped passes until the action is done. What is due
   * runs.
   */
  async standStill<T>(action: () => Promise<T>): Promise<T> {
    const stoppedAt = (this.#stoppedAt = this.#real.now());
    for (const timer of this.#timers) this.#arm(timer);
    try {
      return await action();
    } finally {
      this.#skipped -= this.#real.now() - stoppedAt;
      this.#stoppedAt = undefined;
      for (const timer of this.#timers) this.#arm(timer);
    }
  }

  #skipTo(time: number): void {
    this.#skipped += Math.max(0, time - this.now());
  }

  #arm(timer: Timer): void {
    timer.cancel();
    if (this.#stoppedAt !== undefined && timer.at > this.now()) return;
    timer.cancel = this.#real.after(timer.at - this.now(), () => {
      this.#timers.delete(timer);
      timer.callback();
    });
  }

  #next(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at <= end && (!next || timer.at < next.at)) next = timer;
    }
    return next;
  }
}

/** Lets promises go on, also those that wait for a turn of the event loop. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await setImmediate();
}
