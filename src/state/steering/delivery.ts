/**
 * Sends exactly once: if the outcome is unknown, searches the events for it.
 */
import type { Cancellation } from '../../base/cancellation.ts';
import { type Clock, sleep } from '../../base/clock.ts';
import { resultOr } from '../../base/errors.ts';
import type { Steering } from '../../service/abilities/agentService.ts';
import type { Conversation } from '../../service/model/entities.ts';
import type { AgentEvent } from '../../service/model/events.ts';
import { type NewMessage, partsOf } from '../../service/model/newMessage.ts';
import { ServiceError } from '../../service/http/serviceError.ts';
import {
  type EventReading,
  type Judge,
  eventsPerPage,
  readEvents,
  readIfPossible,
} from '../conversation/eventReading.ts';
import { pendingOf } from '../transcript/waiting.ts';

/** Pauses between searches after a failure, in milliseconds. */
export const lookedForAfterFailure = [500, 2_500, 7_000];

interface DeliveryParts {
  readonly clock: Clock;
  /** Canceled when the service is disconnected. */
  readonly work: Cancellation;
}

/**
 * Returns the failure that leaves the outcome unknown, or `undefined` if the
 * message was added.
 */
export async function addMessage(
  parts: DeliveryParts,
  conversation: Conversation,
  message: NewMessage,
  steering: Steering,
  before: readonly AgentEvent[],
): Promise<ServiceError | undefined> {
  const failure = await unknownOutcome(() =>
    steering.add(conversation.id, partsOf(message)),
  );
  if (!failure) return undefined;
  const isAdded = await isSeen(
    parts,
    conversation,
    steering,
    isAddedMessage(message, before),
  );
  return isAdded ? undefined : failure;
}

/**
 * Returns the failure that leaves the outcome unknown, or `undefined` if the
 * agent runs. A stopping run refuses the next one. With `isDone`, the run is
 * requested again unless actions wait or the events show the work done.
 */
export async function runAgent(
  parts: DeliveryParts,
  conversation: Conversation,
  steering: Steering,
  before: readonly AgentEvent[],
  isDone?: (events: readonly AgentEvent[]) => boolean,
): Promise<ServiceError | undefined> {
  const { clock, work } = parts;
  const oldIds = new Set(before.map(({ id }) => id));
  for (const pause of lookedForAfterFailure) {
    const begun = await unknownOutcome(() => steering.run(conversation.id));
    if (begun instanceof ServiceError) {
      const isIt = (event: AgentEvent) =>
        event.kind === 'state' &&
        event.execution === 'running' &&
        !oldIds.has(event.id);
      return (await isSeen(parts, conversation, steering, isIt))
        ? undefined
        : begun;
    }
    if (begun || !isDone) return undefined;
    await sleep(clock, pause, work.signal);
    const { verdict: pending, events } = await readEvents(
      conversation,
      steering,
      work.signal,
      pendingOf,
    );
    if (
      pending.actions.length > 0 ||
      pending.execution === 'running' ||
      isDone(events)
    )
      return undefined;
  }
  return undefined;
}

/** Searches the newest events a few times. */
async function isSeen(
  parts: DeliveryParts,
  conversation: Conversation,
  steering: Steering,
  isIt: (event: AgentEvent) => boolean,
): Promise<boolean> {
  for (const pause of lookedForAfterFailure) {
    const judge: Judge<boolean> = (events, isAll) =>
      isAll || events.length >= eventsPerPage
        ? events.some(isIt)
        : events.some(isIt) || undefined;
    const reading = await readAfter(
      parts,
      pause,
      conversation,
      steering,
      judge,
    );
    if (reading?.verdict) return true;
  }
  return false;
}

/**
 * Returns `undefined` if the events are unreadable, or the service is
 * disconnected.
 */
export async function readAfter<Verdict>(
  { clock, work: { signal } }: DeliveryParts,
  pause: number,
  conversation: Conversation,
  steering: Steering,
  judge: Judge<Verdict>,
): Promise<EventReading<Verdict> | undefined> {
  const reading = sleep(clock, pause, signal).then(() =>
    readIfPossible(conversation, steering, signal, judge),
  );
  return await resultOr(reading, () => signal.aborted, undefined);
}

/**
 * Returns a test for the event of a message that was added since `before` was
 * read.
 */
export function isAddedMessage(
  message: NewMessage,
  before: readonly AgentEvent[],
): (event: AgentEvent) => boolean {
  const knownIds = new Set(before.map(({ id }) => id));
  const text = partsOf(message).texts.join('\n');
  return (event) =>
    event.kind === 'message' &&
    !knownIds.has(event.id) &&
    event.source === 'user' &&
    event.text === text;
}

/** Acts once. Returns the failure if it leaves the outcome unknown. */
export async function unknownOutcome<T>(
  act: () => Promise<T>,
): Promise<T | ServiceError> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ServiceError && error.circumstances.outcomeUnknown)
      return error;
    throw error;
  }
}
