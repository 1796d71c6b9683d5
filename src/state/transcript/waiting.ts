/**
 * Finds the actions that wait for an answer in events: the record says
 * "waiting" even while accepted actions run.
 */
import { isEqual } from '../../base/same.ts';
import type { Execution } from '../../service/model/entities.ts';
import type {
  ActionEvent,
  AgentEvent,
  Risk,
  StateEvent,
} from '../../service/model/events.ts';

/** An action that waits for the user's answer. */
export type WaitingAction = Omit<
  ActionEvent,
  'kind' | 'at' | 'stamp' | 'source' | 'thought' | 'reasoning'
> & {
  /** The service's rating, if it has rated the action. */
  readonly rated?: Risk;
};

export type Waiting =
  | {
      readonly status: 'waits';
      /** Oldest first, never empty. An answer counts for all of them. */
      readonly actions: readonly WaitingAction[];
    }
  | {
      readonly status: 'doesNotWait';
      readonly execution: Execution | undefined;
    };

/** Returns the pending actions, if there are any known ones. */
export function actionsOf(
  waiting: Waiting | undefined,
): readonly WaitingAction[] | undefined {
  return waiting?.status === 'waits' ? waiting.actions : undefined;
}

/**
 * `oldestNeeded`: the missing earlier events, up to the agent's last state or
 * the beginning of the step.
 */
export type WaitingAsFar =
  | Waiting
  | { readonly status: 'unknown'; readonly oldestNeeded: 'execution' | 'step' };

/**
 * `isAll`: the events reach back to the first. `forkedAt`: the last copied
 * event, because a fork that has not run has no states. `state`: the last
 * state.
 */
export function waitingOf(
  newestFirst: readonly AgentEvent[],
  isAll = false,
  forkedAt?: string,
  state = newestFirst.find(isExecution),
): WaitingAsFar {
  if (!state && !isAll && !hasEvent(newestFirst, forkedAt))
    return { status: 'unknown', oldestNeeded: 'execution' };
  const execution = state?.execution;
  if (state && !asks(state, newestFirst))
    return { status: 'doesNotWait', execution };
  if (!isAll && !isStepWhole(newestFirst))
    return { status: 'unknown', oldestNeeded: 'step' };
  const actions = unanswered(newestFirst);
  return actions.length > 0
    ? { status: 'waits', actions }
    : { status: 'doesNotWait', execution };
}

/** Actions that a run would execute, even without asking the user. */
export interface PendingActions {
  readonly execution: Execution | undefined;
  /** Oldest first. Empty while the agent works. */
  readonly actions: readonly WaitingAction[];
}

/**
 * Takes the arguments of `waitingOf`. Returns `undefined` while older events
 * are needed.
 */
export function pendingOf(
  newestFirst: readonly AgentEvent[],
  isAll: boolean,
  forkedAt?: string,
): PendingActions | undefined {
  const state = newestFirst.find(isExecution);
  if (!state && !isAll && !hasEvent(newestFirst, forkedAt)) return undefined;
  const execution = state?.execution;
  if (execution === 'running') return { execution, actions: [] };
  if (!isAll && !isStepWhole(newestFirst)) return undefined;
  return { execution, actions: unanswered(newestFirst) };
}

/**
 * True if the agent asks in this state. A stop that arrives right after the
 * question changes the state to paused, and the question stays: the actions run
 * with the next message.
 */
function asks(
  { execution }: StateEvent,
  newestFirst: readonly AgentEvent[],
): boolean {
  if (execution !== 'paused') return execution === 'waitingForConfirmation';
  const last = newestFirst.find(
    (event) =>
      event.kind === 'action' ||
      (isExecution(event) && event.execution !== 'paused'),
  );
  return last?.kind === 'state' && last.execution === 'waitingForConfirmation';
}

function hasEvent(
  events: readonly AgentEvent[],
  eventId: string | undefined,
): boolean {
  return eventId !== undefined && events.some(({ id }) => id === eventId);
}

function isStepWhole(newestFirst: readonly AgentEvent[]): boolean {
  const last = newestFirst.find((event) => event.kind === 'action')?.stepId;
  return (
    last !== undefined &&
    newestFirst.some(
      (event) => event.kind === 'action' && (event.stepId ?? last) !== last,
    )
  );
}

/**
 * Returns unanswered actions, oldest first, even of earlier steps: an
 * acceptance counts for them, too.
 */
function unanswered(newestFirst: readonly AgentEvent[]): WaitingAction[] {
  const actionIds = new Set<string | undefined>();
  /** Models reuse call ids: an error refers to actions before it. */
  const toolCallIds = new Set<string | undefined>();
  const ratings = new Map<string, Risk>();
  const open: WaitingAction[] = [];
  for (const event of newestFirst) {
    if (event.kind === 'observation' || event.kind === 'rejection')
      actionIds.add(event.actionId);
    else if (event.kind === 'error') toolCallIds.add(event.toolCallId);
    else if (event.kind === 'rating') {
      for (const [id, risk] of Object.entries(event.risks))
        if (!ratings.has(id)) ratings.set(id, risk);
    } else if (event.kind === 'action') {
      const { id, toolCallId } = event;
      const hasFailed = toolCallId !== undefined && toolCallIds.has(toolCallId);
      if (!hasFailed && !actionIds.has(id))
        open.push(waitingAction(event, ratings.get(id)));
    }
  }
  return open.reverse();
}

function waitingAction(
  event: ActionEvent,
  rated: Risk | undefined,
): WaitingAction {
  const {
    id,
    toolName,
    toolCallId,
    stepId,
    actionKind,
    summary,
    arguments: all,
    risk,
  } = event;
  return {
    id,
    toolName,
    toolCallId,
    stepId,
    actionKind,
    summary,
    arguments: all,
    risk,
    ...(rated !== undefined && { rated }),
  };
}

/** True if both lists contain the same actions, and at least one. */
export function areSame(
  a: readonly WaitingAction[],
  b: readonly WaitingAction[],
): boolean {
  const byId = new Map(b.map((action) => [action.id, action]));
  return (
    a.length > 0 &&
    a.length === b.length &&
    a.every((action) => isEqual(action, byId.get(action.id)))
  );
}

/** The outcome of formerly pending actions. */
export type Fate = 'accepted' | 'rejected' | 'cancelled';

/** Returns `undefined` if the events are inconclusive. */
export function fateOf(
  actions: readonly WaitingAction[],
  newestFirst: readonly AgentEvent[],
): Fate | undefined {
  const ids = new Set(actions.map(({ id }) => id));
  const toolCallIds = new Set(
    actions.flatMap(({ toolCallId }) => toolCallId ?? []),
  );
  let fate: Fate | undefined;
  let hasRun = false;
  for (const event of newestFirst) {
    if (event.kind === 'rejection' && ids.has(event.actionId ?? ''))
      return 'rejected';
    if (event.kind === 'observation' && ids.has(event.actionId ?? ''))
      return 'accepted';
    if (event.kind === 'error' && toolCallIds.has(event.toolCallId ?? ''))
      fate = 'cancelled';
    if (event.kind === 'state' && event.execution === 'running') hasRun = true;
    if (event.kind === 'action' && ids.has(event.id))
      return fate ?? (hasRun ? 'accepted' : undefined);
  }
  return undefined;
}

export function isExecution(event: AgentEvent): event is StateEvent {
  return event.kind === 'state' && event.key === 'execution_status';
}
