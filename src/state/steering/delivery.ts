/** Sending to an agent what is not to be sent twice: where the outcome is not known, it is looked for in the events. */
import type { Cancellation } from '../../base/cancellation.ts';
import { type Clock, sleep } from '../../base/clock.ts';
import type { Steering } from '../../service/abilities/agentService.ts';
import type { Conversation } from '../../service/model/entities.ts';
import type { AgentEvent } from '../../service/model/events.ts';
import { type NewMessage, partsOf } from '../../service/model/newMessage.ts';
import { ServiceError } from '../../service/http/serviceError.ts';
import { type Judge, eventsPerPage, readEvents, readIfPossible } from '../conversation/eventReading.ts';
import { pendingOf } from '../transcript/waiting.ts';

/** In milliseconds after each other. */
export const lookedForAfterFailure = [500, 2_500, 7_000];

export class Delivery {
  readonly #clock: Clock;
  readonly #work: Cancellation;

  constructor(clock: Clock, work: Cancellation) {
    this.#clock = clock;
    this.#work = work;
  }

  /** Why it is not known whether it was added; undefined if it was. */
  async add(
    conversation: Conversation,
    message: NewMessage,
    steering: Steering,
    before: readonly AgentEvent[],
  ): Promise<ServiceError | undefined> {
    const parts = partsOf(message);
    const failure = await unknownOutcome(() => steering.add(conversation.id, parts));
    if (!failure) return undefined;
    const isSeen = await this.#isSeen(conversation, steering, isAddedMessage(message, before));
    return isSeen ? undefined : failure;
  }

  /**
   * Why it is not known whether it goes on; undefined if it does. A run that is being stopped refuses the next one. With
   * `isDone`, it is asked for again, unless something waits by then, or that finds the work done in the events.
   */
  async run(
    conversation: Conversation,
    steering: Steering,
    before: readonly AgentEvent[],
    isDone?: (events: readonly AgentEvent[]) => boolean,
  ): Promise<ServiceError | undefined> {
    const oldIds = new Set(before.map(({ id }) => id));
    for (const pause of lookedForAfterFailure) {
      const begun = await unknownOutcome(() => steering.run(conversation.id));
      if (begun instanceof ServiceError) {
        const isIt = (event: AgentEvent) =>
          event.kind === 'state' && event.execution === 'running' && !oldIds.has(event.id);
        return (await this.#isSeen(conversation, steering, isIt)) ? undefined : begun;
      }
      if (begun || !isDone) return undefined;
      await sleep(this.#clock, pause, this.#work.signal);
      const { verdict: pending, events } = await readEvents(
        conversation,
        steering,
        this.#work.signal,
        pendingOf,
      );
      if (pending.actions.length > 0 || pending.execution === 'running' || isDone(events)) return undefined;
    }
    return undefined;
  }

  /** Looks for it a few times among the newest events. */
  async #isSeen(
    conversation: Conversation,
    steering: Steering,
    isIt: (event: AgentEvent) => boolean,
  ): Promise<boolean> {
    const { signal } = this.#work;
    for (const pause of lookedForAfterFailure) {
      await sleep(this.#clock, pause, signal);
      const judge: Judge<boolean> = (events, isAll) =>
        isAll || events.length >= eventsPerPage ? events.some(isIt) : events.some(isIt) || undefined;
      if ((await readIfPossible(conversation, steering, signal, judge))?.verdict) return true;
    }
    return false;
  }
}

/** Returns a test for the event of a message that was added since `before` was read. */
export function isAddedMessage(
  message: NewMessage,
  before: readonly AgentEvent[],
): (event: AgentEvent) => boolean {
  const knownIds = new Set(before.map(({ id }) => id));
  const text = partsOf(message).texts.join('\n');
  return (event) =>
    event.kind === 'message' && !knownIds.has(event.id) && event.source === 'user' && event.text === text;
}

/** Does what is not to be done twice. Returns why it is not known whether that was done, if so. */
export async function unknownOutcome<T>(act: () => Promise<T>): Promise<T | ServiceError> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ServiceError && error.circumstances.outcomeUnknown) return error;
    throw error;
  }
}
