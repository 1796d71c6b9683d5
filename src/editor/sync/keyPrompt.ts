import { commands, Disposable } from 'vscode';
import { t } from '../../base/l10n.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { CommandId } from '../manifest.ts';
import { showWarning } from '../asking/messages.ts';

/** When the service does not let us in: one question, once a connection. */
export function askForKeyOnce(switchboard: Switchboard): Disposable {
  let asked: unknown;
  const look = () => {
    const { connection, refused } = switchboard;
    if (!refused || connection === asked) return;
    asked = connection;
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
