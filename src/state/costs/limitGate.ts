import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import {
  type Conversation,
  type ConversationKey,
  keyOf,
} from '../../service/model/entities.ts';
import type { Limits, Spent } from './limits.ts';

export interface LimitGateOptions {
  readonly limits: Limits;
  /** The listed conversation. */
  readonly conversation: (key: ConversationKey) => Conversation | undefined;
  /** Asks the user, and raises the limit if the agent may go on. */
  readonly mayGoOn: (
    conversation: Conversation,
    spent: Spent,
  ) => Promise<boolean>;
  /** Does again what happens unasked. */
  readonly retry: (key: ConversationKey) => void;
}

/** Keeps agents from going on at their limits. */
export class LimitGate {
  readonly #options: LimitGateOptions;
  /** Conversations in which something unasked was refused, or has failed. */
  readonly #toRetry = new Set<ConversationKey>();

  constructor(options: LimitGateOptions) {
    this.#options = options;
  }

  /** Rejects unless the user lets the agent go on at each limit it reached. */
  async askAtLimits(conversation: Conversation): Promise<void> {
    for (const spent of await this.#reached(conversation))
      if (!(await this.#options.mayGoOn(conversation, spent)))
        throw new UserError(atLimit());
  }

  /** Rejects at a limit: what happens unasked does not ask either. */
  async refuseAtLimits(conversation: Conversation): Promise<void> {
    const reached = await this.#reached(conversation);
    if (reached.length === 0) return;
    this.retryLater(keyOf(conversation));
    throw new UserError(atLimit());
  }

  retryLater(key: ConversationKey): void {
    this.#toRetry.add(key);
  }

  /** Does what was refused or has failed, unless a limit is reached. */
  retryUnasked(): void {
    const { limits, conversation, retry } = this.#options;
    for (const key of this.#toRetry) {
      const row = conversation(key);
      if (!row || limits.reached(row).length > 0) continue;
      this.#toRetry.delete(key);
      retry(key);
    }
  }

  async #reached(conversation: Conversation): Promise<readonly Spent[]> {
    const { limits } = this.#options;
    await limits.readAll(conversation);
    const current = this.#options.conversation(keyOf(conversation));
    return limits.reached(current ?? conversation);
  }
}

function atLimit(): string {
  return t('The agent has reached its limit, so nothing was sent.');
}
