/** What all trees need: rows that keep their identity, of which only those are drawn again that have to look different. */
import { EventEmitter, type TreeDataProvider, type TreeItem } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import type { Time } from '../../service/entities.ts';

/** A row knows what it represents, and nothing that changes. */
export interface Row {
  /** Unique in its tree, and the same as long as it represents the same. */
  readonly rowId: string;
}

/** The rows of a tree at one moment. */
export interface Layout<R extends Row> {
  readonly roots: readonly R[];
  /** The children of the rows that have some. */
  readonly children: ReadonlyMap<string, readonly R[]>;
  /** Ids of rows that look different from before for a reason that was found while laying out. */
  readonly different?: readonly string[];
}

export abstract class RowTree<R extends Row> implements TreeDataProvider<R> {
  readonly #clock: Clock;
  readonly #announced = new EventEmitter<R | R[] | undefined>();
  readonly onDidChangeTreeData = this.#announced.event;
  /** Undefined until the editor asks for rows. */
  #layout: Layout<R> | undefined;
  /** The row objects by id, so that the editor is given the very same ones again. */
  #rows: ReadonlyMap<string, R> = new Map();
  /** When drawn rows will say something else only because time has passed, and the first of these times. */
  readonly #until = new Map<string, Time>();
  #firstUntil = Infinity;
  /** Rows that have changed since the last announcement. */
  readonly #changed = new Set<string>();
  #isStale = true;
  #isSeen = false;

  /** How many rows have been drawn. For measuring. */
  drawn = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  protected abstract layOut(): Layout<R>;
  protected abstract draw(row: R, now: Time): TreeItem;

  /** Until when a row says the same, if nothing changes but the time. */
  protected abstract until(row: R, now: Time): Time;

  /** Whether anybody looks. What changes unseen is drawn when somebody looks again. */
  set seen(seen: boolean) {
    this.#isSeen = seen;
    if (seen) this.#announce();
  }

  /** Has these rows drawn again, with those whose time is up, and all that is laid out otherwise than before. */
  protected changed(rowIds: Iterable<string> = []): void {
    for (const rowId of rowIds) this.#changed.add(rowId);
    this.#isStale = true;
    if (this.#isSeen) this.#announce();
  }

  /** Has those rows drawn again whose time is up: nothing else is different. */
  protected timePassed(): void {
    const due = this.#isSeen && !this.#isStale ? this.#due() : [];
    if (due.length > 0) this.#announceRows(due);
  }

  /** Has every row drawn again. */
  protected allChanged(): void {
    this.changed(this.#rows.keys());
  }

  /** Has a row drawn again that looks the same, but is shown otherwise by the editor. */
  redraw({ rowId }: R): void {
    const row = this.#rows.get(rowId);
    if (row) this.#announced.fire(row);
  }

  getChildren(row?: R): R[] {
    const { roots, children } = this.#fresh();
    return [...(row ? (children.get(row.rowId) ?? []) : roots)];
  }

  getParent(row: R): R | undefined {
    for (const [id, children] of this.#fresh().children) {
      if (children.includes(row)) return this.#rows.get(id);
    }
    return undefined;
  }

  getTreeItem(row: R): TreeItem {
    this.drawn++;
    const now = this.#clock.now();
    this.#setUntil(row.rowId, this.until(row, now));
    const item = this.draw(row, now);
    item.id = row.rowId;
    return item;
  }

  row(rowId: string): R | undefined {
    this.#fresh();
    return this.#rows.get(rowId);
  }

  dispose(): void {
    this.#announced.dispose();
  }

  #fresh(): Layout<R> {
    if (this.#isStale) this.#announce();
    return (this.#layout ??= this.#layOut());
  }

  #announce(): void {
    const before = this.#layout;
    // The editor will ask for everything.
    if (!before) return;
    const changed = [...this.#changed];
    const after = (this.#layout = this.#layOut());
    const different = new Set([...changed, ...(after.different ?? []), ...this.#due()]);
    if (!isSame(before.roots, after.roots)) {
      this.#announced.fire(undefined);
      return;
    }
    for (const id of new Set([...before.children.keys(), ...after.children.keys()])) {
      if (!isSame(before.children.get(id), after.children.get(id))) different.add(id);
    }
    this.#announceRows(different);
  }

  #announceRows(ids: Iterable<string>): void {
    const rows = [...ids].map((id) => this.#rows.get(id)).filter((row) => row !== undefined);
    if (rows.length > 0) this.#announced.fire(rows);
  }

  #layOut(): Layout<R> {
    const layout = this.layOut();
    const rows = new Map<string, R>();
    const keep = (row: R): R => {
      const known = this.#rows.get(row.rowId) ?? row;
      rows.set(row.rowId, known);
      return known;
    };
    const roots = layout.roots.map(keep);
    const children = new Map([...layout.children].map(([id, below]) => [id, below.map(keep)]));
    for (const id of this.#until.keys()) if (!rows.has(id)) this.#until.delete(id);
    this.#rows = rows;
    this.#changed.clear();
    this.#isStale = false;
    return { ...layout, roots, children };
  }

  #setUntil(rowId: string, until: Time): void {
    if (until === Infinity) this.#until.delete(rowId);
    else this.#until.set(rowId, until);
    this.#firstUntil = Math.min(this.#firstUntil, until);
  }

  /** Each row once: until it is drawn, it has no other time. */
  #due(): string[] {
    const now = this.#clock.now();
    if (now < this.#firstUntil) return [];
    const due = [...this.#until].filter(([, until]) => until <= now).map(([id]) => id);
    for (const id of due) this.#until.delete(id);
    this.#firstUntil = Infinity;
    for (const until of this.#until.values()) this.#firstUntil = Math.min(this.#firstUntil, until);
    return due;
  }
}

function isSame<R>(one: readonly R[] = [], other: readonly R[] = []): boolean {
  return one.length === other.length && one.every((row, index) => row === other[index]);
}
