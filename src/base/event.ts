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

  fire(value: T): void {
    for (const listener of [...this.#listeners]) listener(value);
  }

  /** How many listen. */
  get size(): number {
    return this.#listeners.size;
  }
}
