/**
 * Keeps the list of MCP servers up to date with the file and the services, and
 * applies its check boxes.
 */
import {
  Disposable,
  type Memento,
  type TreeView,
  window,
  commands,
  TreeItemCheckboxState,
} from 'vscode';
import type { ServerList } from '../../state/mcpServers/serverList.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { ConfigFile } from '../mcpJson/configFile.ts';
import type { ServerRow, ServersTree } from './serversTree.ts';
import { rememberContext, setContext } from '../ui/rememberedContext.ts';
import type { CommandId } from '../manifest.ts';

interface FollowedParts {
  readonly config: ConfigFile;
  readonly servers: ServerList;
  readonly switchboard: Switchboard;
  readonly state: Memento;
  readonly reloadChecks: (isNeeded: boolean) => void;
}

export function followServers(
  { config, servers, switchboard, state, reloadChecks }: FollowedParts,
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
  };
  const learn = () => {
    const { file, entries } = servers;
    setContext('switchboard.hasFile', file?.text !== undefined);
    void rememberContext(state, 'switchboard.hasServers', entries.length > 0);
    if (entries.some(({ keys }) => keys.has('tools'))) reloadChecks(true);
  };
  const refreshServiceServers = () => {
    if (!view.visible) return;
    for (const { toolServers } of switchboard.services) {
      // Known servers are refreshed with the lists.
      if (toolServers.ability && toolServers.asOf === undefined)
        void toolServers.refresh('poll');
    }
  };
  const subscriptions = Disposable.from(
    servers.onChange(learn),
    switchboard.onLook(refreshServiceServers),
    switchboard.onServices(refreshServiceServers),
    config.onDidChange(refresh),
    view.onDidChangeCheckboxState(({ items }) => {
      void doAsBoxesSay(items).then(async () => {
        // The editor has set the boxes already, whatever the outcome.
        const serverTree = await tree();
        for (const [row] of items) serverTree.redraw(row);
      });
    }),
    // Some changes cannot be watched.
    view.onDidChangeVisibility(look),
    window.onDidChangeWindowState(look),
  );
  // Reading must not delay the start of the editor.
  const first = setImmediate(() => {
    look();
    refresh();
  });
  return new Disposable(() => {
    clearImmediate(first);
    subscriptions.dispose();
  });
}

async function doAsBoxesSay(
  items: readonly (readonly [ServerRow, TreeItemCheckboxState])[],
) {
  const run = async (command: CommandId, ids: readonly string[]) => {
    if (ids.length > 0) await commands.executeCommand(command, ...ids);
  };
  const rowsIn = (state: TreeItemCheckboxState) =>
    items.flatMap(([row, boxState]) => (boxState === state ? [row] : []));
  const on = rowsIn(TreeItemCheckboxState.Checked);
  const off = rowsIn(TreeItemCheckboxState.Unchecked);
  const ids = (kind: 'server' | 'serviceServer', rows: readonly ServerRow[]) =>
    rows.flatMap((row) => (row.kind === kind ? [row.id] : []));
  const tools = (server: string, rows: readonly ServerRow[]) =>
    rows.flatMap((row) =>
      row.kind === 'tool' && row.server === server ? [row.tool] : [],
    );
  const chooseTools: CommandId = 'switchboard.mcp.chooseTools';
  const servers = new Set(
    items.flatMap(([row]) => (row.kind === 'tool' ? [row.server] : [])),
  );
  await Promise.all([
    run('switchboard.mcp.enable', ids('server', on)),
    run('switchboard.mcp.disable', ids('server', off)),
    run('switchboard.serviceServers.enable', ids('serviceServer', on)),
    run('switchboard.serviceServers.disable', ids('serviceServer', off)),
    ...[...servers].map((server) =>
      commands.executeCommand(
        chooseTools,
        server,
        tools(server, on),
        tools(server, off),
      ),
    ),
  ]);
}
