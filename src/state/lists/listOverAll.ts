/**
 * Combines the lists of all connected services. Each service reports its own
 * failure.
 */
import { Emitter, type Subscription } from '../../base/event.ts';
import type { Time } from '../../service/model/entities.ts';
import type { ServiceError } from '../../service/http/serviceError.ts';
import type { ListChange, RemoteList } from './remoteList.ts';
import type { KeyedRows, ListedRow } from './unlistedChanges.ts';

export class ListOverAll<T extends ListedRow> {
  readonly #changed = new Emitter<ListChange>();
  /** Fires when a list changes, is added or is removed. */
  readonly onChange = this.#changed.on;
  readonly #subscriptions = new Map<RemoteList<T>, Subscription>();
  /** The rows of all lists, until one of them changes. */
  #rows: KeyedRows<T> | undefined;

  /**
   * The rows by key, service by service. A single service's rows are returned
   * as they are.
   */
  get rows(): KeyedRows<T> {
    if (this.#rows) return this.#rows;
    const all = this.#lists.map(({ rows }) => rows);
    const [only] = all;
    return (this.#rows =
      only && all.length === 1
        ? only
        : new Map(all.flatMap((rows) => [...rows])));
  }

  /** True if a service has more rows. */
  get more(): boolean {
    return this.#lists.some(({ more }) => more);
  }

  /** Time of the oldest answer; `undefined` before the first one. */
  get asOf(): Time | undefined {
    const times = this.#lists
      .map(({ asOf }) => asOf)
      .filter((time) => time !== undefined);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  get isLoadingMore(): boolean {
    return this.#lists.some(({ isLoadingMore }) => isLoadingMore);
  }

  /** The failure that leaves a list old or empty. */
  get error(): ServiceError | undefined {
    return this.#lists.map(({ error }) => error).find(Boolean);
  }

  async refresh(): Promise<void> {
    await Promise.all(this.#lists.map((list) => list.refresh()));
  }

  /** Refreshes. Resolves when one service has answered or all have failed. */
  async answered(): Promise<void> {
    const answers = this.#lists.map(async (list) => {
      await list.refresh();
      if (list.error) throw list.error;
    });
    // `error` has the reason.
    await Promise.any(answers).catch(() => undefined);
  }

  /** Loads the next page of each service that has one. */
  async loadMore(): Promise<void> {
    await Promise.all(
      this.#lists.filter(({ more }) => more).map((list) => list.loadMore()),
    );
  }

  add(list: RemoteList<T>): void {
    this.#subscriptions.set(
      list,
      list.onChange((change) => {
        this.#announce(change);
      }),
    );
    this.#announce(everything);
  }

  remove(list: RemoteList<T>): void {
    this.#subscriptions.get(list)?.dispose();
    this.#subscriptions.delete(list);
    this.#announce(everything);
  }

  get #lists(): readonly RemoteList<T>[] {
    return [...this.#subscriptions.keys()];
  }

  #announce(change: ListChange): void {
    if (change.structure || change.rows.size > 0) this.#rows = undefined;
    this.#changed.fire(change);
  }
}

const everything: ListChange = {
  rows: new Set(),
  structure: true,
  state: new Set(['more', 'error', 'asOf', 'isRefreshing', 'isLoadingMore']),
};
