import { ServiceError } from './serviceError.ts';

/** Asks for fewer rows until the answer is not too large, and remembers the size that was. */
export class AdaptivePageSize {
  #tooMany = Infinity;

  async request<T>(wanted: number, send: (count: number) => Promise<T>): Promise<T> {
    for (;;) {
      const count = Math.max(1, Math.min(wanted, Math.floor(this.#tooMany / 4)));
      try {
        return await send(count);
      } catch (error) {
        if (count === 1 || !isTooLarge(error)) throw error;
        this.#tooMany = count;
      }
    }
  }
}

/** True if the answer was longer than what is read. */
export function isTooLarge(error: unknown): boolean {
  return (
    error instanceof ServiceError && error.failure.kind === 'notUnderstood' && error.failure.tooLarge === true
  );
}
