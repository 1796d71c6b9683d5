import type { ListPosition } from './cursor.ts';

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
