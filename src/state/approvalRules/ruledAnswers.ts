/**
 * Accepts waiting actions that rules of the user cover. The service cannot do
 * that: its patterns see a command only together with texts of the agent.
 */
import { UserError } from '../../base/errors.ts';
import { Emitter } from '../../base/event.ts';
import { ServiceError } from '../../service/http/serviceError.ts';
import {
  type Conversation,
  type ConversationKey,
  keyOf,
} from '../../service/model/entities.ts';
import type { Answered } from '../steering/steeringResults.ts';
import {
  actionsOf,
  type Waiting,
  type WaitingAction,
} from '../transcript/waiting.ts';
import type { AcceptedActions } from './acceptedActions.ts';
import { acceptingRules, type ApprovalRules } from './acceptRules.ts';

interface RuledAnswersParts {
  readonly accepted: AcceptedActions;
  /** The rules in force. */
  readonly rules: () => ApprovalRules;
  readonly accept: (
    conversation: Conversation,
    actions: readonly WaitingAction[],
    signal: AbortSignal,
  ) => Promise<Answered>;
}

interface RuledOutcome {
  readonly key: ConversationKey;
  /** The reason if accepting failed; `undefined` if nothing was tried. */
  readonly result: Answered | UserError | undefined;
}

interface Attempt {
  readonly conversation: Conversation;
  readonly actions: readonly WaitingAction[];
  readonly controller: AbortController;
}

export class RuledAnswers {
  readonly #parts: RuledAnswersParts;
  readonly #attempts = new Set<Attempt>();
  /** The last action that this window tried to accept, by conversation. */
  readonly #tried = new Map<ConversationKey, string>();
  readonly #ended = new Emitter<RuledOutcome>();
  /** Fires after each attempt to accept. */
  readonly onOutcome = this.#ended.on;

  constructor(parts: RuledAnswersParts) {
    this.#parts = parts;
  }

  isAccepting(key: ConversationKey): boolean {
    return [...this.#attempts].some(
      ({ conversation }) => keyOf(conversation) === key,
    );
  }

  /** Cancels what has not been sent. */
  dispose(): void {
    for (const { controller } of this.#attempts) controller.abort();
  }

  /** Cancels what the rules in force no longer accept. */
  rulesChanged(): void {
    for (const { conversation, actions, controller } of this.#attempts) {
      if (!acceptingRules(actions, conversation, this.#parts.rules()))
        controller.abort();
    }
    this.#tried.clear();
  }

  /** Accepts what waits at the next call of `note`, although that failed. */
  retry(key: ConversationKey): void {
    this.#tried.delete(key);
  }

  /** Accepts the waiting actions if rules cover them, each once. */
  note(conversation: Conversation, waiting: Waiting | undefined): void {
    const key = keyOf(conversation);
    const actions = actionsOf(waiting);
    const last = actions?.at(-1)?.id;
    if (!actions || last === undefined || this.#tried.get(key) === last) return;
    if (!acceptingRules(actions, conversation, this.#parts.rules())) return;
    this.#tried.set(key, last);
    void this.#accept(conversation, actions);
  }

  async #accept(
    conversation: Conversation,
    actions: readonly WaitingAction[],
  ): Promise<void> {
    const { accepted, rules, accept } = this.#parts;
    const controller = new AbortController();
    const attempt = { conversation, actions, controller };
    this.#attempts.add(attempt);
    const ids = actions.map(({ id }) => id);
    let result: Answered | UserError | undefined;
    try {
      const used = acceptingRules(actions, conversation, rules()) ?? [];
      const name = used.map(({ command }) => command).join(', ');
      if (!(await accepted.claim(ids, name))) return;
      result = await accept(conversation, actions, controller.signal).catch(
        (error: unknown) => {
          if (error instanceof UserError) return error;
          if (controller.signal.aborted) return undefined;
          throw error;
        },
      );
      if (!mayHaveAccepted(result)) await accepted.release(ids);
    } finally {
      this.#attempts.delete(attempt);
      this.#ended.fire({ key: keyOf(conversation), result });
    }
  }
}

function mayHaveAccepted(result: Answered | UserError | undefined): boolean {
  if (result instanceof ServiceError)
    return result.circumstances.outcomeUnknown === true;
  return (
    !(result instanceof UserError) &&
    (result?.result === 'answered' || result?.result === 'unsure')
  );
}
