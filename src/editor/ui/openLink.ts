/** Opening an address in the browser. The editor asks first where it does not know the address. */
import { env, type Uri } from 'vscode';
import type { Link } from '../../service/entities.ts';

export async function openLink({ full }: Link): Promise<void> {
  await openAddress(full.reveal());
}

/** As a string, which the editor opens unchanged. In a Uri it would decode characters such as an encoded plus. */
export async function openAddress(address: string): Promise<void> {
  await (env.openExternal as (target: Uri | string) => Thenable<boolean>)(address);
}
