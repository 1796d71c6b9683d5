/** Local edits made while a refresh is under way, reapplied to its answer. */

/** Returns the row to show instead; undefined if it is removed. */
export type RowEdit<T> = (row: T) => T | undefined;

export class UnlistedChanges<T> {
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
    const others = [...rows].flatMap(([key, row]) => {
      const edited = this.edited(row);
      return edited === undefined ? [] : [[key, edited] as const];
    });
    return new Map([...inserted, ...others]);
  }
}
