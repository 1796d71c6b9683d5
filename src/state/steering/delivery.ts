/** Sending to an agent what is not to be sent twice: where the outcome is not known, it is looked for in the events. */
import type { Cancellation } from '../../base/cancellation.ts';
import { type Clock, sleep } from '../../base/clock.ts';
import type { Steering } from '../../service/agentService.ts';
import type { Conversation } from '../../service/entities.ts';
import type { AgentEvent } from '../../service/events.ts';
import { type NewMessage, partsOf } from '../../service/newMessage.ts';
import { ServiceError } from '../../service/serviceError.ts';
import { type Judge, eventsPerPage, readIfPossible } from '../conversation/eventReading.ts';

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
    const known = new Set(before.map(({ id }) => id));
    const text = parts.texts.join('\n');
    const isThere = await this.#isSeen(conversation, steering, (event) => {
      return (
        event.kind === 'message' && !known.has(event.id) && event.source === 'user' && event.text === text
      );
    });
    return isThere ? undefined : failure;
  }

  /** Why it is not known whether it goes on; undefined if it does. */
  async run(
    conversation: Conversation,
    steering: Steering,
    before: readonly AgentEvent[],
  ): Promise<ServiceError | undefined> {
    const failure = await unknownOutcome(() => steering.run(conversation.id));
    if (!failure) return undefined;
    const known = new Set(before.map(({ id }) => id));
    const isSeen = await this.#isSeen(conversation, steering, (event) => {
      return event.kind === 'state' && event.execution === 'running' && !known.has(event.id);
    });
    return isSeen ? undefined : failure;
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
      if ((await readIfPossible(conversation, steering, signal, judge))?.found) return true;
    }
    return false;
  }
}

/** Does what is not to be done twice. Undefined if it is done, and else why that is not known. */
export async function unknownOutcome(act: () => Promise<void>): Promise<ServiceError | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    if (error instanceof ServiceError && error.circumstances.outcomeUnknown) return error;
    throw error;
  }
}
