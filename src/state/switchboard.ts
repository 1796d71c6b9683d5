/** What is known now about the service that is connected: one object that the views and the commands share. */
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
import { PendingStarts } from './pendingStarts.ts';
import { RemoteList } from './remoteList.ts';
import { SandboxChanges } from './sandboxChanges.ts';
import type { Store } from './store.ts';

export interface Connection {
  readonly client: ServiceClient;
  /** As it is shown to people. */
  readonly address: string;
  /** Whether it is the demo service that is built in. */
  readonly demo: boolean;
}

export interface SwitchboardOptions {
  /** Of the workspace. */
  readonly store: Store;
  readonly clock: Clock;
  readonly pageSize: () => number;
}

const storeKey = 'arrangement';

/** What has been about to change for so long is no longer waited for. */
const longestTransition = 5 * 60_000;

/** All that anybody is likely to have; the list of conversations is longer, and a person goes through it. */
const mostSandboxes = 990;

export class Switchboard {
  readonly conversations: RemoteList<Conversation>;
  readonly sandboxes: RemoteList<Sandbox>;
  readonly sandboxChanges: SandboxChanges;
  readonly starts: PendingStarts;
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #changed = new Emitter();
  readonly #arranged = new Emitter();
  readonly #noticed = new Emitter<readonly Notice[]>();
  #connection: Connection | undefined;
  #arrangement: Arrangement;
  /** What is in transition, and since when, as it was seen from here. */
  #inTransition: ReadonlyMap<string, Time> = new Map();

  constructor({ store, clock, pageSize }: SwitchboardOptions) {
    this.#store = store;
    this.#clock = clock;
    this.#arrangement = readArrangement(store.get(storeKey));
    this.conversations = new RemoteList({
      clock,
      pageSize,
      keyOf: ({ id }) => idKey(id),
      // All of the filter: which interface there is may turn out only by this.
      open: () => this.#connected().client.conversations(askedOf(undefined, this.#arrangement.filter)),
    });
    this.sandboxes = new RemoteList({
      clock,
      pageSize: () => mostSandboxes,
      keyOf: ({ id }) => id,
      open: async (call) => {
        const { sandboxes } = await this.#connected().client.recognise(call);
        return sandboxes?.list() ?? noPages();
      },
    });
    this.sandboxChanges = new SandboxChanges(this.sandboxes, clock);
    this.starts = new PendingStarts({
      store,
      clock,
      onReady: (conversation) => {
        this.conversations.put(conversation);
      },
    });
    this.#notice();
  }

  /** Tells of another connection, or none. */
  get onConnection(): Emitter['on'] {
    return this.#changed.on;
  }

  /** Tells of another filter, grouping or sorting. */
  get onArrangement(): Emitter['on'] {
    return this.#arranged.on;
  }

  /** Tells which conversations have begun to ask for a person. */
  get onNotice(): Emitter<readonly Notice[]>['on'] {
    return this.#noticed.on;
  }

  get connection(): Connection | undefined {
    return this.#connection;
  }

  get arrangement(): Arrangement {
    return this.#arrangement;
  }

  /** Why the service does not let us in; nothing is asked by itself as long as that stands. */
  get refused(): ServiceError | undefined {
    return [this.conversations.error, this.sandboxes.error].find((error) => error && isRefusal(error));
  }

  /** Takes another service in place of the one before, or none. */
  connect(connection: Connection | undefined): void {
    this.starts.release();
    this.sandboxChanges.release();
    // What the lists say of the service before is not said of this one.
    this.conversations.reset();
    this.sandboxes.reset();
    this.#connection = connection;
    this.#changed.fire();
    if (connection) this.starts.resume(connection.client, connection.address);
  }

  async arrange(change: Partial<Arrangement>): Promise<void> {
    const before = this.#arrangement;
    this.#arrangement = { ...before, ...change };
    const filters = this.#connection?.client.service?.conversations.filters;
    const asked = JSON.stringify(askedOf(filters, this.#arrangement.filter));
    // Rows of another question are not those that are wanted.
    if (asked !== JSON.stringify(askedOf(filters, before.filter))) this.conversations.reset();
    this.#arranged.fire();
    await Promise.all([
      this.#store.update(storeKey, this.#arrangement),
      this.#connection && this.conversations.asOf === undefined ? this.conversations.refresh() : undefined,
    ]);
  }

  /** Asks for everything again; as a poll, not as long as the service does not let us in. */
  async refresh(priority: Priority = 'person'): Promise<'steady' | 'inTransition' | 'failed'> {
    if (!this.#connection) return 'steady';
    if (priority === 'poll' && this.refused) return 'failed';
    await Promise.all([this.conversations.refresh(priority), this.sandboxes.refresh(priority)]);
    if (this.conversations.error ?? this.sandboxes.error) return 'failed';
    return this.#isAnythingInTransition() ? 'inTransition' : 'steady';
  }

  /** Gives up what is under way. */
  dispose(): void {
    this.connect(undefined);
  }

  #connected(): Connection {
    if (!this.#connection) throw new Error('Nothing is connected.');
    return this.#connection;
  }

  #isAnythingInTransition(): boolean {
    const now = this.#clock.now();
    const moving = [
      ...[...this.conversations.rows].filter(([, row]) => isInTransition(row)).map(([key]) => key),
      ...[...this.sandboxes.rows].filter(([, { status }]) => status === 'starting').map(([key]) => key),
    ];
    this.#inTransition = new Map(moving.map((key) => [key, this.#inTransition.get(key) ?? now]));
    return [...this.#inTransition.values()].some((since) => now - since < longestTransition);
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
