/**
 * Messages kept on this machine while an agent waits for an answer, and sent
 * when the agent has finished.
 */
import { UserError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { RecentValues } from '../../base/recentValues.ts';
import type { Store } from '../../base/store.ts';
import {
  type ConversationKey,
  type Conversation,
  type Execution,
  keyOf,
  isConversationKey,
  type Time,
} from '../../service/model/entities.ts';
import type { NewMessage } from '../../service/model/newMessage.ts';
import type { SendResult } from './steeringResults.ts';

export interface QueuedMessage {
  readonly id: number;
  readonly message: NewMessage;
  /**
   * `unsure`: the message may have arrived, so only the user may send it again.
   */
  readonly state: 'queued' | 'sending' | 'unsure';
}

export interface QueueOutcome {
  readonly key: ConversationKey;
  /** The reason if sending failed. */
  readonly result: SendResult | UserError;
}

type SendMessage = (
  conversation: Conversation,
  message: NewMessage,
) => Promise<SendResult>;

export class QueuedMessages {
  readonly #stored: RecentValues;
  readonly #send: SendMessage;
  readonly #queues = new Map<ConversationKey, readonly QueuedMessage[]>();
  /** The last execution of each conversation with a queue, by key. */
  readonly #executions = new Map<ConversationKey, Execution | undefined>();
  /** The last update of each conversation with a queue, by key. */
  readonly #updates = new Map<ConversationKey, Time>();
  /**
   * The last updates known when a message was sent, by key. A record that is
   * no later does not show that the agent has finished with it.
   */
  readonly #updatesAtSend = new Map<ConversationKey, Time>();
  readonly #changed = new Emitter<string>();
  /** Fires with the key of a conversation whose queue changed. */
  readonly onChange = this.#changed.on;
  readonly #tried = new Emitter<QueueOutcome>();
  /** Fires after each attempt to send a message. */
  readonly onOutcome = this.#tried.on;
  #lastId = 0;

  constructor(store: Store, send: SendMessage) {
    this.#stored = new RecentValues(store, 'queuedMessages', Infinity);
    this.#send = send;
    for (const [key, stored] of this.#stored.all) {
      if (!isConversationKey(key)) continue;
      const queue = Array.isArray(stored) ? stored.filter(isStored) : [];
      this.#queues.set(
        key,
        queue.map(({ message, state }) =>
          this.#queued(message, state === 'queued' ? 'queued' : 'unsure'),
        ),
      );
    }
  }

  /** Returns the queue of a conversation, oldest message first. */
  of(key: ConversationKey): readonly QueuedMessage[] {
    return this.#queues.get(key) ?? [];
  }

  add(conversation: Conversation, message: NewMessage): void {
    const key = keyOf(conversation);
    this.#set(key, [...this.of(key), this.#queued(message)]);
  }

  /** Returns the removed message; `undefined` if it is being sent or gone. */
  remove(key: ConversationKey, id: number): NewMessage | undefined {
    const removed = this.of(key).find((queued) => queued.id === id);
    if (!removed || removed.state === 'sending') return undefined;
    this.#drop(key, id);
    return removed.message;
  }

  /** Drops the queue of a deleted conversation. */
  forget(key: ConversationKey): void {
    this.#set(key, []);
  }

  /**
   * Sends the first message of a conversation's queue if its agent has finished
   * since the last call.
   */
  note(conversation: Conversation): void {
    const key = keyOf(conversation);
    if (this.of(key).length === 0) return;
    const { execution, updatedAt = 0 } = conversation;
    this.#updates.set(key, updatedAt);
    const isOld = updatedAt <= (this.#updatesAtSend.get(key) ?? -Infinity);
    if (isOld && isOver(execution)) return;
    this.#updatesAtSend.delete(key);
    const before = this.#executions.get(key);
    this.#executions.set(key, execution);
    const [first] = this.of(key);
    if (first?.state === 'queued' && hasFinished(before, execution))
      void this.#sendFirst(conversation, first);
  }

  /** Sends the first message at the next call of `note`, if the agent is idle. */
  retry(key: ConversationKey): void {
    this.#executions.delete(key);
  }

  async #sendFirst(
    conversation: Conversation,
    { id, message }: QueuedMessage,
  ): Promise<void> {
    const key = keyOf(conversation);
    this.#setState(key, id, 'sending');
    const result = await this.#send(conversation, message).catch(
      (error: unknown) => {
        if (error instanceof UserError) return error;
        this.#setState(key, id, 'unsure');
        throw error;
      },
    );
    const isSent =
      !(result instanceof UserError) &&
      (result.result === 'sent' || result.result === 'queued');
    if (isSent) {
      // Assumes that the agent works on the message, even if no record ever
      // shows it.
      this.#executions.set(key, 'running');
      this.#updatesAtSend.set(key, this.#updates.get(key) ?? 0);
      this.#drop(key, id);
    } else {
      const isUnsure =
        !(result instanceof UserError) && result.result === 'unsure';
      this.#setState(key, id, isUnsure ? 'unsure' : 'queued');
    }
    this.#tried.fire({ key, result });
  }

  #queued(
    message: NewMessage,
    state: QueuedMessage['state'] = 'queued',
  ): QueuedMessage {
    return { id: ++this.#lastId, message, state };
  }

  #setState(
    key: ConversationKey,
    id: number,
    state: QueuedMessage['state'],
  ): void {
    this.#set(
      key,
      this.of(key).map((queued) =>
        queued.id === id ? { ...queued, state } : queued,
      ),
    );
  }

  #drop(key: ConversationKey, id: number): void {
    this.#set(
      key,
      this.of(key).filter((queued) => queued.id !== id),
    );
  }

  #set(key: ConversationKey, queue: readonly QueuedMessage[]): void {
    if (queue.length > 0) this.#queues.set(key, queue);
    else {
      this.#queues.delete(key);
      this.#executions.delete(key);
      this.#updates.delete(key);
      this.#updatesAtSend.delete(key);
    }
    void this.#stored.set(key, queue.length > 0 ? queue : undefined);
    this.#changed.fire(key);
  }
}

/**
 * True if the agent has finished its work. Earlier, a message could run an
 * action that begins to wait during the request.
 */
function hasFinished(
  before: Execution | undefined,
  now: Execution | undefined,
): boolean {
  return (
    isOver(now) &&
    (before === undefined ||
      before === 'running' ||
      before === 'waitingForConfirmation')
  );
}

function isOver(execution: Execution | undefined): boolean {
  return execution === 'finished' || execution === 'idle';
}

function isStored(stored: unknown): stored is QueuedMessage {
  const { message } = (stored ?? {}) as {
    readonly message?: Partial<NewMessage>;
  };
  return (
    typeof message?.text === 'string' &&
    (!message.attached || Array.isArray(message.attached))
  );
}
