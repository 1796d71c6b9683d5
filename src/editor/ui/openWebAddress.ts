/** An address that an agent or a person wrote. The editor asks before it opens it. */
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { openAddress } from './openLink.ts';

export async function openWebAddress(address: string): Promise<void> {
  const { protocol } = URL.parse(address) ?? {};
  if (protocol !== 'https:' && protocol !== 'http:') {
    throw new UserError(t('Only web addresses can be opened from here.'));
  }
  await openAddress(address);
}
