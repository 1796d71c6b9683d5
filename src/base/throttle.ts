import type { Clock } from './clock.ts';

/** Does something at once where it was not done for a while. Otherwise it is done when that while is over, once for all. */
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

  /** It was done without having been requested: the pause begins anew. */
  done(): void {
    this.#doneAt = this.#clock.now();
  }

  /** What was requested is not done. */
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
