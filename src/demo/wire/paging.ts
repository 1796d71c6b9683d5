import { createHash } from 'node:crypto';
import { json, type HttpAnswer } from './http.ts';
import { invalid, type QueryReader } from './validate.ts';

/** A list to be paged. `includes` filters its positions. */
export interface Listing<Item> {
  readonly first: number;
  /** The position after the last. */
  readonly end: number;
  readonly includes: (position: number) => boolean;
  readonly at: (position: number) => Item;
}

/** The lists with cursors. A cursor is valid for one of them only. */
export type ListName = 'v0' | 'conversations' | 'sandboxes' | 'specs';

/**
 * Three bytes that are `+/+/` in base64. The length leaves one `=` at the end.
 * A client that does not encode cursors in a URL therefore always fails, and
 * not just occasionally.
 */
const prefix = Buffer.from('+/+/', 'base64');

export function writeCursor(list: ListName, position: number): string {
  const place = Buffer.alloc(4);
  place.writeInt32BE(position);
  const check = createHash('sha256')
    .update(`${list} ${position}`)
    .digest()
    .subarray(0, 4);
  return Buffer.concat([prefix, place, check]).toString('base64');
}

/** Undefined if the text is not a cursor of this list. */
export function readCursor(
  list: ListName,
  text: string | undefined,
): number | undefined {
  const bytes = Buffer.from(text ?? '', 'base64');
  const position = bytes.length === 11 ? bytes.readInt32BE(3) : undefined;
  return position !== undefined && writeCursor(list, position) === text
    ? position
    : undefined;
}

/**
 * Returns items from a position on, and the position of the next included item,
 * if any.
 */
export function pageOf<Item>(
  { first, end, includes, at }: Listing<Item>,
  from: number | undefined,
  limit: number,
): { readonly items: readonly Item[]; readonly next: number | undefined } {
  const items: Item[] = [];
  for (
    let position = Math.max(from ?? first, first);
    position < end;
    position++
  ) {
    if (!includes(position)) continue;
    if (items.length === limit) return { items, next: position };
    items.push(at(position));
  }
  return { items, next: undefined };
}

/**
 * Answers with the page that a query asks for, unless something in the query is
 * invalid.
 */
export function answerPage<Item>(
  reader: QueryReader,
  name: ListName,
  listing: Listing<Item>,
  record: (item: Item) => unknown,
): HttpAnswer {
  const limit = reader.limit();
  if (reader.errors.length > 0) return invalid(reader.errors);
  const { items, next } = pageOf(
    listing,
    readCursor(name, reader.text('page_id')),
    limit,
  );
  return json({
    items: items.map(record),
    next_page_id: next === undefined ? null : writeCursor(name, next),
  });
}

/**
 * Answers with a page whose cursor is the id of its first item. An unknown
 * cursor means the first page.
 */
export function answerFrom<Item>(
  reader: QueryReader,
  items: readonly Item[],
  idOf: (item: Item) => string,
  record: (item: Item) => unknown = (item) => item,
  indexOf = (cursor: string) =>
    items.findIndex((item) => idOf(item) === cursor),
): HttpAnswer {
  const limit = reader.limit();
  if (reader.errors.length > 0) return invalid(reader.errors);
  const start = Math.max(0, indexOf(reader.text('page_id') ?? ''));
  const next = items[start + limit];
  return json({
    items: items.slice(start, start + limit).map(record),
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
