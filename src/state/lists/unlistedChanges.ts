import {
  type Conversation,
  type ConversationKey,
  keyOf,
} from '../../service/model/entities.ts';

export type ListedRow = Pick<Conversation, 'service' | 'id'>;

/** Ordered rows by key. */
export type KeyedRows<T> = ReadonlyMap<ConversationKey, T>;

/** Returns the replacement of a row, or `undefined` to remove it. */
export type RowEdit<T> = (row: T) => T | undefined;

/** Local edits made while a refresh is under way, reapplied to its answer. */
export class UnlistedChanges<T extends ListedRow> {
  readonly #inserted = new Map<ConversationKey, T>();
  readonly #edits = new Map<ConversationKey, readonly RowEdit<T>[]>();

  insert(row: T): void {
    const key = keyOf(row);
    this.#edits.delete(key);
    this.#inserted.set(key, row);
  }

  edit(key: ConversationKey, edit: RowEdit<T>): void {
    const inserted = this.#inserted.get(key);
    const edited = inserted && edit(inserted);
    if (edited === undefined) this.#inserted.delete(key);
    else this.#inserted.set(key, edited);
    this.#edits.set(key, [...(this.#edits.get(key) ?? []), edit]);
  }

  /** Forgets all edits when a new refresh begins. */
  clear(): void {
    this.#inserted.clear();
    this.#edits.clear();
  }

  isInserted(key: ConversationKey): boolean {
    return this.#inserted.has(key);
  }

  /** Returns the edited rows of an answer, without the removed ones. */
  editedRows(rows: Iterable<T>): readonly T[] {
    return [...rows].flatMap((row) => {
      const edits = this.#edits.get(keyOf(row)) ?? [];
      return (
        edits.reduce<T | undefined>(
          (edited, edit) => edited && edit(edited),
          row,
        ) ?? []
      );
    });
  }

  /**
   * Returns the inserted rows, newest first, and then the edited rows of an
   * answer.
   */
  appliedTo(rows: KeyedRows<T>): Map<ConversationKey, T> {
    const inserted = [...this.#inserted]
      .filter(([key]) => !rows.has(key))
      .reverse();
    const listed = this.editedRows(rows.values());
    return new Map([...inserted, ...keyed(listed)]);
  }
}

export function keyed<T extends ListedRow>(rows: readonly T[]) {
  return rows.map((row) => [keyOf(row), row] as const);
}
