import type { Log } from '../../../src/base/log.ts';
import { Secret } from '../../../src/base/secret.ts';
import type {
  Agents,
  ServiceInterface,
  Steering,
} from '../../../src/service/abilities/agentService.ts';
import {
  type ClientOptions,
  createClient,
  type ServiceClient,
} from '../../../src/service/client.ts';
import type { Pager } from '../../../src/service/http/pager.ts';
import { agentServer } from '../../../src/service/agentServer/service.ts';
import { ServiceTransport } from '../../../src/service/http/transport.ts';
import { serviceV0 } from '../../../src/service/v0/service.ts';
import { serviceV1 } from '../../../src/service/v1/service.ts';
import { HurriedClock } from '../../support/hurriedClock.ts';
import type { WholeService } from '../../support/wholeService.ts';

/** Whatever shows it has given away the key of the account. */
export const key = 'canary-account-key';

/** A service that runs for a test. */
export interface Served {
  readonly url: string;
}

export type ConnectOptions = Partial<ClientOptions> & { readonly log: Log };

function options(served: Served, given: ConnectOptions) {
  return {
    address: new URL(served.url),
    authentication: 'sessionKey',
    key: new Secret(key),
    clock: new HurriedClock(100),
    // A clock that hurries must not end what takes its real time.
    deadline: 100_000_000,
    ...given,
  } as const;
}

export function connect(served: Served, given: ConnectOptions): ServiceClient {
  return createClient({ interface: 'auto', ...options(served, given) });
}

export function transportTo(
  served: Served,
  given: ConnectOptions,
): ServiceTransport {
  return new ServiceTransport(options(served, given));
}

/** A service of a kind that is known without asking for it. */
export function serviceOf(
  served: Served,
  kind: ServiceInterface,
  given: ConnectOptions,
): WholeService {
  const all = options(served, given);
  const { clock, log } = all;
  const transport = new ServiceTransport(all);
  const services = { v0: serviceV0, v1: serviceV1, agentServer };
  // The calls of the tests ask each kind only for what it has.
  return services[kind]({
    transport,
    log,
    clock,
    isAllowed: () => false,
  }) as WholeService;
}

/** An Agent Server steers its agents itself. */
export function steeringOf({ agents }: Pick<WholeService, 'agents'>): Steering {
  return agents as Agents & Steering;
}

export async function allRows<T>(pages: Pager<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const page of pages) items.push(...page.items);
  return items;
}

export class Lines implements Log {
  readonly all: string[] = [];
  debug = (line: string) => void this.all.push(line);
  info = this.debug;
  warn = this.debug;
}
