import { escaped } from '../../service/records/escaped.ts';
import type { Execution } from '../../service/model/entities.ts';
import type {
  ActionEvent,
  AgentEvent,
  CallEvent,
  ErrorEvent,
  ObservationEvent,
  RejectionEvent,
} from '../../service/model/events.ts';
import type {
  TranscriptEntry,
  LeftOutCount,
  Outcome,
} from './transcriptEntry.ts';
import { Keeper } from './shortened.ts';

type ActionEntry = Extract<TranscriptEntry, { kind: 'action' }>;

export type ResultEvent = ObservationEvent | RejectionEvent | ErrorEvent;

/**
 * States without an entry: other entries show them, or users do not need them.
 */
const untold = new Set<Execution>([
  'idle',
  'running',
  'paused',
  'waitingForConfirmation',
  'finished',
  'error',
  'deleting',
]);

/**
 * Returns `undefined` for an event without an entry, or with only the outcome
 * of an action.
 */
export function entryOf(
  event: AgentEvent,
  keeper: Keeper,
): TranscriptEntry | undefined {
  const { id, at } = event;
  switch (event.kind) {
    case 'message':
      return {
        id,
        at,
        kind: 'message',
        role: event.role,
        text: keeper.text(event.text),
        reasoning: event.reasoning && keeper.text(event.reasoning),
        images: keeper.pictures(event.images),
        ...leftOut(keeper),
      };
    case 'action':
      return { id, at, kind: 'action', action: event, isWaiting: false };
    case 'error':
      return event.toolCallId === undefined
        ? errorEntry(event, keeper)
        : undefined;
    case 'state':
      return event.execution === undefined || untold.has(event.execution)
        ? undefined
        : { id, at, kind: 'line', what: 'state', execution: event.execution };
    case 'stop':
      return {
        id,
        at,
        kind: 'line',
        what: event.isInterrupt ? 'interrupted' : 'paused',
      };
    case 'condensation':
      return {
        id,
        at,
        kind: 'line',
        what: 'condensed',
        forgotten: event.forgotten,
        summary: event.summary && keeper.text(event.summary),
        ...leftOut(keeper),
      };
    case 'call':
      return callEntry(event, keeper);
    case 'hook': {
      const { hook, outcome, reason, command, text } = event;
      if (outcome === 'done' && text === '') return undefined;
      return {
        id,
        at,
        kind: 'line',
        what: 'hook',
        hook,
        outcome,
        reason: reason && keeper.text(reason),
        command: command && keeper.text(command),
        text: keeper.text(text),
        ...leftOut(keeper),
      };
    }
    case 'other':
      return {
        id,
        at,
        kind: 'other',
        eventKind: event.eventKind,
        json: keeper.text(event.json),
        ...leftOut(keeper),
      };
    case 'observation':
    case 'rejection':
    case 'rating':
    case 'piece':
    case 'untold':
      return undefined;
  }
}

/** Makes an action entry from the known facts of a call. */
function callEntry(
  { id, at, isOver, action, result }: CallEvent,
  keeper: Keeper,
): ActionEntry {
  return {
    id,
    at,
    kind: 'action',
    isWaiting: false,
    ...keptAction(action, keeper),
    ...(isOver && { outcome: outcomeOf(result, keeper) }),
  };
}

export function outcomeOf(event: ResultEvent, keeper: Keeper): Outcome {
  const { at } = event;
  if (event.kind === 'rejection')
    return { at, kind: 'rejection', reason: event.reason };
  if (event.kind === 'error')
    return { at, kind: 'error', text: keeper.text(event.text ?? '') };
  const { id, isError, exitCode, change } = event;
  const kept = change && {
    path: change.path,
    before: change.before && keeper.text(change.before),
    after: change.after && keeper.text(change.after),
  };
  return {
    at,
    kind: 'result',
    id,
    text: keeper.text(event.text),
    isError,
    images: keeper.pictures(event.images),
    ...(exitCode !== undefined && { exitCode }),
    ...(kept && { change: kept }),
    ...leftOut(keeper),
  };
}

/** Shortens an action with an outcome. Pending actions stay whole. */
export function keptAction(
  action: ActionEvent,
  keeper: Keeper,
): { action: ActionEvent; leftOut?: LeftOutCount } {
  const { thought, reasoning, arguments: all } = action;
  const kept = {
    ...action,
    thought: keeper.text(thought),
    reasoning: reasoning && keeper.text(reasoning),
    arguments: keeper.input(all),
  };
  return { action: kept, ...leftOut(keeper) };
}

/** Makes an entry for an outcome whose action is unknown. */
export function withoutAction(
  event: ResultEvent,
  keeper: Keeper,
): TranscriptEntry {
  if (event.kind === 'error') return errorEntry(event, keeper);
  const { id, at } = event;
  const eventKind =
    event.kind === 'observation' ? 'ObservationEvent' : 'UserRejectObservation';
  const rest = { ...event, kind: undefined, id: undefined, at: undefined };
  return {
    id,
    at,
    kind: 'other',
    eventKind,
    json: keeper.text(escaped(rest)),
    ...leftOut(keeper),
  };
}

/** Ids of the events that have what the entry leaves out. */
export function eventsLeftOut(entry: TranscriptEntry): ReadonlySet<string> {
  if (entry.kind !== 'action') return new Set([entry.id]);
  const { action, outcome, leftOut } = entry;
  const hasMore = outcome?.kind === 'result' && outcome.leftOut !== undefined;
  return new Set([
    // The last event of a call, whose entry has the id of the first.
    ...(leftOut === undefined ? [] : [action.id]),
    ...(hasMore ? [outcome.id] : []),
  ]);
}

/** Replaces what the entry has of the event by all of it. */
export function entryOfWhole(
  event: AgentEvent,
  entry: TranscriptEntry,
): TranscriptEntry {
  const keeper = new Keeper(Infinity);
  if (event.kind === 'action' && entry.kind === 'action') {
    const { id, at, kind, isWaiting, outcome, startedAt } = entry;
    return {
      id,
      at,
      kind,
      isWaiting,
      action: event,
      startedAt,
      ...(outcome && { outcome }),
    };
  }
  if (event.kind === 'observation')
    return entry.kind === 'action'
      ? { ...entry, outcome: outcomeOf(event, keeper) }
      : withoutAction(event, keeper);
  if (event.kind === 'call' && entry.kind === 'action')
    return { ...callEntry(event, keeper), id: entry.id, at: entry.at };
  return entryOf(event, keeper) ?? entry;
}

function errorEntry(
  { id, at, text, isAboutModel }: ErrorEvent,
  keeper: Keeper,
): TranscriptEntry {
  return {
    id,
    at,
    kind: 'error',
    text: keeper.text(text ?? ''),
    ...leftOut(keeper),
    ...(isAboutModel && { isAboutModel }),
  };
}

function leftOut(keeper: Keeper): { readonly leftOut?: LeftOutCount } {
  const leftOut = keeper.takeLeftOut();
  return leftOut > 0 ? { leftOut } : {};
}
