import { window } from 'vscode';
import { UserError } from '../../base/errors.ts';
import { Secret } from '../../base/secret.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { Connector } from '../connector.ts';

export async function setApiKey(switchboard: Switchboard, connector: Connector): Promise<void> {
  const address = addressOf(switchboard);
  const key = await window.showInputBox({
    title: 'Set API Key',
    prompt: `Key for ${address}. It is kept in the secret storage of the editor.`,
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? 'Type the key, or press Escape.' : undefined),
  });
  if (key === undefined) return;
  await connector.keys.set(address, new Secret(key.trim()));
  await connector.restore();
}

export async function clearApiKey(switchboard: Switchboard, connector: Connector): Promise<void> {
  const address = addressOf(switchboard);
  await connector.keys.clear(address);
  await connector.restore();
  void window.showInformationMessage(`The key for ${address} is no longer stored.`);
}

function addressOf({ connection }: Switchboard): string {
  if (connection?.demo)
    throw new UserError('The demo service needs no key of yours. Stop it to use another service.');
  if (connection) return connection.address;
  throw new UserError('No service is connected. Run "Switchboard: Connect to a Service" first.');
}
