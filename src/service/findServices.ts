/**
 * Looks for services on this machine, at the ports that they usually have. Asks
 * loopback alone, and sends no key.
 */
import { readFile } from 'node:fs/promises';
import { systemClock } from '../base/clock.ts';
import { noLog } from '../base/log.ts';
import { ServiceTransport } from './http/transport.ts';
import { isObject, shownLine } from './http/wireValues.ts';

/** A front comes before the service behind it. */
export const usualPorts = [8000, 18_000, 3000] as const;

export interface FoundService {
  readonly url: URL;
  /** The name that it gives itself. */
  readonly title: string | undefined;
  readonly version: string | undefined;
  readonly owner: ListenerOwner;
}

/** Short, because services on this machine answer at once. */
const timeoutMs = 3_000;

export async function findServices(
  signal: AbortSignal,
  ports: readonly number[] = usualPorts,
): Promise<readonly FoundService[]> {
  const answers = await Promise.all(ports.map((port) => lookAt(port, signal)));
  const services: Seen[] = [];
  for (const answer of answers) {
    // A service and the front before it are the same.
    if (answer && !services.some((other) => isSame(other, answer)))
      services.push(answer);
  }
  return services;
}

async function lookAt(
  port: number,
  signal: AbortSignal,
): Promise<Seen | undefined> {
  const address = new URL(`http://127.0.0.1:${port}`);
  const transport = new ServiceTransport({
    address,
    authentication: 'none',
    key: undefined,
    log: noLog,
    clock: systemClock,
    deadline: timeoutMs,
  });
  try {
    const request = {
      operation: 'findServices',
      couldNot: '',
      path: ['server_info'],
    };
    const answer = await transport.send(request, { signal });
    // Every kind of service reports its uptime.
    if (!isObject(answer) || typeof answer.uptime !== 'number')
      return undefined;
    const startedAt = systemClock.now() - answer.uptime * 1000;
    const title = shownLine(answer.title);
    const version = shownLine(answer.version);
    return {
      url: address,
      title,
      version,
      owner: await listenerOwner(port),
      startedAt,
    };
  } catch {
    return undefined;
  }
}

interface Seen extends FoundService {
  readonly startedAt: number;
}

/**
 * Compares start times with a tolerance, because uptimes are in whole seconds.
 */
function isSame(one: Seen, other: Seen): boolean {
  return (
    one.title === other.title &&
    one.version === other.version &&
    Math.abs(one.startedAt - other.startedAt) < 2_500
  );
}

/**
 * Owner of a socket: any user may listen. `self` if only this user, or root,
 * can answer there.
 */
type ListenerOwner = 'self' | 'other' | 'unknown';

async function listenerOwner(port: number): Promise<ListenerOwner> {
  const uid = process.getuid?.();
  if (process.platform !== 'linux' || uid === undefined) return 'unknown';
  const read = (name: string) =>
    readFile(`/proc/net/${name}`, 'utf8').catch(() => '');
  return ownerOfListener(
    port,
    uid,
    (await Promise.all(['tcp', 'tcp6'].map(read))).join('\n'),
  );
}

/**
 * Local addresses, as Linux spells them, of sockets that accept connections to
 * 127.0.0.1.
 */
const answering = /^(?:0100007F|0{8}|0{32}|0{16}F{4}0{4}0100007F)$/;
const listening = '0A';

/** `table` has the lines of `/proc/net/tcp` and `/proc/net/tcp6`. */
export function ownerOfListener(
  port: number,
  uid: number,
  table: string,
): ListenerOwner {
  const owners = table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , owner] = line.trim().split(/\s+/);
    const [address = '', at = ''] = local.split(':');
    const isIt =
      state === listening &&
      parseInt(at, 16) === port &&
      answering.test(address);
    return isIt ? [Number(owner)] : [];
  });
  if (owners.length === 0) return 'unknown';
  // Root can read every file anyway.
  return owners.every((owner) => owner === uid || owner === 0)
    ? 'self'
    : 'other';
}
