import {
  commands,
  Disposable,
  TreeItemCheckboxState,
  type TreeView,
} from 'vscode';
import { atMost, systemClock } from '../../base/clock.ts';
import { lazily } from '../../base/lazily.ts';
import type { ServerChecks } from '../../state/mcpServers/serverChecks.ts';
import type { ServerList } from '../../state/mcpServers/serverList.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { Conversation } from '../../service/model/entities.ts';
import type { ShowConversations } from '../services/openDemo.ts';
import type { ServiceItem } from '../background/serviceItem.ts';
import type { LazyView } from '../ui/lazyView.ts';
import { boxStates, type CommandId, views } from '../manifest.ts';
import { registerFileDecorations } from '../conversations/listItems.ts';
import {
  type ConversationRow,
  ConversationsTree,
} from '../conversations/conversationsTree.ts';
import { registerOpenRow } from '../ui/openRow.ts';
import type { TreeRow, RowTree } from '../ui/rowTree.ts';
import { SandboxesTree } from '../sandboxes/sandboxesTree.ts';
import type { ServerRow } from '../mcpServers/serversTree.ts';

/** The parts that extension.ts registers before the runtime is loaded. */
export interface FirstParts {
  readonly serviceItem: ServiceItem;
  readonly conversations: LazyView<unknown>;
  readonly sandboxes: LazyView<unknown>;
  readonly servers: LazyView<ServerRow>;
}

/** A list that takes longer gets the focus while it is still empty. */
const firstRowsTimeoutMs = 2_000;

export function registerViews(
  first: FirstParts,
  switchboard: Switchboard,
  servers: ServerList,
  checks: () => Promise<ServerChecks>,
) {
  const conversationsTree = new ConversationsTree(switchboard, systemClock);
  const sandboxesTree = new SandboxesTree(switchboard, systemClock);
  const conversations = first.conversations.fill(() => conversationsTree);
  const sandboxes = first.sandboxes.fill(() => sandboxesTree);
  const disposables: Pick<Disposable, 'dispose'>[] = [
    serve(views.conversations, conversations, conversationsTree),
    serve(views.sandboxes, sandboxes, sandboxesTree),
    conversations.onDidExpandElement(
      ({ element }) =>
        void conversationsTree.expand(element as ConversationRow),
    ),
    conversations.onDidChangeCheckboxState(({ items }) => {
      void markAsBoxesSay(items as readonly BoxOfRow[]).then(() => {
        // The editor has set the boxes already, whatever the outcome.
        for (const [row] of items)
          conversationsTree.redraw(row as ConversationRow);
      });
    }),
    registerFileDecorations(),
    conversationsTree,
    sandboxesTree,
  ];
  let isDisposed = false;
  /** Loaded when the editor first asks for its rows. */
  const serversTree = lazily(async () => {
    const { ServersTree } = await import('./lateBundle.ts');
    const tree = new ServersTree(
      { servers, checks: await checks(), switchboard },
      systemClock,
    );
    if (isDisposed) tree.dispose();
    else disposables.push(serve(views.servers, serversView, tree), tree);
    return tree;
  });
  const disposeAll = () => {
    isDisposed = true;
    for (const disposable of disposables.splice(0)) disposable.dispose();
  };
  const serversView = first.servers.fill(serversTree);
  const showConversations: ShowConversations = async (options) => {
    // An empty list cannot take the focus, and moving it later would close a
    // question that was opened since.
    if (!options?.preserveFocus)
      await atMost(
        systemClock,
        firstRowsTimeoutMs,
        switchboard.conversations.refresh(),
      );
    await commands.executeCommand(`${views.conversations}.focus`, options);
    const [first] = conversationsTree.getChildren();
    if (!first || options?.preserveFocus) return;
    // The row may be gone.
    await conversations
      .reveal(first, { select: false, focus: true })
      .then(undefined, () => undefined);
  };
  /** Shows the changed files below the row of a conversation, if it has one. */
  const revealFiles = async (conversation: Conversation) => {
    const row = conversationsTree.rowOf(conversation);
    // The row may be filtered out, or the view closed.
    const options = { select: true, focus: false, expand: true };
    if (row)
      await conversations.reveal(row, options).then(undefined, () => undefined);
  };
  return Object.assign(new Disposable(disposeAll), {
    conversations,
    sandboxes,
    servers: serversView,
    trees: { conversations: conversationsTree, sandboxes: sandboxesTree },
    serversTree,
    showConversations,
    revealFiles,
  });
}

type BoxOfRow = readonly [ConversationRow, TreeItemCheckboxState];

async function markAsBoxesSay(items: readonly BoxOfRow[]) {
  for (const state of [
    TreeItemCheckboxState.Checked,
    TreeItemCheckboxState.Unchecked,
  ]) {
    const ids = items.flatMap(([row, boxState]) =>
      boxState === state && row.kind === 'changedFile' ? row.id : [],
    );
    const set =
      state === TreeItemCheckboxState.Checked ? boxStates.on : boxStates.off;
    const command: CommandId = 'switchboard.conversations.markReviewed';
    if (ids.length > 0) await commands.executeCommand(command, set, ...ids);
  }
}

function serve<R extends TreeRow>(
  viewId: string,
  view: TreeView<unknown>,
  tree: RowTree<R>,
): Disposable {
  tree.seen = view.visible;
  return Disposable.from(
    view.onDidChangeVisibility(({ visible }) => {
      tree.seen = visible;
    }),
    registerOpenRow(viewId, view, (row) => tree.commandOf(row as R)),
  );
}
