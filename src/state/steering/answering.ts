/** Answers exactly the shown actions, and only once. */
import type { Cancellation } from '../../base/cancellation.ts';
import type { Clock } from '../../base/clock.ts';
import type { Answer, Steering } from '../../service/abilities/agentService.ts';
import {
  type Conversation,
  keyOf,
  type Time,
} from '../../service/model/entities.ts';
import type { ServiceError } from '../../service/http/serviceError.ts';
import type { Approvals } from '../conversation/approvals.ts';
import type { AgentLocations } from '../conversation/agentLocations.ts';
import type { ConversationList } from '../conversation/conversationList.ts';
import {
  judgeWaiting,
  readEvents,
  type EventReading,
} from '../conversation/eventReading.ts';
import {
  lookedForAfterFailure,
  readAfter,
  unknownOutcome,
} from './delivery.ts';
import type { Answered } from './steeringResults.ts';
import {
  areSame,
  fateOf,
  type Waiting,
  type WaitingAction,
} from '../transcript/waiting.ts';

/** Pauses before each search for the answer in the events, in milliseconds. */
const lookedForAfter = [0, 500, 2_500];
/** A request may still arrive this long after its failure. */
const maxDeliveryMs = 60_000;

/** An answer that was sent and may not have arrived yet. */
interface OnTheWay {
  readonly actions: readonly WaitingAction[];
  readonly failure: ServiceError;
  readonly until: Time;
}

export interface AnsweringParts {
  readonly clock: Clock;
  readonly locations: AgentLocations;
  /** Receives what is read before and after an answer. */
  readonly conversations: Pick<ConversationList, 'recordRead' | 'approvalRead'>;
  readonly approvals: Approvals;
  /** Canceled when the service is disconnected. */
  readonly work: Cancellation;
}

export class Answering {
  readonly #parts: AnsweringParts;
  /** Pending answers by conversation key. */
  readonly #onTheWay = new Map<string, OnTheWay>();

  constructor(parts: AnsweringParts) {
    this.#parts = parts;
  }

  async answer(
    conversation: Conversation,
    actions: readonly WaitingAction[],
    answer: Answer,
    signal: AbortSignal,
  ): Promise<Answered> {
    signal.throwIfAborted();
    const { locations, clock, conversations } = this.#parts;
    const { steering, reading } = await locations.useReady(
      conversation,
      { signal },
      async ({ steering }) => ({
        steering,
        reading: await this.#readToAnswer(
          conversation,
          actions,
          answer,
          steering,
          signal,
        ),
      }),
    );
    signal.throwIfAborted();
    const waiting = reading.verdict;
    conversations.recordRead(conversation, waiting);
    if (waiting.status !== 'waits' || !areSame(actions, waiting.actions))
      return notSent(actions, reading);
    const key = keyOf(conversation);
    const earlier = this.#onTheWay.get(key);
    if (
      earlier &&
      earlier.until > clock.now() &&
      areSame(actions, earlier.actions)
    )
      return { result: 'unsure', failure: earlier.failure, now: waiting };
    const failure = await unknownOutcome(async (): Promise<undefined> => {
      await steering.answer(conversation.id, answer);
    });
    if (failure) {
      const until = clock.now() + maxDeliveryMs;
      this.#onTheWay.set(key, { actions, failure, until });
    }
    return await this.#findAnswer(
      conversation,
      actions,
      answer,
      steering,
      failure,
    );
  }

  /**
   * Reads the pending actions, last of all. Before accepting, enforces the
   * approval, so that the next action waits again.
   */
  async #readToAnswer(
    conversation: Conversation,
    actions: readonly WaitingAction[],
    { accept }: Answer,
    steering: Steering,
    signal: AbortSignal,
  ): Promise<EventReading> {
    const { approvals, conversations } = this.#parts;
    const reading = await readEvents(
      conversation,
      steering,
      signal,
      judgeWaiting,
    );
    const { verdict: waiting } = reading;
    if (
      !accept ||
      waiting.status !== 'waits' ||
      !areSame(actions, waiting.actions)
    )
      return reading;
    const take = conversations.approvalRead.bind(conversations);
    const hasAsked = await approvals.enforce(
      conversation,
      steering,
      { signal },
      take,
      true,
    );
    return hasAsked
      ? await readEvents(conversation, steering, signal, judgeWaiting)
      : reading;
  }

  /** Searches the events for the sent answer. */
  async #findAnswer(
    conversation: Conversation,
    actions: readonly WaitingAction[],
    { accept }: Answer,
    steering: Steering,
    failure: ServiceError | undefined,
  ): Promise<Answered> {
    const { conversations } = this.#parts;
    let now: Waiting | undefined;
    for (const pause of failure ? lookedForAfterFailure : lookedForAfter) {
      const reading = await readAfter(
        this.#parts,
        pause,
        conversation,
        steering,
        judgeWaiting,
      );
      if (!reading) continue;
      now = reading.verdict;
      conversations.recordRead(conversation, now);
      if (now.status === 'waits' && areSame(actions, now.actions)) continue;
      // The service confirmed the answer.
      if (!failure) return { result: 'answered' };
      const fate = fateOf(actions, reading.events);
      const isOurs = fate === (accept ? 'accepted' : 'rejected');
      return isOurs ? { result: 'answered' } : notSent(actions, reading);
    }
    // Only the service's reply is known.
    if (!failure && now === undefined) return { result: 'answered' };
    return { result: 'unsure', failure, now };
  }
}

function notSent(
  actions: readonly WaitingAction[],
  { verdict: waiting, events }: EventReading,
): Answered {
  const fate = fateOf(actions, events);
  if (waiting.status === 'waits')
    return { result: 'changed', now: waiting.actions, fate };
  if (fate === 'accepted' || fate === 'rejected')
    return { result: 'answeredElsewhere', fate };
  return { result: 'noLongerWaits', fate, execution: waiting.execution };
}
