/** One conversation that is followed or in doubt: the owner of its record, its events and its connection. */
import { Emitter } from '../../base/event.ts';
import { isEqual } from '../../base/same.ts';
import {
  type ConfirmationPolicy,
  type Conversation,
  type Execution,
  keyOf,
  type Time,
} from '../../service/entities.ts';
import type { AgentTask } from '../../service/events.ts';
import type { RemoteList } from '../lists/remoteList.ts';
import type { TranscriptEntry, TranscriptChange } from '../transcript/transcriptEntry.ts';
import type { Waiting } from '../transcript/waiting.ts';
import type { ConversationAbilities } from './abilities.ts';
import type { ConversationConnection, EventFollower, FollowerNews, FollowerParts } from './eventFollower.ts';

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
  /** Undefined until they are known. */
  readonly abilities: ConversationAbilities | undefined;
  /** When the agent asks the user; undefined where that is not known. */
  readonly confirmation: ConfirmationPolicy | undefined;
  /** The task list of the agent; undefined if the loaded events have none. */
  readonly tasks: readonly AgentTask[] | undefined;
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

const paused: ConversationConnection = { how: 'paused' };

/** The class is loaded when a conversation is first followed. */
export type FollowerClass = typeof EventFollower;

export class ConversationModel {
  /** Set by reads for a list, which shows it with the records that were read before it. */
  verdict: EventVerdict | undefined;
  readonly #list: RemoteList<Conversation>;
  readonly #parts: FollowerParts;
  /** Undefined until the conversation is followed. */
  #follower: EventFollower | undefined;
  readonly #entriesChanged = new Emitter<TranscriptChange>();
  readonly onEntries = this.#entriesChanged.on;
  readonly #changed = new Emitter();
  /** Fires when there is another snapshot. */
  readonly onSnapshot = this.#changed.on;
  /** The record as it was given, and with what events have told since. */
  #given: Conversation;
  #record: Conversation;
  #isListed = false;
  #holders = 0;
  #snapshot: ConversationSnapshot;

  /** `list` takes the records that are read while it is followed. */
  constructor(conversation: Conversation, list: RemoteList<Conversation>, parts: FollowerParts) {
    this.#given = this.#record = conversation;
    this.#list = list;
    this.#parts = parts;
    this.#snapshot = { ...this.#facts(), reportedAt: undefined };
  }

  get snapshot(): ConversationSnapshot {
    return this.#snapshot;
  }

  /** The loaded entries, the oldest first. */
  get entries(): readonly TranscriptEntry[] {
    return this.#follower?.transcript.entries ?? [];
  }

  get isEmpty(): boolean {
    return this.#follower?.transcript.isEmpty ?? true;
  }

  /** Nothing is asked for while it is not visible. */
  get visible(): boolean {
    return this.#follower?.isOn ?? false;
  }

  set visible(visible: boolean) {
    if (visible === this.visible) return;
    if (visible) this.#follower?.begin();
    else this.#follower?.end();
  }

  /** True while a holder has not released it. */
  get isHeld(): boolean {
    return this.#holders > 0;
  }

  hold(Follower: FollowerClass): this {
    this.#holders++;
    this.#follower ??= new Follower(this.#given, this.#parts, (news) => {
      this.#take(news);
    });
    return this;
  }

  release(): void {
    if (--this.#holders === 0) this.end();
  }

  /** Ends following for all holders. */
  end(): void {
    this.#holders = 0;
    this.#follower?.clear();
  }

  /** Loads the page before the oldest entry. Rejects with a ServiceError. */
  async loadOlder(signal: AbortSignal): Promise<void> {
    if (this.#snapshot.hasOlder) await this.#follower?.readOlder({ signal });
  }

  /** Reads all of an entry, or of an outcome, of which some is left out; undefined if the service does not have it any more. */
  async whole(eventId: string, signal: AbortSignal): Promise<TranscriptEntry | undefined> {
    return await this.#follower?.readWhole(eventId, { signal });
  }

  /** Asks at once, and not only after the pause that follows a failure. */
  retry(): void {
    this.#follower?.retry();
  }

  /** Takes the record of the list; undefined if it is not listed. */
  setRecord(record: Conversation | undefined): void {
    const wasListed = this.#isListed;
    this.#isListed = record !== undefined;
    if (!record) {
      if (wasListed) this.#follower?.checkRecord();
      return;
    }
    const { status } = this.#given;
    if (record !== this.#given) this.#given = this.#record = record;
    // Its sandbox was paused, or runs again.
    if (record.status !== status) this.#follower?.relocate();
    this.#publish();
  }

  /** Takes what was read of the events to act on them. While it is followed, its own events are newer. */
  recordRead(waiting: Waiting): void {
    if (this.visible || this.#given.execution === undefined) return;
    this.verdict = { recorded: this.#given.execution, waiting };
    this.#publish();
  }

  #take({ entries, facts, record, askedAt }: FollowerNews): void {
    if (facts && Object.keys(facts).length > 0) this.#record = { ...this.#record, ...facts };
    if (record) {
      // It comes back by `setRecord`, unless the list has a newer one, or none.
      this.#list.edit(keyOf(record), () => record, askedAt);
      if (!this.#isListed) this.#given = this.#record = record;
    }
    if (entries) this.#entriesChanged.fire(entries);
    this.#publish();
  }

  /** Publishes another snapshot if something is different. */
  #publish(): void {
    const follower = this.#follower;
    const waiting =
      follower?.isCurrent && follower.transcript.size > 0 ? follower.transcript.waiting : undefined;
    const isReported = waiting !== undefined && waiting.status !== 'unknown';
    if (isReported) this.verdict = { recorded: this.#given.execution, waiting };
    const before = this.#snapshot;
    const now = this.#facts(before);
    const names = Object.keys(now) as (keyof SnapshotFacts)[];
    if (names.every((name) => now[name] === before[name]) && isReported === (before.reportedAt !== undefined))
      return;
    const { execution } = now.conversation;
    if (follower) follower.isBusy = execution === 'running' || execution === 'waitingForConfirmation';
    this.#snapshot = { ...now, reportedAt: isReported ? this.#parts.clock.now() : undefined };
    this.#changed.fire();
  }

  /** Returns the very objects of the snapshot before for what says the same. */
  #facts(before?: ConversationSnapshot): SnapshotFacts {
    const { connection = paused, abilities, transcript } = this.#follower ?? {};
    const record = this.#record;
    const isTold = this.verdict !== undefined && this.verdict.recorded === this.#given.execution;
    const waiting = isTold ? this.verdict?.waiting : undefined;
    const execution = executionOf(record, waiting);
    const conversation = execution === record.execution ? record : { ...record, execution };
    const hasEvents = this.#parts.client.service?.steering !== undefined;
    return {
      conversation: before && isEqual(before.conversation, conversation) ? before.conversation : conversation,
      waiting: isEqual(before?.waiting, waiting) ? before?.waiting : waiting,
      isCertain: isTold || !hasEvents || !mayContradict(record),
      connection,
      abilities,
      confirmation: transcript?.confirmation ?? record.confirmation,
      tasks: transcript?.tasks,
      hasOlder: transcript?.hasAll !== true,
    };
  }
}

type SnapshotFacts = Omit<ConversationSnapshot, 'reportedAt'>;

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
