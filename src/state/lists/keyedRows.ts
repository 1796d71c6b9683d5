/** Rows by their keys, in an order: what is the same, and what is different. */
import { isEqual } from '../../base/same.ts';

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
  if (saySame(before, after)) return before;
  for (const [key, row] of after) {
    const old = before.get(key);
    if (old !== undefined && isEqual(old, row)) after.set(key, old);
  }
  return after;
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

/** True if the rows say the same, in the same order. */
function saySame<T>(before: KeyedRows<T>, after: KeyedRows<T>): boolean {
  if (before.size !== after.size) return false;
  const old = before.entries();
  for (const [key, row] of after) {
    const [oldKey, oldRow] = old.next().value ?? [];
    if (key !== oldKey || !isEqual(oldRow, row)) return false;
  }
  return true;
}
