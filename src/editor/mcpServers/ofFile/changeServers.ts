import { UserError } from '../../../base/errors.ts';
import { t } from '../../../base/l10n.ts';
import { lossText } from '../../../files/losses.ts';
import type { Change } from '../../../mcp/edit/wantedChange.ts';
import { showError, showInformation, confirm } from '../../ui/messages.ts';
import { runOwnCommand } from '../../ui/runOwnCommand.ts';
import type { ServerChecks } from '../../../state/mcpServers/serverChecks.ts';
import type { ServerList } from '../../../state/mcpServers/serverList.ts';
import type { ConfigChange, ConfigFile } from '../../mcpJson/configFile.ts';
import { maskUrl } from '../../../base/masks/maskUrl.ts';
import { plainText } from '../../../base/plainText.ts';
import { present } from '../../../base/parts.ts';
import { agentsGetNone } from '../../../mcp/text/refusal.ts';
import type { Entry } from '../../../mcp/format/entry.ts';
import { serverName } from '../../words/mcpServers/serverWords.ts';

export interface ServerFileParts {
  readonly config: ConfigFile;
  readonly servers: ServerList;
  readonly checks: () => Promise<ServerChecks>;
}

export async function changeServers(
  parts: ServerFileParts,
  changes: readonly Change[],
  message: string,
): Promise<ConfigChange> {
  const done = await parts.config.change(...changes);
  await parts.servers.refresh();
  if (done.before === done.after) {
    void showInformation(t('Nothing to change.'));
    return done;
  }
  void offerUndo(parts, done, message);
  return done;
}

/**
 * Shows an error with a button that opens the file. Resolves with the button
 * that was pressed.
 */
export async function offerToOpenConfig(
  message: string,
  ...buttons: readonly string[]
): Promise<string | undefined> {
  const open = t('Open Configuration File');
  const answer = await showError(message, ...buttons, open);
  if (answer === open) await runOwnCommand('switchboard.mcp.openConfig');
  return answer;
}

async function offerUndo(
  parts: ServerFileParts,
  done: ConfigChange,
  message: string,
) {
  const undo = t('Undo');
  const text = [
    message,
    effectOf(parts, done),
    ...done.losses.map(lossText),
  ].join(' ');
  if ((await showInformation(text, undo)) !== undo) return;
  try {
    await parts.config.undo(done);
    await parts.servers.refresh();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    await offerToOpenConfig(error.message);
  }
}

function effectOf(
  { servers }: ServerFileParts,
  { saved }: ConfigChange,
): string {
  if (!saved)
    return t('The file has unsaved changes. Save it for them to take effect.');
  if (servers.refusal) return agentsGetNone();
  return t(
    'This takes effect when the OpenHands command line on this machine starts or restarts a conversation.',
  );
}

export async function changeUrl(
  parts: ServerFileParts,
  entry: Entry,
  url: string,
): Promise<void> {
  const { server } = entry;
  if (server && server.transport !== 'stdio') {
    const secrets = present(...server.headers.keys(), server.auth && 'auth');
    if (!(await acceptsReceiver(entry, server.url, url, secrets))) return;
  }
  await changeServers(
    parts,
    [{ do: 'url', name: entry.name, url }],
    t(
      'Changed the URL of “{0}” to {1}.',
      serverName(entry),
      plainText(maskUrl(url), 200),
    ),
  );
}

/**
 * True if the secrets that stay with a server would not go to another origin,
 * or the user accepts that.
 */
export async function acceptsReceiver(
  server: Pick<Entry, 'name'>,
  before: string,
  url: string,
  secrets: readonly string[],
): Promise<boolean> {
  const origin = URL.parse(url)?.origin;
  if (secrets.length === 0 || (origin && origin === URL.parse(before)?.origin))
    return true;
  const detail = t(
    'Its secrets stay and are sent there: {0}',
    secrets.map((secret) => plainText(secret, 80)).join(', '),
  );
  return await confirm(
    t(
      'Send the secrets of “{0}” to {1}?',
      serverName(server),
      plainText(maskUrl(url), 200),
    ),
    detail,
    t('Change'),
  );
}
