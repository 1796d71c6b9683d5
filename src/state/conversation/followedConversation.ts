/**
 * A conversation whose events are read while it is visible: live if possible,
 * else by polling.
 */
import { sleep } from '../../base/clock.ts';
import { Emitter, type Subscription } from '../../base/event.ts';
import { t } from '../../base/l10n.ts';
import { isEqual } from '../../base/same.ts';
import { Serial } from '../../base/serial.ts';
import { Throttle } from '../../base/throttle.ts';
import type {
  AgentLocation,
  EventSource,
  LiveEnd,
  Steering,
} from '../../service/abilities/agentService.ts';
import type { AgentEvent } from '../../service/model/events.ts';
import { isRefusal, ServiceError } from '../../service/http/serviceError.ts';
import type { CallOptions } from '../../service/http/transport.ts';
import { entryOfWhole } from '../transcript/entryOfEvent.ts';
import type {
  TranscriptChange,
  TranscriptEntry,
} from '../transcript/transcriptEntry.ts';
import { Transcript } from '../transcript/transcript.ts';
import {
  abilitiesAt,
  type ConversationAbilities,
  sourceOf,
} from './agentLocations.ts';
import {
  type ConversationConnection,
  ConversationModel,
} from './conversationModel.ts';
import { maxEvents } from './eventReading.ts';

type FollowingEnd = Pick<LiveEnd, 'reason'> & Partial<LiveEnd>;

const busyPauseMs = 3_000;
const calmPauseMs = 10_000;
/** A connection that lasts this long resets the count of failures. */
const goodConnectionMs = 10_000;
/** Recent events requested again in case some arrive late. */
const overlap = 10;
const minBackoffMs = 500;
const maxBackoffMs = 5 * 60_000;
/** Live events within this time are announced together. */
const togetherMs = 25;
/** Renames and deletions are not sent live, so the record is polled. */
const recordIntervalMs = 30_000;
/** Time in which a service resends recent events. */
const resendMs = 3_000;

const firstPage = 50;
const newPage = 20;
const largePage = 99;
/** Reading restarts with the newest page if more events are missing. */
const maxMissedEvents = 2_000;
/** Maximum delay of a live event. */
const maxLatenessMs = 60_000;

export class FollowedConversation extends ConversationModel {
  readonly #transcript = new Transcript(this.snapshot.conversation.forkedAt);
  /** The newest event of the last reading, before which none is missing. */
  #lastRead: string | undefined;
  /** Pages are read in turn, because each one continues the previous. */
  readonly #reading = new Serial();
  readonly #entriesChanged = new Emitter<TranscriptChange>();
  readonly onEntries = this.#entriesChanged.on;
  #connection: ConversationConnection = { how: 'paused' };
  #abilities: ConversationAbilities | undefined;
  /** True if the transcript has been read since following began. */
  #isCurrent = false;
  #freeSlots: Subscription | undefined;
  /** Set during a live connection. */
  #live:
    | { readonly left: AbortController; readonly lookAtRecord: () => void }
    | undefined;
  /** Aborted to end the current pause. */
  #woken = new AbortController();
  #failures = 0;
  #liveFailures = 0;
  #nextLive = 0;

  /** The loaded entries, oldest first. */
  get entries(): readonly TranscriptEntry[] {
    return this.#transcript.entries;
  }

  get isEmpty(): boolean {
    return this.#transcript.isEmpty;
  }

  /** An invisible conversation sends no requests. */
  override get visible(): boolean {
    return super.visible;
  }

  override set visible(visible: boolean) {
    if (visible === this.visible) return;
    if (visible) this.#begin();
    else this.#pause();
  }

  hold(): this {
    this.holders++;
    return this;
  }

  release(): void {
    if (--this.holders === 0) this.end();
  }

  override end(): void {
    this.holders = 0;
    this.#pause();
    this.#transcript.clear();
    this.#abilities = undefined;
    this.#tell();
  }

  /** Retries at once instead of after the pause. */
  retry(): void {
    if (!this.visible) return;
    if (this.#connection.how === 'unreachable') this.#begin();
    else {
      this.#forgetFailures();
      this.#woken.abort();
    }
  }

  /** Loads the page before the oldest entry. Rejects with a ServiceError. */
  async loadOlder(signal: AbortSignal): Promise<void> {
    if (this.#transcript.hasAll) return;
    const call = { signal };
    const entries = await this.#read(call, (source) =>
      this.#reading.run(async () =>
        this.#transcript.size === 0
          ? undefined
          : await this.#readOlder(source, call),
      ),
    );
    this.#tell(entries);
  }

  /**
   * Reads the whole of a shortened entry or outcome; `undefined` if the service
   * no longer has it.
   */
  async whole(
    eventId: string,
    signal: AbortSignal,
  ): Promise<TranscriptEntry | undefined> {
    const call = { signal };
    const event = await this.#read(call, (source) =>
      source.event(this.#id, eventId, call),
    );
    return event && entryOfWhole(event, this.#transcript.entry(eventId));
  }

  protected override checkRecord(): void {
    if (this.#live) this.#live.lookAtRecord();
    else this.#woken.abort();
  }

  protected override relocate(): void {
    this.#forgetLocation();
    if (this.#live) this.#live.left.abort();
    else this.#woken.abort();
  }

  get #id(): string {
    return this.snapshot.conversation.id;
  }

  /** True while events are likely soon, which shortens the polling interval. */
  get #isBusy(): boolean {
    const { execution } = this.snapshot.conversation;
    return execution === 'running' || execution === 'waitingForConfirmation';
  }

  #begin(): void {
    this.#stop();
    const following = (this.following = new AbortController());
    this.#freeSlots = this.parts.slots.onFree(() => {
      if (this.#connection.how === 'polling') this.#woken.abort();
    });
    this.#isCurrent = false;
    this.#forgetFailures();
    this.#connect('connecting');
    void this.#follow(following.signal);
  }

  #pause(): void {
    if (!this.visible) return;
    this.#tell(this.#transcript.endStream());
    this.#stop();
    this.#connect('paused');
  }

  #stop(): void {
    this.following?.abort();
    this.following = undefined;
    this.#freeSlots?.dispose();
  }

  #forgetFailures(): void {
    this.#failures = this.#liveFailures = this.#nextLive = 0;
  }

  #forgetLocation(): void {
    this.parts.locations.forget(this.snapshot.conversation);
  }

  /** Publishes the differences. */
  #tell(entries?: TranscriptChange): void {
    if (entries) this.#entriesChanged.fire(entries);
    const { size, waiting, policy, tasks, work, hasAll } = this.#transcript;
    const isCurrent = this.#isCurrent && this.visible && size > 0;
    this.takeOldPolicy(policy);
    this.publish({
      connection: this.#connection,
      abilities: this.#abilities,
      tasks,
      work: isCurrent ? work : undefined,
      hasOlder: !hasAll,
      waiting: isCurrent ? waiting : undefined,
    });
  }

  #connect(how: ConversationConnection['how'], error?: ServiceError): void {
    if (how !== this.#connection.how || error !== this.#connection.error)
      this.#connection = { how, ...(error && { error }) };
    this.#tell();
  }

  /** Reads from the agent if it is ready, else from the service. */
  async #read<T>(
    call: CallOptions,
    read: (source: EventSource) => Promise<T>,
  ): Promise<T | undefined> {
    const { client, locations } = this.parts;
    const { agents } = await client.recognise(call);
    if (!agents) return undefined;
    if (!this.#abilities?.canSteer) return await read(agents);
    return await locations.use(this.snapshot.conversation, call, (location) =>
      read(sourceOf(location, agents)),
    );
  }

  /** Runs until ended, or until a failure that only the user can fix. */
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
        pause = live ?? (this.#isBusy ? busyPauseMs : calmPauseMs);
        const error =
          location.status === 'ready' ? this.#connection.error : undefined;
        if (live === undefined) this.#connect('polling', error);
      } catch (error) {
        if (isAborted(signal)) return;
        if (!(error instanceof ServiceError)) throw error;
        this.#connect('unreachable', error);
        // Only the user can fix it.
        if (isRefusal(error) || error.kind === 'notFound') return;
        pause = backoff(++this.#failures + 1);
      }
      this.#woken = new AbortController();
      const either = AbortSignal.any([signal, this.#woken.signal]);
      await sleep(this.parts.clock, pause, either).catch(() => undefined);
    }
  }

  /** Reads new events and returns the location they came from, if any. */
  async #readNew(call: CallOptions): Promise<AgentLocation | undefined> {
    const { client, locations } = this.parts;
    if (!(await client.recognise(call)).agents) {
      const why = t('This service does not report what its agents do.');
      this.#abilities = abilitiesAt({ status: 'outOfReach', why }, false);
      this.#connect('paused');
      return undefined;
    }
    return await locations.use(
      this.snapshot.conversation,
      call,
      async (location, agents) => {
        call.signal?.throwIfAborted();
        const abilities = abilitiesAt(location, agents.queue !== undefined);
        if (!isEqual(abilities, this.#abilities)) this.#abilities = abilities;
        const { how } = this.#connection;
        // An earlier connection failure is irrelevant without an agent to connect
        // to.
        if (location.status !== 'ready' && how !== 'unreachable')
          this.#connect(how);
        await this.#readEvents(sourceOf(location, agents), call);
        return location;
      },
    );
  }

  /**
   * Follows live until the connection ends. Returns the pause before the next
   * attempt in milliseconds; `undefined` if it never was live.
   */
  async #liveIfPossible(
    location: AgentLocation,
    signal: AbortSignal,
  ): Promise<number | undefined> {
    const { clock, slots } = this.parts;
    if (location.status !== 'ready' || this.#nextLive > clock.now())
      return undefined;
    if (!slots.take()) return undefined;
    const begin = clock.now();
    try {
      const end = await this.#followLive(location.steering, signal);
      if (isAborted(signal)) return undefined;
      if (!end) {
        // The next connection may resend the message from its beginning.
        this.#tell(this.#transcript.endStream());
        this.#connect('connecting');
        return 0;
      }
      this.#forgetLocation();
      if (clock.now() - begin > goodConnectionMs) this.#liveFailures = 0;
      const isBroken = end.reason === 'broken';
      const pause = backoff(++this.#liveFailures + (isBroken ? 0 : 3));
      this.#nextLive = clock.now() + pause;
      this.#tell(this.#transcript.endStream());
      const isShort = isBroken && this.#liveFailures <= 3;
      this.#connect(isShort ? 'connecting' : 'polling', end.error);
      return isShort ? pause : 0;
    } finally {
      slots.giveBack();
    }
  }

  /** Returns `undefined` after leaving. */
  async #followLive(
    steering: Steering,
    signal: AbortSignal,
  ): Promise<FollowingEnd | undefined> {
    const transcript = this.#transcript;
    const { clock } = this.parts;
    const call: CallOptions = { signal, priority: 'poll' };
    const left = new AbortController();
    const all = AbortSignal.any([signal, left.signal]);
    const { promise: ended, resolve } = Promise.withResolvers<
      FollowingEnd | undefined
    >();
    const timers = new Map<string, () => void>();
    const after = (name: string, milliseconds: number, then: () => void) => {
      timers.get(name)?.();
      timers.set(name, clock.after(milliseconds, then));
    };
    let events: AgentEvent[] = [];
    let isResent = false;
    const flush = () => {
      if (events.length === 0) return;
      for (const event of events) {
        if (event.kind !== 'state') continue;
        // Services resend known events, which are outdated by later reads.
        if (event.key === 'full_state' || !transcript.has(event.id))
          this.takeFacts(event.facts);
      }
      const entries = transcript.add(events);
      events = [];
      this.#tell(entries);
      // Reading restarts before the next live connection.
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
        if (!all.aborted && !(error instanceof ServiceError)) throw error;
      });
    };
    const lookAtRecord = () => {
      after('record', recordIntervalMs, lookAtRecord);
      lookBeside(async () => {
        if ((await this.#readRecord(call)) || all.aborted) return;
        // The connection to a deleted conversation stays open and silent.
        close();
        over({ reason: 'gone' });
      });
    };
    all.addEventListener('abort', abort, { once: true });
    const close = steering.live(this.#id, {
      since: transcript.stamp(overlap),
      onOpen: () => {
        this.#connect('live');
        after('record', recordIntervalMs, lookAtRecord);
        after('resent', resendMs, () => {
          if (!isResent) lookBeside(() => this.#readEvents(steering, call));
        });
      },
      onEvents: (batch) => {
        isResent ||= batch.some((event) => transcript.has(event.id));
        events.push(...batch);
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

  /** Returns false if the service no longer has the conversation. */
  async #readRecord(call: CallOptions): Promise<boolean> {
    const { conversations } = await this.parts.client.recognise(call);
    const askedAt = this.parts.clock.now();
    const record = await conversations.find(this.#id, call);
    if (record) this.takeRecord(record, askedAt);
    return record !== undefined;
  }

  /** Reads from the newest event back as far as events are missing. */
  #readEvents(source: EventSource, call: CallOptions): Promise<void> {
    const transcript = this.#transcript;
    const take = (entries: TranscriptChange | undefined) => {
      call.signal?.throwIfAborted();
      this.#isCurrent = true;
      this.#tell(entries);
    };
    return this.#reading.run(async () => {
      const { fetch } = source.events(this.#id, call);
      if (transcript.isFull) take(transcript.clear());
      if (transcript.size > 0) {
        const isMissing = ({ id }: AgentEvent) => !transcript.has(id);
        const sure = (transcript.newestAt ?? 0) - maxLatenessMs;
        const { lastState } = transcript;
        const missing: AgentEvent[] = [];
        const events: AgentEvent[] = [];
        let newest: string | undefined;
        let cursor: string | undefined;
        do {
          const page = await fetch(cursor, {
            size: cursor === undefined ? newPage : largePage,
          });
          missing.push(...page.items.filter(isMissing));
          events.push(...page.items);
          newest ??= page.items[0]?.id;
          ({ cursor } = page);
          const oldest = page.items.at(-1);
          // Live events can have gaps: a closing connection loses late ones.
          const isSure =
            oldest && !isMissing(oldest) && (oldest.at ?? Infinity) < sure;
          if (
            cursor === undefined ||
            isSure ||
            page.items.some(({ id }) => id === this.#lastRead)
          ) {
            this.#lastRead = newest;
            take(transcript.add(events.reverse(), lastState));
            return;
          }
        } while (missing.length < maxMissedEvents);
        take(transcript.clear());
      }
      const { items, cursor } = await fetch(undefined, { size: firstPage });
      this.#lastRead = items[0]?.id;
      take(transcript.addOlder(items, cursor === undefined));
      while (
        transcript.waiting.status === 'unknown' &&
        transcript.size < maxEvents
      ) {
        if (transcript.hasAll) break;
        take(await this.#readOlder(source, call));
      }
    });
  }

  async #readOlder(
    source: EventSource,
    call: CallOptions,
  ): Promise<TranscriptChange | undefined> {
    const transcript = this.#transcript;
    const { fetch } = source.events(this.#id, call);
    const oldestId = transcript.oldestId ?? '';
    for (let count = transcript.size; ; count = Math.floor(count / 2)) {
      const { items, cursor } = await fetch(source.cursorAt(oldestId, count), {
        size: largePage,
      });
      const [first] = items;
      // A service whose cursors count events may have fewer new events than the
      // transcript.
      if (count > 0 && (!first || !transcript.has(first.id))) continue;
      return transcript.addOlder(items, cursor === undefined);
    }
  }
}

/** Returns the milliseconds to wait after this many failures. */
function backoff(failures: number): number {
  return (
    Math.min(minBackoffMs * 2 ** failures, maxBackoffMs) *
    (0.5 + Math.random() / 2)
  );
}

/**
 * Hides the check from the compiler, which assumes that `aborted` does not
 * change.
 */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
