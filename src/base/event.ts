/** Ends when it is disposed of, as those of the editor do. */
export interface Subscription {
  dispose(): void;
}

/** An event emitter that does not need the editor. */
export class Emitter<T = void> {
  readonly #listeners = new Set<(value: T) => void>();

  /**
   * Calls the listener on each `fire`, until the subscription is disposed of.
   */
  readonly on = (listener: (value: T) => void): Subscription => {
    // Wrapped, so that the same function can be added twice.
    const own = (value: T) => {
      listener(value);
    };
    this.#listeners.add(own);
    return { dispose: () => void this.#listeners.delete(own) };
  };

  /**
   * Calls the listeners that were there at the start, except those removed
   * since. If any of them throw, rethrows the first error after all have been
   * called.
   */
  fire(value: T): void {
    const thrown: unknown[] = [];
    for (const listener of [...this.#listeners]) {
      if (!this.#listeners.has(listener)) continue;
      try {
        listener(value);
      } catch (error) {
        thrown.push(error);
      }
    }
    if (thrown.length > 0) throw thrown[0];
  }

  get size(): number {
    return this.#listeners.size;
  }
}
