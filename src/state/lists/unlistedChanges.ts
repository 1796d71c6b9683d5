/** What has become of rows since a service was asked for them: its answer may not know that yet. */

/** What becomes of a row; undefined if it is removed. */
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

  /** For when the service is asked. */
  clear(): void {
    this.#inserted.clear();
    this.#edits.clear();
  }

  isInserted(key: string): boolean {
    return this.#inserted.has(key);
  }

  /** A row of an answer as it is by now; undefined if it was removed. */
  edited(row: T): T | undefined {
    const edits = this.#edits.get(this.#keyOf(row)) ?? [];
    return edits.reduce<T | undefined>((edited, edit) => edited && edit(edited), row);
  }

  /** All rows of an answer as they are by now, after those that were inserted, the newest of which comes first. */
  appliedTo(rows: ReadonlyMap<string, T>): Map<string, T> {
    const inserted = [...this.#inserted].filter(([key]) => !rows.has(key)).reverse();
    const others = [...rows].flatMap(([key, row]) => {
      const edited = this.edited(row);
      return edited === undefined ? [] : [[key, edited] as const];
    });
    return new Map([...inserted, ...others]);
  }
}
