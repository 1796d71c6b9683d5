import { commands, Disposable, type TreeView, window } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import type { ServerList } from '../../state/serverList.ts';
import type { ServerStarts } from '../../state/serverStarts.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { views } from '../manifest.ts';
import { ConversationsTree } from './conversationsTree.ts';
import { SandboxesTree } from './sandboxesTree.ts';
import { type ServerRow, ServersTree } from './serversTree.ts';

export interface RegisteredViews extends Disposable {
  readonly conversations: TreeView<unknown>;
  readonly sandboxes: TreeView<unknown>;
  readonly servers: TreeView<ServerRow>;
  readonly trees: {
    readonly conversations: ConversationsTree;
    readonly sandboxes: SandboxesTree;
    readonly servers: ServersTree;
  };
  /** Shows the list of a service that has just been connected, and gives it the keyboard. */
  readonly showConversations: () => Promise<void>;
}

/** In milliseconds. A list that takes longer does not take the keyboard from where it is by then. */
const soon = 2_000;

export function registerViews(
  switchboard: Switchboard,
  servers: ServerList,
  starts: ServerStarts,
): RegisteredViews {
  const conversationsTree = new ConversationsTree(switchboard, systemClock);
  const sandboxesTree = new SandboxesTree(switchboard, systemClock);
  const conversations = window.createTreeView(views.conversations, { treeDataProvider: conversationsTree });
  const sandboxes = window.createTreeView(views.sandboxes, { treeDataProvider: sandboxesTree });
  const serversTree = new ServersTree(servers, starts);
  const serversView = window.createTreeView(views.servers, {
    treeDataProvider: serversTree,
    canSelectMany: true,
    // A check box is a command, which says what came of it.
    manageCheckboxStateManually: true,
  });
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
    servers.onChange(() => {
      serversTree.update();
    }),
    starts.onChange(() => {
      serversTree.update();
    }),
  ];
  const showConversations = async () => {
    const begun = systemClock.now();
    await commands.executeCommand(`${views.conversations}.focus`);
    await switchboard.conversations.refresh();
    // A list without rows cannot keep the keyboard.
    const [first] = conversationsTree.getChildren();
    if (first && systemClock.now() - begun < soon) {
      // It may be gone by then.
      await conversations.reveal(first, { select: false, focus: true }).then(undefined, () => undefined);
    }
  };
  const disposables = [conversations, sandboxes, serversView, conversationsTree, sandboxesTree, serversTree];
  return Object.assign(
    new Disposable(() => {
      for (const stop of subscriptions) stop();
      for (const disposable of disposables) disposable.dispose();
    }),
    {
      conversations,
      sandboxes,
      servers: serversView,
      trees: { conversations: conversationsTree, sandboxes: sandboxesTree, servers: serversTree },
      showConversations,
    },
  );
}
