/** What both trees need: rows that keep their identity, and are drawn again only when they look different. */
import { EventEmitter, type TreeDataProvider, type TreeItem } from 'vscode';

/** A row knows what it stands for, and nothing that changes. */
export interface Row {
  /** Unique in its tree, and the same as long as it stands for the same. */
  readonly rowId: string;
}

/** The rows of a tree at one moment: the roots, and the children of those that have some. */
export interface Layout<R extends Row> {
  readonly roots: readonly R[];
  readonly children: ReadonlyMap<string, readonly R[]>;
}

export abstract class RowTree<R extends Row> implements TreeDataProvider<R> {
  readonly #changed = new EventEmitter<R | R[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  /** The row objects by id, so that the editor is given the very same ones again. */
  #rows = new Map<string, R>();
  #layout: Layout<R> = { roots: [], children: new Map() };
  #looks = new Map<string, string>();

  /** How many rows have been drawn. For measuring. */
  drawn = 0;

  protected abstract layOut(): Layout<R>;
  protected abstract draw(row: R): TreeItem;

  /** Looks at everything again, and has what looks different drawn. */
  update(): void {
    const before = this.#layout;
    const layout = this.layOut();
    const rows = new Map<string, R>();
    const keep = (row: R): R => {
      const kept = this.#rows.get(row.rowId) ?? row;
      rows.set(row.rowId, kept);
      return kept;
    };
    this.#layout = {
      roots: layout.roots.map(keep),
      children: new Map([...layout.children].map(([id, children]) => [id, children.map(keep)])),
    };
    this.#rows = rows;
    const looks = new Map([...rows].map(([id, row]) => [id, look(this.draw(row))]));
    const different = [...rows.values()].filter(({ rowId }) => this.#looks.get(rowId) !== looks.get(rowId));
    this.#looks = looks;
    if (!isSameLayout(before, this.#layout)) this.#changed.fire(undefined);
    else if (different.length > 0) this.#changed.fire(different);
  }

  /** Has a row drawn again that looks the same, but may be shown otherwise. */
  redraw({ rowId }: R): void {
    const row = this.#rows.get(rowId);
    if (row) this.#changed.fire(row);
  }

  getChildren(row?: R): R[] {
    return [...(row ? (this.#layout.children.get(row.rowId) ?? []) : this.#layout.roots)];
  }

  getParent(row: R): R | undefined {
    for (const [id, children] of this.#layout.children) {
      if (children.includes(row)) return this.#rows.get(id);
    }
    return undefined;
  }

  getTreeItem(row: R): TreeItem {
    this.drawn++;
    const item = this.draw(row);
    item.id = row.rowId;
    return item;
  }

  row(rowId: string): R | undefined {
    return this.#rows.get(rowId);
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

function look(item: TreeItem): string {
  return JSON.stringify([
    item.label,
    item.description,
    item.tooltip,
    item.contextValue,
    item.accessibilityInformation,
    item.iconPath,
    item.collapsibleState,
    item.checkboxState,
  ]);
}

function isSameLayout<R extends Row>(a: Layout<R>, b: Layout<R>): boolean {
  const isSame = (one: readonly R[], other: readonly R[] | undefined) =>
    one.length === other?.length && one.every((row, index) => row === other[index]);
  return (
    isSame(a.roots, b.roots) &&
    a.children.size === b.children.size &&
    [...a.children].every(([id, children]) => isSame(children, b.children.get(id)))
  );
}
