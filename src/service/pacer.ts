import type { Clock } from '../base/clock.ts';

/** Whether a person waits for it, or only something that looks again and again by itself. */
export type Priority = 'person' | 'poll';

/** So many of these at most within so many milliseconds. */
interface Limit {
  readonly of: readonly Priority[];
  readonly most: number;
  readonly within: number;
}

const all: readonly Priority[] = ['person', 'poll'];
const minute = 60_000;

/**
 * The service takes a hundred a minute, over all clients of one user. Polls get sixty of ours, and in small portions:
 * none waits for long, and a person never waits for what they have used up.
 */
const limits: readonly Limit[] = [
  { of: all, most: 90, within: minute },
  { of: ['poll'], most: 20, within: minute / 3 },
];

/** How long to wait before looking again at what was begun so long ago: for most it takes some seconds. */
export function pauseAfter(waited: number): number {
  return waited < 10_000 ? 1_000 : 3_000;
}

/** Lets at most so many requests start within a second and within a minute, those of a person first. */
export class Pacer {
  readonly #clock: Clock;
  readonly #limits: readonly Limit[];
  /** The requests of the last minute. */
  #started: { readonly priority: Priority; readonly at: number }[] = [];
  readonly #waiting: Record<Priority, Set<() => void>> = { person: new Set(), poll: new Set() };
  /** Prevents the next look at who waits, if there is to be one. */
  #cancel: (() => void) | undefined;

  /** With `Infinity`, nothing is limited. */
  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#limits = perSecond === Infinity ? [] : [{ of: all, most: perSecond, within: 1000 }, ...limits];
  }

  /**
   * Resolves when it is this request's turn; rejects when the signal is aborted before. A poll becomes the
   * request of a person when `promoted` is aborted.
   */
  turn(priority: Priority, signal: AbortSignal, promoted?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      let queue = this.#waiting[promoted?.aborted ? 'person' : priority];
      const promote = () => {
        queue.delete(start);
        queue = this.#waiting.person.add(start);
        this.#startNext();
      };
      const abort = () => {
        promoted?.removeEventListener('abort', promote);
        queue.delete(start);
        if (this.#waiting.person.size + this.#waiting.poll.size === 0) this.#unschedule();
        reject(signal.reason as Error);
      };
      const start = () => {
        signal.removeEventListener('abort', abort);
        promoted?.removeEventListener('abort', promote);
        resolve();
      };
      signal.addEventListener('abort', abort, { once: true });
      if (queue === this.#waiting.poll) promoted?.addEventListener('abort', promote, { once: true });
      queue.add(start);
      this.#startNext();
    });
  }

  #startNext(): void {
    const now = this.#clock.now();
    this.#started = this.#started.filter(({ at }) => at > now - minute && at <= now);
    let next = Infinity;
    for (const priority of all) {
      const queue = this.#waiting[priority];
      for (const start of queue) {
        const turn = this.#nextTurn(priority);
        if (turn > now) {
          next = Math.min(next, turn);
          break;
        }
        queue.delete(start);
        if (this.#limits.length > 0) this.#started.push({ priority, at: now });
        start();
      }
    }
    this.#unschedule();
    if (next === Infinity) return;
    this.#cancel = this.#clock.after(next - now, () => {
      this.#cancel = undefined;
      this.#startNext();
    });
  }

  /** When one more of these may start. */
  #nextTurn(priority: Priority): number {
    const turns = this.#limits
      .filter((limit) => limit.of.includes(priority))
      .map(({ of, most, within }) => {
        const last = this.#started.filter((one) => of.includes(one.priority)).at(-most);
        return last === undefined ? 0 : last.at + within;
      });
    return Math.max(0, ...turns);
  }

  #unschedule(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
