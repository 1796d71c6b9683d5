/**
 * Enforces the approval policies of a service's agents. The service loses a
 * choice when it restarts, forks or unloads.
 */
import { resultOr, UserError } from '../../base/errors.ts';
import { userError } from '../../base/l10n.ts';
import { isEqual } from '../../base/same.ts';
import type { Steering } from '../../service/abilities/agentService.ts';
import {
  type ConversationKey,
  type Approval,
  type AskRule,
  type ConfirmationPolicy,
  type Conversation,
  isRated,
  keyOf,
} from '../../service/model/entities.ts';
import { ServiceError } from '../../service/http/serviceError.ts';
import type { CallOptions } from '../../service/http/transport.ts';
import { ApprovalMemory } from './approvalMemory.ts';

/** Receives the approval read from the service. */
type TakeApproval = (conversation: Conversation, approval: Approval) => void;

const strictness: Readonly<Record<string, number>> = {
  always: 4,
  risky: 3,
  listed: 2,
  never: 0,
};
/** Strictness of an unknown policy, which may let anything through. */
const unknownStrictness = 1;

export class Approvals {
  readonly #memory: ApprovalMemory;
  readonly #askRules: () => readonly AskRule[];
  /** The strictest policies seen in records, by key. */
  readonly #strictest = new Map<ConversationKey, ConfirmationPolicy>();
  /** The newest approvals, by key. */
  readonly #newest = new Map<ConversationKey, Approval>();
  readonly #noted = new WeakSet<Approval>();
  /** The originals of forks, by key. */
  readonly #originals = new Map<ConversationKey, ConversationKey>();

  /** `askRules`: the rules in force. */
  constructor(
    memory = new ApprovalMemory(),
    askRules: () => readonly AskRule[] = () => [],
  ) {
    this.#memory = memory;
    this.#askRules = askRules;
    void memory.read();
  }

  /**
   * Remembers an approval from a record or an event. Ignores an object noted
   * before: a kept record repeats it after newer ones.
   */
  note(key: ConversationKey, approval: Approval | undefined): void {
    if (!approval || this.#noted.has(approval)) return;
    this.#noted.add(approval);
    this.#newest.set(key, approval);
    if (!(approval.policy in strictness)) return;
    if (isLaxer(this.#strictest.get(key) ?? 'never', approval.policy))
      this.#strictest.set(key, approval.policy);
  }

  /** Remembers which conversation is a fork, maybe one made elsewhere. */
  noteFork({ service, forkedFrom, ...fork }: Conversation): void {
    if (forkedFrom === undefined) return;
    const original = keyOf({ service, id: forkedFrom });
    this.#originals.set(keyOf({ service, id: fork.id }), original);
  }

  /**
   * The required policy: the one chosen here, or else the strictest one seen,
   * also of the original of a fork.
   */
  required(key: ConversationKey): ConfirmationPolicy | undefined {
    const choice = this.#memory.choice(key)?.policy;
    if (choice !== undefined) return choice;
    const original = this.#originals.get(key);
    const ofOriginal =
      original &&
      (this.#memory.choice(original)?.policy ?? this.#strictest.get(original));
    const strictest = this.#strictest.get(key);
    return isLaxer(strictest ?? 'never', ofOriginal ?? 'never')
      ? ofOriginal
      : strictest;
  }

  /** The required policy, if the service has a laxer one. */
  weakened(
    key: ConversationKey,
    approval: Approval | undefined,
  ): ConfirmationPolicy | undefined {
    const required = this.required(key);
    return approval &&
      required !== undefined &&
      isLaxer(approval.policy, required)
      ? required
      : undefined;
  }

  /**
   * Restores the required policy and the rules in force right before an agent
   * runs. Call it after reading the events, which loads the conversation.
   * Throws if the agent would ask less than required. Returns true if it asked
   * the service: the agent may have gone on since the events were read.
   */
  async enforce(
    conversation: Conversation,
    steering: Steering,
    call: CallOptions,
    take: TakeApproval,
    actionWaits = false,
  ): Promise<boolean> {
    const key = keyOf(conversation);
    await this.#memory.read();
    const choice = this.#memory.choice(key);
    // Only another client can lower the policy of creation, but its rules may
    // be old.
    const isHeld =
      choice?.policy === 'always' &&
      choice.created === 'always' &&
      !this.weakened(key, this.#newest.get(key));
    if (choice?.policy === 'never' || isHeld) return false;
    this.note(key, conversation.approval);
    if (this.required(key) === undefined && !actionWaits) return false;
    const approval = await steering.approval(conversation.id, call);
    this.note(key, approval);
    // A waiting action proves that the agent asked; the next actions are not
    // known yet.
    const required = this.required(key) ?? 'always';
    const isWeakened = isLaxer(approval.policy, required);
    if (!isWeakened && !this.hasOldRules(approval)) {
      take(conversation, approval);
      return true;
    }
    const policy = isWeakened ? required : approval.policy;
    const restored = await this.#set(
      conversation,
      policy,
      approval,
      steering,
      call,
      choice?.replaced,
    );
    take(conversation, restored);
    this.note(key, restored);
    return true;
  }

  /**
   * Sends the rules in force to an agent that the service rates by older ones.
   */
  async update(
    conversation: Conversation,
    steering: Steering,
    call: CallOptions,
  ): Promise<Approval> {
    const approval = await steering.approval(conversation.id, call);
    return this.hasOldRules(approval)
      ? await this.#set(conversation, approval.policy, approval, steering, call)
      : approval;
  }

  /**
   * Sets and remembers the user's choice. `canReplace`: the user agreed to
   * replace an analyzer that was not set here.
   */
  async choose(
    conversation: Conversation,
    policy: ConfirmationPolicy,
    steering: Steering,
    call: CallOptions,
    canReplace: boolean,
  ): Promise<Approval> {
    const key = keyOf(conversation);
    await this.#memory.read();
    const before = this.#memory.choice(key);
    const { created, replaced: replacedBefore } = before ?? {};
    const choice = { policy, created, replaced: replacedBefore };
    const isStricter = isLaxer(this.required(key) ?? 'never', policy);
    // A strict choice counts even if its answer is lost, a lax one only once
    // the service confirms it.
    if (isStricter) await this.#memory.keep(key, choice);
    try {
      const approval = await steering.approval(conversation.id, call);
      if (isRated(policy) && approval.analyzer === undefined)
        throw userError(
          'This version of the service cannot rate how risky an action is. Choose to approve every action, or none.',
        );
      const replaced =
        canReplace && isForeign(approval)
          ? approval.analyzer?.kind
          : replacedBefore;
      const isKept =
        isForeign(approval) && approval.analyzer?.kind !== replaced;
      if (policy === 'listed' && isKept)
        throw userError(
          'The service rates actions in a way that was not set here.',
        );
      const now = await this.#set(
        conversation,
        policy,
        approval,
        steering,
        call,
        replaced,
      );
      if (!isStricter || replaced !== replacedBefore)
        await this.#memory.keep(key, { ...choice, replaced });
      return now;
    } catch (error) {
      const isUnknown =
        error instanceof ServiceError && error.circumstances.outcomeUnknown;
      if (isStricter && !isUnknown) await this.#memory.keep(key, before);
      throw error;
    }
  }

  /** Remembers the policy of a new conversation. */
  async created(
    key: ConversationKey,
    policy: ConfirmationPolicy,
  ): Promise<void> {
    await this.#memory.keep(key, { policy, created: policy });
  }

  /**
   * Copies the original's policy to a fork, which begins with the policy of
   * creation. A failure is harmless: the policy is enforced before the fork
   * runs anything.
   */
  async carryOver(
    original: Conversation,
    fork: Conversation,
    steering: Steering,
    call: CallOptions,
  ): Promise<Conversation> {
    await this.#memory.read();
    this.note(keyOf(original), original.approval);
    const policy =
      this.required(keyOf(original)) ??
      (await steering.approval(original.id, call)).policy;
    if (policy === 'never') return fork;
    const begins = fork.approval ?? (await steering.approval(fork.id, call));
    const { replaced } = this.#memory.choice(keyOf(original)) ?? {};
    const choice = { policy, created: begins.policy, replaced };
    await this.#memory.keep(keyOf(fork), choice);
    if (!isLaxer(begins.policy, policy)) return { ...fork, approval: begins };
    const approval = await resultOr(
      this.#set(fork, policy, begins, steering, call, replaced),
      (error) => error instanceof UserError,
      begins,
    );
    return { ...fork, approval };
  }

  /** `replaced`: the kind of an analyzer that may be replaced. */
  async #set(
    { id }: Conversation,
    policy: ConfirmationPolicy,
    before: Approval,
    steering: Steering,
    call: CallOptions,
    replaced?: string,
  ): Promise<Approval> {
    const isKept = isForeign(before) && before.analyzer?.kind !== replaced;
    // An agent without an analyzer asks for everything: each risk is unknown.
    if (isRated(policy) && before.analyzer !== undefined && !isKept)
      await steering.rateActions(id, policy, this.#askRules(), call);
    if (before.policy !== policy || !isRated(policy))
      await steering.setConfirmation(id, policy, call);
    const now = await steering.approval(id, call);
    const isRatedElse = policy === 'listed' && now.policy === 'risky';
    const isSet = now.policy === policy || (isKept && isRatedElse);
    if (isSet && !this.hasOldRules(now)) return now;
    throw userError(
      'The service did not save the approval setting, so nothing was started.',
    );
  }

  /** True if the service rates by older rules of this product. */
  hasOldRules({ policy, analyzer }: Approval): boolean {
    return (
      isRated(policy) &&
      analyzer?.rules !== undefined &&
      !isEqual(patternsOf(analyzer.rules), patternsOf(this.#askRules()))
    );
  }
}

function patternsOf(rules: readonly AskRule[]): readonly string[] {
  return rules.map(({ pattern }) => pattern);
}

/** True if the analyzer was not set by this product. */
export function isForeign({ analyzer }: Approval): boolean {
  return analyzer?.kind !== undefined && analyzer.rules === undefined;
}

/** True if an agent asks less often under the first policy. */
function isLaxer(
  policy: ConfirmationPolicy,
  other: ConfirmationPolicy,
): boolean {
  return (
    (strictness[policy] ?? unknownStrictness) <
    (strictness[other] ?? unknownStrictness)
  );
}
