/** One service that is connected: its own lists, pace and failures. */
import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/event.ts';
import type { ConversationQuery, Conversations } from '../service/agentService.ts';
import type { ServiceClient } from '../service/client.ts';
import { type Conversation, keyOf, type Sandbox, type Time } from '../service/entities.ts';
import type { Priority } from '../service/pacer.ts';
import { isRefusal, type ServiceError } from '../service/serviceError.ts';
import { isInTransition } from './lists/activity.ts';
import { AgentStates, type AgentStatesOptions } from './conversation/agentStates.ts';
import { followingOf } from './lists/following.ts';
import type { LiveSlots } from './conversation/liveSlots.ts';
import { RemoteList } from './lists/remoteList.ts';
import { SandboxActions } from './sandboxes/sandboxActions.ts';
import { ServiceServers } from './mcpServers/serviceServers.ts';

export interface ServiceConnection {
  readonly client: ServiceClient;
  /** As users see it; no other connected service has the same. */
  readonly address: string;
  readonly name: string;
  /** Whether it is the built-in demo service. */
  readonly demo: boolean;
}

interface ConnectedServiceOptions {
  readonly clock: Clock;
  readonly pageSize: () => number;
  /** What is wanted of its conversations, with what it filters by; undefined until that is known. */
  readonly query: (filters: Conversations['filters'] | undefined) => ConversationQuery;
  /** Of all services. */
  readonly slots: LiveSlots;
  /** What waits now in a conversation of this service. */
  readonly glance: (
    service: ConnectedService,
    ...about: Parameters<AgentStatesOptions['read']>
  ) => ReturnType<AgentStatesOptions['read']>;
}

/** In milliseconds. What has been about to change for longer is no longer waited for. */
const longestTransition = 5 * 60_000;

/** More than anybody is likely to have, so they are loaded at once. Conversations are loaded page by page. */
const mostSandboxes = 990;

export class ConnectedService {
  readonly client: ServiceClient;
  readonly address: string;
  readonly demo: boolean;
  readonly conversations: RemoteList<Conversation>;
  readonly sandboxes: RemoteList<Sandbox>;
  readonly sandboxActions: SandboxActions;
  readonly agentStates: AgentStates;
  /** Loaded when somebody looks at them. */
  readonly toolServers: ServiceServers;
  readonly clock: Clock;
  /** Of all services. */
  readonly slots: LiveSlots;
  readonly #released = new Emitter();
  /** What is in transition, and since when we have seen it so. */
  #inTransition: ReadonlyMap<string, Time> = new Map();

  constructor(
    { client, address, name, demo }: ServiceConnection,
    { clock, pageSize, query, slots, glance }: ConnectedServiceOptions,
  ) {
    this.client = client;
    this.address = address;
    this.name = name;
    this.demo = demo;
    this.clock = clock;
    this.slots = slots;
    this.agentStates = new AgentStates({
      client,
      clock,
      read: (conversation, call) => glance(this, conversation, call),
      onTold: () => {
        this.conversations.revise();
      },
    });
    this.conversations = new RemoteList<Conversation>({
      clock,
      pageSize,
      keyOf,
      open: () => client.conversations(query(client.service?.conversations.filters)),
      revision: this.agentStates,
      following: () => {
        const conversations = client.service?.conversations;
        return followingOf(conversations, query(conversations?.filters));
      },
    });
    this.sandboxes = new RemoteList<Sandbox>({
      clock,
      pageSize: () => mostSandboxes,
      keyOf,
      open: () => client.sandboxes(),
    });
    this.sandboxActions = new SandboxActions(this.sandboxes, address, clock);
    this.toolServers = new ServiceServers(client, clock);
  }

  /** As users call it. */
  name: string;

  /** Calls this once the service is no longer connected. */
  get onRelease(): Emitter['on'] {
    return this.#released.on;
  }

  /** Why the service refuses us; until a person acts, it is not polled. */
  get refused(): ServiceError | undefined {
    return [this.conversations.error, this.sandboxes.error].find((error) => error && isRefusal(error));
  }

  /** Why the lists are old or empty. */
  get error(): ServiceError | undefined {
    return this.conversations.error ?? this.sandboxes.error;
  }

  /** Refreshes both lists; a poll does nothing while the service refuses us. */
  async refresh(priority: Priority = 'person'): Promise<'steady' | 'inTransition' | 'failed'> {
    if (priority === 'poll' && this.refused) return 'failed';
    await Promise.all([
      this.conversations.refresh(priority),
      this.sandboxes.refresh(priority),
      ...(this.toolServers.asOf === undefined ? [] : [this.toolServers.refresh(priority)]),
    ]);
    if (this.error) return 'failed';
    return this.#isAnythingInTransition() ? 'inTransition' : 'steady';
  }

  /** Cancels everything under way, and forgets the rows. */
  release(): void {
    this.sandboxActions.release();
    this.toolServers.release();
    this.#released.fire();
    this.conversations.reset();
    this.sandboxes.reset();
  }

  #isAnythingInTransition(): boolean {
    const now = this.clock.now();
    const before = this.#inTransition;
    const after = new Map<string, Time>();
    for (const [key, row] of this.conversations.rows) {
      if (isInTransition(row)) after.set(key, before.get(key) ?? now);
    }
    for (const [key, { status }] of this.sandboxes.rows) {
      if (status === 'starting') after.set(key, before.get(key) ?? now);
    }
    this.#inTransition = after;
    return [...after.values()].some((since) => now - since < longestTransition);
  }
}
