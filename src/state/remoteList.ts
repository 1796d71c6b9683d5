/** A list that the service has, as far as it is known here: its last good rows, whatever happens to the service. */
import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/event.ts';
import { same } from '../base/same.ts';
import { ServiceError } from '../service/errors.ts';
import type { Pages } from '../service/pages.ts';
import type { Priority } from '../service/pacer.ts';
import type { CallOptions } from '../service/transport.ts';
import type { Time } from '../service/types.ts';

/** What changed: single rows, or which rows there are and in which order. Neither, when only the state did. */
export interface ListChange {
  readonly rows: ReadonlySet<string>;
  readonly structure: boolean;
}

export interface RemoteListOptions<T> {
  /** A new run through the list, in pages of this size. */
  readonly open: (pageSize: number, options: CallOptions) => Pages<T>;
  readonly keyOf: (row: T) => string;
  readonly pageSize: () => number;
  readonly clock: Clock;
}

/** Some versions of the service fail at a hundred. */
const mostPerPage = 99;

const stateOnly: ListChange = { rows: new Set(), structure: false };

export class RemoteList<T> {
  readonly #options: RemoteListOptions<T>;
  readonly #changed = new Emitter<ListChange>();
  /** Until the next reset; what began before it is given up. */
  #epoch = new AbortController();
  #rows: ReadonlyMap<string, T> = new Map();
  #pages: Pages<T> | undefined;
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
    this.#refreshing ??= this.#work(
      (signal) => this.#refresh({ signal, priority }),
      () => {
        this.#refreshing = undefined;
      },
    );
    return this.#refreshing;
  }

  /** Asks for the next page; after a failure, for the same one again. */
  loadMore(): Promise<void> {
    this.#loadingMore ??= this.#work(
      () => this.#loadMore(),
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
    this.#refreshing = this.#loadingMore = this.#pages = this.#error = this.#asOf = undefined;
    this.#more = false;
    this.#rows = new Map();
    this.#changed.fire({ rows: new Set(), structure: true });
  }

  /** Puts a row in by hand, first: what is known before the service lists it. */
  put(row: T): void {
    const key = this.#options.keyOf(row);
    this.#replace(new Map([[key, row], ...[...this.#rows].filter(([other]) => other !== key)]));
  }

  /** A failure of the service becomes `error`; it is no failure of the caller. */
  async #work(work: (signal: AbortSignal) => Promise<void>, done: () => void): Promise<void> {
    const { signal } = this.#epoch;
    // The caller has to have the promise before anybody hears of it.
    await Promise.resolve();
    this.#changed.fire(stateOnly);
    try {
      await work(signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ServiceError)) throw error;
      this.#error = error;
    } finally {
      if (!signal.aborted) {
        done();
        this.#changed.fire(stateOnly);
      }
    }
  }

  async #refresh(options: CallOptions & { signal: AbortSignal }): Promise<void> {
    const { open, pageSize, clock, keyOf } = this.#options;
    const wanted = Math.max(pageSize(), this.#rows.size);
    const pages = open(Math.min(wanted, Math.max(pageSize(), mostPerPage)), options);
    const rows = new Map<string, T>();
    for (let more = true; more && rows.size < wanted;) {
      const { value } = await pages.next();
      options.signal.throwIfAborted();
      for (const row of value?.items ?? []) rows.set(keyOf(row), row);
      this.#more = more = value?.more ?? false;
      // After very many empty pages a person decides whether to go on.
      if (value?.items.length === 0) break;
    }
    this.#pages = pages;
    this.#error = undefined;
    this.#asOf = clock.now();
    this.#replace(rows);
  }

  async #loadMore(): Promise<void> {
    await this.#refreshing;
    const pages = this.#pages;
    if (!pages) return;
    const { value } = await pages.next();
    // A refresh has begun the list anew meanwhile.
    if (pages !== this.#pages) return;
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
