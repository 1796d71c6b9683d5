/** A list of the service: its last good rows, whatever happens to the service. */
import { Cancellation } from '../../base/cancellation.ts';
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { isEqual } from '../../base/same.ts';
import { Serial } from '../../base/serial.ts';
import { ServiceError } from '../../service/http/serviceError.ts';
import type { Pager } from '../../service/http/pager.ts';
import type { Priority } from '../../service/http/pacer.ts';
import type { CallOptions } from '../../service/http/transport.ts';
import type { Time } from '../../service/model/entities.ts';
import { type Following, mergeRows } from './following.ts';

/** Rows by their keys, in an order. */
export type KeyedRows<T> = ReadonlyMap<string, T>;

/** Returns the row to show instead; undefined if it is removed. */
type RowEdit<T> = (row: T) => T | undefined;

interface ListState {
  readonly more: boolean;
  /** Why the service could not be asked the last time; undefined when it could. */
  readonly error: ServiceError | undefined;
  /** When the rows were last what the service has; undefined before its first answer. */
  readonly asOf: Time | undefined;
  readonly isRefreshing: boolean;
  readonly isLoadingMore: boolean;
}

export interface ListChange {
  /** Rows that were there before and say something else now. */
  readonly rows: ReadonlySet<string>;
  /** True if rows have come, gone or changed places. */
  readonly structure: boolean;
  readonly state: ReadonlySet<keyof ListState>;
}

/** True if the service has given the same answer again. */
export function isAgeOnly({ rows, structure, state }: ListChange): boolean {
  return rows.size === 0 && !structure && [...state].every((name) => name === 'asOf');
}

interface RemoteListOptions<T> {
  /** A new run through the list. */
  readonly open: () => Pager<T>;
  /** Undefined while polls ask for all rows. */
  readonly following?: () => Following<T> | undefined;
  readonly keyOf: (row: T) => string;
  readonly pageSize: () => number;
  readonly clock: Clock;
}

/** Some versions of the service fail at a hundred. */
const maxPageSize = 99;

/** Extra pages to load when pages come back short. */
const pagesMore = 2;

interface Run<T> {
  readonly pages: Pager<T>;
  /** The number of pages that its rows come from. */
  turns: number;
}

/** `promoted` is aborted when a person begins to wait. */
type RefreshCall = Required<CallOptions> & { readonly signal: AbortSignal; readonly promoted: AbortSignal };

export class RemoteList<T> implements ListState {
  readonly #options: RemoteListOptions<T>;
  readonly #changed = new Emitter<ListChange>();
  /**
   * Fires once when a refresh is over, whatever came of it. That one has begun is told only while there are no rows of an
   * earlier answer; loading more is told at both ends.
   */
  readonly onChange = this.#changed.on;
  /** The work that a reset gives up. */
  readonly #work = new Cancellation();
  #records: KeyedRows<T> = new Map();
  #rows: KeyedRows<T> = this.#records;
  /** The run that the rows come from; the next page is asked of it. */
  #listing: Run<T> | undefined;
  /** Aborted when a person starts to wait for the refresh that is under way. */
  #promotion: AbortController | undefined;
  /** The edits since the current refresh began. */
  readonly #unlisted: UnlistedChanges<T>;
  #serial = new Serial();
  #more = false;
  #error: ServiceError | undefined;
  #asOf: Time | undefined;
  #askedAt: Time | undefined;
  #begunAt: Time | undefined;
  #underWay: { readonly refresh?: Promise<void>; readonly loadMore?: Promise<void> } = {};
  #told: { readonly rows: KeyedRows<T>; readonly state: ListState };

  constructor(options: RemoteListOptions<T>) {
    this.#options = options;
    this.#unlisted = new UnlistedChanges(options.keyOf);
    this.#told = { rows: this.#rows, state: this.#state };
  }

  /** The last good rows by key, in the order of the service. */
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

  /** When the answer was asked for that the rows come from: they do not show what happened later. */
  get askedAt(): Time | undefined {
    return this.#askedAt;
  }

  get isRefreshing(): boolean {
    return this.#underWay.refresh !== undefined;
  }

  get isLoadingMore(): boolean {
    return this.#underWay.loadMore !== undefined;
  }

  /**
   * Asks again for as many rows as there are; a poll only for what is different, where it can. Who asks during a refresh gets
   * the one that is under way.
   */
  refresh(priority: Priority = 'person'): Promise<void> {
    if (priority === 'person') this.#promotion?.abort();
    return this.#run('refresh', this.#asOf === undefined, (signal) => this.#refresh(signal, priority));
  }

  /** Asks for the next page; after a failure, for the same one again. */
  loadMore(): Promise<void> {
    return this.#run('loadMore', true, (signal) => this.#loadMore(signal));
  }

  /** Forgets everything, and cancels what is under way. */
  reset(): void {
    this.#work.restart();
    this.#listing = this.#promotion = this.#error = undefined;
    this.#underWay = {};
    this.#asOf = this.#askedAt = this.#begunAt = undefined;
    this.#serial = new Serial();
    this.#unlisted.clear();
    this.#more = false;
    this.#rows = this.#records = new Map();
    this.#tell();
  }

  /** Adds a row at the start, before the service lists it. */
  insertFirst(row: T): void {
    const key = this.#options.keyOf(row);
    this.#unlisted.insert(row);
    this.#replace(new Map([[key, row], ...[...this.#records].filter(([other]) => other !== key)]));
    this.#tell();
  }

  /**
   * Changes a row, or removes it if there is nothing in its place, before the service lists it like that. Does nothing if
   * the edit comes from an answer that was asked for earlier than the rows, or than those of the refresh under way.
   */
  edit(key: string, edit: RowEdit<T>, askedAt: Time = Infinity): void {
    if (askedAt < (this.#begunAt ?? this.#askedAt ?? -Infinity)) return;
    this.#unlisted.edit(key, edit);
    const row = this.#records.get(key);
    const edited = row && edit(row);
    if (edited === row) return;
    const rows = [...this.#records].flatMap(([other, row]) =>
      other !== key ? [[other, row] as const] : edited === undefined ? [] : [[key, edited] as const],
    );
    this.#replace(new Map(rows));
    this.#tell();
  }

  /** The rows as the service gives them. */
  protected get records(): KeyedRows<T> {
    return this.#records;
  }

  /** Finds out more about rows that the service has just given, before they are shown. Does not fail. */
  protected examine?(records: KeyedRows<T>, call: CallOptions): Promise<void>;

  protected shown?(records: KeyedRows<T>): Map<string, T>;

  /** Shows a row again of which more is known, although its record is the same. */
  protected showAgain(key: string, row: T): void {
    if (!this.#records.has(key)) return;
    this.#rows = new Map(this.#rows).set(key, row);
    this.#tell([key]);
  }

  /** A failure of the service becomes `error`; the caller does not see it. */
  #run(
    name: 'refresh' | 'loadMore',
    isBeginTold: boolean,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const { signal } = this.#work;
    const isGivenUp = () => signal.aborted;
    const before = this.#underWay[name];
    if (before) return before;
    const run = this.#serial.run(async () => {
      if (isGivenUp()) return;
      try {
        if (isBeginTold) this.#tell();
        await work(signal);
      } catch (error) {
        if (isGivenUp()) return;
        if (!(error instanceof ServiceError)) throw error;
        this.#error = error;
      } finally {
        if (!isGivenUp()) {
          this.#underWay = { ...this.#underWay, [name]: undefined };
          this.#tell();
        }
      }
    });
    this.#underWay = { ...this.#underWay, [name]: run };
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
      if (this.#promotion === promotion) this.#promotion = this.#begunAt = undefined;
    }
  }

  /** Takes only what is different; returns whether that was possible. A person who begins to wait gets all rows. */
  async #follow(call: RefreshCall): Promise<boolean> {
    const following = this.#options.following?.();
    if (!following) return false;
    const { keyOf, clock } = this.#options;
    const before = this.#records;
    const askedAt = clock.now();
    const changes = await following.changes([...before.values()], call);
    call.signal.throwIfAborted();
    if (!changes || call.promoted.aborted) return false;
    await this.examine?.(
      new Map([...this.#records, ...changes.changed.map((row) => [keyOf(row), row] as const)]),
      call,
    );
    call.signal.throwIfAborted();
    // A row that was inserted meanwhile is newer than the answer.
    const gone = new Set(changes.gone.filter((key) => !this.#unlisted.isInserted(key)));
    const rows = [...this.#records].filter(([key]) => !gone.has(key)).map(([, row]) => row);
    const changed = changes.changed.flatMap((row) => this.#unlisted.edited(row) ?? []);
    const merged = mergeRows(rows, changed, { keyOf, compare: following.compare, more: this.#more });
    // Others move up from the next page.
    if (this.#more && merged.length < this.#pageSize) return false;
    this.#error = undefined;
    this.#asOf = clock.now();
    this.#askedAt = askedAt;
    this.#replace(new Map(merged.map((row) => [keyOf(row), row])));
    return true;
  }

  async #refreshAll(call: RefreshCall): Promise<void> {
    const { signal } = call;
    const { open, keyOf, pageSize, clock } = this.#options;
    const askedAt = clock.now();
    const minRows = Math.max(1, pageSize(), this.#rows.size);
    const turns = Math.ceil(minRows / maxPageSize);
    const maxTurns = Math.max(turns + pagesMore, this.#listing?.turns ?? 0);
    const run: Run<T> = { pages: open(), turns: 0 };
    const rows = new Map<string, T>();
    try {
      let goOn: boolean;
      let more: boolean;
      do {
        // In as few requests as possible, and not more rows than there were, as long as pages are full.
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
        // After very many empty pages a person decides.
        goOn = more && value?.items.length !== 0;
      } while (goOn && rows.size < minRows && run.turns < maxTurns);
      // Nobody waits for more than the first rows.
      if (this.examine && this.#asOf === undefined) {
        this.#take(run, rows, more, askedAt);
        this.#tell();
      }
      await this.examine?.(rows, call);
      signal.throwIfAborted();
      this.#take(run, rows, more, askedAt);
    } catch (error) {
      // Some rows are better than none; the others can be loaded later.
      if (!signal.aborted && this.#asOf === undefined && run.turns > 0) this.#take(run, rows, true, askedAt);
      throw error;
    }
  }

  get #pageSize(): number {
    return Math.min(Math.max(1, this.#options.pageSize()), maxPageSize);
  }

  #take(run: Run<T>, rows: KeyedRows<T>, more: boolean, askedAt: Time): void {
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
    const { value } = await run.pages.next({ size: this.#pageSize, priority: 'person', signal });
    // The list was reset in the meantime.
    if (run !== this.#listing) return;
    run.turns++;
    this.#more = value?.more ?? false;
    this.#error = undefined;
    this.#replace(
      new Map([
        ...this.#records,
        ...(value?.items ?? []).flatMap((record) => {
          const row = this.#unlisted.edited(record);
          return row === undefined ? [] : [[this.#options.keyOf(row), row] as const];
        }),
      ]),
    );
  }

  #replace(records: Map<string, T>): void {
    this.#records = withOldObjects(this.#records, records);
    this.#rows = this.shown ? withOldObjects(this.#rows, this.shown(this.#records)) : this.#records;
  }

  get #state(): ListState {
    const { more, error, asOf, isRefreshing, isLoadingMore } = this;
    return { more, error, asOf, isRefreshing, isLoadingMore };
  }

  /** `again` has the keys of rows of which more is known. */
  #tell(again: readonly string[] = []): void {
    const before = this.#told;
    const now = (this.#told = { rows: this.#rows, state: this.#state });
    const names = Object.keys(now.state) as (keyof ListState)[];
    const state = new Set(names.filter((name) => before.state[name] !== now.state[name]));
    const { rows, structure } = differenceOf(before.rows, now.rows);
    this.#changed.fire({ rows: new Set([...rows, ...again]), structure, state });
  }
}

/** Local edits made while a refresh is under way, reapplied to its answer. */
class UnlistedChanges<T> {
  readonly #keyOf: (row: T) => string;
  readonly #inserted = new Map<string, T>();
  readonly #edits = new Map<string, readonly RowEdit<T>[]>();

  constructor(keyOf: (row: T) => string) {
    this.#keyOf = keyOf;
  }

  insert(row: T): void {
    const key = this.#keyOf(row);
    this.#edits.delete(key);
    this.#inserted.set(key, row);
  }

  edit(key: string, edit: RowEdit<T>): void {
    const inserted = this.#inserted.get(key);
    const edited = inserted && edit(inserted);
    if (edited === undefined) this.#inserted.delete(key);
    else this.#inserted.set(key, edited);
    this.#edits.set(key, [...(this.#edits.get(key) ?? []), edit]);
  }

  /** Forgets all edits, because the service is asked again. */
  clear(): void {
    this.#inserted.clear();
    this.#edits.clear();
  }

  isInserted(key: string): boolean {
    return this.#inserted.has(key);
  }

  /** Returns the edited row of an answer; undefined if it was removed. */
  edited(row: T): T | undefined {
    const edits = this.#edits.get(this.#keyOf(row)) ?? [];
    return edits.reduce<T | undefined>((edited, edit) => edited && edit(edited), row);
  }

  /** Returns the inserted rows, the newest first, and then the edited rows of an answer. */
  appliedTo(rows: ReadonlyMap<string, T>): Map<string, T> {
    const inserted = [...this.#inserted].filter(([key]) => !rows.has(key)).reverse();
    const listed = [...rows].flatMap(([key, row]) => {
      const edited = this.edited(row);
      return edited === undefined ? [] : [[key, edited] as const];
    });
    return new Map([...inserted, ...listed]);
  }
}

/** Rows that say the same stay the very same objects; so does the map, if all of them do. */
function withOldObjects<T>(before: KeyedRows<T>, after: Map<string, T>): KeyedRows<T> {
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

function differenceOf<T>(before: KeyedRows<T>, after: KeyedRows<T>): Omit<ListChange, 'state'> {
  const changed = new Set<string>();
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
