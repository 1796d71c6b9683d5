/** Looks for services on this machine, at the ports that they usually have. Asks loopback alone, and sends no key. */
import { systemClock } from '../base/clock.ts';
import { noLog } from '../base/log.ts';
import { type ListenerOwner, listenerOwner } from './listenerOwner.ts';
import { ServiceTransport } from './transport.ts';
import { isObject, line } from './wireValues.ts';

/** The front comes before what is behind it. */
export const usualPorts = [8000, 18_000, 3000] as const;

export interface FoundService {
  readonly url: URL;
  /** The name that it gives itself. */
  readonly title: string | undefined;
  readonly version: string | undefined;
  readonly owner: ListenerOwner;
}

/** In milliseconds. What runs on this machine answers at once. */
const timeoutMs = 3_000;

export async function findServices(
  signal: AbortSignal,
  ports: readonly number[] = usualPorts,
): Promise<readonly FoundService[]> {
  const answers = await Promise.all(ports.map((port) => lookAt(port, signal)));
  const found: Seen[] = [];
  for (const answer of answers) {
    // One can be in front of the other.
    if (answer && !found.some((other) => isSame(other, answer))) found.push(answer);
  }
  return found;
}

async function lookAt(port: number, signal: AbortSignal): Promise<Seen | undefined> {
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
    const request = { operation: 'findServices', couldNot: '', path: ['server_info'] };
    const answer = await transport.send(request, { signal });
    // Both kinds say how long they have been running.
    if (!isObject(answer) || typeof answer.uptime !== 'number') return undefined;
    const startedAt = systemClock.now() - answer.uptime * 1000;
    const [title, version] = [line(answer.title), line(answer.version)];
    return { url: address, title, version, owner: await listenerOwner(port), startedAt };
  } catch {
    // Nothing is there, or something else is.
    return undefined;
  }
}

interface Seen extends FoundService {
  readonly startedAt: number;
}

/** Both say when the same one was started, each in whole seconds. */
function isSame(one: Seen, other: Seen): boolean {
  return (
    one.title === other.title &&
    one.version === other.version &&
    Math.abs(one.startedAt - other.startedAt) < 2_500
  );
}
