/**
 * An Agent Server that is measured, and a switchboard that is connected to it
 * as the editor does.
 */
import { systemClock } from '../../src/base/clock.ts';
import { Secret } from '../../src/base/secret.ts';
import { createClient } from '../../src/service/client.ts';
import type { ConnectedService } from '../../src/state/connectedService.ts';
import { Switchboard } from '../../src/state/switchboard.ts';

export interface Measured {
  readonly url: string;
  readonly key: string;
}

interface Connected {
  readonly switchboard: Switchboard;
  /** Its list is loaded. */
  readonly service: ConnectedService;
}

export async function connectTo({ url, key }: Measured): Promise<Connected> {
  const store = { get: () => undefined, update: () => Promise.resolve() };
  const switchboard = new Switchboard({
    store,
    clock: systemClock,
    pageSize: () => 50,
  });
  const client = createClient({
    address: new URL(url),
    authentication: 'sessionKey',
    key: new Secret(key),
    interface: 'agentServer',
    requestsPerSecond: Infinity,
  });
  const service = switchboard.connect({
    client,
    address: url,
    name: 'measured',
    demo: false,
  });
  await service.refresh();
  return { switchboard, service };
}

export async function askService(
  { url, key }: Measured,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await fetch(`${url}/${path}`, {
    headers: { 'x-session-api-key': key, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return await response.json();
}
