/** Keeps up with one conversation while somebody looks at it: live where that is possible, else by asking again. */
import type { Clock } from '../../base/clock.ts';
import type { Subscription } from '../../base/event.ts';
import { t } from '../../base/l10n.ts';
import type { Agents, Reach, Steering, Where } from '../../service/agentService.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { AgentEvent } from '../../service/events.ts';
import { isRefusal, ServiceError } from '../../service/serviceError.ts';
import type { CallOptions } from '../../service/transport.ts';
import type { TranscriptChange } from '../transcript/transcriptEntry.ts';
import type { EventHistory } from './eventHistory.ts';
import { type FollowingEnd, followLive, type LiveFollowing } from './liveFollowing.ts';
import type { LiveSlots } from './liveSlots.ts';
import { Pauses } from './pauses.ts';
import { outOfReach, reachOf } from './reach.ts';
import type { Transcript } from '../transcript/transcript.ts';

export interface FollowedState {
  readonly how: 'connecting' | 'live' | 'polling' | 'paused' | 'unreachable';
  /** Why it is not live, or why the last attempt has failed. */
  readonly error?: ServiceError;
}

interface EventWatchOptions {
  /** Of the conversation. */
  readonly id: string;
  readonly client: ServiceClient;
  readonly clock: Clock;
  readonly slots: LiveSlots;
  readonly random?: (() => number) | undefined;
  readonly transcript: Transcript;
  readonly history: EventHistory;
  /** Whether something is to be expected soon. */
  readonly isBusy: () => boolean;
  /** What came live. */
  readonly onEvents: (events: readonly AgentEvent[]) => void;
  /** What the transcript has become by what was read. */
  readonly onRead: (change: TranscriptChange | undefined) => void;
  /** What is known of the connection, of the reach or of what happened is different. */
  readonly onState: () => void;
  /** False if the service does not have the conversation any more. */
  readonly readRecord: (call: CallOptions) => Promise<boolean>;
}

/** In milliseconds: between two questions, while something happens and while nothing does. */
const busy = 3_000;
const calm = 10_000;
/** A connection that has lasted so long was a good one. */
const lasting = 10_000;
/** So many events before the last one are sent again, in case that some of them came late. */
const overlap = 10;

export class EventWatch {
  readonly #options: EventWatchOptions;
  readonly #pauses: Pauses;
  readonly #subscription: Subscription;
  #connection: FollowedState = { how: 'paused' };
  #reach: Reach | undefined;
  /** Where what happened is read at the moment. */
  #agents: Agents | undefined;
  #steering: Steering | undefined;
  /** Aborted when nobody looks any more. */
  #stay: AbortController | undefined;
  /** While it is live. */
  #live: { readonly following: LiveFollowing; readonly leave: () => void } | undefined;
  #failures = 0;
  #liveFailures = 0;
  #nextLive = 0;

  constructor(options: EventWatchOptions) {
    this.#options = options;
    const { clock, slots, random = Math.random } = options;
    this.#pauses = new Pauses(clock, random);
    this.#subscription = slots.onFree(() => {
      if (this.#connection.how === 'polling') this.#pauses.wake();
    });
  }

  get connection(): FollowedState {
    return this.#connection;
  }

  /** What can be done with the conversation; undefined until that is known. */
  get reach(): Reach | undefined {
    return this.#reach;
  }

  get isOn(): boolean {
    return this.#stay !== undefined;
  }

  begin(): void {
    this.#stay?.abort();
    const stay = (this.#stay = new AbortController());
    this.#forgetFailures();
    this.#connect('connecting');
    void this.#follow(stay.signal);
  }

  end(): void {
    if (!this.#stay) return;
    this.#stay.abort();
    this.#stay = undefined;
    this.#connect('paused');
  }

  /** For good. */
  release(): void {
    this.end();
    this.#subscription.dispose();
  }

  /** Asks at once, and not only after the pause that follows a failure. */
  retry(): void {
    if (!this.#stay) return;
    if (this.#connection.how === 'unreachable') this.begin();
    else {
      this.#forgetFailures();
      this.#pauses.wake();
    }
  }

  /** The conversation may have been deleted, which nothing tells. */
  checkRecord(): void {
    if (this.#live) this.#live.following.lookAtRecord();
    else this.#pauses.wake();
  }

  /** It may be somewhere else now, or nowhere. */
  lookAgain(): void {
    if (this.#live) this.#live.leave();
    else this.#pauses.wake();
  }

  /** Where what happened can be read; undefined where the service does not tell it. */
  async source(call: CallOptions): Promise<Steering | Agents | undefined> {
    return this.#steering ?? this.#agents ?? (await this.#recognise(call));
  }

  async #recognise(call: CallOptions): Promise<Agents | undefined> {
    return (this.#agents = (await this.#options.client.recognise(call)).steering);
  }

  #forgetFailures(): void {
    this.#failures = this.#liveFailures = this.#nextLive = 0;
  }

  /** Goes on until nobody looks any more, or until a person has to do something. */
  async #follow(signal: AbortSignal): Promise<void> {
    let call: CallOptions = { signal };
    while (!signal.aborted) {
      let pause: number;
      try {
        const where = await this.#look(call);
        // Whoever was told of it may have gone.
        if (!where || isAborted(signal)) return;
        call = { signal, priority: 'poll' };
        this.#failures = 0;
        const live = await this.#liveIfPossible(where, signal);
        if (isAborted(signal)) return;
        pause = live ?? (this.#options.isBusy() ? busy : calm);
        const error = where.status === 'ready' ? this.#connection.error : undefined;
        if (live === undefined) this.#connect('polling', error);
      } catch (error) {
        if (isAborted(signal)) return;
        if (!(error instanceof ServiceError)) throw error;
        this.#connect('unreachable', error);
        // A person has to do something about it.
        if (isRefusal(error) || error.kind === 'notFound') return;
        pause = this.#pauses.backoff(++this.#failures + 1);
      }
      await this.#pauses.pause(pause, signal);
    }
  }

  /** Reads what is new, and where the agent can be steered; undefined where nothing can be read. */
  async #look(call: CallOptions): Promise<Where | undefined> {
    const agents = await this.#recognise(call);
    if (!agents) {
      this.#reach = outOfReach(t('This service does not tell what its agents do.'));
      this.#connect('paused');
      return undefined;
    }
    const { id, history, onRead, onState } = this.#options;
    const where = await agents.where(id, call);
    call.signal?.throwIfAborted();
    this.#steering = where.status === 'ready' ? where.steering : undefined;
    this.#reach = reachOf(where, agents.queue !== undefined);
    const { how } = this.#connection;
    // Where nothing can be live, it does not matter what has failed there before.
    if (where.status !== 'ready' && how !== 'unreachable') this.#connect(how);
    await history.readNew(this.#steering ?? agents, id, call, (change) => {
      call.signal?.throwIfAborted();
      onRead(change);
    });
    onState();
    return where;
  }

  /** Follows it live until that ends. How long to wait then; undefined where it was not live at all. */
  async #liveIfPossible(where: Where, signal: AbortSignal): Promise<number | undefined> {
    const { clock, slots, transcript, onRead } = this.#options;
    if (where.status !== 'ready' || this.#nextLive > clock.now()) return undefined;
    const giveBack = slots.take();
    if (!giveBack) return undefined;
    const begin = clock.now();
    try {
      const end = await this.#followLive(where.steering, signal);
      if (isAborted(signal)) return undefined;
      if (!end) {
        this.#connect('connecting');
        return 0;
      }
      if (clock.now() - begin > lasting) this.#liveFailures = 0;
      const isBroken = end.reason === 'broken';
      const backoff = this.#pauses.backoff(++this.#liveFailures + (isBroken ? 0 : 3));
      this.#nextLive = clock.now() + backoff;
      onRead(transcript.endStream());
      const isShort = isBroken && this.#liveFailures <= 3;
      this.#connect(isShort ? 'connecting' : 'polling', end.error);
      return isShort ? backoff : 0;
    } finally {
      giveBack();
    }
  }

  /** Undefined if it was left. */
  async #followLive(steering: Steering, signal: AbortSignal): Promise<FollowingEnd | undefined> {
    const { id, clock, transcript, history, onEvents, onRead, readRecord } = this.#options;
    const call: CallOptions = { signal, priority: 'poll' };
    const left = new AbortController();
    const following = followLive({
      clock,
      steering,
      id,
      signal: AbortSignal.any([signal, left.signal]),
      since: transcript.stamp(overlap),
      isKnown: (eventId) => transcript.has(eventId),
      onOpen: () => {
        this.#connect('live');
      },
      onEvents,
      catchUp: () => history.readNew(steering, id, call, onRead),
      readRecord: () => readRecord(call),
    });
    this.#live = {
      following,
      leave: () => {
        left.abort();
      },
    };
    try {
      return await following.ended;
    } finally {
      this.#live = undefined;
    }
  }

  #connect(how: FollowedState['how'], error?: ServiceError): void {
    this.#connection = { how, ...(error && { error }) };
    this.#options.onState();
  }
}

/** It changes while others work, which the compiler does not expect. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
