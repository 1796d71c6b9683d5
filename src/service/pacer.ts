import type { Clock } from '../base/clock.ts';

/** Whether a person is waiting for it, or it is only an automatic refresh. */
export type Priority = 'person' | 'poll';

/** At most `most` requests of these priorities within `within` milliseconds. */
interface Limit {
  readonly of: readonly Priority[];
  readonly most: number;
  readonly within: number;
}

const all: readonly Priority[] = ['person', 'poll'];
const minute = 60_000;

/**
 * A service accepts a hundred requests a minute from all clients of one user. Polls get 57 of them, in small portions, so
 * that no poll waits for long and a person never waits because of polls.
 */
const usual: Limit = { of: all, most: 90, within: minute };
const polls: Limit = { of: ['poll'], most: 19, within: minute / 3 };

/** After what took long, for the service or for us, comes a pause of so many times its length. */
export const rest = 4;

/** A person waits for this. */
const longestRest = 30_000;

/**
 * How long to wait before checking again on something that began `waited` milliseconds ago, where the last check took
 * `took`. Most take a few seconds.
 */
export function pauseAfter(waited: number, took: number): number {
  return Math.max(waited < 10_000 ? 1_000 : 3_000, Math.min(rest * took, longestRest));
}

/** Limits how many requests start within a second and within a minute. Those of a person go first. */
export class Pacer {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #pollers: () => number;
  /** The requests of the last minute. */
  #started: { readonly priority: Priority; readonly at: number }[] = [];
  readonly #waiting: Record<Priority, Set<() => void>> = { person: new Set(), poll: new Set() };
  /** For how long polls have waited before, and since when they wait now. */
  readonly #pollsWaited: { before: number; since: number | undefined } = { before: 0, since: undefined };
  /** Cancels the next run of `#startNext`, if one is scheduled. */
  #cancel: (() => void) | undefined;

  /** `Infinity` turns all limits off. `pollers` is how many windows share what polls get, with this one. */
  constructor(clock: Clock, perSecond: number, pollers: () => number = () => 1) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#pollers = pollers;
  }

  /** For how long polls have waited for their turn so far, in milliseconds. */
  get pollsWaited(): number {
    const { before, since } = this.#pollsWaited;
    return since === undefined ? before : before + Math.max(0, this.#clock.now() - since);
  }

  /**
   * Resolves when it is this request's turn; rejects if the signal is aborted first. A poll becomes the
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
        this.#measure();
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
        if (this.#perSecond !== Infinity) this.#started.push({ priority, at: now });
        start();
      }
    }
    this.#measure();
    this.#unschedule();
    if (next === Infinity) return;
    this.#cancel = this.#clock.after(next - now, () => {
      this.#cancel = undefined;
      this.#startNext();
    });
  }

  #measure(): void {
    const waited = this.#pollsWaited;
    if (this.#waiting.poll.size > 0) waited.since ??= this.#clock.now();
    else {
      waited.before = this.pollsWaited;
      waited.since = undefined;
    }
  }

  get #limits(): readonly Limit[] {
    if (this.#perSecond === Infinity) return [];
    const share = Math.max(1, Math.floor(polls.most / this.#pollers()));
    return [{ of: all, most: this.#perSecond, within: 1000 }, usual, { ...polls, most: share }];
  }

  /** When the next request of this priority may start. */
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
