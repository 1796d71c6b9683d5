import type { Log } from '../../base/log.ts';
import { Serial } from '../../base/serial.ts';
import type { CallOptions } from './transport.ts';

export interface PageRequest extends CallOptions {
  /** Number of rows wanted; the service may return fewer. */
  readonly size?: number | undefined;
}

/** Requests the page at a cursor, or the first page without one. */
export type FetchPage<T> = (
  cursor: string | undefined,
  request: PageRequest,
) => Promise<ReceivedPage<T>>;

export interface ReceivedPage<T> {
  readonly items: readonly T[];
  /** Number of records that could not be read. */
  readonly skipped: number;
  readonly cursor: string | undefined;
}

export interface Page<T> {
  /** Items that no earlier page had. Can be empty. */
  readonly items: readonly T[];
  readonly skipped: number;
  /** True if there may be more pages. */
  readonly more: boolean;
}

const maxEmptyPagesInARow = 10;
const maxPages = 10_000;
/** Servers reject longer addresses. */
const maxCursorLength = 4_000;

/**
 * Iterates over the pages of a list. If a page fails, `next` rejects, and the
 * following `next` requests the same page again. Every row comes once. The list
 * ends when a cursor repeats or is too long to be sent, when a page has nothing
 * new, and after 10,000 pages. After 10 empty pages with a cursor in a row, an
 * empty page lets the caller decide.
 */
export class Pager<T> implements AsyncIterableIterator<
  Page<T>,
  undefined,
  PageRequest
> {
  /** Requests one page without remembering it. */
  readonly fetch: FetchPage<T>;
  readonly #key: (item: T) => string;
  readonly #log: Log;
  readonly #seen = new Set<string>();
  readonly #cursors = new Set<string>();
  #cursor: string | undefined;
  #pages = 0;
  #ended = false;
  readonly #queue = new Serial();

  /** `defaults` apply to every page, unless `next` overrides them. */
  constructor(
    fetch: FetchPage<T>,
    key: (item: T) => string,
    log: Log,
    defaults: PageRequest = {},
  ) {
    this.fetch = (cursor, request) =>
      fetch(cursor, { ...defaults, ...request });
    this.#key = key;
    this.#log = log;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(request: PageRequest = {}): Promise<IteratorResult<Page<T>, undefined>> {
    return this.#queue.run(() => this.#next(request));
  }

  return(): Promise<IteratorResult<Page<T>, undefined>> {
    this.#ended = true;
    return Promise.resolve({ done: true, value: undefined });
  }

  async #next(
    request: PageRequest,
  ): Promise<IteratorResult<Page<T>, undefined>> {
    if (this.#ended) return { done: true, value: undefined };
    let skipped = 0;
    for (let empty = 0; ; empty++) {
      const received = await this.fetch(this.#cursor, request);
      skipped += received.skipped;
      const items = received.items.filter((item) => this.#isNew(item));
      this.#ended = this.#advance(received, items.length);
      if (items.length > 0 || this.#ended || empty === maxEmptyPagesInARow) {
        return { done: false, value: { items, skipped, more: !this.#ended } };
      }
    }
  }

  #isNew(item: T): boolean {
    const key = this.#key(item);
    if (this.#seen.has(key)) return false;
    this.#seen.add(key);
    return true;
  }

  /** Moves on to the next page; true if there is none. */
  #advance(
    { cursor, items, skipped }: ReceivedPage<T>,
    fresh: number,
  ): boolean {
    this.#pages++;
    if (skipped > 0)
      this.#log.warn(
        `${skipped} of ${skipped + items.length} records of a page could not be read.`,
      );
    this.#cursor = cursor;
    if (cursor === undefined) return true;
    const isTooLong = cursor.length > maxCursorLength;
    const isRepeated = this.#cursors.has(cursor);
    const hasNothingNew = items.length > 0 && fresh === 0;
    const isEndless = this.#pages >= maxPages;
    if (isTooLong)
      this.#log.warn('A list was ended, because its cursor is too long.');
    else if (isRepeated)
      this.#log.warn('A list was ended, because its cursor came again.');
    else if (hasNothingNew)
      this.#log.warn('A list was ended, because a page had nothing new.');
    else if (isEndless)
      this.#log.warn(
        `A list was ended, because it has more than ${maxPages} pages.`,
      );
    this.#cursors.add(cursor);
    return isTooLong || isRepeated || hasNothingNew || isEndless;
  }
}

/** The only page of an empty list. */
export function noPage<T>(): ReceivedPage<T> {
  return { items: [], skipped: 0, cursor: undefined };
}
