/** Keeps the MCP servers up to date with the file and the conversations, and shows how many changes are pending. */
import { commands, Disposable, TreeItemCheckboxState, type TreeView, window } from 'vscode';
import { t } from '../../base/l10n.ts';
import type { ServerList } from '../../state/serverList.ts';
import type { ActiveServers } from '../../state/activeServers.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { ConfigFile } from '../configuration/configFile.ts';
import { type CommandId, contextKeys } from '../manifest.ts';
import type { ServerRow, ServersTree } from '../views/serversTree.ts';

export interface ServerParts {
  readonly config: ConfigFile;
  readonly servers: ServerList;
  readonly activeServers: ActiveServers;
  readonly switchboard: Switchboard;
}

export function followServers(
  { config, servers, activeServers, switchboard }: ServerParts,
  view: TreeView<ServerRow>,
  tree: ServersTree,
): Disposable {
  const refresh = () => void servers.refresh();
  const look = () => {
    config.isSeen = view.visible && window.state.focused;
    if (view.visible) refresh();
    showPending();
  };
  const learn = () => {
    const { file, document, problem, refusal } = servers;
    void commands.executeCommand('setContext', contextKeys.hasServers, document.entries.length > 0);
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
  const stops = [
    servers.onChange(learn),
    activeServers.onChange(showPending),
    switchboard.conversations.onChange(() => {
      activeServers.setConversations(switchboard.conversations.rows);
    }),
  ];
  const disposables = [
    config.onDidChange(refresh),
    view.onDidChangeCheckboxState(({ items }) => {
      for (const [row, state] of items) {
        if (row.kind !== 'server') continue;
        const enabled = state === TreeItemCheckboxState.Checked;
        const command: CommandId = `switchboard.mcp.${enabled ? 'enable' : 'disable'}`;
        void commands.executeCommand(command, row.id).then(() => {
          // The editor has already set the box, whatever the outcome.
          tree.redraw(row);
        });
      }
    }),
    // In case something changed that could not be watched.
    view.onDidChangeVisibility(look),
    window.onDidChangeWindowState(look),
  ];
  // After the editor has started, which waits for nothing that is read here.
  const first = setImmediate(() => {
    look();
    refresh();
  });
  return new Disposable(() => {
    clearImmediate(first);
    for (const stop of stops) stop();
    for (const disposable of disposables) disposable.dispose();
  });
}
