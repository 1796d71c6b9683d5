/** What is known about the connected service: one object that the views and the commands share. */
import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/event.ts';
import type { Priority } from '../service/pacer.ts';
import type { ServiceClient } from '../service/client.ts';
import { isRefusal, type ServiceError } from '../service/serviceError.ts';
import { noPages } from '../service/pages.ts';
import { type Conversation, idKey, type Sandbox, type Time } from '../service/entities.ts';
import { isInTransition } from './activity.ts';
import { type Notice, noticesBetween, remember } from './attention.ts';
import { type Arrangement, askedOf, readArrangement } from './conversationRows.ts';
import { RequestedConversations } from './requestedConversations.ts';
import { RemoteList } from './remoteList.ts';
import { SandboxActions } from './sandboxActions.ts';
import type { Store } from './store.ts';

export interface Connection {
  readonly client: ServiceClient;
  /** As users see it. */
  readonly address: string;
  /** Whether it is the built-in demo service. */
  readonly demo: boolean;
}

interface SwitchboardOptions {
  /** Of the workspace. */
  readonly store: Store;
  readonly clock: Clock;
  readonly pageSize: () => number;
}

const storeKey = 'arrangement';

/** In milliseconds. What has been about to change for longer is no longer waited for. */
const longestTransition = 5 * 60_000;

/** More than anybody is likely to have, so they are loaded at once. Conversations are loaded page by page. */
const mostSandboxes = 990;

export class Switchboard {
  readonly conversations: RemoteList<Conversation>;
  readonly sandboxes: RemoteList<Sandbox>;
  readonly sandboxActions: SandboxActions;
  readonly requested: RequestedConversations;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #changed = new Emitter();
  readonly #arranged = new Emitter();
  readonly #noticed = new Emitter<readonly Notice[]>();
  #connection: Connection | undefined;
  #arrangement: Arrangement;
  /** What is in transition, and since when we have seen it so. */
  #inTransition: ReadonlyMap<string, Time> = new Map();

  constructor({ store, clock, pageSize }: SwitchboardOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#arrangement = readArrangement(store.get(storeKey));
    this.conversations = new RemoteList({
      clock,
      pageSize,
      keyOf: ({ id }) => idKey(id),
      // All of the filter: the answer may be the first to tell what the service filters by.
      open: () => this.#connected().client.conversations(askedOf(undefined, this.#arrangement.filter)),
    });
    this.sandboxes = new RemoteList({
      clock,
      pageSize: () => mostSandboxes,
      keyOf: ({ id }) => id,
      open: () => this.#connected().client.assumed.sandboxes?.list() ?? noPages(),
    });
    this.sandboxActions = new SandboxActions(this.sandboxes, clock);
    this.requested = new RequestedConversations({
      store,
      clock,
      onReady: (conversation) => {
        this.conversations.insertFirst(conversation);
      },
    });
    this.#notice();
  }

  /** Fires when another service is connected, or none. */
  get onConnection(): Emitter['on'] {
    return this.#changed.on;
  }

  /** Fires when the filter, grouping or sorting is different. */
  get onArrangement(): Emitter['on'] {
    return this.#arranged.on;
  }

  /** Fires with the conversations that have begun to ask for a person. */
  get onNotice(): Emitter<readonly Notice[]>['on'] {
    return this.#noticed.on;
  }

  get connection(): Connection | undefined {
    return this.#connection;
  }

  get arrangement(): Arrangement {
    return this.#arrangement;
  }

  /** Why the service refuses us; until a person acts, it is not polled. */
  get refused(): ServiceError | undefined {
    return [this.conversations.error, this.sandboxes.error].find((error) => error && isRefusal(error));
  }

  /** Replaces the connected service. */
  connect(connection: Connection | undefined): void {
    this.requested.release();
    this.sandboxActions.release();
    // What the lists know of the previous service does not hold for this one.
    this.conversations.reset();
    this.sandboxes.reset();
    this.#connection = connection;
    this.#changed.fire();
    if (connection) this.requested.resume(connection.client, connection.address);
  }

  async arrange(change: Partial<Arrangement>): Promise<void> {
    const before = this.#arrangement;
    this.#arrangement = { ...before, ...change };
    const filters = this.#connection?.client.service?.conversations.filters;
    const asked = JSON.stringify(askedOf(filters, this.#arrangement.filter));
    // The rows answer another question.
    if (asked !== JSON.stringify(askedOf(filters, before.filter))) this.conversations.reset();
    this.#arranged.fire();
    await Promise.all([
      this.#store.update(storeKey, this.#arrangement),
      this.#connection && this.conversations.asOf === undefined ? this.conversations.refresh() : undefined,
    ]);
  }

  /** Refreshes both lists; a poll does nothing while the service refuses us. */
  async refresh(priority: Priority = 'person'): Promise<'steady' | 'inTransition' | 'failed'> {
    if (!this.#connection) return 'steady';
    if (priority === 'poll' && this.refused) return 'failed';
    await Promise.all([this.conversations.refresh(priority), this.sandboxes.refresh(priority)]);
    if (this.conversations.error ?? this.sandboxes.error) return 'failed';
    return this.#isAnythingInTransition() ? 'inTransition' : 'steady';
  }

  /** Cancels everything under way. */
  dispose(): void {
    this.connect(undefined);
  }

  #connected(): Connection {
    if (!this.#connection) throw new Error('Nothing is connected.');
    return this.#connection;
  }

  #isAnythingInTransition(): boolean {
    const now = this.#clock.now();
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

  #notice(): void {
    let seen = this.conversations.rows;
    let before = seen;
    this.conversations.onChange(() => {
      const after = this.conversations.rows;
      if (after === seen) return;
      seen = after;
      const notices = noticesBetween(before, after);
      before = remember(before, after);
      if (notices.length > 0) this.#noticed.fire(notices);
    });
  }
}
