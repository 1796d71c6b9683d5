/** The base of all trees: rows keep their identity, and only those are drawn again that have changed. */
import { type Command, EventEmitter, type TreeDataProvider, type TreeItem } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { same } from '../../base/same.ts';
import type { Time } from '../../service/entities.ts';
import { openRowCommand } from './openRow.ts';

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
  /** Ids of rows that look different for a reason that `layOut` found. */
  readonly different?: readonly string[];
}

export abstract class RowTree<R extends Row> implements TreeDataProvider<R> {
  readonly #clock: Clock;
  readonly #viewId: string;
  readonly #announced = new EventEmitter<R | R[] | undefined>();
  readonly onDidChangeTreeData = this.#announced.event;
  /** Undefined until the editor asks for rows. */
  #layout: Layout<R> | undefined;
  /** By id, so that the editor gets the very same objects again. */
  #rows: ReadonlyMap<string, R> = new Map();
  /** When drawn rows will look different just because time has passed, and the first of these times. */
  readonly #until = new Map<string, Time>();
  #firstUntil = Infinity;
  /** Rows that have changed since the last announcement. */
  readonly #changed = new Set<string>();
  /** Rows that have changed since then only if they look different. */
  readonly #maybeChanged = new Set<string>();
  /** The items that the editor has, by the ids of their rows. */
  readonly #items = new Map<string, TreeItem>();
  #isStale = true;
  #isSeen = false;

  /** How many rows have been drawn, for tests and measurements. */
  drawn = 0;

  constructor(viewId: string, clock: Clock) {
    this.#viewId = viewId;
    this.#clock = clock;
  }

  protected abstract layOut(): Layout<R>;
  /** With the command that opening the row runs. */
  protected abstract draw(row: R, now: Time): TreeItem;

  /** Until when a row looks the same, if nothing but the time changes. */
  protected abstract until(row: R, now: Time): Time;

  /** Whether the tree can be seen. What changes while it cannot is announced when it can. */
  set seen(seen: boolean) {
    this.#isSeen = seen;
    if (seen) this.#announce();
  }

  /** Lays out the tree again, and announces what is different, these rows, and those whose time is up. */
  protected changed(rowIds: Iterable<string> = []): void {
    for (const rowId of rowIds) this.#changed.add(rowId);
    this.#isStale = true;
    if (this.#isSeen) this.#announce();
  }

  /**
   * The same, but announces these rows only if they look different: the editor replaces the buttons of a row that is
   * announced, and loses a click on one of them that is under way.
   */
  protected maybeChanged(rowIds: Iterable<string>): void {
    for (const rowId of rowIds) this.#maybeChanged.add(rowId);
    this.changed();
  }

  /** Announces the rows whose time is up. For when nothing else has changed. */
  protected timePassed(): void {
    const due = this.#isSeen && !this.#isStale ? this.#due() : [];
    if (due.length > 0) this.#announceRows(due);
  }

  /** Announces every row. */
  protected allChanged(): void {
    this.changed(this.#rows.keys());
  }

  /** Announces every row that looks different. */
  protected allMaybeChanged(): void {
    this.maybeChanged(this.#rows.keys());
  }

  /** Has a row drawn again that has not changed, but that the editor shows differently. */
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
    const item = this.#itemOf(row, now);
    this.#items.set(row.rowId, item);
    return item;
  }

  /** What opening the row runs, as it is now. */
  commandOf(row: R): Command | undefined {
    return this.draw(row, this.#clock.now()).command;
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
    const [changed, maybeChanged] = [[...this.#changed], [...this.#maybeChanged]];
    const after = (this.#layout = this.#layOut());
    const different = new Set([...changed, ...(after.different ?? []), ...this.#due()]);
    for (const id of maybeChanged) if (!different.has(id) && this.#looksDifferent(id)) different.add(id);
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
    for (const id of this.#items.keys()) if (!rows.has(id)) this.#items.delete(id);
    this.#rows = rows;
    this.#changed.clear();
    this.#maybeChanged.clear();
    this.#isStale = false;
    return { ...layout, roots, children };
  }

  #itemOf(row: R, now: Time): TreeItem {
    const item = this.draw(row, now);
    item.id = row.rowId;
    if (item.command) item.command = openRowCommand(this.#viewId, item.command.title);
    return item;
  }

  #looksDifferent(rowId: string): boolean {
    const [row, before] = [this.#rows.get(rowId), this.#items.get(rowId)];
    if (!row || !before) return true;
    const now = this.#clock.now();
    const after = this.#itemOf(row, now);
    if (same(before, after)) this.#setUntil(rowId, this.until(row, now));
    else return !isPressedSoon(after) || !same(withoutWords(before), withoutWords(after));
    return false;
  }

  #setUntil(rowId: string, until: Time): void {
    if (until === Infinity) this.#until.delete(rowId);
    else this.#until.set(rowId, until);
    this.#firstUntil = Math.min(this.#firstUntil, until);
  }

  /** Names each row once; its next time is set when it is drawn. */
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

/** True if an item has a button that is pressed as soon as it appears: new words in its row wait until its time is up. */
function isPressedSoon({ contextValue }: TreeItem): boolean {
  return contextValue?.split(' ').includes('answerable') === true;
}

/** The parts of an item that no poll changes by itself, as its age and its cost do. */
function withoutWords({ label, iconPath, contextValue, collapsibleState, command }: TreeItem): object {
  return { label, iconPath, contextValue, collapsibleState, command };
}

function isSame<R>(one: readonly R[] = [], other: readonly R[] = []): boolean {
  return one.length === other.length && one.every((row, index) => row === other[index]);
}
