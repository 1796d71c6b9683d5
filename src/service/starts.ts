/** Creating conversations, and following how they start. */
import { type Clock, sleep } from '../base/clock.ts';
import { t } from '../base/l10n.ts';
import { ServiceError } from './errors.ts';
import { pauseAfter } from './pacer.ts';
import { readPage } from './received.ts';
import { readConversationV0, readConversationV1, readStartTask } from './records.ts';
import type { CallOptions, Transport } from './transport.ts';
import { type Conversation, sameId, type StartTask } from './types.ts';

export interface NewConversation {
  readonly message: string;
  readonly repository?: string | undefined;
  readonly branch?: string | undefined;
  readonly provider?: string | undefined;
  /** A sandbox that runs; without it, the conversation gets a new one. */
  readonly sandboxId?: string | undefined;
}

/** A service answers with a task that leads to the conversation, or with the conversation itself. */
export type Created =
  | { readonly kind: 'task'; readonly task: StartTask }
  | { readonly kind: 'conversation'; readonly conversation: Conversation };

const create = 'createConversation';
const follow = 'followStart';
const patience = 10 * 60_000;
const failuresInARow = 3;

export class Starts {
  readonly #transport: Transport;
  readonly #clock: Clock;

  constructor(transport: Transport, clock: Clock) {
    this.#transport = transport;
    this.#clock = clock;
  }

  async create(wanted: NewConversation, options: CallOptions): Promise<Created> {
    const answer = await this.#transport.request({
      ...options,
      operation: create,
      method: 'POST',
      path: ['api', 'v1', 'app-conversations'],
      body: {
        initial_message: { content: [{ type: 'text', text: wanted.message }] },
        selected_repository: wanted.repository,
        selected_branch: wanted.branch,
        git_provider: wanted.provider,
        sandbox_id: wanted.sandboxId,
      },
    });
    const isConversation =
      typeof answer === 'object' &&
      answer !== null &&
      ('sandbox_status' in answer || 'conversation_id' in answer);
    const conversation = isConversation
      ? (readConversationV1(answer) ?? readConversationV0(answer))
      : undefined;
    if (conversation) return { kind: 'conversation', conversation };
    const task = readStartTask(answer);
    if (task) return { kind: 'task', task };
    const why = t('it holds neither a conversation nor a start');
    throw this.#transport.error(create, { kind: 'notUnderstood', why }, true);
  }

  /** The task as it is now; undefined where the service does not know it. */
  async byId(id: string, options: CallOptions): Promise<StartTask | undefined> {
    const answer = await this.#transport.request({
      ...options,
      operation: follow,
      path: ['api', 'v1', 'app-conversations', 'start-tasks'],
      query: { ids: [id] },
    });
    return readPage(answer, readStartTask)?.items.find((task) => sameId(task.id, id));
  }

  /**
   * The task each time that it has changed; the last one is ready or failed. A service that fails for a moment is asked
   * again. Throws when it fails for longer, forgets the task, or does not come to an end within ten minutes.
   */
  async *follow(task: StartTask, options: CallOptions): AsyncGenerator<StartTask, void> {
    const begin = this.#clock.now();
    let current = task;
    let failures = 0;
    yield current;
    while (current.stage !== 'ready' && current.stage !== 'error') {
      const waited = this.#clock.now() - begin;
      if (waited >= patience) {
        throw this.#transport.error(follow, { kind: 'timedOut', seconds: patience / 1000, answering: true });
      }
      await sleep(this.#clock, pauseAfter(waited), options.signal).catch(() => {
        throw this.#transport.error(follow, { kind: 'cancelled' });
      });
      let next: StartTask | undefined;
      try {
        next = await this.byId(current.id, { ...options, priority: 'poll' });
        if (!next) throw this.#transport.error(follow, { kind: 'notFound' });
        failures = 0;
      } catch (error) {
        if (!(error instanceof ServiceError) || !passes(error) || ++failures >= failuresInARow) throw error;
        continue;
      }
      const changed = next.stage !== current.stage || next.detail !== current.detail;
      current = next;
      if (changed) yield current;
    }
  }
}

/** Whether it can be gone a second later. */
function passes({ kind }: ServiceError): boolean {
  return ['unreachable', 'timedOut', 'rateLimited', 'serverFailed', 'notFound'].includes(kind);
}
