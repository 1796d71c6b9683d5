/** Rows by their keys, in an order: what is the same, and what is different. */
import { same } from '../../base/same.ts';

export type KeyedRows<T> = ReadonlyMap<string, T>;

/** The difference between rows and those before. */
export interface RowDifference {
  /** Rows that were there before and say something else now. */
  readonly rows: ReadonlySet<string>;
  /** True if rows have come, gone or changed places. */
  readonly structure: boolean;
}

/** Rows that say the same stay the very same objects; so does the map, if all of them do. */
export function withOldObjects<T>(before: KeyedRows<T>, after: Map<string, T>): KeyedRows<T> {
  let isSame = before.size === after.size;
  const keys = before.keys();
  for (const [key, row] of after) {
    const old = before.get(key);
    const saysSame = old !== undefined && same(old, row);
    if (saysSame) after.set(key, old);
    if (!saysSame || keys.next().value !== key) isSame = false;
  }
  return isSame ? before : after;
}

export function differenceOf<T>(before: KeyedRows<T>, after: KeyedRows<T>): RowDifference {
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
