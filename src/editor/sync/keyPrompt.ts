import { commands, Disposable } from 'vscode';
import { t } from '../../base/l10n.ts';
import type { ListChange } from '../../state/remoteList.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { CommandId } from '../manifest.ts';
import { showWarning } from '../asking/messages.ts';

/** Asks for a key when the service refuses us, once for each connection. */
export function askForKeyOnce(switchboard: Switchboard): Disposable {
  let askedFor: unknown;
  const look = ({ state }: ListChange) => {
    const { connection, refused } = switchboard;
    if (!state.has('error') || !refused || connection === askedFor) return;
    askedFor = connection;
    void ask(refused.message);
  };
  const subscriptions = [switchboard.conversations.onChange(look), switchboard.sandboxes.onChange(look)];
  return new Disposable(() => {
    for (const stop of subscriptions) stop();
  });
}

async function ask(message: string): Promise<void> {
  const setKey = t('Set API Key');
  const setApiKey: CommandId = 'switchboard.setApiKey';
  if ((await showWarning(message, setKey)) === setKey) await commands.executeCommand(setApiKey);
}
