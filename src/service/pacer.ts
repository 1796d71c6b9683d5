import type { Clock } from '../base/clock.ts';

/** Whether a person waits for it, or only a list that renews itself. */
export type Priority = 'person' | 'poll';

/** Lets at most so many requests start within a second, those of a person first. */
export class Pacer {
  readonly #clock: Clock;
  readonly #perSecond: number;
  /** When the requests of the last second were started. */
  #started: number[] = [];
  readonly #waiting: Record<Priority, Set<() => void>> = { person: new Set(), poll: new Set() };
  /** Prevents the next look at who waits, if there is to be one. */
  #cancel: (() => void) | undefined;

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
  }

  /** Resolves when it is this request's turn; rejects when the signal is aborted before. */
  turn(priority: Priority, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const queue = this.#waiting[priority];
      const abort = () => {
        queue.delete(start);
        if (this.#waiting.person.size + this.#waiting.poll.size === 0) this.#unschedule();
        reject(signal.reason as Error);
      };
      const start = () => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      signal.addEventListener('abort', abort, { once: true });
      queue.add(start);
      this.#startNext();
    });
  }

  #startNext(): void {
    const now = this.#clock.now();
    this.#started = this.#started.filter((time) => time > now - 1000 && time <= now);
    for (const queue of [this.#waiting.person, this.#waiting.poll]) {
      for (const start of queue) {
        if (this.#started.length >= this.#perSecond) {
          this.#schedule(now);
          return;
        }
        queue.delete(start);
        if (this.#perSecond !== Infinity) this.#started.push(now);
        start();
      }
    }
  }

  #schedule(now: number): void {
    this.#cancel ??= this.#clock.after(Math.max(1, (this.#started[0] ?? now) + 1000 - now), () => {
      this.#cancel = undefined;
      this.#startNext();
    });
  }

  #unschedule(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
