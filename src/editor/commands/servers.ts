/** What can be done with MCP servers that are there. Every change goes through the configuration file. */
import { commands, env, window } from 'vscode';
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import type { Entry } from '../../mcp/entry.ts';
import type { Change } from '../../mcp/change.ts';
import type { ServerList } from '../../state/serverList.ts';
import type { ConfigFile, Done } from '../configuration/configFile.ts';
import { configPath } from '../configuration/places.ts';
import { showError, showInformation } from '../asking/messages.ts';
import { serverOf, serversOf } from '../asking/pickServer.ts';
import { serverName } from '../words/serverWords.ts';
import { inMessage } from '../words/foreignText.ts';
import { showConfig } from './openConfig.ts';

export interface ServerParts {
  readonly config: ConfigFile;
  readonly servers: ServerList;
}

export async function setEnabled(
  parts: ServerParts,
  enabled: boolean,
  names: readonly string[],
): Promise<void> {
  const question = enabled ? t('Select the MCP servers to enable') : t('Select the MCP servers to disable');
  const fits = (entry: Entry) => entry.enabled !== enabled;
  const entries = await serversOf(parts.servers, names, question, fits);
  if (entries.length === 0) return;
  await changeServers(
    parts,
    entries.map(({ name }) => ({ do: enabled ? 'enable' : 'disable', name })),
    enabled ? t('Enabled {0}.', named(entries)) : t('Disabled {0}.', named(entries)),
  );
}

export async function removeServers(parts: ServerParts, names: readonly string[]): Promise<void> {
  const entries = await serversOf(parts.servers, names, t('Select the MCP servers to remove'));
  if (entries.length === 0) return;
  await changeServers(
    parts,
    entries.map(({ name }) => ({ do: 'remove', name })),
    t('Removed {0}.', named(entries)),
  );
}

/** Puts servers that stand at the root of the file where others can be added beside them. */
export async function wrapServers(parts: ServerParts): Promise<void> {
  await changeServers(parts, [{ do: 'wrap' }], t('Move the servers into "mcpServers".'));
}

export async function revealServer(parts: ServerParts, name?: string): Promise<void> {
  const entry = await serverOf(parts.servers, name, t('Select the MCP server to edit'));
  if (!entry) return;
  const { findServer, readDocument } = await import('../../mcp/document.ts');
  await showConfig((text) => findServer(readDocument(text), entry.name).start);
}

export async function copyAsCommand(parts: ServerParts, name?: string): Promise<void> {
  const entry = await serverOf(parts.servers, name, t('Select the MCP server to copy as a command'));
  if (!entry) return;
  const { server, enabled } = entry;
  if (!server)
    throw new UserError(
      t('{0} has neither a command nor a URL, so there is nothing to copy.', inMessage(serverName(entry))),
    );
  const { formatAdd } = await import('../../mcp/commandLine.ts');
  await env.clipboard.writeText(formatAdd({ name: entry.name, server, enabled }));
  window.setStatusBarMessage(t('Copied, with placeholders instead of secrets.'), 5000);
}

/** As it stands in the file, for pasting elsewhere; with its secrets, which the person is told. */
export async function copyJson(parts: ServerParts, name?: string): Promise<void> {
  const entry = await serverOf(parts.servers, name, t('Select the MCP server to copy as JSON'));
  if (!entry) return;
  const { text } = parts.servers.file ?? {};
  await env.clipboard.writeText(`{ ${text?.slice(entry.start, entry.end) ?? ''} }`);
  window.setStatusBarMessage(t('Copied, including its secrets.'), 5000);
}

/** For a file that others can read, with secrets in it. */
export async function makeConfigPrivate(): Promise<void> {
  const path = configPath();
  const { makePrivate } = await import('../../files/update.ts');
  await makePrivate(path);
  window.setStatusBarMessage(t('Only you can read {0} now.', path), 5000);
}

/** Makes changes and offers to take them back. */
export async function changeServers(
  parts: ServerParts,
  changes: readonly Change[],
  said: string,
): Promise<Done> {
  const done = await parts.config.change(...changes);
  await parts.servers.refresh();
  if (done.before === done.after) {
    void showInformation(t('Nothing to change.'));
    return done;
  }
  void offerUndo(parts, done, said);
  return done;
}

async function offerUndo(parts: ServerParts, done: Done, said: string): Promise<void> {
  const hint = done.saved
    ? t('It takes effect when a conversation starts or restarts.')
    : t('The file has unsaved changes. Save it for them to take effect.');
  const undo = t('Undo');
  if ((await showInformation(`${said} ${hint}`, undo)) !== undo) return;
  try {
    await parts.config.undo(done);
    await parts.servers.refresh();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const open = t('Open Configuration File');
    if ((await showError(error.message, open)) === open) {
      await commands.executeCommand('switchboard.mcp.openConfig');
    }
  }
}

function named(entries: readonly Entry[]): string {
  const [one] = entries;
  return entries.length === 1 && one
    ? `"${inMessage(serverName(one))}"`
    : t('{0} MCP servers', entries.length);
}
