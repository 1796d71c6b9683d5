/** What is known now about the service that is connected: one object that the views and the commands share. */
import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/event.ts';
import type { Priority } from '../service/pacer.ts';
import type { ServiceClient } from '../service/client.ts';
import type { ServiceError } from '../service/errors.ts';
import { type Conversation, idKey, type Sandbox } from '../service/types.ts';
import { isInTransition } from './activity.ts';
import { type Notice, noticesBetween } from './attention.ts';
import { type Arrangement, askedOf } from './conversationRows.ts';
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
const plain: Arrangement = { filter: {}, grouping: 'none', sorting: 'created' };

export class Switchboard {
  readonly conversations: RemoteList<Conversation>;
  readonly sandboxes: RemoteList<Sandbox>;
  readonly sandboxChanges: SandboxChanges;
  readonly starts: PendingStarts;
  readonly #store: Store;
  readonly #changed = new Emitter();
  readonly #arranged = new Emitter();
  readonly #noticed = new Emitter<readonly Notice[]>();
  #connection: Connection | undefined;
  #arrangement: Arrangement;

  constructor({ store, clock, pageSize }: SwitchboardOptions) {
    this.#store = store;
    this.#arrangement = { ...plain, ...(store.get(storeKey) as Partial<Arrangement> | undefined) };
    this.conversations = new RemoteList({
      clock,
      pageSize,
      keyOf: ({ id }) => idKey(id),
      open: (size, call) => {
        const { client } = this.#connected();
        return client.conversations(
          { ...askedOf(client.interface, this.#arrangement.filter), pageSize: size },
          call,
        );
      },
    });
    this.sandboxes = new RemoteList({
      clock,
      pageSize: () => 99,
      keyOf: ({ id }) => id,
      open: (_size, call) => this.#connected().client.sandboxes(call),
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
    return [this.conversations.error, this.sandboxes.error].find(
      (error) => error?.kind === 'unauthorised' || error?.kind === 'forbidden',
    );
  }

  /** Takes another service in place of the one before, or none. */
  connect(connection: Connection | undefined): void {
    this.starts.release();
    this.#connection = connection;
    this.conversations.reset();
    this.sandboxes.reset();
    this.#changed.fire();
    if (connection) this.starts.resume(connection.client, connection.address);
  }

  async arrange(change: Partial<Arrangement>): Promise<void> {
    const before = this.#arrangement;
    this.#arrangement = { ...before, ...change };
    await this.#store.update(storeKey, this.#arrangement);
    const interfaceInUse = this.#connection?.client.interface;
    const asked = JSON.stringify(askedOf(interfaceInUse, this.#arrangement.filter));
    // Rows of another question are not those that are wanted.
    if (asked !== JSON.stringify(askedOf(interfaceInUse, before.filter))) this.conversations.reset();
    this.#arranged.fire();
    if (this.#connection && this.conversations.asOf === undefined) await this.conversations.refresh();
  }

  /** Asks for everything again. */
  async refresh(priority: Priority = 'person'): Promise<'steady' | 'inTransition' | 'failed'> {
    if (!this.#connection) return 'steady';
    await Promise.all([this.conversations.refresh(priority), this.sandboxes.refresh(priority)]);
    if (this.conversations.error ?? this.sandboxes.error) return 'failed';
    const moving =
      [...this.conversations.rows.values()].some(isInTransition) ||
      [...this.sandboxes.rows.values()].some(({ status }) => status === 'starting');
    return moving ? 'inTransition' : 'steady';
  }

  /** Gives up what is under way. */
  dispose(): void {
    this.connect(undefined);
  }

  #connected(): Connection {
    if (!this.#connection) throw new Error('Nothing is connected.');
    return this.#connection;
  }

  #notice(): void {
    let before = this.conversations.rows;
    this.conversations.onChange(() => {
      const after = this.conversations.rows;
      const notices = noticesBetween(before, after);
      before = after;
      if (notices.length > 0) this.#noticed.fire(notices);
    });
  }
}
