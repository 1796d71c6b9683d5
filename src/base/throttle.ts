import type { Clock } from './clock.ts';

/**
 * Works at once if the last time is a pause ago, else once when the pause is
 * over.
 */
export class Throttle {
  readonly #clock: Clock;
  readonly #pause: number;
  readonly #work: () => void;
  #doneAt = -Infinity;
  #cancel: (() => void) | undefined;

  /** `pause` is in milliseconds. */
  constructor(clock: Clock, pause: number, work: () => void) {
    this.#clock = clock;
    this.#pause = pause;
    this.#work = work;
  }

  request(): void {
    if (this.#cancel) return;
    // The clock of the machine may have been set back.
    const since = Math.max(0, this.#clock.now() - this.#doneAt);
    if (since >= this.#pause) this.#do();
    else
      this.#cancel = this.#clock.after(this.#pause - since, () => {
        this.#do();
      });
  }

  /** Starts the pause again after work that was not requested. */
  done(): void {
    this.#doneAt = this.#clock.now();
  }

  /** Drops a request that still waits. */
  cancel(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #do(): void {
    this.cancel();
    this.done();
    this.#work();
  }
}
