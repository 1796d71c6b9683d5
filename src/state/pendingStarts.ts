/** Conversations that have been asked for and are not there yet: followed until they are, kept over a reload. */
import { randomUUID } from 'node:crypto';
import { type Clock, sleep } from '../base/clock.ts';
import { reason, UserError } from '../base/errors.ts';
import { Emitter } from '../base/event.ts';
import { t } from '../base/l10n.ts';
import type { NewConversation } from '../service/agentService.ts';
import type { ServiceClient } from '../service/client.ts';
import { ServiceError } from '../service/serviceError.ts';
import type { Conversation, StartTask, Time } from '../service/entities.ts';
import type { Store } from './store.ts';

export interface PendingStart {
  readonly id: string;
  /** The service that was asked. */
  readonly address: string;
  readonly wanted: NewConversation;
  readonly begunAt: Time;
  /** Once the service has answered. */
  readonly task: StartTask | undefined;
  /** Why it came to nothing; it stays, with its text, until it is tried again or dismissed. */
  readonly error: string | undefined;
  /** Whether that is because a person has cancelled it. */
  readonly cancelled?: boolean;
  /** Whether the service may have created it all the same, or may still do so. */
  readonly unknown?: boolean;
}

export interface PendingStartsOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** The conversation is there. */
  readonly onReady: (conversation: Conversation, pending: PendingStart) => void;
}

const storeKey = 'pendingStarts';
/** Enough for everybody; those of services that are never connected again must not pile up. */
const mostKept = 50;
/** A conversation that is ready and cannot be read, or is not listed yet, is asked for so many times. */
const tries = 5;
const pause = 1_000;

export class PendingStarts {
  readonly #options: PendingStartsOptions;
  readonly #changed = new Emitter();
  readonly #running = new Map<string, AbortController>();
  #all: readonly PendingStart[];

  constructor(options: PendingStartsOptions) {
    this.#options = options;
    this.#all = readKept(options.store.get(storeKey));
  }

  get onChange(): Emitter['on'] {
    return this.#changed.on;
  }

  /** Those of every service, the newest first. */
  get all(): readonly PendingStart[] {
    return this.#all;
  }

  /** Those of this service, the newest first. */
  of(address: string): readonly PendingStart[] {
    return this.#all.filter((pending) => pending.address === address);
  }

  /** Asks for a conversation. Resolves once it is there, or has failed: which is then to be seen in its entry. */
  async begin(client: ServiceClient, address: string, wanted: NewConversation): Promise<PendingStart> {
    const { clock } = this.#options;
    const id = randomUUID();
    const pending = { id, address, wanted, begunAt: clock.now(), task: undefined, error: undefined };
    this.#set([pending, ...this.#all]);
    await this.#run(pending, async (signal) => {
      const { creation } = await client.recognise({ signal });
      if (!creation) throw new UserError(t('This service cannot create conversations.'));
      const created = await creation.create(wanted, { signal });
      if (created.kind === 'conversation') this.#ready(pending, created.conversation, signal);
      else await this.#follow(pending, client, created.task, signal);
    });
    return this.#find(id) ?? pending;
  }

  /** Follows what a closed window has left. */
  resume(client: ServiceClient, address: string): void {
    for (const pending of this.of(address)) {
      if (pending.error !== undefined || this.#running.has(pending.id)) continue;
      const { task } = pending;
      if (task) void this.#run(pending, (signal) => this.#follow(pending, client, task, signal));
      else {
        const error = t(
          'It is not known whether the service has created it: the connection was ended before the answer. Look for it in the list before you try again.',
        );
        this.#update(pending.id, { error, unknown: true });
      }
    }
  }

  /** Stops following; what the service has begun goes on there. */
  cancel(id: string): void {
    this.#running.get(id)?.abort();
  }

  dismiss(id: string): void {
    this.cancel(id);
    this.#set(this.#all.filter((pending) => pending.id !== id));
  }

  /** Stops following without a word: the window is closed, or another service is connected. */
  release(): void {
    const running = [...this.#running.values()];
    this.#running.clear();
    for (const controller of running) controller.abort();
  }

  async #run(pending: PendingStart, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    this.#running.set(pending.id, controller);
    try {
      await work(controller.signal);
    } catch (error) {
      // Released: it is followed again when the service is connected again.
      if (this.#running.get(pending.id) !== controller) return;
      // What the service has begun may be there, or come, although that could not be followed.
      const known =
        error instanceof UserError &&
        !(error instanceof ServiceError && error.circumstances.outcomeUnknown) &&
        this.#find(pending.id)?.task === undefined;
      this.#update(pending.id, {
        error: reason(error),
        ...(controller.signal.aborted ? { cancelled: true } : {}),
        ...(known ? {} : { unknown: true }),
      });
      if (!(error instanceof UserError)) throw error;
    } finally {
      if (this.#running.get(pending.id) === controller) this.#running.delete(pending.id);
    }
  }

  async #follow(
    pending: PendingStart,
    client: ServiceClient,
    first: StartTask,
    signal: AbortSignal,
  ): Promise<void> {
    for await (const task of client.followStart(first, { signal })) {
      this.#update(pending.id, { task });
      if (task.stage === 'error') {
        this.#update(pending.id, { error: task.detail ?? t('The service did not say why.') });
      } else if (task.stage === 'ready') {
        const conversation = await this.#created(client, task, signal);
        if (conversation) this.#ready(pending, conversation, signal);
        else {
          const error = t('The service says that it is ready, but does not list it.');
          this.#update(pending.id, { error, unknown: true });
        }
      }
    }
  }

  /** What has been created is not given up because the service cannot be asked, or does not list it, for a moment. */
  async #created(
    client: ServiceClient,
    { conversationId }: StartTask,
    signal: AbortSignal,
  ): Promise<Conversation | undefined> {
    if (conversationId === undefined) return undefined;
    for (let attempt = 1; ; attempt++) {
      try {
        const { conversations } = await client.recognise({ signal });
        const found = await conversations.find(conversationId, { signal });
        if (found || attempt === tries) return found;
      } catch (error) {
        if (signal.aborted || attempt === tries) throw error;
      }
      // When it is cancelled, so is the next try.
      await sleep(this.#options.clock, pause, signal).catch(() => undefined);
    }
  }

  #ready(pending: PendingStart, conversation: Conversation, signal: AbortSignal): void {
    // Released: the list may be that of another service by now.
    if (signal.aborted && !this.#running.has(pending.id)) return;
    this.#options.onReady(conversation, pending);
    this.#set(this.#all.filter(({ id }) => id !== pending.id));
  }

  #find(id: string): PendingStart | undefined {
    return this.#all.find((pending) => pending.id === id);
  }

  #update(id: string, change: Partial<PendingStart>): void {
    this.#set(this.#all.map((pending) => (pending.id === id ? { ...pending, ...change } : pending)));
  }

  #set(all: readonly PendingStart[]): void {
    this.#all = all;
    // What cannot be kept is lost only when the window is closed.
    this.#options.store.update(storeKey, all.slice(0, mostKept)).then(undefined, () => undefined);
    this.#changed.fire();
  }
}

/** What an earlier window has kept, without what makes no sense. */
function readKept(kept: unknown): PendingStart[] {
  if (!Array.isArray(kept)) return [];
  return (kept as (Partial<PendingStart> | null | undefined)[]).flatMap((entry) => {
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
