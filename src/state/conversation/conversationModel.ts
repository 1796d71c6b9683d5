/** One conversation that is followed or in doubt: the owner of its record, and of what its events tell. */
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { isEqual } from '../../base/same.ts';
import type { ServiceClient } from '../../service/client.ts';
import {
  type Approval,
  type ConfirmationPolicy,
  type Conversation,
  type Execution,
  keyOf,
  type Time,
} from '../../service/model/entities.ts';
import type { AgentTask, Facts } from '../../service/model/events.ts';
import type { ServiceError } from '../../service/http/serviceError.ts';
import type { RemoteList } from '../lists/remoteList.ts';
import type { AgentWork } from '../transcript/transcript.ts';
import type { Waiting, WaitingAsFar } from '../transcript/waiting.ts';
import type { Approvals } from './approvals.ts';
import type { AgentLocations, ConversationAbilities } from './agentLocations.ts';
import type { LiveSlots } from './liveSlots.ts';

export interface ConversationConnection {
  readonly how: 'connecting' | 'live' | 'polling' | 'paused' | 'unreachable';
  /** The reason why it is not live, or why the last attempt has failed. */
  readonly error?: ServiceError | undefined;
}

/** The state of a conversation, without its entries. There is another object only if something is different. */
export interface ConversationSnapshot {
  /** The newest record, with the execution that the events tell. */
  readonly conversation: Conversation;
  /** Undefined until the events tell it. */
  readonly waiting: Waiting | undefined;
  /** False while the events may contradict the record and have not been read. */
  readonly isCertain: boolean;
  /** The time at which the events that are followed told this; undefined if they are not followed. */
  readonly reportedAt: Time | undefined;
  readonly connection: ConversationConnection;
  readonly abilities: ConversationAbilities | undefined;
  /** The newest approval of a record or an event; `undefined` if none is known. */
  readonly approval: Approval | undefined;
  /** The policy that must hold, if the service holds a laxer one. */
  readonly weakened: ConfirmationPolicy | undefined;
  readonly tasks: readonly AgentTask[] | undefined;
  /** Undefined while the agent does not run, or is not followed. */
  readonly work: AgentWork | undefined;
  /** True if there are older entries than those that are loaded. */
  readonly hasOlder: boolean;
}

/** The result of reading events, which holds while the record stays as it was then. */
export interface EventVerdict {
  readonly recorded: Execution | undefined;
  /** Undefined if the events cannot be read, or do not tell. */
  readonly waiting: Waiting | undefined;
  /** The id of the newest event that was read; undefined where that is not known. */
  readonly newest?: string | undefined;
}

/** The part of a snapshot that only following tells. */
type Followed = Pick<ConversationSnapshot, 'connection' | 'abilities' | 'tasks' | 'work' | 'hasOlder'> & {
  /** Undefined until the events have been read. */
  readonly waiting: WaitingAsFar | undefined;
};

export interface ModelParts {
  readonly client: ServiceClient;
  readonly clock: Clock;
  readonly slots: LiveSlots;
  readonly locations: AgentLocations;
  readonly approvals: Approvals;
}

export class ConversationModel {
  /** Set by reads for a list, which shows it with the records that were read before it. */
  verdict: EventVerdict | undefined;
  protected readonly parts: ModelParts;
  protected holders = 0;
  protected following: AbortController | undefined;
  readonly #list: RemoteList<Conversation>;
  readonly #changed = new Emitter();
  /** Fires when there is another snapshot. */
  readonly onSnapshot = this.#changed.on;
  /** The record as it was given, and with what events have told since. */
  #given: Conversation;
  #record: Conversation;
  /** Outlives records that do not say when the agent asks. */
  #approval: Approval | undefined;
  #isListed = false;
  #followed: Followed = {
    connection: { how: 'paused' },
    abilities: undefined,
    tasks: undefined,
    work: undefined,
    hasOlder: true,
    waiting: undefined,
  };
  #snapshot: ConversationSnapshot;

  /** `list` takes the records that are read while it is followed. */
  constructor(
    conversation: Conversation,
    list: RemoteList<Conversation>,
    parts: ModelParts,
    verdict?: EventVerdict,
  ) {
    this.verdict = verdict;
    this.parts = parts;
    this.#given = this.#record = conversation;
    this.#noteApproval(conversation.approval);
    this.#list = list;
    this.#snapshot = { ...this.#facts(), reportedAt: undefined };
  }

  get snapshot(): ConversationSnapshot {
    return this.#snapshot;
  }

  /** True while its events are read as they come. */
  get visible(): boolean {
    return this.following !== undefined;
  }

  /** True while a holder has not released it. */
  get isHeld(): boolean {
    return this.holders > 0;
  }

  /** Ends following for all holders. */
  end?(): void;

  setRecord(record: Conversation | undefined): void {
    const wasListed = this.#isListed;
    this.#isListed = record !== undefined;
    if (!record) {
      if (wasListed) this.checkRecord?.();
      return;
    }
    const { status } = this.#given;
    if (record !== this.#given) {
      this.#given = this.#record = record;
      this.#noteApproval(record.approval);
    }
    // Its sandbox was paused, or runs again.
    if (record.status !== status) this.relocate?.();
    this.publish();
  }

  /** Takes what was read of the events to act on them. While it is followed, its own events are newer. */
  recordRead(waiting: Waiting): void {
    if (this.visible || this.#given.execution === undefined) return;
    this.verdict = { recorded: this.#given.execution, waiting };
    this.publish();
  }

  /** Finds out whether the service still has the conversation. */
  protected checkRecord?(): void;

  protected relocate?(): void;

  /** Takes what was read at the service. */
  takeApproval(approval: Approval): void {
    this.#noteApproval(approval);
    this.publish();
  }

  protected takeFacts({ policy, analyzer, ...facts }: Facts): void {
    if (Object.keys(facts).length > 0) this.#record = { ...this.#record, ...facts };
    const currentPolicy = policy ?? this.#approval?.policy;
    if (currentPolicy === undefined || (policy === undefined && analyzer === undefined)) return;
    this.#noteApproval({
      policy: currentPolicy,
      analyzer: analyzer === undefined ? this.#approval?.analyzer : analyzer,
    });
  }

  /** Takes a policy from old events, which counts only where nothing newer is known. */
  protected takeOldPolicy(policy: ConfirmationPolicy | undefined): void {
    if (policy !== undefined) this.#approval ??= { policy, analyzer: undefined };
  }

  #noteApproval(approval: Approval | undefined): void {
    if (!approval) return;
    this.#approval = approval;
    this.parts.approvals.note(keyOf(this.#record), approval);
  }

  protected takeRecord(record: Conversation, askedAt: Time): void {
    // It comes back by `setRecord`, unless the list has a newer one, or none.
    this.#list.edit(keyOf(record), () => record, askedAt);
    if (!this.#isListed) {
      this.#given = this.#record = record;
      this.#noteApproval(record.approval);
    }
    this.publish();
  }

  /** Publishes another snapshot if something is different. */
  protected publish(followed = this.#followed): void {
    this.#followed = followed;
    const { waiting } = followed;
    const isReported = waiting !== undefined && waiting.status !== 'unknown';
    if (isReported) this.verdict = { recorded: this.#given.execution, waiting };
    const before = this.#snapshot;
    const now = this.#facts(before);
    const names = Object.keys(now) as (keyof typeof now)[];
    if (names.every((name) => now[name] === before[name]) && isReported === (before.reportedAt !== undefined))
      return;
    this.#snapshot = { ...now, reportedAt: isReported ? this.parts.clock.now() : undefined };
    this.#changed.fire();
  }

  /** Returns the very objects of the snapshot before for what says the same. */
  #facts(before?: ConversationSnapshot): Omit<ConversationSnapshot, 'reportedAt'> {
    const { connection, abilities, tasks, work, hasOlder } = this.#followed;
    const record = this.#record;
    const isTold = this.verdict !== undefined && this.verdict.recorded === this.#given.execution;
    const waiting = isTold ? this.verdict?.waiting : undefined;
    const execution = executionOf(record, waiting);
    const conversation = execution === record.execution ? record : { ...record, execution };
    const hasEvents = this.parts.client.service?.agents !== undefined;
    return {
      conversation: before && isEqual(before.conversation, conversation) ? before.conversation : conversation,
      waiting: isEqual(before?.waiting, waiting) ? before?.waiting : waiting,
      isCertain: isTold || !hasEvents || !mayContradict(record),
      connection,
      abilities,
      approval: isEqual(before?.approval, this.#approval) ? before?.approval : this.#approval,
      weakened: this.parts.approvals.weakened(keyOf(record), this.#approval),
      tasks,
      work: isEqual(before?.work, work) ? before?.work : work,
      hasOlder,
    };
  }
}

/** True if events may contradict the record. Where nothing runs, the record alone is right. */
export function mayContradict({ status, execution }: Conversation): boolean {
  return status === 'running' && (execution === 'running' || execution === 'waitingForConfirmation');
}

function executionOf(
  { execution: recorded }: Conversation,
  waiting: Waiting | undefined,
): Execution | undefined {
  if (!waiting) return recorded;
  if (waiting.status === 'waits') return 'waitingForConfirmation';
  // Nothing is left that could be answered: the agent goes on.
  return waiting.execution === 'waitingForConfirmation' ? 'running' : (waiting.execution ?? recorded);
}
