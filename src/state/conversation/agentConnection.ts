/**
 * The connection to the agent of one conversation: live if possible, else by
 * polling.
 */
import { sleep } from '../../base/clock.ts';
import { t } from '../../base/l10n.ts';
import type {
  EventSource,
  LiveEnd,
  Steering,
} from '../../service/abilities/agentService.ts';
import { isRefusal, ServiceError } from '../../service/http/serviceError.ts';
import type { CallOptions } from '../../service/http/transport.ts';
import type { Conversation, Time } from '../../service/model/entities.ts';
import type { AgentEvent } from '../../service/model/events.ts';
import {
  abilitiesAt,
  type ConversationAbilities,
  sourceOf,
} from './agentLocations.ts';
import type {
  ConversationConnection,
  ModelParts,
} from './conversationModel.ts';

const busyPauseMs = 3_000;
const calmPauseMs = 10_000;
/** A connection that lasts this long resets the count of failures. */
const goodConnectionMs = 10_000;
const minBackoffMs = 500;
const maxBackoffMs = 5 * 60_000;
/** Renames and deletions are not sent live, so the record is polled. */
const recordIntervalMs = 30_000;
/** Time in which a service resends recent events. */
const resendMs = 3_000;

export interface ConnectionState extends ConversationConnection {
  /** Pause before the next reading; `undefined` if only the user can retry. */
  readonly pauseMs?: number | undefined;
  /** Failed readings in a row, while unreachable. */
  readonly failures: number;
  readonly liveFailures: number;
  /** The earliest time of the next live connection. */
  readonly nextLive: Time;
}

export type ConnectionEvent =
  /** `unready`: an earlier failure to connect is irrelevant. */
  | {
      readonly type: 'start' | 'stop' | 'retry' | 'open' | 'leave' | 'unready';
    }
  | {
      readonly type: 'poll';
      readonly isReady: boolean;
      readonly isBusy: boolean;
    }
  | { readonly type: 'fail'; readonly error: ServiceError }
  | {
      readonly type: 'end';
      readonly end: LiveEnd;
      readonly begunAt: Time;
      readonly now: Time;
    };

export const stopped: ConnectionState = {
  how: 'paused',
  failures: 0,
  liveFailures: 0,
  nextLive: 0,
};

/** `random` is between 0 and 1, and shortens the pauses after failures. */
export function nextState(
  state: ConnectionState,
  event: ConnectionEvent,
  random = Math.random(),
): ConnectionState {
  const backoff = (failures: number) =>
    Math.min(minBackoffMs * 2 ** failures, maxBackoffMs) * (0.5 + random / 2);
  switch (event.type) {
    case 'stop':
      return stopped;
    case 'start':
      return { ...stopped, how: 'connecting' };
    case 'retry':
      return { ...state, liveFailures: 0, nextLive: 0 };
    case 'open':
      return { ...state, how: 'live', error: undefined };
    case 'leave':
      return { ...state, how: 'connecting', error: undefined, pauseMs: 0 };
    case 'unready':
      return { ...state, error: undefined };
    case 'poll': {
      const pauseMs = event.isBusy ? busyPauseMs : calmPauseMs;
      const error = event.isReady ? state.error : undefined;
      return { ...state, how: 'polling', error, pauseMs };
    }
    case 'fail': {
      const { error } = event;
      const failures = state.how === 'unreachable' ? state.failures + 1 : 1;
      const isFinal = isRefusal(error) || error.kind === 'notFound';
      const pauseMs = isFinal ? undefined : backoff(failures + 1);
      return { ...state, how: 'unreachable', error, failures, pauseMs };
    }
    case 'end': {
      const { end, begunAt, now } = event;
      const isGood = now - begunAt > goodConnectionMs;
      const liveFailures = isGood ? 1 : state.liveFailures + 1;
      const isBroken = end.reason === 'broken';
      const isShort = isBroken && liveFailures <= 3;
      const pauseMs = backoff(liveFailures + (isBroken ? 0 : 3));
      return {
        ...state,
        how: isShort ? 'connecting' : 'polling',
        error: end.error,
        liveFailures,
        nextLive: now + pauseMs,
        pauseMs: isShort ? pauseMs : 0,
      };
    }
  }
}

/** The part of a conversation that its connection needs. */
interface Follower {
  /** True while events are likely soon, which shortens the polling interval. */
  isBusy(): boolean;
  /** The stamp from which events are sent again. */
  since(): string | undefined;
  onConnection(): void;
  onAbilities(abilities: ConversationAbilities): void;
  /** Returns true if an event was known. */
  onEvents(events: readonly AgentEvent[]): boolean;
  readEvents(source: EventSource, call: CallOptions): Promise<void>;
  /** Returns false if the service no longer has the conversation. */
  readRecord(call: CallOptions): Promise<boolean>;
}

export class AgentConnection {
  readonly #conversation: Conversation;
  readonly #parts: ModelParts;
  readonly #follower: Follower;
  #state = stopped;
  /** The same object while nothing differs. */
  #connection: ConversationConnection = { how: 'paused' };
  #started: AbortController | undefined;
  /** Aborted to end the current pause. */
  #woken: AbortController | undefined;
  /** Set during a live connection. */
  #live:
    | { readonly left: AbortController; readonly checkRecord: () => void }
    | undefined;

  constructor(
    conversation: Conversation,
    parts: ModelParts,
    follower: Follower,
  ) {
    this.#conversation = conversation;
    this.#parts = parts;
    this.#follower = follower;
  }

  get connection(): ConversationConnection {
    return this.#connection;
  }

  start(): void {
    this.#started?.abort();
    this.#started = new AbortController();
    this.#dispatch({ type: 'start' });
    void this.#run(this.#started.signal);
  }

  stop(): void {
    this.#started?.abort();
    this.#dispatch({ type: 'stop' });
  }

  /** Retries at once instead of after the pause. */
  retry(): void {
    if (this.#state.how === 'unreachable') this.start();
    else {
      this.#dispatch({ type: 'retry' });
      this.#woken?.abort();
    }
  }

  /** Checks that the service still has the conversation. */
  checkRecord(): void {
    if (this.#live) this.#live.checkRecord();
    else this.#woken?.abort();
  }

  relocate(): void {
    this.#parts.locations.forget(this.#conversation);
    if (this.#live) this.#live.left.abort();
    else this.#woken?.abort();
  }

  #dispatch(event: ConnectionEvent): void {
    const { how, error } = (this.#state = nextState(this.#state, event));
    if (how !== this.#connection.how || error !== this.#connection.error)
      this.#connection = { how, error };
    this.#follower.onConnection();
  }

  /** Runs until stopped, or until a failure that only the user can fix. */
  async #run(signal: AbortSignal): Promise<void> {
    const { clock, slots } = this.#parts;
    let call: CallOptions = { signal };
    while (!signal.aborted) {
      let event: ConnectionEvent;
      try {
        event = await this.#connect(call, signal);
        call = { signal, priority: 'poll' };
      } catch (error) {
        if (isAborted(signal)) return;
        if (!(error instanceof ServiceError)) throw error;
        event = { type: 'fail', error };
      }
      if (isAborted(signal)) return;
      this.#dispatch(event);
      const { pauseMs } = this.#state;
      // A listener may have stopped it.
      if (pauseMs === undefined || isAborted(signal)) return;
      const woken = (this.#woken = new AbortController());
      const freeSlots = slots.onFree(() => {
        if (this.#state.how === 'polling') woken.abort();
      });
      const either = AbortSignal.any([signal, woken.signal]);
      await sleep(clock, pauseMs, either).catch(() => undefined);
      freeSlots.dispose();
    }
  }

  /** Reads new events, and then follows live if possible. */
  async #connect(
    call: CallOptions,
    signal: AbortSignal,
  ): Promise<ConnectionEvent> {
    const { client, clock, locations, slots } = this.#parts;
    if (!(await client.recognise(call)).agents) {
      const why = t('This service does not report what its agents do.');
      this.#follower.onAbilities(
        abilitiesAt({ status: 'outOfReach', why }, false),
      );
      return { type: 'stop' };
    }
    const location = await locations.use(
      this.#conversation,
      call,
      async (location, agents) => {
        signal.throwIfAborted();
        this.#follower.onAbilities(
          abilitiesAt(location, agents.queue !== undefined),
        );
        if (location.status !== 'ready' && this.#state.how !== 'unreachable')
          this.#dispatch({ type: 'unready' });
        await this.#follower.readEvents(sourceOf(location, agents), call);
        return location;
      },
    );
    signal.throwIfAborted();
    const isReady = location.status === 'ready';
    const begunAt = clock.now();
    if (!isReady || this.#state.nextLive > begunAt || !slots.acquire())
      return { type: 'poll', isReady, isBusy: this.#follower.isBusy() };
    try {
      const end = await this.#followLive(location.steering, signal);
      if (!end) return { type: 'leave' };
      locations.forget(this.#conversation);
      return { type: 'end', end, begunAt, now: clock.now() };
    } finally {
      slots.release();
    }
  }

  /** Returns `undefined` after leaving. */
  async #followLive(
    steering: Steering,
    signal: AbortSignal,
  ): Promise<LiveEnd | undefined> {
    const { clock } = this.#parts;
    const follower = this.#follower;
    const call: CallOptions = { signal, priority: 'poll' };
    const left = new AbortController();
    const over = AbortSignal.any([signal, left.signal]);
    const { promise, resolve } = Promise.withResolvers<LiveEnd | undefined>();
    let isResent = false;
    const doBeside = (work: () => Promise<void>) => {
      work().catch((error: unknown) => {
        if (!over.aborted && !(error instanceof ServiceError)) throw error;
      });
    };
    const checkRecord = () => {
      doBeside(async () => {
        // The connection to a deleted conversation stays open and silent.
        if (!(await follower.readRecord(call)) && !over.aborted)
          this.relocate();
      });
    };
    const close = steering.live(this.#conversation.id, {
      since: follower.since(),
      onOpen: () => {
        this.#dispatch({ type: 'open' });
        doBeside(async () => {
          for (;;) {
            await sleep(clock, recordIntervalMs, over);
            checkRecord();
          }
        });
        doBeside(async () => {
          await sleep(clock, resendMs, over);
          if (!isResent) await follower.readEvents(steering, call);
        });
      },
      onEvents: (events) => {
        if (follower.onEvents(events)) isResent = true;
      },
      onEnd: (end) => {
        resolve(end);
        left.abort();
      },
    });
    const leave = () => {
      close();
      resolve(undefined);
    };
    over.addEventListener('abort', leave, { once: true });
    this.#live = { left, checkRecord };
    try {
      return await promise;
    } finally {
      this.#live = undefined;
    }
  }
}

/**
 * Hides the check from the compiler, which assumes that `aborted` does not
 * change.
 */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
