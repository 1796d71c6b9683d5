/**
 * Drafts and requests for new conversations, followed until the conversations
 * exist, even across a reload.
 */
import { randomUUID } from 'node:crypto';
import { type Clock, sleep } from '../../base/clock.ts';
import { reason, UserError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { t, userError } from '../../base/l10n.ts';
import type { NewConversation } from '../../service/abilities/agentService.ts';
import type { ServiceClient } from '../../service/client.ts';
import { ServiceError } from '../../service/http/serviceError.ts';
import {
  type AskRule,
  type ConversationKey,
  type Conversation,
  keyOf,
  type StartTask,
  type Time,
  isConversationKey,
} from '../../service/model/entities.ts';
import { RecentValues } from '../../base/recentValues.ts';
import type { Store } from '../../base/store.ts';
import type { Attached } from '../../service/model/newMessage.ts';

export interface RequestedConversation {
  readonly id: string;
  readonly address: string;
  readonly wanted: NewConversation;
  readonly begunAt: Time;
  readonly isDraft?: boolean;
  /** Names of attachments that were too large to survive a restart. */
  readonly lost?: readonly string[];
  readonly task?: StartTask;
  /**
   * Set after a failure. The request stays until it is retried or dismissed.
   */
  readonly error?: string;
  readonly cancelled?: boolean;
  /** True if the service may have created the conversation nevertheless. */
  readonly unknown?: boolean;
}

type Choices = Omit<NewConversation, 'message' | 'attached' | 'sandboxId'>;

interface RequestedConversationsOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly onReady: (
    conversation: Conversation,
    request: NewConversation,
  ) => void;
  /** The rules in force. */
  readonly askRules?: () => readonly AskRule[];
}

const storeKey = 'requestedConversations';
const prefix = 'requested: ';

type RequestKey = `${typeof prefix}${string}`;
/** Keeps requests of removed services from piling up. */
const maxStored = 50;
const maxStoredLength = 1_000_000;
/**
 * Attempts to find a conversation that is ready but not listed or readable yet.
 */
const maxTries = 5;
const retryPauseMs = 1_000;

export class RequestedConversations {
  readonly #options: RequestedConversationsOptions;
  readonly #changed = new Emitter();
  readonly onChange = this.#changed.on;
  readonly #running = new Map<string, AbortController>();
  #all: readonly RequestedConversation[];
  readonly #created: RecentValues;
  readonly #choices: RecentValues;

  constructor(options: RequestedConversationsOptions) {
    this.#options = options;
    const stored = options.store.get(storeKey);
    this.#all = Array.isArray(stored) ? stored.filter(isRequested) : [];
    this.#created = new RecentValues(
      options.store,
      'createdConversations',
      maxStored,
    );
    this.#choices = new RecentValues(
      options.store,
      'newConversationChoices',
      maxStored,
    );
  }

  /** The service that was picked or used last. */
  get lastAddress(): string | undefined {
    return this.#choices.all[0]?.[0];
  }

  /** The values that the user picked last at this service. */
  lastChoices(address: string): Choices {
    return { ...(this.#choices.get(address) as Choices | undefined) };
  }

  async keepChoices(address: string, change: Choices): Promise<void> {
    await this.#choices.set(address, {
      ...this.lastChoices(address),
      ...change,
    });
  }

  /** Newest first. */
  get all(): readonly RequestedConversation[] {
    return this.#all;
  }

  /** Newest first. */
  of(address: string): readonly RequestedConversation[] {
    return this.#all.filter((requested) => requested.address === address);
  }

  find(id: string | undefined): RequestedConversation | undefined {
    return this.#all.find((requested) => requested.id === id);
  }

  createdAs(id: string): ConversationKey | undefined {
    const key = this.#created.get(id);
    return isConversationKey(key) ? key : undefined;
  }

  /** Sends nothing. An empty draft is not stored. */
  draft(address: string, request: NewConversation): RequestedConversation {
    const begunAt = this.#options.clock.now();
    const id = randomUUID();
    const draft = {
      id,
      address,
      wanted: request,
      isDraft: true,
      begunAt,
    };
    this.#set([draft, ...this.#all]);
    return draft;
  }

  change(id: string, change: Partial<NewConversation>, address?: string): void {
    const requested = this.find(id);
    if (!requested || !canChange(requested)) return;
    const request = { ...requested.wanted, ...change };
    this.#update(id, {
      wanted: request,
      address: address ?? requested.address,
    });
  }

  /**
   * `id`: a draft, or a failed request to retry. Resolves when the conversation
   * exists, or with the `error`.
   */
  async begin(
    client: ServiceClient,
    address: string,
    request: NewConversation,
    id: string = randomUUID(),
  ): Promise<RequestedConversation> {
    const { clock } = this.#options;
    const requested: RequestedConversation = {
      id,
      address,
      wanted: request,
      begunAt: clock.now(),
    };
    this.#set([requested, ...this.#all.filter((other) => other.id !== id)]);
    await this.#run(requested, async (signal) => {
      const { creation } = await client.recognise({ signal });
      if (!creation)
        throw userError('This service cannot create conversations.');
      const created = await creation.create(
        { ...request, askRules: this.#options.askRules?.() },
        { signal },
      );
      if (created.kind === 'conversation')
        this.#ready(requested, created.conversation, signal);
      else await this.#follow(requested, client, created.task, signal);
    });
    return this.find(id) ?? requested;
  }

  /** Follows requests of a closed window. */
  resume(client: ServiceClient, address: string): void {
    for (const requested of this.of(address)) {
      if (canChange(requested) || this.#running.has(requested.id)) continue;
      const { task } = requested;
      if (task)
        void this.#run(requested, (signal) =>
          this.#follow(requested, client, task, signal),
        );
      else {
        const error = t(
          'The connection was closed before the service answered, so it may have been created. Look for it in the list before you try again.',
        );
        this.#update(requested.id, { error, unknown: true });
      }
    }
  }

  /** Stops following; the service may continue. */
  cancel(id: string): void {
    this.#running.get(id)?.abort();
  }

  dismiss(id: string): void {
    this.cancel(id);
    this.#set(this.#all.filter((requested) => requested.id !== id));
  }

  /**
   * Stops following silently, because the service is disconnected or the window
   * closes.
   */
  release(address: string): void {
    for (const { id } of this.of(address)) {
      const controller = this.#running.get(id);
      this.#running.delete(id);
      controller?.abort();
    }
  }

  async #run(
    requested: RequestedConversation,
    work: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const controller = new AbortController();
    this.#running.set(requested.id, controller);
    try {
      await work(controller.signal);
    } catch (error) {
      // Released: followed again at the next connection.
      if (this.#running.get(requested.id) !== controller) return;
      // A started task may still create it.
      const isKnown =
        error instanceof UserError &&
        !(
          error instanceof ServiceError && error.circumstances.outcomeUnknown
        ) &&
        this.find(requested.id)?.task === undefined;
      this.#update(requested.id, {
        error: reason(error),
        ...(controller.signal.aborted && { cancelled: true }),
        ...(!isKnown && { unknown: true }),
      });
      if (!(error instanceof UserError)) throw error;
    } finally {
      if (this.#running.get(requested.id) === controller)
        this.#running.delete(requested.id);
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
        this.#update(requested.id, {
          error: task.detail ?? t('The service did not say why.'),
        });
      } else if (task.stage === 'ready') {
        const conversation = await this.#findCreated(client, task, signal);
        if (conversation) this.#ready(requested, conversation, signal);
        else {
          const error = t(
            'The service says that it is ready but does not list it.',
          );
          this.#update(requested.id, { error, unknown: true });
        }
      }
    }
  }

  /** Tolerates short failures after the creation. */
  async #findCreated(
    client: ServiceClient,
    { conversationId }: StartTask,
    signal: AbortSignal,
  ): Promise<Conversation | undefined> {
    if (conversationId === undefined) return undefined;
    for (let attempt = 1; ; attempt++) {
      try {
        const conversation = await (
          await client.recognise({ signal })
        ).conversations.find(conversationId, { signal });
        if (conversation || attempt === maxTries) return conversation;
      } catch (error) {
        if (signal.aborted || attempt === maxTries) throw error;
      }
      // The next try fails if canceled.
      await sleep(this.#options.clock, retryPauseMs, signal).catch(
        () => undefined,
      );
    }
  }

  #ready(
    requested: RequestedConversation,
    conversation: Conversation,
    signal: AbortSignal,
  ): void {
    // Released: the list may belong to another service.
    if (signal.aborted && !this.#running.has(requested.id)) return;
    this.#options.onReady(conversation, requested.wanted);
    ignoringFailures(this.#created.set(requested.id, keyOf(conversation)));
    this.#set(this.#all.filter(({ id }) => id !== requested.id));
  }

  #update(id: string, change: Partial<RequestedConversation>): void {
    this.#set(
      this.#all.map((requested) =>
        requested.id === id ? { ...requested, ...change } : requested,
      ),
    );
  }

  #set(all: readonly RequestedConversation[]): void {
    this.#all = all;
    const stored = all.filter(isFilled).slice(0, maxStored).map(storable);
    ignoringFailures(this.#options.store.update(storeKey, stored));
    this.#changed.fire();
  }
}

/** A value that could not be stored is lost only when the window closes. */
function ignoringFailures(storing: PromiseLike<void>): void {
  storing.then(undefined, () => undefined);
}

export function keyOfRequested({
  id,
}: Pick<RequestedConversation, 'id'>): RequestKey {
  return `${prefix}${id}`;
}

export function requestedIdOf(key: ConversationKey): string | undefined {
  return key.startsWith(prefix) ? key.slice(prefix.length) : undefined;
}

export function canChange({ isDraft, error }: RequestedConversation): boolean {
  return isDraft === true || error !== undefined;
}

/** False for a draft without a message. */
export function isFilled({
  isDraft,
  wanted: request,
}: RequestedConversation): boolean {
  return (
    !isDraft ||
    request.message.trim() !== '' ||
    (request.attached ?? []).length > 0
  );
}

function storable(requested: RequestedConversation): RequestedConversation {
  let left = maxStoredLength;
  const fits = ({ text, picture }: Attached) => {
    const { length } = text ?? picture.base64;
    if (length > left) return false;
    left -= length;
    return true;
  };
  const { wanted: request, lost = [] } = requested;
  const attached = request.attached?.filter(fits);
  const names =
    request.attached?.flatMap((attachment) =>
      attached?.includes(attachment) ? [] : attachment.name,
    ) ?? [];
  return names.length === 0
    ? requested
    : {
        ...requested,
        wanted: { ...request, attached },
        lost: [...lost, ...names],
      };
}

function isRequested(stored: unknown): stored is RequestedConversation {
  const { id, address, wanted, begunAt, task, error } = (stored ??
    {}) as Partial<RequestedConversation>;
  const isText = [id, address, wanted?.message, error ?? ''].every(
    (part) => typeof part === 'string',
  );
  const isTask = !task || typeof task.stage === 'string';
  return isText && isTask && typeof begunAt === 'number';
}
