/** Conversations that were asked for and do not exist yet: followed until they do, also after a reload. */
import { randomUUID } from 'node:crypto';
import { type Clock, sleep } from '../../base/clock.ts';
import { reason, UserError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { t } from '../../base/l10n.ts';
import type { NewConversation } from '../../service/agentService.ts';
import type { ServiceClient } from '../../service/client.ts';
import { ServiceError } from '../../service/serviceError.ts';
import { type Conversation, keyOf, type StartTask, type Time } from '../../service/entities.ts';
import type { Store } from '../../base/store.ts';

export interface RequestedConversation {
  readonly id: string;
  /** The service that was asked. */
  readonly address: string;
  readonly wanted: NewConversation;
  readonly begunAt: Time;
  /** Undefined until the service has answered. */
  readonly task: StartTask | undefined;
  /** Why it failed; it stays, with its text, until a person tries again or dismisses it. */
  readonly error: string | undefined;
  /** Whether it failed because a person cancelled it. */
  readonly cancelled?: boolean;
  /** Whether the service may have created it anyway, or may still do so. */
  readonly unknown?: boolean;
}

interface RequestedConversationsOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The conversation exists. */
  readonly onReady: (conversation: Conversation, requested: RequestedConversation) => void;
}

const storeKey = 'requestedConversations';
const createdStoreKey = 'createdConversations';
const prefix = 'requested:';
/** Those of services that are never connected again must not pile up. */
const mostStored = 50;
/** How often to ask for a conversation that is ready but cannot be read, or is not listed yet. */
const tries = 5;
const pause = 1_000;

export class RequestedConversations {
  readonly #options: RequestedConversationsOptions;
  readonly #changed = new Emitter();
  readonly onChange = this.#changed.on;
  readonly #running = new Map<string, AbortController>();
  #all: readonly RequestedConversation[];
  /** Keys of the conversations that requests became, by the ids of the requests, the newest last. */
  #createdKeys: ReadonlyMap<string, string>;

  constructor(options: RequestedConversationsOptions) {
    this.#options = options;
    this.#all = readStored(options.store.get(storeKey));
    this.#createdKeys = readCreated(options.store.get(createdStoreKey));
  }

  /** Those of every service, the newest first. */
  get all(): readonly RequestedConversation[] {
    return this.#all;
  }

  /** Those of this service, the newest first. */
  of(address: string): readonly RequestedConversation[] {
    return this.#all.filter((requested) => requested.address === address);
  }

  find(id: string | undefined): RequestedConversation | undefined {
    return this.#all.find((requested) => requested.id === id);
  }

  /** The key of the conversation that this request became. */
  createdAs(id: string): string | undefined {
    return this.#createdKeys.get(id);
  }

  /**
   * Asks for a conversation, in place of the failed request with this id. Resolves when it exists or has failed; the result
   * has the `error`.
   */
  async begin(
    client: ServiceClient,
    address: string,
    wanted: NewConversation,
    id: string = randomUUID(),
  ): Promise<RequestedConversation> {
    const { clock } = this.#options;
    const requested = { id, address, wanted, begunAt: clock.now(), task: undefined, error: undefined };
    this.#set([requested, ...this.#all.filter((other) => other.id !== id)]);
    await this.#run(requested, async (signal) => {
      const { creation } = await client.recognise({ signal });
      if (!creation) throw new UserError(t('This service cannot create conversations.'));
      const created = await creation.create(wanted, { signal });
      if (created.kind === 'conversation') this.#ready(requested, created.conversation, signal);
      else await this.#follow(requested, client, created.task, signal);
    });
    return this.find(id) ?? requested;
  }

  /** Follows what a closed window left behind. */
  resume(client: ServiceClient, address: string): void {
    for (const requested of this.of(address)) {
      if (requested.error !== undefined || this.#running.has(requested.id)) continue;
      const { task } = requested;
      if (task) void this.#run(requested, (signal) => this.#follow(requested, client, task, signal));
      else {
        const error = t(
          'The connection was closed before the service answered, so it may have been created. Look for it in the list before you try again.',
        );
        this.#update(requested.id, { error, unknown: true });
      }
    }
  }

  /** Stops following; what the service has begun goes on there. */
  cancel(id: string): void {
    this.#running.get(id)?.abort();
  }

  dismiss(id: string): void {
    this.cancel(id);
    this.#set(this.#all.filter((requested) => requested.id !== id));
  }

  /** Stops following silently what this service was asked for: it is disconnected, or the window is closed. */
  release(address: string): void {
    for (const { id } of this.of(address)) {
      const controller = this.#running.get(id);
      this.#running.delete(id);
      controller?.abort();
    }
  }

  async #run(requested: RequestedConversation, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    this.#running.set(requested.id, controller);
    try {
      await work(controller.signal);
    } catch (error) {
      // Released: it is followed again when the service is connected again.
      if (this.#running.get(requested.id) !== controller) return;
      // What the service has begun may exist, or come to exist, although it could not be followed.
      const known =
        error instanceof UserError &&
        !(error instanceof ServiceError && error.circumstances.outcomeUnknown) &&
        this.find(requested.id)?.task === undefined;
      this.#update(requested.id, {
        error: reason(error),
        ...(controller.signal.aborted ? { cancelled: true } : {}),
        ...(known ? {} : { unknown: true }),
      });
      if (!(error instanceof UserError)) throw error;
    } finally {
      if (this.#running.get(requested.id) === controller) this.#running.delete(requested.id);
    }
  }

  async #follow(
    requested: RequestedConversation,
    client: ServiceClient,
    first: StartTask,
    signal: AbortSignal,
  ): Promise<void> {
    for await (const task of client.followStart(first, { signal })) {
      this.#update(requested.id, { task });
      if (task.stage === 'error') {
        this.#update(requested.id, { error: task.detail ?? t('The service did not say why.') });
      } else if (task.stage === 'ready') {
        const conversation = await this.#created(client, task, signal);
        if (conversation) this.#ready(requested, conversation, signal);
        else {
          const error = t('The service says that it is ready but does not list it.');
          this.#update(requested.id, { error, unknown: true });
        }
      }
    }
  }

  /** What was created is not given up because the service fails, or does not list it yet, for a moment. */
  async #created(
    client: ServiceClient,
    { conversationId }: StartTask,
    signal: AbortSignal,
  ): Promise<Conversation | undefined> {
    if (conversationId === undefined) return undefined;
    for (let attempt = 1; ; attempt++) {
      try {
        const found = await (
          await client.recognise({ signal })
        ).conversations.find(conversationId, { signal });
        if (found || attempt === tries) return found;
      } catch (error) {
        if (signal.aborted || attempt === tries) throw error;
      }
      // When it is cancelled, so is the next try.
      await sleep(this.#options.clock, pause, signal).catch(() => undefined);
    }
  }

  #ready(requested: RequestedConversation, conversation: Conversation, signal: AbortSignal): void {
    // Released: the list may now be that of another service.
    if (signal.aborted && !this.#running.has(requested.id)) return;
    this.#options.onReady(conversation, requested);
    const created = [...this.#createdKeys, [requested.id, keyOf(conversation)] as const].slice(-mostStored);
    this.#createdKeys = new Map(created);
    this.#store(createdStoreKey, created);
    this.#set(this.#all.filter(({ id }) => id !== requested.id));
  }

  #update(id: string, change: Partial<RequestedConversation>): void {
    this.#set(this.#all.map((requested) => (requested.id === id ? { ...requested, ...change } : requested)));
  }

  #set(all: readonly RequestedConversation[]): void {
    this.#all = all;
    this.#store(storeKey, all.slice(0, mostStored));
    this.#changed.fire();
  }

  /** Ignores failures: a value that cannot be stored is lost only when the window closes. */
  #store(key: string, value: unknown): void {
    this.#options.store.update(key, value).then(undefined, () => undefined);
  }
}

/** The key of the page of a conversation that is being created. */
export function keyOfRequested({ address, id }: Pick<RequestedConversation, 'address' | 'id'>): string {
  return `${address} ${prefix}${id}`;
}

/** The id in such a key. */
export function requestedIdOf(key: string): string | undefined {
  const id = key.slice(key.lastIndexOf(' ') + 1);
  return id.startsWith(prefix) ? id.slice(prefix.length) : undefined;
}

function readCreated(stored: unknown): ReadonlyMap<string, string> {
  const isPair = (entry: unknown): entry is [string, string] =>
    Array.isArray(entry) && entry.length === 2 && entry.every((part) => typeof part === 'string');
  return new Map(Array.isArray(stored) ? stored.filter(isPair) : []);
}

/** What an earlier window stored, as far as it makes sense. */
function readStored(stored: unknown): RequestedConversation[] {
  if (!Array.isArray(stored)) return [];
  return (stored as (Partial<RequestedConversation> | null | undefined)[]).flatMap((entry) => {
    const { id, address, wanted, begunAt, task, error, cancelled, unknown } = entry ?? {};
    if (typeof id !== 'string' || typeof address !== 'string' || typeof wanted?.message !== 'string')
      return [];
    return [
      {
        id,
        address,
        wanted,
        begunAt: typeof begunAt === 'number' ? begunAt : 0,
        task: typeof task?.id === 'string' && typeof task.stage === 'string' ? task : undefined,
        error: typeof error === 'string' ? error : undefined,
        ...(cancelled === true ? { cancelled } : {}),
        ...(unknown === true ? { unknown } : {}),
      },
    ];
  });
}
