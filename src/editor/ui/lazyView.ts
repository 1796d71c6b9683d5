/**
 * A view of the side bar whose tree is loaded when the editor asks for rows.
 */
import {
  type Disposable,
  EventEmitter,
  type TreeDataProvider,
  type TreeView,
  window,
} from 'vscode';

type Tree<R> = TreeDataProvider<R> &
  Required<Pick<TreeDataProvider<R>, 'onDidChangeTreeData' | 'getParent'>>;

export class LazyView<R> implements Disposable {
  readonly view: TreeView<R>;
  readonly #changed = new EventEmitter<R | R[] | undefined>();
  #make: (() => Tree<R> | Promise<Tree<R>>) | undefined;
  #tree: Tree<R> | undefined;
  #listening: Disposable | undefined;

  /** `load` must fill the view before it resolves. */
  constructor(
    id: string,
    load: () => Promise<unknown>,
    options: {
      readonly canSelectMany?: boolean;
      readonly manageCheckboxStateManually?: boolean;
    } = {},
  ) {
    this.view = window.createTreeView<R>(id, {
      ...options,
      treeDataProvider: {
        onDidChangeTreeData: this.#changed.event,
        getChildren: async (row) => {
          await load();
          return await (await this.#filled()).getChildren(row);
        },
        getTreeItem: (row) => this.#drawn.getTreeItem(row),
        getParent: (row) => this.#drawn.getParent(row),
      },
    });
  }

  /** Shows the rows of this tree. Makes it when the editor asks for rows. */
  fill<Filled extends R>(
    make: () => Tree<Filled> | Promise<Tree<Filled>>,
  ): TreeView<R> {
    this.#make = make;
    return this.view;
  }

  dispose(): void {
    this.#listening?.dispose();
    this.view.dispose();
    this.#changed.dispose();
  }

  async #filled(): Promise<Tree<R>> {
    const tree = await this.#make?.();
    if (!tree) throw new Error('Nothing fills the view.');
    if (this.#tree !== tree) {
      this.#tree = tree;
      this.#listening = tree.onDidChangeTreeData((rows) => {
        this.#changed.fire(rows ?? undefined);
      });
    }
    return tree;
  }

  get #drawn(): Tree<R> {
    if (!this.#tree) throw new Error('The view has no rows yet.');
    return this.#tree;
  }
}
