/** How a key is sent, and whether it may be. */
import type { QuickPickItem } from 'vscode';
import { t } from '../../base/l10n.ts';
import { isExposed, showAddress } from '../../service/address.ts';
import type { Authentication } from '../../service/transport.ts';
import { confirm } from '../asking/messages.ts';

interface Way extends QuickPickItem {
  readonly authentication: Authentication;
}

export function allWays(): readonly Way[] {
  return [
    {
      authentication: 'sessionKey',
      label: t('Session key'),
      description: 'X-Session-API-Key',
      detail: t('Usual for a self-hosted service'),
    },
    {
      authentication: 'bearer',
      label: t('Bearer token'),
      description: t('Authorization: Bearer'),
      detail: t('Usual for a cloud service'),
    },
    { authentication: 'accessToken', label: t('Access token'), description: 'X-Access-Token' },
    { authentication: 'none', label: t('No key'), detail: t('For a service without a key') },
  ];
}

/** True when the key cannot be read on its way, or the user sends it anyway. */
export async function agreesToExposure(address: URL): Promise<boolean> {
  if (!isExposed(address)) return true;
  return await confirm(
    t('The key would be sent to {0} without encryption.', showAddress(address)),
    t('Anyone on the network can read it. Use an https:// address if the service has one.'),
    t('Send It Anyway'),
  );
}
