/** Polls that request only changed rows instead of all. */
import type {
  ConversationQuery,
  Conversations,
} from '../../service/abilities/agentService.ts';
import {
  type ConversationKey,
  changeTime,
  type Conversation,
  keyOf,
} from '../../service/model/entities.ts';
import type { CallOptions } from '../../service/http/transport.ts';
import type { ListedRow } from './unlistedChanges.ts';

export interface Following<T> {
  /**
   * Returns changed rows and the keys of removed ones; `undefined` if all rows
   * must be requested.
   */
  readonly changes: (
    rows: readonly T[],
    call: CallOptions,
  ) => Promise<
    | {
        readonly changed: readonly T[];
        readonly gone: readonly ConversationKey[];
      }
    | undefined
  >;
  /** Below zero if the list has the first row before the second. */
  readonly compare: (a: T, b: T) => number;
}

/**
 * Returns `undefined` if the service cannot report changes, or cannot do so for
 * a filtered list.
 */
export function followingOf(
  conversations: Conversations | undefined,
  { order, ...filter }: ConversationQuery,
): Following<Conversation> | undefined {
  if (
    !conversations?.changes ||
    Object.values(filter).some((value) => value !== undefined)
  )
    return undefined;
  const timeOf = (row: Conversation) =>
    (order === 'updated' ? changeTime(row) : row.createdAt) ?? 0;
  return {
    changes: async (rows, call) => {
      const changes = await conversations.changes?.(rows, call);
      const [{ service } = { service: '' }] = rows;
      return (
        changes && {
          ...changes,
          gone: changes.gone.map((id) => keyOf({ service, id })),
        }
      );
    },
    compare: (a, b) => timeOf(b) - timeOf(a),
  };
}

/**
 * Merges changed and new rows into their places. With `more`, rows after the
 * last one are left to the next page.
 */
export function mergeRows<T extends ListedRow>(
  rows: readonly T[],
  changed: readonly T[],
  compare: Following<T>['compare'],
  more: boolean,
): readonly T[] {
  const rest = new Map(changed.map((row) => [keyOf(row), row]));
  const merged: T[] = [];
  for (const row of rows) {
    const now = rest.get(keyOf(row));
    // The row has another place now.
    if (now !== undefined && compare(now, row) !== 0) continue;
    merged.push(now ?? row);
    rest.delete(keyOf(row));
  }
  for (const row of rest.values()) {
    const place = merged.findIndex((other) => compare(row, other) < 0);
    if (place >= 0) merged.splice(place, 0, row);
    else if (!more) merged.push(row);
  }
  return merged;
}
