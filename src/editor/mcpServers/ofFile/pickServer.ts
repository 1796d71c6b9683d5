import { type QuickPickItem, window } from 'vscode';
import { UserError } from '../../../base/errors.ts';
import { t, userError } from '../../../base/l10n.ts';
import { findServer } from '../../../mcp/format/document.ts';
import type { Entry } from '../../../mcp/format/entry.ts';
import type { ServerList } from '../../../state/mcpServers/serverList.ts';
import {
  readersOfFile,
  serverDescription,
  serverName,
} from '../../words/mcpServers/serverWords.ts';
import { inPick } from '../../words/foreignText.ts';

export async function pickServer(
  servers: ServerList,
  name: string | undefined,
  placeHolder: string,
): Promise<Entry | undefined> {
  const entries = await entriesNow(servers);
  if (name !== undefined) return findServer(entries, name);
  const picked = await window.showQuickPick(entries.map(itemOf), {
    title: readersOfFile(),
    placeHolder,
    matchOnDescription: true,
  });
  return picked?.entry;
}

/**
 * The servers with these names, or those that the user picks among the fitting
 * ones. Empty if given up.
 */
export async function pickServers(
  servers: ServerList,
  names: readonly string[],
  placeHolder: string,
  fits: (entry: Entry) => boolean = () => true,
): Promise<readonly Entry[]> {
  const entries = await entriesNow(servers);
  if (names.length > 0) return names.map((name) => findServer(entries, name));
  const items = entries.filter(fits).map(itemOf);
  if (items.length === 0)
    throw userError('No MCP server can be changed this way.');
  const picked = await window.showQuickPick(items, {
    title: readersOfFile(),
    placeHolder,
    matchOnDescription: true,
    canPickMany: true,
  });
  return picked?.map(({ entry }) => entry) ?? [];
}

/** Throws a UserError if there are none. */
export async function entriesNow(
  servers: ServerList,
): Promise<readonly Entry[]> {
  await servers.refresh();
  const { problem, entries, file } = servers;
  if (problem)
    throw userError('The MCP servers cannot be read. {0}', problem.message);
  if (entries.length > 0) return entries;
  throw new UserError(
    file
      ? t(
          'There are no MCP servers in {0} yet. Add one with "Switchboard: Add MCP Server".',
          file.path,
        )
      : t(
          'There are no MCP servers yet. Add one with "Switchboard: Add MCP Server".',
        ),
  );
}

function itemOf(entry: Entry): QuickPickItem & { readonly entry: Entry } {
  return {
    label: inPick(serverName(entry)),
    description: inPick(
      `${entry.enabled ? t('enabled') : t('disabled')} · ${serverDescription(entry)}`,
    ),
    entry,
  };
}
