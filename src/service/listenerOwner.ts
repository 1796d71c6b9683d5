/** Owner of a socket that listens on this machine, where any user may listen. */
import { readFile } from 'node:fs/promises';

/** `self` if only this user, or root, can answer there; `unknown` if the system does not tell. */
export type ListenerOwner = 'self' | 'other' | 'unknown';

export async function listenerOwner(port: number): Promise<ListenerOwner> {
  const uid = process.getuid?.();
  if (process.platform !== 'linux' || uid === undefined) return 'unknown';
  const read = (name: string) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '');
  return ownerOfListener(port, uid, (await Promise.all(['tcp', 'tcp6'].map(read))).join('\n'));
}

/** Addresses that get what is sent to 127.0.0.1, as Linux spells them. */
const answering = /^(?:0100007F|0{8}|0{32}|0{16}F{4}0{4}0100007F)$/;
const listening = '0A';

/** `table` has the lines of `/proc/net/tcp` and `/proc/net/tcp6`. */
export function ownerOfListener(port: number, uid: number, table: string): ListenerOwner {
  const owners = table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , owner] = line.trim().split(/\s+/);
    const [address = '', at = ''] = local.split(':');
    const isIt = state === listening && parseInt(at, 16) === port && answering.test(address);
    return isIt ? [Number(owner)] : [];
  });
  if (owners.length === 0) return 'unknown';
  // Root can read every file anyway.
  return owners.every((owner) => owner === uid || owner === 0) ? 'self' : 'other';
}
