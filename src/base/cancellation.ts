/** A signal that cancels the work under way. */
export class Cancellation {
  #controller = new AbortController();

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  with(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.signal]);
  }

  /** Cancels for good: what begins later is cancelled at once. */
  cancel(reason?: Error): void {
    this.#controller.abort(reason);
  }

  /** Cancels what is under way, but not what begins later. */
  restart(): void {
    this.cancel();
    this.#controller = new AbortController();
  }
}
