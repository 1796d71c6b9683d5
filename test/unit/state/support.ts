import type { Clock } from '../../../src/base/clock.ts';
import { Secret } from '../../../src/base/secret.ts';
import {
  createClient,
  type ClientOptions,
  type ServiceClient,
} from '../../../src/service/client.ts';
import type {
  AgentService,
  Sandboxes,
} from '../../../src/service/abilities/agentService.ts';
import type { Conversation } from '../../../src/service/model/entities.ts';
import type { Store } from '../../../src/base/store.ts';
import type { MisbehavingDemo } from '../../support/demo/faults/misbehavingDemo.ts';

export const key = 'key-of-the-tests';

/** Lets promises that have been resolved go on. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));

let count = 0;

export function conversation(change: Partial<Conversation> = {}): Conversation {
  return {
    id: `conversation ${++count}`,
    service: 'https://agents.example.com',
    title: 'Fix the build',
    status: 'running',
    runtime: undefined,
    execution: 'idle',
    sandboxId: undefined,
    repository: undefined,
    branch: undefined,
    provider: undefined,
    trigger: undefined,
    pullRequests: [],
    connections: 0,
    model: undefined,
    folder: undefined,
    cost: undefined,
    tokens: undefined,
    tags: [],
    parentId: undefined,
    link: undefined,
    createdAt: undefined,
    updatedAt: undefined,
    ...change,
  };
}

/**
 * The store of a workspace: plain data only, as it is after a window was closed
 * and opened again.
 */
export class MemoryStore implements Store {
  readonly #values = new Map<string, string>();

  constructor(values: Readonly<Record<string, unknown>> = {}) {
    for (const [name, value] of Object.entries(values))
      this.#values.set(name, JSON.stringify(value));
  }

  get(name: string): unknown {
    const text = this.#values.get(name);
    return text === undefined ? undefined : JSON.parse(text);
  }

  update(name: string, value: unknown): Promise<void> {
    this.#values.set(name, JSON.stringify(value));
    return Promise.resolve();
  }
}

export function clientOf(
  demo: MisbehavingDemo,
  clock: Clock,
  options: Partial<ClientOptions> = {},
): ServiceClient {
  return createClient({
    address: new URL(demo.url),
    authentication: 'sessionKey',
    key: new Secret(key),
    interface: 'auto',
    clock,
    requestsPerSecond: Infinity,
    // A clock that hurries must not end what takes its real time.
    deadline: 100_000_000,
    ...options,
  });
}

export async function sandboxesOf(client: ServiceClient): Promise<Sandboxes> {
  const { sandboxes } = await client.recognise();
  if (!sandboxes) throw new Error('The service has no sandboxes.');
  return sandboxes;
}

/** The client of a service that does some things differently. */
export function withService(
  client: ServiceClient,
  change: (service: AgentService) => Partial<AgentService>,
): ServiceClient {
  const recognise: ServiceClient['recognise'] = async (call) => {
    const service = await client.recognise(call);
    return { ...service, ...change(service) };
  };
  return { ...client, recognise };
}
