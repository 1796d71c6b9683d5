/** Keeps the MCP servers up to date with the file and the conversations, and shows how many changes are pending. */
import { Disposable, type Memento, type TreeView, window } from 'vscode';
import { t } from '../../base/l10n.ts';
import type { ServerList } from '../../state/mcpServers/serverList.ts';
import type { ActiveServers } from '../../state/mcpServers/activeServers.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { ConfigFile } from '../mcpJson/configFile.ts';
import type { ServerRow, ServersTree } from './serversTree.ts';
import { doAsBoxesSay } from './checkBoxes.ts';
import { rememberServers } from '../services/knownServers.ts';

interface FollowedParts {
  readonly config: ConfigFile;
  readonly servers: ServerList;
  readonly activeServers: ActiveServers;
  readonly switchboard: Switchboard;
  /** Of the machine. */
  readonly state: Memento;
  /** Has the rows show checks, if there is anything to show. */
  readonly showChecks: (isNeeded: boolean) => void;
}

export function followServers(
  { config, servers, activeServers, switchboard, state, showChecks }: FollowedParts,
  view: TreeView<ServerRow>,
  tree: () => Promise<ServersTree>,
): Disposable {
  const refresh = () => void servers.refresh();
  const look = () => {
    config.isSeen = view.visible && window.state.focused;
    if (view.visible) {
      refresh();
      showChecks(false);
    }
    showPending();
  };
  const learn = () => {
    const { file, document, problem, refusal } = servers;
    rememberServers(state, file?.text !== undefined, document.entries.length > 0);
    if (document.entries.some(({ keys }) => keys.has('tools'))) showChecks(true);
    // A conversation that starts does not see what is not saved.
    if (file?.saved === true && !problem) {
      activeServers.setFile(file.path, document, file.since, { isRefused: refusal !== undefined });
    }
  };
  const showPending = () => {
    // The title of a view that is closed has no description.
    if (!view.visible) return;
    const count = activeServers.pending?.length ?? 0;
    view.description = count === 0 ? '' : t('{0} pending', count);
  };
  const subscriptions = Disposable.from(
    servers.onChange(learn),
    activeServers.onChange(showPending),
    switchboard.conversations.onChange(() => {
      activeServers.setConversations(switchboard.conversations.rows);
    }),
    config.onDidChange(refresh),
    view.onDidChangeCheckboxState(({ items }) => {
      void doAsBoxesSay(items).then(async () => {
        // The editor has already set the boxes, whatever the outcome.
        const shown = await tree();
        for (const [row] of items) shown.redraw(row);
      });
    }),
    // In case something changed that could not be watched.
    view.onDidChangeVisibility(look),
    window.onDidChangeWindowState(look),
  );
  // After the editor has started, which waits for nothing that is read here.
  const first = setImmediate(() => {
    look();
    refresh();
  });
  return new Disposable(() => {
    clearImmediate(first);
    subscriptions.dispose();
  });
}
