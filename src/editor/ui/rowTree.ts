/**
 * The base of all trees: rows keep their identity, and only changed rows are
 * redrawn.
 */
import {
  type Command,
  type Disposable,
  EventEmitter,
  type TreeDataProvider,
  type TreeItem,
} from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { isEqual } from '../../base/same.ts';
import type { Time } from '../../service/model/entities.ts';
import { openRowCommand } from './openRow.ts';

/** A row identifies an item, and holds no state. */
export interface TreeRow {
  /** Unique and stable in its tree. */
  readonly rowId: string;
}

export interface TreeLayout<R extends TreeRow> {
  readonly roots: readonly R[];
  readonly children: ReadonlyMap<string, readonly R[]>;
  /** Ids of rows that `layOut` found to look different. */
  readonly different?: readonly string[];
}

export abstract class RowTree<
  R extends TreeRow,
> implements TreeDataProvider<R> {
  readonly #clock: Clock;
  readonly #viewId: string;
  readonly #announced = new EventEmitter<R | R[] | undefined>();
  readonly onDidChangeTreeData = this.#announced.event;
  /** Undefined until the editor asks for rows. */
  #layout: TreeLayout<R> | undefined;
  /** Rows by id. The editor must get identical objects. */
  #rows: ReadonlyMap<string, R> = new Map();
  /** Times at which drawn rows change by themselves. */
  readonly #until = new Map<string, Time>();
  /** Rows that have changed since the last announcement. */
  readonly #changed = new Set<string>();
  /** Rows to announce only if they look different. */
  readonly #maybeChanged = new Set<string>();
  /** The items that the editor shows, by row id. */
  readonly #items = new Map<string, TreeItem>();
  /** Disposed of with the tree. */
  protected readonly subscriptions: Pick<Disposable, 'dispose'>[] = [];
  #isStale = true;
  #isSeen = false;

  /** The number of drawn rows, for tests and measurements. */
  drawn = 0;

  constructor(viewId: string, clock: Clock) {
    this.#viewId = viewId;
    this.#clock = clock;
  }

  protected abstract layOut(): TreeLayout<R>;
  /** Includes the command that opens the row. */
  protected abstract draw(row: R, now: Time): TreeItem;

  /** The time at which a row changes by itself. */
  protected abstract until(row: R, now: Time): Time;

  /**
   * True while the tree is visible. Other changes are announced when it becomes
   * visible.
   */
  set seen(seen: boolean) {
    this.#isSeen = seen;
    if (seen) this.#announce();
  }

  /**
   * Lays out the tree again. Announces these rows, other differences, and rows
   * whose time is up.
   */
  protected changed(rowIds: Iterable<string> = []): void {
    for (const rowId of rowIds) this.#changed.add(rowId);
    this.#isStale = true;
    if (this.#isSeen) this.#announce();
  }

  /**
   * Does the same as `changed`, but announces these rows only if they look
   * different: the editor replaces the buttons of a row that is announced, and
   * loses a click on one of them that is under way.
   */
  protected maybeChanged(rowIds: Iterable<string>): void {
    for (const rowId of rowIds) this.#maybeChanged.add(rowId);
    this.changed();
  }

  protected timePassed(): void {
    const due = this.#isSeen && !this.#isStale ? this.#due() : [];
    if (due.length > 0) this.#announceRows(due);
  }

  protected readonly allChanged = (): void => {
    this.changed(this.#rows.keys());
  };

  protected allMaybeChanged(): void {
    this.maybeChanged(this.#rows.keys());
  }

  /** Redraws an unchanged row that the editor shows differently. */
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
    this.#until.set(row.rowId, this.until(row, now));
    const item = this.#itemOf(row, now);
    this.#items.set(row.rowId, item);
    return item;
  }

  commandOf(row: R): Command | undefined {
    return this.draw(row, this.#clock.now()).command;
  }

  row(rowId: string): R | undefined {
    this.#fresh();
    return this.#rows.get(rowId);
  }

  dispose(): void {
    for (const subscription of [...this.subscriptions, this.#announced])
      subscription.dispose();
  }

  #fresh(): TreeLayout<R> {
    if (this.#isStale) this.#announce();
    return (this.#layout ??= this.#layOut());
  }

  #announce() {
    const before = this.#layout;
    // The editor has no rows yet.
    if (!before) return;
    const changed = [...this.#changed];
    const maybeChanged = [...this.#maybeChanged];
    const after = (this.#layout = this.#layOut());
    const different = new Set([
      ...changed,
      ...(after.different ?? []),
      ...this.#due(),
    ]);
    for (const id of maybeChanged)
      if (!different.has(id) && this.#looksDifferent(id)) different.add(id);
    if (!isSame(before.roots, after.roots)) {
      this.#announced.fire(undefined);
      return;
    }
    for (const id of new Set([
      ...before.children.keys(),
      ...after.children.keys(),
    ])) {
      if (!isSame(before.children.get(id), after.children.get(id)))
        different.add(id);
    }
    this.#announceRows(different);
  }

  #announceRows(ids: Iterable<string>) {
    const rows = [...ids]
      .map((id) => this.#rows.get(id))
      .filter((row) => row !== undefined);
    if (rows.length > 0) this.#announced.fire(rows);
  }

  #layOut(): TreeLayout<R> {
    const layout = this.layOut();
    const rows = new Map<string, R>();
    const keep = (row: R): R => {
      const existing = this.#rows.get(row.rowId) ?? row;
      rows.set(row.rowId, existing);
      return existing;
    };
    const roots = layout.roots.map(keep);
    const children = new Map(
      [...layout.children].map(([id, below]) => [id, below.map(keep)]),
    );
    for (const id of this.#until.keys())
      if (!rows.has(id)) this.#until.delete(id);
    for (const id of this.#items.keys())
      if (!rows.has(id)) this.#items.delete(id);
    this.#rows = rows;
    this.#changed.clear();
    this.#maybeChanged.clear();
    this.#isStale = false;
    return { ...layout, roots, children };
  }

  #itemOf(row: R, now: Time): TreeItem {
    const item = this.draw(row, now);
    item.id = row.rowId;
    if (item.command)
      item.command = openRowCommand(this.#viewId, item.command.title);
    return item;
  }

  #looksDifferent(rowId: string): boolean {
    const row = this.#rows.get(rowId);
    const before = this.#items.get(rowId);
    // The editor asks for each row before it shows it.
    if (!row || !before) return false;
    const now = this.#clock.now();
    const after = this.#itemOf(row, now);
    if (isEqual(before, after)) this.#until.set(rowId, this.until(row, now));
    else
      return (
        !isPressedSoon(after) ||
        !isEqual(withoutWords(before), withoutWords(after))
      );
    return false;
  }

  /** Takes the rows whose time is up. Drawing a row sets its next time. */
  #due(): string[] {
    const now = this.#clock.now();
    const due = [...this.#until]
      .filter(([, until]) => until <= now)
      .map(([id]) => id);
    for (const id of due) this.#until.delete(id);
    return due;
  }
}

/**
 * True if users press a button of the item at once. New words in its row then
 * wait.
 */
function isPressedSoon({ contextValue }: TreeItem): boolean {
  return contextValue?.split(' ').includes('answerable') === true;
}

/**
 * The parts of an item without its age and its cost, which every poll changes.
 */
function withoutWords({
  label,
  iconPath,
  contextValue,
  collapsibleState,
  command,
}: TreeItem): object {
  return { label, iconPath, contextValue, collapsibleState, command };
}

function isSame<R>(one: readonly R[] = [], other: readonly R[] = []): boolean {
  return (
    one.length === other.length &&
    one.every((row, index) => row === other[index])
  );
}
