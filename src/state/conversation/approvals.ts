/** Enforces when agents of one service ask. A service loses a choice when it restarts, forks, or unloads a conversation. */
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import type { Steering } from '../../service/abilities/agentService.ts';
import {
  type Approval,
  type ConfirmationPolicy,
  type Conversation,
  keyOf,
} from '../../service/model/entities.ts';
import { ServiceError } from '../../service/http/serviceError.ts';
import type { CallOptions } from '../../service/http/transport.ts';
import { ApprovalMemory } from './approvalMemory.ts';

/** Takes the approval that was read at the service. */
type TakeApproval = (conversation: Conversation, approval: Approval) => void;

const strictness: Readonly<Record<string, number>> = { always: 3, risky: 2, never: 0 };
/** A policy that we do not know may let anything through. */
const unknownStrictness = 1;

export class Approvals {
  readonly #memory: ApprovalMemory;
  /** The strictest policies that were seen in records, by key. */
  readonly #strictest = new Map<string, ConfirmationPolicy>();

  constructor(memory = new ApprovalMemory()) {
    this.#memory = memory;
    void memory.read();
  }

  /** Remembers a policy that a record or an event names. */
  note(key: string, approval: Approval | undefined): void {
    if (!approval || !(approval.policy in strictness)) return;
    if (isLaxer(this.#strictest.get(key) ?? 'never', approval.policy))
      this.#strictest.set(key, approval.policy);
  }

  /** The policy that must hold: the one that was chosen here, else the strictest that was seen. */
  required(key: string): ConfirmationPolicy | undefined {
    return this.#memory.choice(key)?.policy ?? this.#strictest.get(key);
  }

  /** The policy that must hold, if the service holds a laxer one. */
  weakened(key: string, approval: Approval | undefined): ConfirmationPolicy | undefined {
    const required = this.required(key);
    return approval && required !== undefined && isLaxer(approval.policy, required) ? required : undefined;
  }

  /**
   * Sets the required policy again if the service has lost it, right before an agent runs. Call it once the events have
   * been read, which loads the conversation. Throws if the agent would ask less than required. Returns true if it was set.
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
    // The policy of creation is never lost.
    if (choice?.policy === 'never' || (choice && choice.created === choice.policy)) return false;
    this.note(key, conversation.approval);
    if (this.required(key) === undefined && !actionWaits) return false;
    const approval = await steering.approval(conversation.id, call);
    this.note(key, approval);
    // A waiting action proves that the agent asked; what follows it has not been shown.
    const required = this.required(key) ?? 'always';
    if (!isLaxer(approval.policy, required)) {
      take(conversation, approval);
      return false;
    }
    take(conversation, await this.#set(conversation, required, approval, steering, call));
    this.note(key, { ...approval, policy: required });
    return true;
  }

  /** Sets what the user chose, and remembers it. */
  async choose(
    conversation: Conversation,
    policy: ConfirmationPolicy,
    steering: Steering,
    call: CallOptions,
  ): Promise<Approval> {
    const key = keyOf(conversation);
    await this.#memory.read();
    const before = this.#memory.choice(key);
    const choice = { policy, created: before?.created };
    const isStricter = isLaxer(this.required(key) ?? 'never', policy);
    // A strict choice holds even if its answer is lost, a lax one only once the service holds it.
    if (isStricter) await this.#memory.keep(key, choice);
    try {
      const approval = await steering.approval(conversation.id, call);
      if (policy === 'risky' && approval.analyzer === undefined) throw new UserError(cannotRate());
      const now = await this.#set(conversation, policy, approval, steering, call);
      if (!isStricter) await this.#memory.keep(key, choice);
      return now;
    } catch (error) {
      const isUnknown = error instanceof ServiceError && error.circumstances.outcomeUnknown;
      if (isStricter && !isUnknown) await this.#memory.keep(key, before);
      throw error;
    }
  }

  /** Remembers the policy that a conversation was created with. */
  async created(key: string, policy: ConfirmationPolicy): Promise<void> {
    await this.#memory.keep(key, { policy, created: policy });
  }

  /**
   * Sets the policy of the original on a fork, which begins with that of creation. A failure is not the end: the policy is
   * enforced before the fork runs anything.
   */
  async carryOver(
    original: Conversation,
    fork: Conversation,
    steering: Steering,
    call: CallOptions,
  ): Promise<Conversation> {
    await this.#memory.read();
    this.note(keyOf(original), original.approval);
    const policy = this.required(keyOf(original)) ?? (await steering.approval(original.id, call)).policy;
    if (policy === 'never') return fork;
    const begins = fork.approval ?? (await steering.approval(fork.id, call));
    await this.#memory.keep(keyOf(fork), { policy, created: begins.policy });
    if (!isLaxer(begins.policy, policy)) return { ...fork, approval: begins };
    try {
      return { ...fork, approval: await this.#set(fork, policy, begins, steering, call) };
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      return { ...fork, approval: begins };
    }
  }

  async #set(
    { id }: Conversation,
    policy: ConfirmationPolicy,
    { analyzer }: Approval,
    steering: Steering,
    call: CallOptions,
  ): Promise<Approval> {
    // An analyzer of others stays. Without one, every risk is unknown, and the agent asks for everything.
    if (policy === 'risky' && analyzer === null) await steering.rateActions(id, call);
    await steering.setConfirmation(id, policy, call);
    const now = await steering.approval(id, call);
    if (now.policy === policy) return now;
    throw new UserError(t('The service did not save the approval setting, so nothing was started.'));
  }
}

/** True if an agent asks less often by the first policy. */
function isLaxer(policy: ConfirmationPolicy, other: ConfirmationPolicy): boolean {
  return (strictness[policy] ?? unknownStrictness) < (strictness[other] ?? unknownStrictness);
}

function cannotRate(): string {
  return t(
    'This version of the service cannot rate how risky an action is. Choose to approve every action, or none.',
  );
}
