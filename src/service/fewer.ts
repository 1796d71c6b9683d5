import { ServiceError } from './serviceError.ts';

/** Asks for fewer rows as long as the answer is too large. */
export class Fewer {
  /** So many have been too large for one answer. */
  #tooMany = Infinity;

  async ask<T>(wanted: number, ask: (count: number) => Promise<T>): Promise<T> {
    for (;;) {
      const count = Math.max(1, Math.min(wanted, Math.floor(this.#tooMany / 4)));
      try {
        return await ask(count);
      } catch (error) {
        if (count === 1 || !isTooLarge(error)) throw error;
        this.#tooMany = count;
      }
    }
  }
}

function isTooLarge(error: unknown): boolean {
  return (
    error instanceof ServiceError && error.failure.kind === 'notUnderstood' && error.failure.tooLarge === true
  );
}
