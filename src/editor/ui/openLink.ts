/**
 * Opens addresses in the browser. The editor asks first for addresses that are
 * not trusted.
 */
import { env, type Uri } from 'vscode';
import { userError } from '../../base/l10n.ts';
import type { Link } from '../../service/model/entities.ts';

export async function openLink({ full }: Link): Promise<void> {
  await openAddress(full.reveal());
}

/**
 * Opens a web address in text of an agent or a user, and no other kind of
 * address.
 */
export async function openWebAddress(address: string): Promise<void> {
  const { protocol } = URL.parse(address) ?? {};
  if (protocol !== 'https:' && protocol !== 'http:') {
    throw userError('Only web addresses can be opened from here.');
  }
  await openAddress(address);
}

/**
 * Passes a string, which the editor opens unchanged. From a Uri it would decode
 * characters such as an encoded plus.
 */
export async function openAddress(address: string): Promise<void> {
  await (env.openExternal as (target: Uri | string) => Thenable<boolean>)(
    address,
  );
}
