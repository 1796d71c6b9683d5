/** Keeps up with the events of one conversation while it is looked at: live where that is possible, else by polling. */
import type { Clock } from '../../base/clock.ts';
import { Emitter, type Subscription } from '../../base/event.ts';
import { t } from '../../base/l10n.ts';
import { isEqual } from '../../base/same.ts';
import type { AgentLocation, EventSource, Steering } from '../../service/agentService.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { Conversation, Time } from '../../service/entities.ts';
import type { Facts } from '../../service/events.ts';
import { isRefusal, ServiceError } from '../../service/serviceError.ts';
import type { CallOptions } from '../../service/transport.ts';
import type { TranscriptChange } from '../transcript/transcriptEntry.ts';
import { Transcript } from '../transcript/transcript.ts';
import { abilitiesAt, type ConversationAbilities } from './abilities.ts';
import type { AgentLocations } from './agentLocations.ts';
import { EventHistory } from './eventHistory.ts';
import { type FollowingEnd, followLive, type LiveFollowing } from './liveFollowing.ts';
import type { LiveSlots } from './liveSlots.ts';
import { Pauses } from './pauses.ts';

export interface ConversationConnection {
  readonly how: 'connecting' | 'live' | 'polling' | 'paused' | 'unreachable';
  /** The reason why it is not live, or why the last attempt has failed. */
  readonly error?: ServiceError | undefined;
}

/** Something is different: the connection and the abilities, and what is named here. */
export interface FollowerNews {
  readonly entries?: TranscriptChange | undefined;
  readonly facts?: Facts;
  /** The record as the service has it, asked for at that time. */
  readonly record?: Conversation;
  readonly askedAt?: Time;
}

export interface FollowerParts {
  readonly client: ServiceClient;
  readonly clock: Clock;
  readonly slots: LiveSlots;
  readonly locations: AgentLocations;
}

const busyPauseMs = 3_000;
const calmPauseMs = 10_000;
/** A connection that lasts this long resets the count of failures. */
const goodConnectionMs = 10_000;
/** Ask for this many recent events again, in case some arrive late. */
const overlap = 10;

export class EventFollower {
  readonly transcript = new Transcript();
  /** True while something is to be expected soon, which shortens the pauses of polling. */
  isBusy = false;
  readonly #conversation: Conversation;
  readonly #parts: FollowerParts;
  readonly #history = new EventHistory(this.transcript);
  readonly #pauses: Pauses;
  readonly #news = new Emitter<FollowerNews>();
  readonly onNews = this.#news.on;
  #connection: ConversationConnection = { how: 'paused' };
  #abilities: ConversationAbilities | undefined;
  #isCurrent = false;
  /** Aborted when following ends. */
  #following: AbortController | undefined;
  #freeSlots: Subscription | undefined;
  /** Set while it is live. */
  #live: { readonly following: LiveFollowing; readonly leave: () => void } | undefined;
  #failures = 0;
  #liveFailures = 0;
  #nextLive = 0;

  constructor(conversation: Conversation, parts: FollowerParts) {
    this.#conversation = conversation;
    this.#parts = parts;
    this.#pauses = new Pauses(parts.clock);
  }

  get connection(): ConversationConnection {
    return this.#connection;
  }

  /** Undefined until they are known. */
  get abilities(): ConversationAbilities | undefined {
    return this.#abilities;
  }

  get isOn(): boolean {
    return this.#following !== undefined;
  }

  /** True if the transcript has been read since following began. */
  get isCurrent(): boolean {
    return this.#isCurrent && this.isOn;
  }

  begin(): void {
    this.#stop();
    const following = (this.#following = new AbortController());
    this.#freeSlots = this.#parts.slots.onFree(() => {
      if (this.#connection.how === 'polling') this.#pauses.wake();
    });
    this.#isCurrent = false;
    this.#forgetFailures();
    this.#connect('connecting');
    void this.#follow(following.signal);
  }

  end(): void {
    if (!this.#following) return;
    this.#news.fire({ entries: this.transcript.endStream() });
    this.#stop();
    this.#connect('paused');
  }

  /** Ends, and forgets the events. */
  clear(): void {
    this.end();
    this.transcript.clear();
    this.#abilities = undefined;
    this.#news.fire({});
  }

  /** Asks at once, and not only after the pause that follows a failure. */
  retry(): void {
    if (!this.#following) return;
    if (this.#connection.how === 'unreachable') this.begin();
    else {
      this.#forgetFailures();
      this.#pauses.wake();
    }
  }

  /** Finds out whether the service still has the conversation. */
  checkRecord(): void {
    if (this.#live) this.#live.following.lookAtRecord();
    else this.#pauses.wake();
  }

  /** Locates the agent again. */
  relocate(): void {
    this.#parts.locations.forget(this.#conversation);
    if (this.#live) this.#live.leave();
    else this.#pauses.wake();
  }

  /** Reads the page before the oldest event. Rejects with a ServiceError. */
  async readOlder(call: CallOptions): Promise<void> {
    const entries = await this.#read(call, (source) =>
      this.#history.readOlder(source, this.#conversation.id, call),
    );
    this.#news.fire({ entries });
  }

  /** Reads one event in full; undefined if the service does not have it any more. */
  async readEvent(eventId: string, call: CallOptions) {
    return await this.#read(call, (source) => source.event(this.#conversation.id, eventId, call));
  }

  /** Reads at the agent if it is known to be ready, else at the service. */
  async #read<T>(call: CallOptions, read: (source: EventSource) => Promise<T>): Promise<T | undefined> {
    const { client, locations } = this.#parts;
    const { steering: agents } = await client.recognise(call);
    if (!agents) return undefined;
    if (!this.#abilities?.canSteer) return await read(agents);
    return await locations.use(this.#conversation, call, (location) =>
      read(location.status === 'ready' ? location.steering : agents),
    );
  }

  #stop(): void {
    this.#following?.abort();
    this.#following = undefined;
    this.#freeSlots?.dispose();
  }

  #forgetFailures(): void {
    this.#failures = this.#liveFailures = this.#nextLive = 0;
  }

  /** Goes on until it is ended, or until only the user can help. */
  async #follow(signal: AbortSignal): Promise<void> {
    let call: CallOptions = { signal };
    while (!signal.aborted) {
      let pause: number;
      try {
        const location = await this.#readNew(call);
        // A listener may have ended it.
        if (!location || isAborted(signal)) return;
        call = { signal, priority: 'poll' };
        this.#failures = 0;
        const live = await this.#liveIfPossible(location, signal);
        if (isAborted(signal)) return;
        pause = live ?? (this.isBusy ? busyPauseMs : calmPauseMs);
        const error = location.status === 'ready' ? this.#connection.error : undefined;
        if (live === undefined) this.#connect('polling', error);
      } catch (error) {
        if (isAborted(signal)) return;
        if (!(error instanceof ServiceError)) throw error;
        this.#connect('unreachable', error);
        // Only the user can do something about it.
        if (isRefusal(error) || error.kind === 'notFound') return;
        pause = this.#pauses.backoff(++this.#failures + 1);
      }
      await this.#pauses.pause(pause, signal);
    }
  }

  /** Reads new events, and returns where they were read; undefined where nothing can be read. */
  async #readNew(call: CallOptions): Promise<AgentLocation | undefined> {
    const { client, locations } = this.#parts;
    const { id } = this.#conversation;
    if (!(await client.recognise(call)).steering) {
      const why = t('This service does not tell what its agents do.');
      this.#setAbilities({ status: 'outOfReach', why }, false);
      this.#connect('paused');
      return undefined;
    }
    return await locations.use(this.#conversation, call, async (location, agents) => {
      call.signal?.throwIfAborted();
      this.#setAbilities(location, agents.queue !== undefined);
      const { how } = this.#connection;
      // Without an agent to connect to, an earlier failure of the connection does not matter.
      if (location.status !== 'ready' && how !== 'unreachable') this.#connect(how);
      const source = location.status === 'ready' ? location.steering : agents;
      await this.#history.readNew(source, id, call, (entries) => {
        call.signal?.throwIfAborted();
        this.#isCurrent = true;
        this.#news.fire({ entries });
      });
      return location;
    });
  }

  /** Follows it live until that ends. Returns the pause after that in milliseconds; undefined where it was not live. */
  async #liveIfPossible(location: AgentLocation, signal: AbortSignal): Promise<number | undefined> {
    const { clock, slots, locations } = this.#parts;
    if (location.status !== 'ready' || this.#nextLive > clock.now()) return undefined;
    const giveBack = slots.take();
    if (!giveBack) return undefined;
    const begin = clock.now();
    try {
      const end = await this.#followLive(location.steering, signal);
      if (isAborted(signal)) return undefined;
      if (!end) {
        this.#connect('connecting');
        return 0;
      }
      locations.forget(this.#conversation);
      if (clock.now() - begin > goodConnectionMs) this.#liveFailures = 0;
      const isBroken = end.reason === 'broken';
      const backoff = this.#pauses.backoff(++this.#liveFailures + (isBroken ? 0 : 3));
      this.#nextLive = clock.now() + backoff;
      this.#news.fire({ entries: this.transcript.endStream() });
      const isShort = isBroken && this.#liveFailures <= 3;
      this.#connect(isShort ? 'connecting' : 'polling', end.error);
      return isShort ? backoff : 0;
    } finally {
      giveBack();
    }
  }

  /** Undefined if it was left. */
  async #followLive(steering: Steering, signal: AbortSignal): Promise<FollowingEnd | undefined> {
    const { transcript } = this;
    const { id } = this.#conversation;
    const call: CallOptions = { signal, priority: 'poll' };
    const left = new AbortController();
    const following = followLive({
      clock: this.#parts.clock,
      steering,
      id,
      signal: AbortSignal.any([signal, left.signal]),
      since: transcript.stamp(overlap),
      isKnown: (eventId) => transcript.has(eventId),
      onOpen: () => {
        this.#connect('live');
      },
      onEvents: (events) => {
        if (events.length === 0) return;
        let facts: Facts = {};
        for (const event of events) if (event.kind === 'state') facts = { ...facts, ...event.facts };
        this.#news.fire({ entries: transcript.add(events), facts });
        // It is read again before it is followed live again.
        if (transcript.isFull) this.relocate();
      },
      catchUp: () =>
        this.#history.readNew(steering, id, call, (entries) => {
          this.#news.fire({ entries });
        }),
      readRecord: () => this.#readRecord(call),
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

  /** Returns false if the service does not have the conversation any more. */
  async #readRecord(call: CallOptions): Promise<boolean> {
    const { conversations } = await this.#parts.client.recognise(call);
    const askedAt = this.#parts.clock.now();
    const record = await conversations.find(this.#conversation.id, call);
    if (record) this.#news.fire({ record, askedAt });
    return record !== undefined;
  }

  #setAbilities(location: AgentLocation, canQueue: boolean): void {
    const abilities = abilitiesAt(location, canQueue);
    if (!isEqual(abilities, this.#abilities)) this.#abilities = abilities;
  }

  #connect(how: ConversationConnection['how'], error?: ServiceError): void {
    if (how !== this.#connection.how || error !== this.#connection.error)
      this.#connection = { how, ...(error && { error }) };
    this.#news.fire({});
  }
}

/** It changes while others work, which the compiler does not expect. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
