import { window } from 'vscode';
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { Secret } from '../../base/secret.ts';
import { serviceAddress } from '../../service/address.ts';
import type { Authentication } from '../../service/transport.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { Connector } from '../connection/connector.ts';
import { showInformation } from '../asking/messages.ts';
import { changeSetting, setting } from '../settings.ts';
import { agreesToExposure, allWays } from './access.ts';

export async function setApiKey(switchboard: Switchboard, connector: Connector): Promise<void> {
  const address = addressOf(switchboard);
  const authentication = setting('service.authentication');
  const way = authentication === 'none' ? await askForWay() : authentication;
  if (way === undefined) return;
  const key = await window.showInputBox({
    title: t('Set API Key'),
    prompt: t('Key for {0}. It is stored in the secret storage of VS Code.', address),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === '' ? t('Enter the key, or press Escape.') : undefined),
  });
  if (key === undefined || !(await agreesToExposure(serviceAddress(address)))) return;
  await connector.keys.set(address, new Secret(key.trim()));
  if (way !== authentication) await changeSetting('service.authentication', way);
  await connector.restore();
}

/** Where none was sent so far, a key alone would change nothing. */
async function askForWay(): Promise<Authentication | undefined> {
  const ways = allWays().filter(({ authentication }) => authentication !== 'none');
  const options = { title: t('Set API Key'), placeHolder: t('How to send the key'), ignoreFocusOut: true };
  return (await window.showQuickPick(ways, options))?.authentication;
}

export async function clearApiKey(switchboard: Switchboard, connector: Connector): Promise<void> {
  const address = addressOf(switchboard);
  await connector.keys.clear(address);
  await connector.restore();
  void showInformation(t('The key for {0} was removed.', address));
}

function addressOf({ connection }: Switchboard): string {
  if (connection?.demo)
    throw new UserError(t('The demo service does not need a key. Stop it to use another service.'));
  if (connection) return connection.address;
  throw new UserError(t('No service is connected. Run "Switchboard: Connect to a Service" first.'));
}
