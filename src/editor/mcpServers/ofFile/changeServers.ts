import { commands } from 'vscode';
import { UserError } from '../../../base/errors.ts';
import { t } from '../../../base/l10n.ts';
import { lossText } from '../../../files/losses.ts';
import type { Change } from '../../../mcp/edit/wantedChange.ts';
import { showError, showInformation } from '../../ui/messages.ts';
import type { ServerList } from '../../../state/mcpServers/serverList.ts';
import type { ConfigFile, Done } from '../../mcpJson/configFile.ts';

/** The parts that a change of the configuration file needs. */
export interface ServerFileParts {
  readonly config: ConfigFile;
  readonly servers: ServerList;
}

/** Makes changes and offers to take them back. */
export async function changeServers(
  parts: ServerFileParts,
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

async function offerUndo(parts: ServerFileParts, done: Done, said: string): Promise<void> {
  const hint = done.saved
    ? t('This takes effect when a conversation starts or restarts.')
    : t('The file has unsaved changes. Save it for them to take effect.');
  const undo = t('Undo');
  const text = [said, hint, ...done.losses.map(lossText)].join(' ');
  if ((await showInformation(text, undo)) !== undo) return;
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
