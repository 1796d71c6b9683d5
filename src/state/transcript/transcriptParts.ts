/** The parts of a transcript that remember nothing. */
import type { AgentEvent, ObservationEvent, StateEvent } from '../../service/events.ts';
import type { ResultEvent } from './entryOfEvent.ts';
import type { TranscriptEntry, TranscriptChange } from './transcriptEntry.ts';
import { isExecution } from './waiting.ts';

/** An event, without what its entry keeps, and its entry; undefined if it is shown elsewhere or not at all. */
export interface Item {
  event: AgentEvent;
  entry: TranscriptEntry | undefined;
  /** The item that shows it, if it is the rest of something. */
  partOf?: Item;
}

/** The outcome of an action that is not loaded. */
export interface Orphan {
  readonly event: ResultEvent;
  readonly item: Item;
}

export const nothing: TranscriptChange = { added: [], before: [], changed: [], removed: [], isReset: false };

/** The changes by some events so far. */
export type Batch = ReturnType<typeof newBatch>;

export function newBatch() {
  const removed: string[] = [];
  return {
    added: new Set<Item>(),
    before: new Set<Item>(),
    changed: new Set<Item>(),
    removed,
    isReset: false,
  };
}

export function show(item: Item, isLast: boolean, batch: Batch): void {
  if (isLast) batch.added.add(item);
  else if (!batch.before.has(item)) batch.isReset = true;
}

export function hide(item: Item, batch: Batch): void {
  item.entry = undefined;
  if (!batch.added.delete(item) && !batch.before.delete(item)) batch.removed.push(item.event.id);
}

export function becomePart(item: Item, whole: Item, batch: Batch): void {
  hide(item, batch);
  item.partOf = whole;
}

export function entriesOf(items: Iterable<Item>): readonly TranscriptEntry[] {
  return [...items].flatMap(({ entry }) => entry ?? []);
}

/** Sorts events by their stamps; events without one stay in the order in which they came. */
export function eventsInOrder(events: readonly AgentEvent[]): readonly AgentEvent[] {
  const stamps = events.map(({ stamp }) => stamp);
  const isInOrder = stamps.every((stamp, index) => {
    const before = stamps[index - 1];
    return stamp === undefined || before === undefined || before <= stamp;
  });
  if (isInOrder) return events;
  return events.toSorted((a, b) => {
    if (a.stamp === undefined || b.stamp === undefined || a.stamp === b.stamp) return 0;
    return a.stamp < b.stamp ? -1 : 1;
  });
}

/** Compares stamps. An event without one comes before all others. */
export function isBefore(event: AgentEvent, other: AgentEvent | undefined): boolean {
  return other !== undefined && (event.stamp ?? '') < (other.stamp ?? '');
}

/** True if what the agent waits for can be different after this event. */
export function decidesWaiting(event: AgentEvent): boolean {
  return event.kind === 'action' || event.kind === 'error' || isResult(event) || isExecution(event);
}

export function isConfirmation(event: AgentEvent): event is StateEvent {
  return event.kind === 'state' && event.facts.confirmation !== undefined;
}

export function hasTasks(event: AgentEvent): event is ObservationEvent {
  return event.kind === 'observation' && event.tasks !== undefined;
}

/** Something came of an action. */
export function isResult(event: AgentEvent): event is ResultEvent {
  if (event.kind === 'error') return event.toolCallId !== undefined;
  return event.kind === 'observation' || event.kind === 'rejection';
}

/** The action that it names. */
export function resultKeyOf(event: ResultEvent): string {
  return event.kind === 'error' ? callKey(event.toolCallId ?? '') : (event.actionId ?? event.id);
}

export function callKey(toolCallId: string): string {
  return `call-${toolCallId}`;
}

/** True for events that come when the message that was being written is complete, or will not be. */
export function endsStream(event: AgentEvent): boolean {
  if (event.kind === 'message') return event.source !== 'user';
  if (isExecution(event)) return event.execution !== 'running';
  return event.kind === 'action' || event.kind === 'call' || event.kind === 'stop';
}

/** Its entry keeps them. */
export function withoutTexts(event: AgentEvent): AgentEvent {
  if (event.kind === 'message') return { ...event, text: '', reasoning: undefined, images: [] };
  if (event.kind === 'observation')
    return { ...event, text: '', images: [], change: undefined, tasks: undefined };
  if (event.kind === 'condensation') return { ...event, summary: undefined };
  if (event.kind === 'call')
    return {
      ...event,
      action: { ...event.action, arguments: '' },
      result: { ...event.result, text: '', images: [], change: undefined },
    };
  if (event.kind === 'hook') return { ...event, text: '' };
  return event.kind === 'other' ? { ...event, json: '' } : event;
}
