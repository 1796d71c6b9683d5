import { Emitter } from '../../base/event.ts';

/** Limits the live connections of all services. Other conversations are polled. */
export class LiveSlots {
  readonly #freed = new Emitter();
  /** Fires when there may be one again. */
  readonly onFree = this.#freed.on;
  #left: number;

  constructor(count = 8) {
    this.#left = count;
  }

  /** A function that gives it back; undefined if there is none left. */
  take(): (() => void) | undefined {
    if (this.#left === 0) return undefined;
    this.#left--;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#left++;
      this.#freed.fire();
    };
  }
}
