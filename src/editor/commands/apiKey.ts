import { window } from 'vscode';
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { Secret } from '../../base/secret.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { Connector } from '../connector.ts';

export async function setApiKey(switchboard: Switchboard, connector: Connector): Promise<void> {
  const address = addressOf(switchboard);
  const key = await window.showInputBox({
    title: t('Set API Key'),
    prompt: t('Key for {0}. It is kept in the secret storage of the editor.', address),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? t('Type the key, or press Escape.') : undefined),
  });
  if (key === undefined) return;
  await connector.keys.set(address, new Secret(key.trim()));
  await connector.restore();
}

export async function clearApiKey(switchboard: Switchboard, connector: Connector): Promise<void> {
  const address = addressOf(switchboard);
  await connector.keys.clear(address);
  await connector.restore();
  void window.showInformationMessage(t('The key for {0} is no longer stored.', address));
}

function addressOf({ connection }: Switchboard): string {
  if (connection?.demo)
    throw new UserError(t('The demo service needs no key of yours. Stop it to use another service.'));
  if (connection) return connection.address;
  throw new UserError(t('No service is connected. Run "Switchboard: Connect to a Service" first.'));
}
