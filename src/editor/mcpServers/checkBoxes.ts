/** What the check boxes of MCP servers and of their tools do: a command each for all that it concerns. */
import { commands, TreeItemCheckboxState } from 'vscode';
import type { CommandId } from '../manifest.ts';
import type { ServerRow } from './serversTree.ts';

type Items = readonly (readonly [ServerRow, TreeItemCheckboxState])[];

export async function doAsBoxesSay(items: Items): Promise<void> {
  const run = (command: CommandId, ...args: readonly unknown[]) => commands.executeCommand(command, ...args);
  const [on, off] = [TreeItemCheckboxState.Checked, TreeItemCheckboxState.Unchecked].map((state) =>
    items.flatMap(([row, each]) => (each === state ? [row] : [])),
  );
  const names = (rows: readonly ServerRow[] = []) =>
    rows.flatMap((row) => (row.kind === 'server' ? [row.id] : []));
  const tools = (server: string, rows: readonly ServerRow[] = []) =>
    rows.flatMap((row) => (row.kind === 'tool' && row.server === server ? [row.tool] : []));
  const ids = (rows: readonly ServerRow[] = []) =>
    rows.flatMap((row) => (row.kind === 'serviceServer' ? [row.id] : []));
  const [enabled, disabled] = [names(on), names(off)];
  const [there, notThere] = [ids(on), ids(off)];
  const servers = new Set(items.flatMap(([row]) => (row.kind === 'tool' ? [row.server] : [])));
  await Promise.all([
    ...(enabled.length > 0 ? [run('switchboard.mcp.enable', ...enabled)] : []),
    ...(disabled.length > 0 ? [run('switchboard.mcp.disable', ...disabled)] : []),
    ...(there.length > 0 ? [run('switchboard.serviceServers.enable', ...there)] : []),
    ...(notThere.length > 0 ? [run('switchboard.serviceServers.disable', ...notThere)] : []),
    ...[...servers].map((server) =>
      run('switchboard.mcp.chooseTools', server, tools(server, on), tools(server, off)),
    ),
  ]);
}
