import type { Clock } from '../../base/clock.ts';

/**
 * The importance of a request: stopping an agent, waited for by the user, or an
 * automatic refresh.
 */
export type Priority = 'stop' | 'person' | 'poll';

/**
 * Requests with the priorities of `holds` wait while `most` with those of
 * `counts` have begun within `within` milliseconds.
 */
interface Limit {
  readonly holds: readonly Priority[];
  readonly counts: readonly Priority[];
  readonly most: number;
  readonly within: number;
}

const all: readonly Priority[] = ['stop', 'person', 'poll'];
const minuteMs = 60_000;

/**
 * An app server accepts 100 requests a minute from all clients of one user.
 * Polls get 57 of them, 19 every 20 s, so no poll waits long and the user never
 * waits for polls. The last 9 are reserved for stopping an agent.
 */
const service: Limit = { holds: all, counts: all, most: 99, within: minuteMs };
const usual: Limit = {
  holds: ['person', 'poll'],
  counts: all,
  most: 90,
  within: minuteMs,
};
const polls: Limit = {
  holds: ['poll'],
  counts: ['poll'],
  most: 19,
  within: minuteMs / 3,
};

/** Rest after a slow request: this many times its duration. */
export const restFactor = 4;

const maxRestMs = 30_000;

/**
 * Pause before the next check of something that began `waited` milliseconds
 * ago, if the last check took `took`.
 */
export function pauseAfter(waited: number, took: number): number {
  return Math.max(
    waited < 10_000 ? 1_000 : 3_000,
    Math.min(restFactor * took, maxRestMs),
  );
}

/**
 * Limits the requests started per second and per minute. Stopping an agent goes
 * first, then the user's requests.
 */
export class Pacer {
  readonly #clock: Clock;
  readonly #perSecond: number;
  #hasQuota = true;
  /** The requests of the last minute. */
  #started: { readonly priority: Priority; readonly at: number }[] = [];
  readonly #waiting: Record<Priority, Set<() => void>> = {
    stop: new Set(),
    person: new Set(),
    poll: new Set(),
  };
  /**
   * Milliseconds that polls have waited before, and the start of the current
   * wait.
   */
  readonly #pollsWaited: { before: number; since: number | undefined } = {
    before: 0,
    since: undefined,
  };
  /** Cancels the next run of `#startNext`, if one is scheduled. */
  #cancel: (() => void) | undefined;

  /** `Infinity` turns all limits off. */
  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
  }

  /** Milliseconds that polls have waited for their turn so far. */
  get pollsWaited(): number {
    const { before, since } = this.#pollsWaited;
    return since === undefined
      ? before
      : before + Math.max(0, this.#clock.now() - since);
  }

  /** Lifts all limits except that for polls. */
  liftQuota(): void {
    this.#hasQuota = false;
    this.#startNext();
  }

  /**
   * Resolves when it is this request's turn; rejects if the signal is aborted
   * first. A poll gets the priority `person` when `promoted` is aborted.
   */
  turn(
    priority: Priority,
    signal: AbortSignal,
    promoted?: AbortSignal,
  ): Promise<void> {
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
        if (all.every((level) => this.#waiting[level].size === 0))
          this.#unschedule();
        this.#measure();
        reject(signal.reason as Error);
      };
      const start = () => {
        signal.removeEventListener('abort', abort);
        promoted?.removeEventListener('abort', promote);
        resolve();
      };
      signal.addEventListener('abort', abort, { once: true });
      if (queue === this.#waiting.poll)
        promoted?.addEventListener('abort', promote, { once: true });
      queue.add(start);
      this.#startNext();
    });
  }

  #startNext(): void {
    const now = this.#clock.now();
    this.#started = this.#started.filter(
      ({ at }) => at > now - minuteMs && at <= now,
    );
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
        if (this.#perSecond !== Infinity)
          this.#started.push({ priority, at: now });
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
    if (!this.#hasQuota) return [polls];
    const second: Limit = {
      holds: all,
      counts: all,
      most: this.#perSecond,
      within: 1000,
    };
    return [second, service, usual, polls];
  }

  /** The time at which the next request of this priority may start. */
  #nextTurn(priority: Priority): number {
    const turns = this.#limits
      .filter(({ holds }) => holds.includes(priority))
      .map(({ counts, most, within }) => {
        const last = this.#started
          .filter((request) => counts.includes(request.priority))
          .at(-most);
        return last === undefined ? 0 : last.at + within;
      });
    return Math.max(0, ...turns);
  }

  #unschedule(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }
}
