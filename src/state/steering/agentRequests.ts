/** Requests to the agents of one service. */
import type { Cancellation } from '../../base/cancellation.ts';
import { UserError } from '../../base/errors.ts';
import { Serial } from '../../base/serial.ts';
import type {
  AgentLocation,
  Agents,
  Steering,
} from '../../service/abilities/agentService.ts';
import type { CallOptions } from '../../service/http/transport.ts';
import { type Conversation, keyOf } from '../../service/model/entities.ts';
import {
  type AgentLocations,
  sourceOf,
} from '../conversation/agentLocations.ts';
import {
  type EventReading,
  type Judge,
  judgeWaiting,
  readEvents,
} from '../conversation/eventReading.ts';
import type { Waiting } from '../transcript/waiting.ts';

export type UnreadyLocation = Exclude<AgentLocation, { status: 'ready' }>;

/**
 * An unready agent, or a verdict from its events, or the reason why they cannot
 * be read.
 */
type Located<Verdict> =
  | { readonly unready: UnreadyLocation; readonly agents: Agents }
  | {
      readonly unready: undefined;
      readonly steering: Steering;
      readonly reading: EventReading<Verdict> | UserError;
    };

export class AgentRequests {
  readonly #locations: AgentLocations;
  readonly #work: Cancellation;
  /** Serializes the actions on each conversation, by key. */
  readonly #serials = new Map<string, Serial>();

  /** `work` is canceled when the service is disconnected. */
  constructor(locations: AgentLocations, work: Cancellation) {
    this.#locations = locations;
    this.#work = work;
  }

  /** Acts while nothing else is sent to this conversation. */
  async inTurn<T>(
    conversation: Conversation,
    signal: AbortSignal,
    act: (all: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const all = this.#work.with(signal);
    const key = keyOf(conversation);
    const serial = this.#serials.get(key) ?? new Serial();
    this.#serials.set(key, serial);
    return await serial.run(async () => {
      all.throwIfAborted();
      return await act(all);
    });
  }

  /**
   * Acts at a ready agent. Never repeats failed work, because it may have been
   * done.
   */
  async atAgent<T>(
    conversation: Conversation,
    signal: AbortSignal,
    act: (steering: Steering, call: CallOptions) => Promise<T>,
  ): Promise<T> {
    const call = { signal: this.#work.with(signal) };
    const { steering } = await this.#locations.useReady(
      conversation,
      call,
      (ready) => Promise.resolve(ready),
    );
    try {
      return await act(steering, call);
    } catch (error) {
      this.#locations.forget(conversation);
      throw error;
    }
  }

  /** Reads what the agent waits for. */
  async read(
    conversation: Conversation,
    signal: AbortSignal,
  ): Promise<Waiting> {
    const all = this.#work.with(signal);
    return await this.#locations.use(
      conversation,
      { signal: all },
      async (location, agents) => {
        const { verdict } = await readEvents(
          conversation,
          sourceOf(location, agents),
          all,
          judgeWaiting,
        );
        return verdict;
      },
    );
  }

  async locate<Verdict>(
    conversation: Conversation,
    signal: AbortSignal,
    judge: Judge<Verdict>,
    call: CallOptions = { signal },
  ): Promise<Located<Verdict>> {
    let steering: Steering | undefined;
    try {
      return await this.#locations.use(
        conversation,
        call,
        async (location, agents) => {
          steering = undefined;
          if (location.status !== 'ready') return { unready: location, agents };
          ({ steering } = location);
          const reading = await readEvents(
            conversation,
            steering,
            signal,
            judge,
            call,
          );
          return { unready: undefined, steering, reading };
        },
      );
    } catch (error) {
      if (!steering || !(error instanceof UserError)) throw error;
      return { unready: undefined, steering, reading: error };
    }
  }
}
