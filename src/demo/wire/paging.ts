import { json, type HttpAnswer } from './http.ts';

/** A list to be paged. `includes` filters its positions. */
export interface Listing<Item> {
  readonly first: number;
  /** The position after the last. */
  readonly end: number;
  readonly includes: (position: number) => boolean;
  readonly at: (position: number) => Item;
}

/**
 * Signs that addresses must encode: a client that does not encode cursors
 * always fails, and not just occasionally.
 */
const cursorMark = '+/=';

export function writeCursor(position: number): string {
  return `${cursorMark}${position}`;
}

/** Returns `undefined` for a text that is not a cursor. */
export function readCursor(text: string): number | undefined {
  return text.startsWith(cursorMark)
    ? Number(text.slice(cursorMark.length))
    : undefined;
}

/** Reads the page that a query asks for, by default of `usual` items. */
export function pageOf<Item, Row>(
  { first, end, includes, at }: Listing<Item>,
  query: URLSearchParams,
  record: (item: Item) => Row,
  usual = maxRows,
): { readonly items: readonly Row[]; readonly next_page_id: string | null } {
  const limit = Number(query.get('limit') ?? usual);
  const from = readCursor(query.get('page_id') ?? '') ?? first;
  const items: Row[] = [];
  for (let position = Math.max(from, first); position < end; position++) {
    if (!includes(position)) continue;
    if (items.length === limit)
      return { items, next_page_id: writeCursor(position) };
    items.push(record(at(position)));
  }
  return { items, next_page_id: null };
}

const maxRows = 100;

/**
 * Answers with a page whose cursor is the id of its first item. An unknown
 * cursor means the first page.
 */
export function answerFrom<Item>(
  query: URLSearchParams,
  items: readonly Item[],
  idOf: (item: Item) => string,
  record: (item: Item) => unknown = (item) => item,
  indexOf = (cursor: string) =>
    items.findIndex((item) => idOf(item) === cursor),
): HttpAnswer {
  const start = Math.max(0, indexOf(query.get('page_id') ?? ''));
  const end = start + Number(query.get('limit') ?? maxRows);
  const next = items[end];
  return json({
    items: items.slice(start, end).map(record),
    next_page_id: next === undefined ? null : idOf(next),
  });
}

/** Answers with the record for each id, or null. */
export function answerEach<Item>(
  ids: readonly string[],
  find: (id: string) => Item | undefined,
  record: (item: Item) => unknown,
): HttpAnswer {
  const items = ids.map(find);
  return json(items.map((item) => (item === undefined ? null : record(item))));
}
