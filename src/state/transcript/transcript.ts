/** The known events of one conversation, in order and without duplicates. */
import type { ConfirmationPolicy, Time } from '../../service/model/entities.ts';
import type {
  ActionEvent,
  AgentEvent,
  AgentTask,
  CallEvent,
  ErrorEvent,
  ObservationEvent,
  StateEvent,
} from '../../service/model/events.ts';
import { Calls } from './calls.ts';
import {
  entryOf,
  keptAction,
  outcomeOf,
  type ResultEvent,
  withoutAction,
} from './entryOfEvent.ts';
import type { TranscriptEntry, TranscriptChange } from './transcriptEntry.ts';
import { Keeper, withoutTexts } from './shortened.ts';
import { nothing, Stream, type Streaming } from './streaming.ts';
import { isExecution, type WaitingAsFar, waitingOf } from './waiting.ts';

/**
 * Maximum number of live events, after which the transcript restarts with its
 * newest page to bound memory.
 */
const maxLiveEvents = 20_000;

/**
 * An event without the texts of its entry, and the entry; `undefined` if shown
 * elsewhere or not at all.
 */
interface Item {
  event: AgentEvent;
  entry: TranscriptEntry | undefined;
}

/** The current run of an agent. */
export interface AgentWork {
  /** Start of the run, if known. */
  readonly since: Time | undefined;
  /** The running action; `undefined` while the model thinks. */
  readonly action: ActionEvent | undefined;
}

/** An outcome whose action is not loaded. */
interface Orphan {
  readonly event: ResultEvent;
  readonly item: Item;
}

/** Changes collected from a batch of events. */
type Batch = ReturnType<typeof newBatch>;

/** Adds each event in constant time. */
export class Transcript {
  readonly #forkedAt: string | undefined;
  #keeper = new Keeper();
  /** Oldest first. */
  #items: Item[] = [];
  /** Undefined after a change. */
  #entries: readonly TranscriptEntry[] | undefined;
  readonly #byId = new Map<string, Item>();
  /** Actions without an outcome, by id. */
  readonly #open = new Map<string, Item>();
  /** Outcomes by the key of their action. */
  readonly #orphans = new Map<string, Orphan>();
  readonly #calls = new Calls<Item>();
  #hasAll = false;
  /** The number of live events. */
  #live = 0;
  #lastExecution: StateEvent | undefined;
  #policy: ConfirmationPolicy | undefined;
  #tasks: readonly AgentTask[] | undefined;
  #waiting: WaitingAsFar | undefined;
  #shownAsWaiting: ReadonlySet<string> = new Set();
  readonly #stream = new Stream();

  constructor(forkedAt?: string) {
    this.#forkedAt = forkedAt;
  }

  get entries(): readonly TranscriptEntry[] {
    return (this.#entries ??= this.#listEntries());
  }

  get isEmpty(): boolean {
    return (
      this.#stream.now === undefined && !this.#items.some(({ entry }) => entry)
    );
  }

  get size(): number {
    return this.#items.length;
  }

  /**
   * True if the transcript must be cleared and read again. Older pages do not
   * count: the user requests each.
   */
  get isFull(): boolean {
    return this.#live >= maxLiveEvents;
  }

  has(eventId: string): boolean {
    return this.#byId.has(eventId);
  }

  get oldestId(): string | undefined {
    return this.#items[0]?.event.id;
  }

  get newestAt(): number | undefined {
    return this.#items.at(-1)?.event.at;
  }

  /** The service's timestamp of the event `after` places before the last. */
  stamp(after: number): string | undefined {
    const from = Math.max(0, this.#items.length - 1 - after);
    const items = this.#items.slice(from);
    return items.find(({ event }) => event.stamp !== undefined)?.event.stamp;
  }

  /** True if the first event of the conversation is loaded. */
  get hasAll(): boolean {
    return this.#hasAll;
  }

  get waiting(): WaitingAsFar {
    return (this.#waiting ??= this.#findWaiting());
  }

  /**
   * The policy in the last event that names one. It may be outdated: services
   * lose it without an event.
   */
  get policy(): ConfirmationPolicy | undefined {
    return this.#policy;
  }

  get tasks(): readonly AgentTask[] | undefined {
    return this.#tasks;
  }

  /** `undefined` unless the agent runs. */
  get work(): AgentWork | undefined {
    if (this.#lastExecution?.execution !== 'running') return undefined;
    const last = this.#items.findLast(
      ({ event: { kind } }) => kind === 'action' || kind === 'message',
    );
    const step = last?.event.kind === 'action' ? last.event.stepId : undefined;
    const open = [...this.#open.values()].flatMap(({ event }) =>
      event.kind === 'action' ? event : [],
    );
    const action = open.findLast(
      ({ id, stepId }) => id === last?.event.id || (step && stepId === step),
    );
    return { since: this.#lastExecution.at, action };
  }

  /** The last state by arrival, independent of the service's clock. */
  get lastState(): StateEvent | undefined {
    return this.#lastExecution;
  }

  /**
   * Inserts each event by its stamp, however late it arrives; of states, the
   * last to arrive counts. Takes events in the service's order, preferably with
   * known ones among them: an event before a known one is late. `stateBefore`:
   * the last state when the read began. Returns `undefined` if no entry
   * changed.
   */
  add(
    events: readonly AgentEvent[],
    stateBefore = this.#lastExecution,
  ): TranscriptChange | undefined {
    const batch = newBatch();
    const before = this.#stream.now;
    const isKnown = ({ id }: AgentEvent) => this.#byId.has(id);
    const late = new Set(
      events.slice(0, Math.max(0, events.findLastIndex(isKnown))),
    );
    const states = events.filter(isExecution);
    const knownState = states.findLastIndex(isKnown);
    const lateStates =
      this.#lastExecution === stateBefore ? knownState : states.length;
    const newStates = states.filter(
      (state, index) =>
        !isKnown(state) &&
        (index > lateStates || !isBefore(state, this.#lastExecution)),
    );
    for (const event of eventsInOrder(events)) {
      if (event.kind === 'piece')
        this.#stream.add(event, this.#items.at(-1)?.event.stamp);
      else this.#addLater(event, late.has(event), batch);
    }
    const lastState = newStates.findLast(isKnown);
    if (lastState) this.#lastExecution = lastState;
    return this.#end(batch, before);
  }

  /**
   * Adds events before all known ones. `isFirst`: the service has no earlier
   * ones.
   */
  addOlder(
    newestFirst: readonly AgentEvent[],
    isFirst: boolean,
  ): TranscriptChange | undefined {
    const batch = newBatch();
    const fresh = newestFirst
      .filter(({ id, kind }) => kind !== 'piece' && !this.#byId.has(id))
      .reverse();
    let last: Item | undefined;
    const older = fresh.map((event) => (last = this.#item(event, last)));
    this.#items = [...older, ...this.#items];
    for (const [index, item] of older.entries()) {
      if (item.entry) batch.before.add(item);
      const event = fresh[index];
      if (event) this.#connect(event, item, batch);
    }
    for (const item of older.toReversed()) this.#connectOlderCall(item, batch);
    this.#lastExecution ??= older
      .map(({ event }) => event)
      .findLast(isExecution);
    this.#policy ??= fresh.findLast(namesPolicy)?.facts.policy;
    this.#tasks ??= fresh.findLast(hasTasks)?.tasks;
    this.#waiting = undefined;
    if (isFirst && !this.#hasAll) {
      this.#hasAll = true;
      for (const orphan of this.#orphans.values())
        if (!orphan.item.entry) this.#showOrphan(orphan, batch);
    }
    return this.#end(batch, this.#stream.now);
  }

  /** Drops the streaming message, which arrives whole as an event. */
  endStream(): TranscriptChange | undefined {
    const before = this.#stream.now;
    this.#stream.end();
    return this.#end(newBatch(), before);
  }

  clear(): TranscriptChange {
    this.#items = [];
    this.#entries = undefined;
    for (const map of [this.#byId, this.#open, this.#orphans, this.#calls])
      map.clear();
    this.#hasAll = false;
    this.#live = 0;
    this.#keeper = new Keeper();
    this.#lastExecution =
      this.#policy =
      this.#tasks =
      this.#waiting =
        undefined;
    this.#stream.end();
    this.#shownAsWaiting = new Set();
    return { ...nothing, isReset: true };
  }

  #item(event: AgentEvent, before: Item | undefined): Item {
    // An event without a stamp stays after its predecessor.
    const stamp = event.stamp ?? before?.event.stamp;
    const kept = withoutTexts(event);
    const item = {
      event: stamp === event.stamp ? kept : { ...kept, stamp },
      entry: entryOf(event, this.#keeper),
    };
    this.#byId.set(event.id, item);
    return item;
  }

  #addLater(event: AgentEvent, isLate: boolean, batch: Batch): void {
    // The full state is only sent, not stored as an event.
    if (event.kind === 'state' && event.key === 'full_state') return;
    if (this.#byId.has(event.id)) return;
    if (namesPolicy(event)) this.#policy = event.facts.policy;
    const isOlder =
      !this.#hasAll &&
      event.stamp !== undefined &&
      isBefore(event, this.#items[0]?.event);
    // The event arrives again with its page.
    if (isOlder && isLate) return;
    // The clock was set back, but older events must still go before the first
    // one.
    const placed = isOlder ? { ...event, stamp: undefined } : event;
    const index = this.#indexFor(placed);
    const item = this.#item(placed, this.#items[index - 1]);
    const isLast = index === this.#items.length;
    this.#items.splice(index, 0, item);
    this.#live++;
    if (decidesWaiting(event)) this.#waiting = undefined;
    if (hasTasks(event) && isLast) this.#tasks = event.tasks;
    if (endsStream(event)) this.#stream.end();
    if (item.entry) show(item, isLast, batch);
    if (event.kind === 'call') this.#connectCall(event, item, batch);
    else this.#connect(event, item, batch);
  }

  /** Draws later updates of a call in place of its first event. */
  #connectCall(event: CallEvent, item: Item, batch: Batch): void {
    const { holder, isNews } = this.#calls.add(event, item);
    const update = item.entry;
    if (holder === item || !update) return;
    hide(item, batch);
    if (!isNews || !holder.entry) return;
    const { id, at } = holder.entry;
    holder.entry = { ...update, id, at };
    batch.changed.add(holder);
  }

  /** Starts a call entry here, unless a later part of the call is loaded. */
  #connectOlderCall(item: Item, batch: Batch): void {
    const { event } = item;
    if (event.kind !== 'call') return;
    const rest = this.#calls.addOlder(event, item);
    if (rest === item) return;
    if (!batch.before.has(rest) || !rest.entry || !item.entry) {
      hide(item, batch);
      return;
    }
    const { id, at } = item.entry;
    item.entry = { ...rest.entry, id, at };
    hide(rest, batch);
    this.#calls.moveFirst(event, item);
  }

  /**
   * Finds the place after all events with the same or an earlier stamp, nearly
   * always the end.
   */
  #indexFor(event: AgentEvent): number {
    let to = this.#items.length;
    if (
      event.stamp === undefined ||
      !isBefore(event, this.#items.at(-1)?.event)
    )
      return to;
    let from = 0;
    while (from < to) {
      const middle = (from + to) >>> 1;
      if (isBefore(event, this.#items[middle]?.event)) to = middle;
      else from = middle + 1;
    }
    return from;
  }

  /** Connects an action and its outcome, whichever arrives first. */
  #connect(event: AgentEvent, item: Item, batch: Batch): void {
    if (event.kind === 'action') {
      const result = this.#orphans.get(event.id) ?? this.#laterFailure(event);
      if (!result) this.#open.set(event.id, item);
      else {
        this.#orphans.delete(resultKeyOf(result.event));
        if (result.item.entry) hide(result.item, batch);
        this.#settle(item, result, batch);
      }
    } else if (isResult(event)) {
      const action =
        event.kind === 'error'
          ? this.#openCall(event)
          : this.#byId.get(event.actionId ?? '');
      if (action?.event.kind === 'action') {
        this.#settle(action, { event, item }, batch);
        return;
      }
      const orphan = { event, item };
      this.#orphans.set(resultKeyOf(event), orphan);
      // Other outcomes wait until no older page can have their actions.
      if (this.#hasAll || event.kind === 'error')
        this.#showOrphan(orphan, batch);
    }
  }

  #laterFailure({ toolCallId, stamp = '' }: ActionEvent): Orphan | undefined {
    const failure =
      toolCallId === undefined
        ? undefined
        : this.#orphans.get(callKey(toolCallId));
    return failure && (failure.event.stamp ?? '') >= stamp
      ? failure
      : undefined;
  }

  /** Finds the last call before the error, because models reuse ids. */
  #openCall({ toolCallId, stamp }: ErrorEvent): Item | undefined {
    return [...this.#open.values()].findLast(
      ({ event }) =>
        event.kind === 'action' &&
        event.toolCallId === toolCallId &&
        (stamp === undefined || (event.stamp ?? '') <= stamp),
    );
  }

  /** Attaches the outcome to its action. The first outcome counts. */
  #settle(action: Item, { event, item }: Orphan, batch: Batch): void {
    if (action.entry?.kind !== 'action' || action.entry.outcome) return;
    const { id, at, action: whole } = action.entry;
    this.#open.delete(id);
    const outcome = outcomeOf(event, this.#keeper);
    const kept = keptAction(whole, this.#keeper);
    const startedAt = this.#startBetween(action, item);
    action.entry = {
      id,
      at,
      kind: 'action',
      isWaiting: false,
      outcome,
      startedAt,
      ...kept,
    };
    action.event = kept.action;
    batch.changed.add(action);
  }

  /**
   * Returns when an action began: with its event, or when the agent ran again
   * after waiting.
   */
  #startBetween(action: Item, result: Item): Time | undefined {
    const between = this.#items.slice(
      this.#items.lastIndexOf(action) + 1,
      this.#items.lastIndexOf(result),
    );
    const lastRun = between.findLast(
      ({ event }) => isExecution(event) && event.execution === 'running',
    );
    return (lastRun ?? action).event.at;
  }

  #showOrphan({ event, item }: Orphan, batch: Batch): void {
    item.entry = withoutAction(event, this.#keeper);
    show(item, this.#items.at(-1) === item, batch);
  }

  #listEntries(): readonly TranscriptEntry[] {
    const entries = entriesOf(this.#items);
    return this.#stream.now ? [...entries, this.#stream.now] : entries;
  }

  #findWaiting(): WaitingAsFar {
    const execution = this.#lastExecution?.execution;
    // Spares a list of all events at each step of an agent.
    if (execution === 'running') return { status: 'doesNotWait', execution };
    const newestFirst = this.#items.map(({ event }) => event).reverse();
    return waitingOf(
      newestFirst,
      this.#hasAll,
      this.#forkedAt,
      this.#lastExecution,
    );
  }

  #markWaiting(batch: Batch): void {
    const { waiting } = this;
    const now = new Set(
      waiting.status === 'waits' ? waiting.actions.map(({ id }) => id) : [],
    );
    for (const id of new Set([...this.#shownAsWaiting, ...now])) {
      const item = this.#byId.get(id);
      if (
        item?.entry?.kind !== 'action' ||
        item.entry.isWaiting === now.has(id)
      )
        continue;
      item.entry = { ...item.entry, isWaiting: now.has(id) };
      batch.changed.add(item);
    }
    this.#shownAsWaiting = now;
  }

  #end(
    batch: Batch,
    streamingBefore: Streaming | undefined,
  ): TranscriptChange | undefined {
    this.#markWaiting(batch);
    this.#entries = undefined;
    const { added, before, changed, removed } = batch;
    const streaming = this.#stream.change(streamingBefore, added.size > 0);
    if (batch.isReset) return { ...nothing, isReset: true };
    const isInPlace = (item: Item) => !added.has(item) && !before.has(item);
    const change: TranscriptChange = {
      added: [...entriesOf(added), ...streaming.added],
      before: entriesOf(before),
      changed: [
        ...entriesOf([...changed].filter(isInPlace)),
        ...streaming.changed,
      ],
      removed: [...removed, ...streaming.removed],
      isReset: false,
    };
    const { length } = [
      ...change.added,
      ...change.before,
      ...change.changed,
      ...change.removed,
    ];
    return length === 0 ? undefined : change;
  }
}

function newBatch() {
  const removed: string[] = [];
  return {
    added: new Set<Item>(),
    before: new Set<Item>(),
    changed: new Set<Item>(),
    removed,
    isReset: false,
  };
}

function show(item: Item, isLast: boolean, batch: Batch): void {
  if (isLast) batch.added.add(item);
  else if (!batch.before.has(item)) batch.isReset = true;
}

function hide(item: Item, batch: Batch): void {
  item.entry = undefined;
  if (!batch.added.delete(item) && !batch.before.delete(item))
    batch.removed.push(item.event.id);
}

function entriesOf(items: Iterable<Item>): readonly TranscriptEntry[] {
  return [...items].flatMap(({ entry }) => entry ?? []);
}

/** Sorts events by stamp; events without one keep their order. */
function eventsInOrder(events: readonly AgentEvent[]): readonly AgentEvent[] {
  return events.toSorted((a, b) => {
    if (a.stamp === undefined || b.stamp === undefined || a.stamp === b.stamp)
      return 0;
    return a.stamp < b.stamp ? -1 : 1;
  });
}

/** Compares stamps. An event without one comes first. */
function isBefore(event: AgentEvent, other: AgentEvent | undefined): boolean {
  return other !== undefined && (event.stamp ?? '') < (other.stamp ?? '');
}

/** True if the event can change the pending actions. */
function decidesWaiting(event: AgentEvent): boolean {
  return (
    event.kind === 'action' ||
    event.kind === 'error' ||
    event.kind === 'rating' ||
    isResult(event) ||
    isExecution(event)
  );
}

function namesPolicy(event: AgentEvent): event is StateEvent {
  return event.kind === 'state' && event.facts.policy !== undefined;
}

function hasTasks(event: AgentEvent): event is ObservationEvent {
  return event.kind === 'observation' && event.tasks !== undefined;
}

/** True for the outcome of an action. */
function isResult(event: AgentEvent): event is ResultEvent {
  if (event.kind === 'error') return event.toolCallId !== undefined;
  return event.kind === 'observation' || event.kind === 'rejection';
}

/** Returns the key of the action that the outcome names. */
function resultKeyOf(event: ResultEvent): string {
  return event.kind === 'error'
    ? callKey(event.toolCallId ?? '')
    : (event.actionId ?? event.id);
}

function callKey(toolCallId: string): string {
  return `call-${toolCallId}`;
}

/** True for events that complete or abandon the streaming message. */
function endsStream(event: AgentEvent): boolean {
  if (event.kind === 'message') return event.source !== 'user';
  if (isExecution(event)) return event.execution !== 'running';
  return (
    event.kind === 'action' || event.kind === 'call' || event.kind === 'stop'
  );
}
