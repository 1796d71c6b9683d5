import { type Disposable, type TreeDataProvider, window } from 'vscode';
import { views } from '../manifest.ts';

/** A view without rows shows its welcome text. */
const noRows: TreeDataProvider<never> = {
  getChildren: () => [],
  getTreeItem: (row) => row,
};

export function registerViews(): Disposable[] {
  return Object.values(views).map((id) => window.createTreeView(id, { treeDataProvider: noRows }));
}
