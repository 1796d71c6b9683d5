/** A signal that cancels the work under way. */
export class Cancellation {
  #controller = new AbortController();

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  with(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.signal]);
  }

  /** Cancels current and later work. */
  cancel(reason?: Error): void {
    this.#controller.abort(reason);
  }

  /** Cancels current work, but not later work. */
  restart(): void {
    this.cancel();
    this.#controller = new AbortController();
  }
}
