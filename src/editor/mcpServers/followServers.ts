/** Keeps MCP servers up to date with the file and the conversations, and shows the number of pending changes. */
import { Disposable, type Memento, type TreeView, window, commands, TreeItemCheckboxState } from 'vscode';
import { t } from '../../base/l10n.ts';
import type { ServerList } from '../../state/mcpServers/serverList.ts';
import type { ActiveServers } from '../../state/mcpServers/activeServers.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { ConfigFile } from '../mcpJson/configFile.ts';
import type { ServerRow, ServersTree } from './serversTree.ts';
import { rememberContext, setContext } from '../ui/rememberedContext.ts';
import type { CommandId } from '../manifest.ts';

interface FollowedParts {
  readonly config: ConfigFile;
  readonly servers: ServerList;
  readonly activeServers: ActiveServers;
  readonly switchboard: Switchboard;
  readonly state: Memento;
  readonly reloadChecks: (isNeeded: boolean) => void;
}

export function followServers(
  { config, servers, activeServers, switchboard, state, reloadChecks }: FollowedParts,
  view: TreeView<ServerRow>,
  tree: () => Promise<ServersTree>,
): Disposable {
  const refresh = () => void servers.refresh();
  const look = () => {
    config.isSeen = view.visible && window.state.focused;
    if (view.visible) {
      refresh();
      reloadChecks(false);
      refreshServiceServers();
    }
    showPending();
  };
  const learn = () => {
    const { file, entries, problem, refusal } = servers;
    setContext('switchboard.hasFile', file?.text !== undefined);
    void rememberContext(state, 'switchboard.hasServers', entries.length > 0);
    if (entries.some(({ keys }) => keys.has('tools'))) reloadChecks(true);
    // Conversations start with the saved file.
    if (file?.saved === true && !problem) {
      activeServers.setFile(file.path, entries, file.since, { isRefused: refusal !== undefined });
    }
  };
  const refreshServiceServers = () => {
    if (!view.visible) return;
    for (const { toolServers } of switchboard.services) {
      // Once known, they are refreshed with the lists.
      if (toolServers.ability && toolServers.asOf === undefined) void toolServers.refresh('poll');
    }
  };
  const showPending = () => {
    // A closed view has no description.
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
    switchboard.onLook(refreshServiceServers),
    switchboard.onServices(refreshServiceServers),
    config.onDidChange(refresh),
    view.onDidChangeCheckboxState(({ items }) => {
      void doAsBoxesSay(items).then(async () => {
        // The editor has set the boxes already, whatever the outcome.
        const shown = await tree();
        for (const [row] of items) shown.redraw(row);
      });
    }),
    // Some changes cannot be watched.
    view.onDidChangeVisibility(look),
    window.onDidChangeWindowState(look),
  );
  // Nothing read here may delay the start of the editor.
  const first = setImmediate(() => {
    look();
    refresh();
  });
  return new Disposable(() => {
    clearImmediate(first);
    subscriptions.dispose();
  });
}

async function doAsBoxesSay(items: readonly (readonly [ServerRow, TreeItemCheckboxState])[]): Promise<void> {
  const run = async (command: CommandId, ids: readonly string[]) => {
    if (ids.length > 0) await commands.executeCommand(command, ...ids);
  };
  const [on = [], off = []] = [TreeItemCheckboxState.Checked, TreeItemCheckboxState.Unchecked].map((state) =>
    items.flatMap(([row, each]) => (each === state ? [row] : [])),
  );
  const ids = (kind: 'server' | 'serviceServer', rows: readonly ServerRow[]) =>
    rows.flatMap((row) => (row.kind === kind ? [row.id] : []));
  const tools = (server: string, rows: readonly ServerRow[]) =>
    rows.flatMap((row) => (row.kind === 'tool' && row.server === server ? [row.tool] : []));
  const chooseTools: CommandId = 'switchboard.mcp.chooseTools';
  const servers = new Set(items.flatMap(([row]) => (row.kind === 'tool' ? [row.server] : [])));
  await Promise.all([
    run('switchboard.mcp.enable', ids('server', on)),
    run('switchboard.mcp.disable', ids('server', off)),
    run('switchboard.serviceServers.enable', ids('serviceServer', on)),
    run('switchboard.serviceServers.disable', ids('serviceServer', off)),
    ...[...servers].map((server) =>
      commands.executeCommand(chooseTools, server, tools(server, on), tools(server, off)),
    ),
  ]);
}
