/** A list that the service has, as far as it is known here: its last good rows, whatever happens to the service. */
import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/event.ts';
import { same } from '../base/same.ts';
import { ServiceError } from '../service/serviceError.ts';
import type { Pages } from '../service/pages.ts';
import type { Priority } from '../service/pacer.ts';
import type { CallOptions } from '../service/transport.ts';
import type { Time } from '../service/entities.ts';

/** What changed: single rows, or which rows there are and in which order. Neither, when only the state did. */
export interface ListChange {
  readonly rows: ReadonlySet<string>;
  readonly structure: boolean;
}

export interface RemoteListOptions<T> {
  /** A new run through the list. What has to be asked for that is asked with these options. */
  readonly open: (call: CallOptions) => Pages<T> | Promise<Pages<T>>;
  readonly keyOf: (row: T) => string;
  readonly pageSize: () => number;
  readonly clock: Clock;
}

/** Some versions of the service fail at a hundred. */
const mostPerPage = 99;

/** Where pages are not full, so many more are asked for by themselves; for others, a person asks. */
const pagesMore = 2;

/** A run through the list. */
interface Run<T> {
  readonly pages: Pages<T>;
  /** How many pages its rows come from. */
  turns: number;
}

const stateOnly: ListChange = { rows: new Set(), structure: false };

export class RemoteList<T> {
  readonly #options: RemoteListOptions<T>;
  readonly #changed = new Emitter<ListChange>();
  /** Until the next reset; what began before it is given up. */
  #epoch = new AbortController();
  #rows: ReadonlyMap<string, T> = new Map();
  /** The run that the rows come from; the next page is asked of it. */
  #run: Run<T> | undefined;
  /** Aborted when a person starts to wait for the refresh that is under way. */
  #promotion: AbortController | undefined;
  /** Rows that were put in by hand since the refresh that is under way has begun. */
  readonly #put = new Map<string, T>();
  /** One thing is done after the other. */
  #last: Promise<void> = Promise.resolve();
  #more = false;
  #error: ServiceError | undefined;
  #asOf: Time | undefined;
  #refreshing: Promise<void> | undefined;
  #loadingMore: Promise<void> | undefined;

  constructor(options: RemoteListOptions<T>) {
    this.#options = options;
  }

  /** Tells of every change of what the getters give. */
  get onChange(): Emitter<ListChange>['on'] {
    return this.#changed.on;
  }

  /** The last good rows by key, in the order of the service. */
  get rows(): ReadonlyMap<string, T> {
    return this.#rows;
  }

  get more(): boolean {
    return this.#more;
  }

  /** Why the service could not be asked the last time; undefined when it could. */
  get error(): ServiceError | undefined {
    return this.#error;
  }

  /** When the rows were last what the service has; undefined before its first answer. */
  get asOf(): Time | undefined {
    return this.#asOf;
  }

  get isRefreshing(): boolean {
    return this.#refreshing !== undefined;
  }

  get isLoadingMore(): boolean {
    return this.#loadingMore !== undefined;
  }

  /** Asks again for as many rows as there are. Who asks during a refresh gets the one that is under way. */
  refresh(priority: Priority = 'person'): Promise<void> {
    if (priority === 'person') this.#promotion?.abort();
    this.#refreshing ??= this.#work(
      (signal) => this.#refresh(signal, priority),
      () => {
        this.#refreshing = undefined;
      },
    );
    return this.#refreshing;
  }

  /** Asks for the next page; after a failure, for the same one again. */
  loadMore(): Promise<void> {
    this.#loadingMore ??= this.#work(
      (signal) => this.#loadMore(signal),
      () => {
        this.#loadingMore = undefined;
      },
    );
    return this.#loadingMore;
  }

  /** Forgets everything and gives up what is under way. */
  reset(): void {
    this.#epoch.abort();
    this.#epoch = new AbortController();
    this.#refreshing = this.#loadingMore = this.#run = this.#promotion = this.#error = this.#asOf = undefined;
    this.#last = Promise.resolve();
    this.#put.clear();
    this.#more = false;
    this.#rows = new Map();
    this.#changed.fire({ rows: new Set(), structure: true });
  }

  /** Puts a row in by hand, first: what is known before the service lists it. */
  put(row: T): void {
    const key = this.#options.keyOf(row);
    this.#put.set(key, row);
    this.#replace(new Map([[key, row], ...[...this.#rows].filter(([other]) => other !== key)]));
  }

  /** A failure of the service becomes `error`; it is no failure of the caller. */
  #work(work: (signal: AbortSignal) => Promise<void>, done: () => void): Promise<void> {
    const { signal } = this.#epoch;
    const isGivenUp = () => signal.aborted;
    const before = this.#last;
    const run = async () => {
      // Also because the caller has to have the promise before anybody hears of it.
      await before;
      if (isGivenUp()) return;
      try {
        this.#changed.fire(stateOnly);
        await work(signal);
      } catch (error) {
        if (isGivenUp()) return;
        if (!(error instanceof ServiceError)) throw error;
        this.#error = error;
      } finally {
        if (!isGivenUp()) {
          done();
          this.#changed.fire(stateOnly);
        }
      }
    };
    const result = run();
    this.#last = result.catch(() => undefined);
    return result;
  }

  async #refresh(signal: AbortSignal, priority: Priority): Promise<void> {
    const promotion = new AbortController();
    const { open, keyOf, pageSize } = this.#options;
    const wanted = Math.max(1, pageSize(), this.#rows.size);
    const turns = Math.ceil(wanted / mostPerPage);
    const mostTurns = Math.max(turns + pagesMore, this.#run?.turns ?? 0);
    const call = { signal, priority, promoted: promotion.signal };
    let run: Run<T> | undefined;
    const rows = new Map<string, T>();
    this.#promotion = promotion;
    this.#put.clear();
    try {
      run = { pages: await open(call), turns: 0 };
      let goOn: boolean;
      let more: boolean;
      do {
        // In as few requests as possible, and not more rows than there were, as long as pages are full.
        const missing = wanted - rows.size;
        const size = Math.ceil(missing / Math.ceil(missing / mostPerPage));
        const { value } = await run.pages.next({
          ...call,
          size: run.turns < turns ? size : Math.max(size, this.#pageSize),
        });
        signal.throwIfAborted();
        run.turns++;
        for (const row of value?.items ?? []) rows.set(keyOf(row), row);
        more = value?.more ?? false;
        // After very many empty pages a person decides.
        goOn = more && value?.items.length !== 0;
      } while (goOn && rows.size < wanted && run.turns < mostTurns);
      this.#take(run, rows, more);
    } catch (error) {
      // A part is more than nothing; what is missing can be loaded.
      if (!signal.aborted && this.#asOf === undefined && run && run.turns > 0) this.#take(run, rows, true);
      throw error;
    } finally {
      if (this.#promotion === promotion) this.#promotion = undefined;
    }
  }

  get #pageSize(): number {
    return Math.min(Math.max(1, this.#options.pageSize()), mostPerPage);
  }

  #take(run: Run<T>, rows: Map<string, T>, more: boolean): void {
    this.#run = run;
    this.#more = more;
    this.#error = undefined;
    this.#asOf = this.#options.clock.now();
    const put = [...this.#put].filter(([key]) => !rows.has(key)).reverse();
    this.#replace(new Map([...put, ...rows]));
  }

  async #loadMore(signal: AbortSignal): Promise<void> {
    const run = this.#run;
    if (!run) return;
    const { value } = await run.pages.next({ size: this.#pageSize, priority: 'person', signal });
    // The list has been reset meanwhile.
    if (run !== this.#run) return;
    run.turns++;
    this.#more = value?.more ?? false;
    this.#error = undefined;
    this.#replace(
      new Map([
        ...this.#rows,
        ...(value?.items ?? []).map((row) => [this.#options.keyOf(row), row] as const),
      ]),
    );
  }

  #replace(rows: Map<string, T>): void {
    const changed = new Set<string>();
    for (const [key, row] of rows) {
      const old = this.#rows.get(key);
      if (old === undefined) continue;
      // A row that says the same stays the very same object.
      if (same(old, row)) rows.set(key, old);
      else changed.add(key);
    }
    const before = [...this.#rows.keys()];
    const structure =
      rows.size !== before.length || [...rows.keys()].some((key, index) => key !== before[index]);
    this.#rows = rows;
    if (structure || changed.size > 0) this.#changed.fire({ rows: changed, structure });
  }
}
