/**
 * A followed or uncertain conversation. Owns its record and the facts from its
 * events.
 */
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { isEqual } from '../../base/same.ts';
import type { ServiceClient } from '../../service/client.ts';
import {
  type Approval,
  approvalAfter,
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
import type {
  AgentLocations,
  ConversationAbilities,
} from './agentLocations.ts';
import type { LiveSlots } from './liveSlots.ts';

export interface ConversationConnection {
  readonly how: 'connecting' | 'live' | 'polling' | 'paused' | 'unreachable';
  /** The reason for a missing live connection or for the last failure. */
  readonly error?: ServiceError | undefined;
}

/**
 * The state of a conversation without its entries. A new object means a
 * difference.
 */
export interface ConversationSnapshot {
  /** The newest record, with the execution from the events. */
  readonly conversation: Conversation;
  /** `undefined` until known from the events. */
  readonly waiting: Waiting | undefined;
  /**
   * False while the events may contradict the record and have not been read.
   */
  readonly isCertain: boolean;
  /** Time of the report by followed events; `undefined` if not followed. */
  readonly reportedAt: Time | undefined;
  readonly connection: ConversationConnection;
  readonly abilities: ConversationAbilities | undefined;
  /** The newest known approval from a record or an event. */
  readonly approval: Approval | undefined;
  /** The required policy, if the service has a laxer one. */
  readonly weakened: ConfirmationPolicy | undefined;
  readonly tasks: readonly AgentTask[] | undefined;
  /** `undefined` unless the agent runs and is followed. */
  readonly work: AgentWork | undefined;
  /** True if older entries can be loaded. */
  readonly hasOlder: boolean;
}

/**
 * The result of reading events, which holds while the record stays as it was
 * then.
 */
export interface EventVerdict {
  readonly recorded: Execution | undefined;
  /** `undefined` if the events are unreadable or inconclusive. */
  readonly waiting: Waiting | undefined;
  /** The id of the newest event read, if known. */
  readonly newest?: string | undefined;
}

const rowFacts = ['conversation', 'waiting', 'isCertain', 'weakened'] as const;

/** The part of a snapshot known only while following. */
type Followed = Pick<
  ConversationSnapshot,
  'connection' | 'abilities' | 'tasks' | 'work' | 'hasOlder'
> & {
  /** `undefined` until the events are read. */
  readonly waiting: WaitingAsFar | undefined;
};

export interface ModelParts {
  readonly client: ServiceClient;
  readonly clock: Clock;
  readonly slots: LiveSlots;
  readonly locations: AgentLocations;
  readonly approvals: Approvals;
  /** The most dollars that were ever known to be spent. */
  readonly countedCost?: (conversation: Conversation) => number;
  /** Takes changes of conversations that the list does not have. */
  readonly noteUnlisted?: (snapshot: ConversationSnapshot) => void;
}

export class ConversationModel {
  /** Latest verdict from list reads. */
  verdict: EventVerdict | undefined;
  protected readonly parts: ModelParts;
  protected holders = 0;
  protected isListed = false;
  readonly #list: RemoteList<Conversation>;
  readonly #changed = new Emitter();
  /** Fires when there is another snapshot. */
  readonly onSnapshot = this.#changed.on;
  /** The last given record, and the same with later facts from events. */
  #given: Conversation;
  #record: Conversation;
  /** Outlives records that lack an approval. */
  #approval: Approval | undefined;
  #followed: Followed = {
    connection: { how: 'paused' },
    abilities: undefined,
    tasks: undefined,
    work: undefined,
    hasOlder: true,
    waiting: undefined,
  };
  #snapshot: ConversationSnapshot;

  /** `list` receives the records read while following, and shows the row. */
  constructor(
    conversation: Conversation,
    list: RemoteList<Conversation>,
    parts: ModelParts,
    verdict?: EventVerdict,
  ) {
    this.verdict = verdict;
    this.parts = parts;
    this.#given = this.#record = conversation;
    if (conversation.approval) this.#noteApproval(conversation.approval);
    this.#list = list;
    this.#snapshot = { ...this.#facts(), reportedAt: undefined };
  }

  get snapshot(): ConversationSnapshot {
    return this.#snapshot;
  }

  /** True while events are read as they arrive. */
  get isFollowing(): boolean {
    return this.#followed.connection.how !== 'paused';
  }

  /** True until all holders have released the model. */
  get isHeld(): boolean {
    return this.holders > 0;
  }

  /** Ends following for all holders. */
  end(): void {
    this.holders = 0;
  }

  setRecord(record: Conversation | undefined): void {
    this.isListed = record !== undefined;
    if (!record) return;
    if (record !== this.#given) {
      // An edit keeps the approval, which may be older than the events.
      if (record.approval !== this.#given.approval)
        this.#noteApprovalOf(record);
      this.#given = this.#record = record;
    }
    this.publish(this.#followed, true);
  }

  /**
   * Takes the waiting state read for an action. The model's own events are
   * newer while followed.
   */
  recordRead(waiting: Waiting): void {
    if (this.isFollowing || this.#given.execution === undefined) return;
    this.verdict = { recorded: this.#given.execution, waiting };
    this.publish();
  }

  /** Takes the approval read from the service. */
  takeApproval(approval: Approval): void {
    this.#noteApproval(approval);
    this.publish();
  }

  protected takeFacts({ policy, analyzer, ...facts }: Facts): void {
    if (Object.keys(facts).length > 0)
      this.#record = { ...this.#record, ...facts };
    const approval = approvalAfter(this.#approval, { policy, analyzer });
    if (!approval || approval === this.#approval) return;
    // Listed actions look like risky ones until the analyzer is known.
    if (approval.analyzer === undefined && !this.#approval)
      this.#approval = approval;
    else this.#noteApproval(approval);
  }

  /** Takes a policy from old events, unless a newer one is known. */
  protected takeOldPolicy(policy: ConfirmationPolicy | undefined): void {
    if (policy !== undefined)
      this.#approval ??= { policy, analyzer: undefined };
  }

  #noteApprovalOf({ execution, approval }: Conversation): void {
    // Events tell it earlier while the model thinks.
    const isOld = this.isFollowing && execution === 'running';
    if (approval && !(isOld && this.#approval)) this.#noteApproval(approval);
  }

  #noteApproval(approval: Approval): void {
    this.#approval = approval;
    this.parts.approvals.note(keyOf(this.#record), approval);
  }

  protected takeRecord(record: Conversation, askedAt: Time): void {
    // The list returns it by `setRecord`, unless it has a newer record or none.
    this.#list.edit(keyOf(record), () => record, askedAt);
    if (!this.isListed) {
      this.#noteApprovalOf(record);
      this.#given = this.#record = record;
    }
    this.publish();
  }

  /**
   * Publishes a new snapshot if it differs, and shows it in the list, unless
   * the list is taking records and shows them together.
   */
  protected publish(followed = this.#followed, isFromList = false): void {
    this.#followed = followed;
    const { waiting } = followed;
    const isReported = waiting !== undefined && waiting.status !== 'unknown';
    if (isReported) this.verdict = { recorded: this.#given.execution, waiting };
    const before = this.#snapshot;
    const now = this.#facts(before);
    const names = Object.keys(now) as (keyof typeof now)[];
    if (
      names.every((name) => now[name] === before[name]) &&
      isReported === (before.reportedAt !== undefined)
    )
      return;
    this.#snapshot = {
      ...now,
      reportedAt: isReported ? this.parts.clock.now() : undefined,
    };
    if (!isFromList && rowFacts.some((name) => now[name] !== before[name]))
      this.#list.showAgain(keyOf(now.conversation), now.conversation);
    if (!this.isListed) this.parts.noteUnlisted?.(this.#snapshot);
    this.#changed.fire();
  }

  /** Reuses the objects of the previous snapshot for equal facts. */
  #facts(
    before?: ConversationSnapshot,
  ): Omit<ConversationSnapshot, 'reportedAt'> {
    const { connection, abilities, tasks, work, hasOlder } = this.#followed;
    const record = withCountedCost(this.#record, this.parts);
    const isTold =
      this.verdict !== undefined &&
      this.verdict.recorded === this.#given.execution;
    const waiting = isTold ? this.verdict?.waiting : undefined;
    const execution = executionOf(record, waiting);
    const conversation =
      execution === record.execution ? record : { ...record, execution };
    const hasEvents = this.parts.client.service?.agents !== undefined;
    return {
      conversation:
        before && isEqual(before.conversation, conversation)
          ? before.conversation
          : conversation,
      waiting: isEqual(before?.waiting, waiting) ? before?.waiting : waiting,
      isCertain: isTold || !hasEvents || !mayContradict(record),
      connection,
      abilities,
      approval: isEqual(before?.approval, this.#approval)
        ? before?.approval
        : this.#approval,
      weakened: this.parts.approvals.weakened(keyOf(record), this.#approval),
      tasks,
      work: isEqual(before?.work, work) ? before?.work : work,
      hasOlder,
    };
  }
}

/**
 * True if events may contradict the record, which is right while nothing runs.
 */
export function mayContradict({ status, execution }: Conversation): boolean {
  return (
    status === 'running' &&
    (execution === 'running' || execution === 'waitingForConfirmation')
  );
}

/** Restores a cost that the record of a service has forgotten. */
export function withCountedCost(
  record: Conversation,
  { countedCost }: Pick<ModelParts, 'countedCost'>,
): Conversation {
  const cost = countedCost?.(record) ?? 0;
  return cost > (record.cost ?? 0) ? { ...record, cost } : record;
}

function executionOf(
  { execution: recorded }: Conversation,
  waiting: Waiting | undefined,
): Execution | undefined {
  if (!waiting) return recorded;
  if (waiting.status === 'waits') return 'waitingForConfirmation';
  // Nothing is left to answer: the agent continues.
  return waiting.execution === 'waitingForConfirmation'
    ? 'running'
    : (waiting.execution ?? recorded);
}
