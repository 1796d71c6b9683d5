import { Disposable, type TreeDataProvider, type TreeView, window } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { views } from '../manifest.ts';
import { ConversationsTree } from './conversationsTree.ts';
import { SandboxesTree } from './sandboxesTree.ts';

export interface RegisteredViews extends Disposable {
  readonly conversations: TreeView<unknown>;
  readonly sandboxes: TreeView<unknown>;
  readonly trees: { readonly conversations: ConversationsTree; readonly sandboxes: SandboxesTree };
}

/** A view without rows shows its welcome text. */
const noRows: TreeDataProvider<never> = {
  getChildren: () => [],
  getTreeItem: (row) => row,
};

export function registerViews(switchboard: Switchboard): RegisteredViews {
  const conversationsTree = new ConversationsTree(switchboard, systemClock);
  const sandboxesTree = new SandboxesTree(switchboard, systemClock);
  const conversations = window.createTreeView(views.conversations, { treeDataProvider: conversationsTree });
  const sandboxes = window.createTreeView(views.sandboxes, { treeDataProvider: sandboxesTree });
  const servers = window.createTreeView(views.servers, { treeDataProvider: noRows });
  // Each tree shows something of what the other one lists.
  const update = () => {
    conversationsTree.update();
    sandboxesTree.update();
  };
  const subscriptions = [
    switchboard.onConnection(update),
    switchboard.onArrangement(update),
    switchboard.starts.onChange(update),
    switchboard.conversations.onChange(update),
    switchboard.sandboxes.onChange(update),
    switchboard.sandboxChanges.onChange(update),
  ];
  const disposables = [conversations, sandboxes, servers, conversationsTree, sandboxesTree];
  return Object.assign(
    new Disposable(() => {
      for (const stop of subscriptions) stop();
      for (const disposable of disposables) disposable.dispose();
    }),
    { conversations, sandboxes, trees: { conversations: conversationsTree, sandboxes: sandboxesTree } },
  );
}
