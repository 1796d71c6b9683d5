/** Something that tells its listeners, without the editor's own kind of event. */
export class Emitter<T = void> {
  readonly #listeners = new Set<(value: T) => void>();

  /** Calls back at each `fire`; returns how to stop that. */
  readonly on = (listener: (value: T) => void): (() => void) => {
    // A wrapper of its own, so that one listener can listen twice.
    const own = (value: T) => {
      listener(value);
    };
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  };

  /** Tells those that listened when it began and still do. What one throws comes when all have been told. */
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

  /** How many listen. */
  get size(): number {
    return this.#listeners.size;
  }
}
