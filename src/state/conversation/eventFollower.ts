/** Keeps up with the events of one conversation while it is looked at: live where that is possible, else by polling. */
import { type Clock, sleep } from '../../base/clock.ts';
import type { Subscription } from '../../base/event.ts';
import { t } from '../../base/l10n.ts';
import { isEqual } from '../../base/same.ts';
import { Throttle } from '../../base/throttle.ts';
import type { AgentLocation, EventSource, LiveEnd, Steering } from '../../service/agentService.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { Conversation, Time } from '../../service/entities.ts';
import type { AgentEvent, Facts } from '../../service/events.ts';
import { isRefusal, ServiceError } from '../../service/serviceError.ts';
import type { CallOptions } from '../../service/transport.ts';
import { entryOfWhole } from '../transcript/entryOfEvent.ts';
import type { TranscriptChange, TranscriptEntry } from '../transcript/transcriptEntry.ts';
import { Transcript } from '../transcript/transcript.ts';
import { abilitiesAt, type ConversationAbilities } from './abilities.ts';
import type { AgentLocations } from './agentLocations.ts';
import { EventHistory } from './eventHistory.ts';
import type { LiveSlots } from './liveSlots.ts';

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

type FollowingEnd = Pick<LiveEnd, 'reason'> & Partial<LiveEnd>;

const busyPauseMs = 3_000;
const calmPauseMs = 10_000;
/** A connection that lasts this long resets the count of failures. */
const goodConnectionMs = 10_000;
/** Ask for this many recent events again, in case some arrive late. */
const overlap = 10;
const minBackoffMs = 500;
const maxBackoffMs = 5 * 60_000;
/** Live events within this time of others are told together. */
const togetherMs = 25;
/** A rename and a deletion are not told live. */
const recordIntervalMs = 30_000;
/** A service that resends recent events has done so by then. */
const resendMs = 3_000;

export class EventFollower {
  readonly transcript: Transcript;
  /** True while something is to be expected soon, which shortens the pauses of polling. */
  isBusy = false;
  readonly #conversation: Conversation;
  readonly #parts: FollowerParts;
  readonly #history: EventHistory;
  readonly #onNews: (news: FollowerNews) => void;
  #connection: ConversationConnection = { how: 'paused' };
  #abilities: ConversationAbilities | undefined;
  #isCurrent = false;
  /** Aborted when following ends. */
  #following: AbortController | undefined;
  #freeSlots: Subscription | undefined;
  /** Set while it is live. */
  #live: { readonly left: AbortController; readonly lookAtRecord: () => void } | undefined;
  /** Aborted to end the pause that is under way. */
  #woken = new AbortController();
  #failures = 0;
  #liveFailures = 0;
  #nextLive = 0;

  constructor(conversation: Conversation, parts: FollowerParts, onNews: (news: FollowerNews) => void) {
    this.#onNews = onNews;
    this.#conversation = conversation;
    this.#parts = parts;
    this.transcript = new Transcript(conversation.forkedAt);
    this.#history = new EventHistory(this.transcript);
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
      if (this.#connection.how === 'polling') this.#woken.abort();
    });
    this.#isCurrent = false;
    this.#forgetFailures();
    this.#connect('connecting');
    void this.#follow(following.signal);
  }

  end(): void {
    if (!this.#following) return;
    this.#onNews({ entries: this.transcript.endStream() });
    this.#stop();
    this.#connect('paused');
  }

  /** Ends, and forgets the events. */
  clear(): void {
    this.end();
    this.transcript.clear();
    this.#abilities = undefined;
    this.#onNews({});
  }

  /** Asks at once, and not only after the pause that follows a failure. */
  retry(): void {
    if (!this.#following) return;
    if (this.#connection.how === 'unreachable') this.begin();
    else {
      this.#forgetFailures();
      this.#woken.abort();
    }
  }

  /** Finds out whether the service still has the conversation. */
  checkRecord(): void {
    if (this.#live) this.#live.lookAtRecord();
    else this.#woken.abort();
  }

  relocate(): void {
    this.#parts.locations.forget(this.#conversation);
    if (this.#live) this.#live.left.abort();
    else this.#woken.abort();
  }

  /** Reads the page before the oldest event. Rejects with a ServiceError. */
  async readOlder(call: CallOptions): Promise<void> {
    const entries = await this.#read(call, (source) =>
      this.#history.readOlder(source, this.#conversation.id, call),
    );
    this.#onNews({ entries });
  }

  /** Reads one event in full; undefined if the service does not have it any more. */
  async readWhole(eventId: string, call: CallOptions): Promise<TranscriptEntry | undefined> {
    const event = await this.#read(call, (source) => source.event(this.#conversation.id, eventId, call));
    return event && entryOfWhole(event, this.transcript.entry(eventId));
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
        pause = backoff(++this.#failures + 1);
      }
      this.#woken = new AbortController();
      const either = AbortSignal.any([signal, this.#woken.signal]);
      await sleep(this.#parts.clock, pause, either).catch(() => undefined);
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
        this.#onNews({ entries });
      });
      return location;
    });
  }

  /** Follows it live until that ends. Returns the pause after that in milliseconds; undefined where it was not live. */
  async #liveIfPossible(location: AgentLocation, signal: AbortSignal): Promise<number | undefined> {
    const { clock, slots, locations } = this.#parts;
    if (location.status !== 'ready' || this.#nextLive > clock.now()) return undefined;
    if (!slots.take()) return undefined;
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
      const pause = backoff(++this.#liveFailures + (isBroken ? 0 : 3));
      this.#nextLive = clock.now() + pause;
      this.#onNews({ entries: this.transcript.endStream() });
      const isShort = isBroken && this.#liveFailures <= 3;
      this.#connect(isShort ? 'connecting' : 'polling', end.error);
      return isShort ? pause : 0;
    } finally {
      slots.giveBack();
    }
  }

  /** Undefined if it was left. */
  async #followLive(steering: Steering, signal: AbortSignal): Promise<FollowingEnd | undefined> {
    const { transcript } = this;
    const { clock } = this.#parts;
    const { id } = this.#conversation;
    const call: CallOptions = { signal, priority: 'poll' };
    const left = new AbortController();
    const all = AbortSignal.any([signal, left.signal]);
    const { promise: ended, resolve } = Promise.withResolvers<FollowingEnd | undefined>();
    const timers = new Map<string, () => void>();
    const after = (name: string, milliseconds: number, then: () => void) => {
      timers.get(name)?.();
      timers.set(name, clock.after(milliseconds, then));
    };
    let events: AgentEvent[] = [];
    let isResent = false;
    const flush = () => {
      if (events.length === 0) return;
      const facts: Facts = {};
      for (const event of events) if (event.kind === 'state') Object.assign(facts, event.facts);
      const entries = transcript.add(events);
      events = [];
      this.#onNews({ entries, facts });
      // It is read again before it is followed live again.
      if (transcript.isFull) this.relocate();
    };
    const throttle = new Throttle(clock, togetherMs, flush);
    const over = (end?: FollowingEnd) => {
      all.removeEventListener('abort', abort);
      for (const cancel of timers.values()) cancel();
      throttle.cancel();
      flush();
      resolve(end);
    };
    const abort = () => {
      close();
      over();
    };
    const lookBeside = (look: () => Promise<unknown>) => {
      look().catch((error: unknown) => {
        if (!(error instanceof ServiceError)) throw error;
      });
    };
    const lookAtRecord = () => {
      after('record', recordIntervalMs, lookAtRecord);
      lookBeside(async () => {
        if ((await this.#readRecord(call)) || all.aborted) return;
        // The connection to what is deleted stays open and silent.
        close();
        over({ reason: 'gone' });
      });
    };
    const catchUp = () =>
      this.#history.readNew(steering, id, call, (entries) => {
        this.#onNews({ entries });
      });
    all.addEventListener('abort', abort, { once: true });
    const close = steering.live(id, {
      since: transcript.stamp(overlap),
      onOpen: () => {
        this.#connect('live');
        after('record', recordIntervalMs, lookAtRecord);
        after('resent', resendMs, () => {
          if (!isResent) lookBeside(catchUp);
        });
      },
      onEvents: (given) => {
        isResent ||= given.some((event) => transcript.has(event.id));
        events.push(...given);
        throttle.request();
      },
      onEnd: over,
    });
    this.#live = { left, lookAtRecord };
    try {
      return await ended;
    } finally {
      this.#live = undefined;
    }
  }

  /** Returns false if the service does not have the conversation any more. */
  async #readRecord(call: CallOptions): Promise<boolean> {
    const { conversations } = await this.#parts.client.recognise(call);
    const askedAt = this.#parts.clock.now();
    const record = await conversations.find(this.#conversation.id, call);
    if (record) this.#onNews({ record, askedAt });
    return record !== undefined;
  }

  #setAbilities(location: AgentLocation, canQueue: boolean): void {
    const abilities = abilitiesAt(location, canQueue);
    if (!isEqual(abilities, this.#abilities)) this.#abilities = abilities;
  }

  #connect(how: ConversationConnection['how'], error?: ServiceError): void {
    if (how !== this.#connection.how || error !== this.#connection.error)
      this.#connection = { how, ...(error && { error }) };
    this.#onNews({});
  }
}

/** Returns the milliseconds to wait after this many failures. */
function backoff(failures: number): number {
  return Math.min(minBackoffMs * 2 ** failures, maxBackoffMs) * (0.5 + Math.random() / 2);
}

/** It changes while others work, which the compiler does not expect. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
