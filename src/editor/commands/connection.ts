/** Which service is connected, and its key. */
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
import { ConnectFlow } from './connect.ts';
import type { CommandParts, Handlers } from './handlers.ts';

export function connectionCommands({ switchboard, connector, views, log }: CommandParts) {
  const connecting = new ConnectFlow(connector, views.showConversations);
  return {
    'switchboard.connect': () => connecting.run(),
    'switchboard.disconnect': () => connector.disconnect(),
    'switchboard.setApiKey': () => setApiKey(addressOf(switchboard), connector),
    'switchboard.clearApiKey': async () => {
      const address = addressOf(switchboard);
      await connector.keys.clear(address);
      await connector.restore();
      void showInformation(t('The key for {0} was removed.', address));
    },
    'switchboard.startDemo': async () => {
      await connector.startDemo();
      await views.showConversations();
    },
    'switchboard.stopDemo': () => connector.stopDemo(),
    'switchboard.showLog': () => {
      log.show();
    },
  } satisfies Partial<Handlers>;
}

async function setApiKey(address: string, connector: Connector): Promise<void> {
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

function addressOf({ connection }: Switchboard): string {
  if (connection?.demo)
    throw new UserError(t('The demo service does not need a key. Stop it to use another service.'));
  if (connection) return connection.address;
  throw new UserError(t('No service is connected. Run "Switchboard: Connect to a Service" first.'));
}
