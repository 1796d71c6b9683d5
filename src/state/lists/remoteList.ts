/** A list of the service that keeps its last good rows through failures. */
import { Cancellation } from '../../base/cancellation.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { isEqual } from '../../base/same.ts';
import { Serial } from '../../base/serial.ts';
import { ServiceError } from '../../service/http/serviceError.ts';
import type { Pager } from '../../service/http/pager.ts';
import type { Priority } from '../../service/http/pacer.ts';
import type { CallOptions } from '../../service/http/transport.ts';
import {
  type ConversationKey,
  keyOf,
  type Time,
} from '../../service/model/entities.ts';
import { type Following, mergeRows } from './following.ts';
import {
  keyed,
  type KeyedRows,
  type ListedRow,
  type RowEdit,
  UnlistedChanges,
} from './unlistedChanges.ts';

interface ListState {
  readonly more: boolean;
  /** The failure of the last request, if any. */
  readonly error: ServiceError | undefined;
  /**
   * Time at which the rows were last current; `undefined` before the first
   * answer.
   */
  readonly asOf: Time | undefined;
  readonly isRefreshing: boolean;
  readonly isLoadingMore: boolean;
}

export interface ListChange {
  /** Changed rows that were listed before. */
  readonly rows: ReadonlySet<ConversationKey>;
  /** True if rows were added, removed or moved. */
  readonly structure: boolean;
  readonly state: ReadonlySet<keyof ListState>;
}

/** True if the service gave the same answer again. */
export function isAgeOnly({ rows, structure, state }: ListChange): boolean {
  return (
    rows.size === 0 && !structure && [...state].every((name) => name === 'asOf')
  );
}

interface RemoteListOptions<T> {
  /** Starts a new run through the list. */
  readonly open: () => Pager<T>;
  /** `undefined` while polls request all rows. */
  readonly following?: () => Following<T> | undefined;
  readonly pageSize: () => number;
  readonly clock: Clock;
}

/** Some versions of the service fail at a hundred. */
const maxPageSize = 99;

/** Extra pages to load when pages come back short. */
const pagesMore = 2;

interface Run<T> {
  readonly pages: Pager<T>;
  /** The number of pages read so far. */
  turns: number;
}

/** `promoted` is aborted when the user begins to wait. */
type RefreshCall = Required<CallOptions> & {
  readonly signal: AbortSignal;
  readonly promoted: AbortSignal;
};

export class RemoteList<T extends ListedRow> implements ListState {
  readonly #options: RemoteListOptions<T>;
  readonly #changed = new Emitter<ListChange>();
  /**
   * Fires when a refresh ends. Its start is announced only before the first
   * answer; loading more is announced at both ends.
   */
  readonly onChange = this.#changed.on;
  /** Requests that a reset cancels. */
  readonly #work = new Cancellation();
  #records: KeyedRows<T> = new Map();
  #rows: KeyedRows<T> = this.#records;
  /** The run of the current rows, which has the next page. */
  #listing: Run<T> | undefined;
  /** Aborted when the user starts to wait for the current refresh. */
  #promotion: AbortController | undefined;
  /** Edits since the current refresh began. */
  readonly #unlisted = new UnlistedChanges<T>();
  #serial = new Serial();
  #more = false;
  #error: ServiceError | undefined;
  #asOf: Time | undefined;
  #askedAt: Time | undefined;
  #begunAt: Time | undefined;
  readonly #underWay = new Map<'refresh' | 'loadMore', Promise<void>>();
  #told: { readonly rows: KeyedRows<T>; readonly state: ListState };

  constructor(options: RemoteListOptions<T>) {
    this.#options = options;
    this.#told = { rows: this.#rows, state: this.#state };
  }

  /** The last good rows by key, in the service's order. */
  get rows(): KeyedRows<T> {
    return this.#rows;
  }

  get more(): boolean {
    return this.#more;
  }

  get error(): ServiceError | undefined {
    return this.#error;
  }

  get asOf(): Time | undefined {
    return this.#asOf;
  }

  /**
   * Time of the request that returned the rows: they do not show later changes.
   */
  get askedAt(): Time | undefined {
    return this.#askedAt;
  }

  get isRefreshing(): boolean {
    return this.#underWay.has('refresh');
  }

  get isLoadingMore(): boolean {
    return this.#underWay.has('loadMore');
  }

  /**
   * Loads as many rows again as there are; a poll loads only changed rows if
   * possible. Joins a refresh under way.
   */
  refresh(priority: Priority = 'person'): Promise<void> {
    if (priority === 'person') this.#promotion?.abort();
    return this.#run('refresh', this.#asOf === undefined, (signal) =>
      this.#refresh(signal, priority),
    );
  }

  /** Loads the next page, or the same page again after a failure. */
  loadMore(): Promise<void> {
    return this.#run('loadMore', true, (signal) => this.#loadMore(signal));
  }

  /** Forgets everything and cancels all requests. */
  reset(): void {
    this.#work.restart();
    this.#listing = this.#promotion = this.#error = undefined;
    this.#underWay.clear();
    this.#asOf = this.#askedAt = this.#begunAt = undefined;
    this.#serial = new Serial();
    this.#unlisted.clear();
    this.#more = false;
    this.#rows = this.#records = new Map();
    this.#announce();
  }

  /** Adds a first row before the service lists it. */
  insertFirst(row: T): void {
    const key = keyOf(row);
    this.#unlisted.insert(row);
    this.#replace(
      new Map([
        [key, row],
        ...[...this.#records].filter(([other]) => other !== key),
      ]),
    );
    this.#announce();
  }

  /**
   * Changes or removes a row ahead of the service's list. Does nothing if the
   * edit comes from an answer that was requested before the rows, or before
   * those of the current refresh.
   */
  edit(key: ConversationKey, edit: RowEdit<T>, askedAt: Time = Infinity): void {
    if (askedAt < (this.#begunAt ?? this.#askedAt ?? -Infinity)) return;
    this.#unlisted.edit(key, edit);
    const row = this.#records.get(key);
    const edited = row && edit(row);
    if (edited === row) return;
    const rows = new Map(this.#records);
    if (edited === undefined) rows.delete(key);
    else rows.set(key, edited);
    this.#replace(rows);
    this.#announce();
  }

  /** The rows as returned by the service. */
  protected get records(): KeyedRows<T> {
    return this.#records;
  }

  /**
   * Examines new rows of the service before they are shown. Does not reject.
   */
  protected examine?(records: KeyedRows<T>, call: CallOptions): Promise<void>;

  protected shown?(records: KeyedRows<T>): Map<ConversationKey, T>;

  /**
   * Shows a row again after more facts became known about its unchanged record.
   */
  showAgain(key: ConversationKey, row: T): void {
    if (!this.#records.has(key)) return;
    this.#rows = new Map(this.#rows).set(key, row);
    this.#announce([key]);
  }

  /** Stores a failure of the service as `error` instead of rejecting. */
  #run(
    name: 'refresh' | 'loadMore',
    isBeginTold: boolean,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const { signal } = this.#work;
    const isGivenUp = () => signal.aborted;
    const before = this.#underWay.get(name);
    if (before) return before;
    const run = this.#serial.run(async () => {
      if (isGivenUp()) return;
      try {
        if (isBeginTold) this.#announce();
        await work(signal);
      } catch (error) {
        if (isGivenUp()) return;
        if (!(error instanceof ServiceError)) throw error;
        this.#error = error;
      } finally {
        if (!isGivenUp()) {
          this.#underWay.delete(name);
          this.#announce();
        }
      }
    });
    this.#underWay.set(name, run);
    return run;
  }

  async #refresh(signal: AbortSignal, priority: Priority): Promise<void> {
    const promotion = new AbortController();
    this.#promotion = promotion;
    this.#unlisted.clear();
    this.#begunAt = this.#options.clock.now();
    try {
      const call = { signal, priority, promoted: promotion.signal };
      const isPoll = priority === 'poll' && this.#asOf !== undefined;
      if (!(isPoll && (await this.#follow(call)))) await this.#refreshAll(call);
    } finally {
      if (this.#promotion === promotion)
        this.#promotion = this.#begunAt = undefined;
    }
  }

  /**
   * Loads only changed rows; returns false if impossible. A waiting user gets
   * all rows.
   */
  async #follow(call: RefreshCall): Promise<boolean> {
    const following = this.#options.following?.();
    if (!following) return false;
    const { clock } = this.#options;
    const before = this.#records;
    const askedAt = clock.now();
    const changes = await following.changes([...before.values()], call);
    call.signal.throwIfAborted();
    if (!changes || call.promoted.aborted) return false;
    await this.examine?.(
      new Map([...this.#records, ...keyed(changes.changed)]),
      call,
    );
    call.signal.throwIfAborted();
    // A row inserted during the request is newer than the answer.
    const gone = new Set(
      changes.gone.filter((key) => !this.#unlisted.isInserted(key)),
    );
    const rows = [...this.#records]
      .filter(([key]) => !gone.has(key))
      .map(([, row]) => row);
    const changed = this.#unlisted.editedRows(changes.changed);
    const { compare } = following;
    const merged = mergeRows(rows, changed, compare, this.#more);
    // Rows of the next page move up.
    if (this.#more && merged.length < this.#pageSize) return false;
    this.#error = undefined;
    this.#asOf = clock.now();
    this.#askedAt = askedAt;
    this.#replace(new Map(keyed(merged)));
    return true;
  }

  async #refreshAll(call: RefreshCall): Promise<void> {
    const { signal } = call;
    const { open, pageSize, clock } = this.#options;
    const askedAt = clock.now();
    const minRows = Math.max(1, pageSize(), this.#rows.size);
    const turns = Math.ceil(minRows / maxPageSize);
    const maxTurns = Math.max(turns + pagesMore, this.#listing?.turns ?? 0);
    const run: Run<T> = { pages: open(), turns: 0 };
    const rows = new Map<ConversationKey, T>();
    try {
      let goOn: boolean;
      let more: boolean;
      do {
        // Needs as few requests as possible, and no more rows than before while
        // pages are full.
        const missing = minRows - rows.size;
        const size = Math.ceil(missing / Math.ceil(missing / maxPageSize));
        const { value } = await run.pages.next({
          ...call,
          size: run.turns < turns ? size : Math.max(size, this.#pageSize),
        });
        signal.throwIfAborted();
        run.turns++;
        for (const row of value?.items ?? []) rows.set(keyOf(row), row);
        more = value?.more ?? false;
        // The user decides whether to continue after many empty pages.
        goOn = more && value?.items.length !== 0;
      } while (goOn && rows.size < minRows && run.turns < maxTurns);
      // Users wait only for the first rows.
      if (this.examine && this.#asOf === undefined) {
        this.#showRows(run, rows, more, askedAt);
        this.#announce();
      }
      await this.examine?.(rows, call);
      signal.throwIfAborted();
      this.#showRows(run, rows, more, askedAt);
    } catch (error) {
      // Some rows are better than none; the rest can be loaded later.
      if (!signal.aborted && this.#asOf === undefined && run.turns > 0)
        this.#showRows(run, rows, true, askedAt);
      throw error;
    }
  }

  get #pageSize(): number {
    return Math.min(Math.max(1, this.#options.pageSize()), maxPageSize);
  }

  #showRows(
    run: Run<T>,
    rows: KeyedRows<T>,
    more: boolean,
    askedAt: Time,
  ): void {
    this.#listing = run;
    this.#more = more;
    this.#error = undefined;
    this.#asOf = this.#options.clock.now();
    this.#askedAt = askedAt;
    this.#replace(this.#unlisted.appliedTo(rows));
  }

  async #loadMore(signal: AbortSignal): Promise<void> {
    const run = this.#listing;
    if (!run) return;
    const { value } = await run.pages.next({
      size: this.#pageSize,
      priority: 'person',
      signal,
    });
    // The list was reset during the request.
    if (run !== this.#listing) return;
    run.turns++;
    this.#more = value?.more ?? false;
    this.#error = undefined;
    this.#replace(
      new Map([
        ...this.#records,
        ...keyed(this.#unlisted.editedRows(value?.items ?? [])),
      ]),
    );
  }

  #replace(records: Map<ConversationKey, T>): void {
    this.#records = withOldObjects(this.#records, records);
    this.#rows = this.shown
      ? withOldObjects(this.#rows, this.shown(this.#records))
      : this.#records;
  }

  get #state(): ListState {
    const { more, error, asOf, isRefreshing, isLoadingMore } = this;
    return { more, error, asOf, isRefreshing, isLoadingMore };
  }

  /** `again` has the keys of rows with new facts. */
  #announce(again: readonly ConversationKey[] = []): void {
    const before = this.#told;
    const now = (this.#told = { rows: this.#rows, state: this.#state });
    const names = Object.keys(now.state) as (keyof ListState)[];
    const state = new Set(
      names.filter((name) => before.state[name] !== now.state[name]),
    );
    const { rows, structure } = differenceOf(before.rows, now.rows);
    this.#changed.fire({
      rows: new Set([...rows, ...again]),
      structure,
      state,
    });
  }
}

/** Reuses the objects of equal rows, and the map if all rows are equal. */
function withOldObjects<T>(
  before: KeyedRows<T>,
  after: Map<ConversationKey, T>,
): KeyedRows<T> {
  let isSame = before.size === after.size;
  const keys = before.keys();
  for (const [key, row] of after) {
    const old = before.get(key);
    const saysSame = old !== undefined && isEqual(old, row);
    if (saysSame) after.set(key, old);
    if (!saysSame || keys.next().value !== key) isSame = false;
  }
  return isSame ? before : after;
}

function differenceOf<T>(
  before: KeyedRows<T>,
  after: KeyedRows<T>,
): Omit<ListChange, 'state'> {
  const changed = new Set<ConversationKey>();
  if (before === after) return { rows: changed, structure: false };
  let structure = before.size !== after.size;
  const keys = before.keys();
  for (const [key, row] of after) {
    if (keys.next().value !== key) structure = true;
    const old = before.get(key);
    if (old !== undefined && old !== row) changed.add(key);
  }
  return { rows: changed, structure };
}
