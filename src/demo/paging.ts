import type { Cursors, ListName, ListPosition } from './cursor.ts';
import { json, type HttpAnswer } from './http.ts';
import { invalid, type QueryReader } from './validate.ts';

/** A list to be paged: items at positions, not all of them wanted. */
export interface Listing<Item> {
  readonly first: number;
  /** After the last. */
  readonly end: number;
  wanted(position: number): boolean;
  at(position: number): Item;
}

interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly next: ListPosition | undefined;
}

/** The items from a place on, and the place of the next wanted one, if there is one. */
export function pageOf<Item>(
  listing: Listing<Item>,
  place: ListPosition | undefined,
  limit: number,
): ListPage<Item> {
  if (place && place.empty > 0) return { items: [], next: { ...place, empty: place.empty - 1 } };
  const items: Item[] = [];
  const begin = Math.max(place?.position ?? listing.first, listing.first);
  for (let position = begin; position < listing.end; position++) {
    if (!listing.wanted(position)) continue;
    if (items.length === limit) return { items, next: { position, empty: 0, lap: place?.lap ?? 0 } };
    items.push(listing.at(position));
  }
  return { items, next: undefined };
}

/** The most rows on a page. */
export const pageLimit = 100;

/** Answers with the page that a query asks for, unless something in the query is invalid. */
export function answerPage<Item>(
  reader: QueryReader,
  name: ListName,
  listing: Listing<Item>,
  cursors: Cursors,
  record: (item: Item) => unknown,
): HttpAnswer {
  const limit = reader.integer('limit', { otherwise: pageLimit, above: 0, most: pageLimit });
  const place = reader.cursor(cursors, name);
  if (reader.errors.length > 0) return invalid(reader.errors);
  const { items, next } = pageOf(listing, place, limit);
  return json({ items: items.map(record), next_page_id: next ? cursors.write(name, next) : null });
}

export function listingOf<Item>(items: readonly Item[]): Listing<Item> {
  return { first: 0, end: items.length, wanted: () => true, at: (index) => items[index] as Item };
}

/** Answers with a page whose cursor is the id of its first item. An unknown one is taken for that of the first page. */
export function answerFrom<Item>(
  items: readonly Item[],
  idOf: (item: Item) => string,
  reader: QueryReader,
  limit: number,
): HttpAnswer {
  const cursor = reader.text('page_id');
  const start = Math.max(
    0,
    items.findIndex((item) => idOf(item) === cursor),
  );
  const next = items[start + limit];
  return json({ items: items.slice(start, start + limit), next_page_id: next ? idOf(next) : null });
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
