import { Emitter } from '../../base/event.ts';

/**
 * Limits the live connections of all services. Other conversations are polled.
 */
export class LiveSlots {
  readonly #freed = new Emitter();
  /** Fires when a slot may be free. */
  readonly onFree = this.#freed.on;
  #left: number;

  constructor(count = 8) {
    this.#left = count;
  }

  /** Takes a slot. Returns false if none is left. */
  acquire(): boolean {
    if (this.#left === 0) return false;
    this.#left--;
    return true;
  }

  release(): void {
    this.#left++;
    this.#freed.fire();
  }
}
