/**
 * A conversation whose events are read while it is visible: live if possible,
 * else by polling.
 */
import { Emitter } from '../../base/event.ts';
import { isEqual } from '../../base/same.ts';
import { Serial } from '../../base/serial.ts';
import { Throttle } from '../../base/throttle.ts';
import type { EventSource } from '../../service/abilities/agentService.ts';
import type { AgentEvent } from '../../service/model/events.ts';
import type { Conversation } from '../../service/model/entities.ts';
import type { CallOptions } from '../../service/http/transport.ts';
import { entryOfWhole, eventsLeftOut } from '../transcript/entryOfEvent.ts';
import type {
  TranscriptChange,
  TranscriptEntry,
} from '../transcript/transcriptEntry.ts';
import { Transcript } from '../transcript/transcript.ts';
import { AgentConnection } from './agentConnection.ts';
import { type ConversationAbilities, sourceOf } from './agentLocations.ts';
import { ConversationModel } from './conversationModel.ts';
import { maxEvents } from './eventReading.ts';

/** Recent events requested again in case some arrive late. */
const overlap = 10;
/** Live events within this time are announced together. */
const togetherMs = 25;

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
  #abilities: ConversationAbilities | undefined;
  /** True if the transcript has been read since following began. */
  #isCurrent = false;
  /** Live events that are not announced yet. */
  #liveEvents: AgentEvent[] = [];
  readonly #announcing = new Throttle(this.parts.clock, togetherMs, () => {
    this.#takeLiveEvents();
  });
  readonly #agent = new AgentConnection(
    this.snapshot.conversation,
    this.parts,
    {
      isBusy: () => {
        const { execution } = this.snapshot.conversation;
        return (
          execution === 'running' || execution === 'waitingForConfirmation'
        );
      },
      since: () => this.#transcript.stamp(overlap),
      onConnection: () => {
        this.#takeLiveEvents();
        const isLive = this.#agent.connection.how === 'live';
        // The next connection may resend the message from its beginning.
        this.#announce(isLive ? undefined : this.#transcript.endStream());
      },
      onAbilities: (abilities) => {
        if (!isEqual(abilities, this.#abilities)) this.#abilities = abilities;
      },
      onEvents: (events) => {
        const isResent = events.some(({ id }) => this.#transcript.has(id));
        this.#liveEvents.push(...events);
        this.#announcing.request();
        return isResent;
      },
      readEvents: (source, call) => this.#readEvents(source, call),
      readRecord: async (call) => {
        const { conversations } = await this.parts.client.recognise(call);
        const askedAt = this.parts.clock.now();
        const record = await conversations.find(this.#id, call);
        if (record) this.takeRecord(record, askedAt);
        return record !== undefined;
      },
    },
  );

  /** The loaded entries, oldest first. */
  get entries(): readonly TranscriptEntry[] {
    return this.#transcript.entries;
  }

  get isEmpty(): boolean {
    return this.#transcript.isEmpty;
  }

  /** An invisible conversation sends no requests. */
  setVisible(isVisible: boolean): void {
    if (isVisible === this.isFollowing) return;
    this.#isCurrent = false;
    if (isVisible) this.#agent.start();
    else this.#agent.stop();
  }

  hold(): this {
    this.holders++;
    return this;
  }

  release(): void {
    if (--this.holders === 0) this.end();
  }

  override end(): void {
    super.end();
    this.setVisible(false);
    this.#transcript.clear();
    this.#abilities = undefined;
    this.#announce();
  }

  /** Retries at once instead of after the pause. */
  retry(): void {
    if (this.#agent.connection.how === 'unreachable') this.#isCurrent = false;
    this.#agent.retry();
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
    this.#announce(entries);
  }

  /**
   * Reads all of a shortened entry; `undefined` if the service no longer has
   * it.
   */
  async whole(
    entry: TranscriptEntry,
    signal: AbortSignal,
  ): Promise<TranscriptEntry | undefined> {
    const call = { signal };
    let whole = entry;
    for (const eventId of eventsLeftOut(entry)) {
      const event = await this.#read(call, (source) =>
        source.event(this.#id, eventId, call),
      );
      if (!event) return undefined;
      whole = entryOfWhole(event, whole);
    }
    return whole;
  }

  override setRecord(record: Conversation | undefined): void {
    const { isListed } = this;
    const { status } = this.snapshot.conversation;
    super.setRecord(record);
    // The sandbox was paused, or runs again.
    if (record && record.status !== status) this.#agent.relocate();
    if (!record && isListed) this.#agent.checkRecord();
  }

  get #id(): string {
    return this.snapshot.conversation.id;
  }

  /** Publishes the differences. */
  #announce(entries?: TranscriptChange): void {
    if (entries) this.#entriesChanged.fire(entries);
    const { size, waiting, policy, tasks, work, hasAll } = this.#transcript;
    const isCurrent = this.#isCurrent && size > 0;
    this.takeOldPolicy(policy);
    this.publish({
      connection: this.#agent.connection,
      abilities: this.#abilities,
      tasks,
      work: isCurrent ? work : undefined,
      hasOlder: !hasAll,
      waiting: isCurrent ? waiting : undefined,
    });
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

  #takeLiveEvents(): void {
    this.#announcing.cancel();
    const events = this.#liveEvents;
    if (events.length === 0) return;
    this.#liveEvents = [];
    for (const event of events) {
      if (event.kind !== 'state') continue;
      // Services resend known events, which are outdated by later reads.
      if (event.key === 'full_state' || !this.#transcript.has(event.id))
        this.takeFacts(event.facts);
    }
    this.#announce(this.#transcript.add(events));
    // Reading restarts before the next live connection.
    if (this.#transcript.isFull) this.#agent.relocate();
  }

  /** Reads from the newest event back as far as events are missing. */
  #readEvents(source: EventSource, call: CallOptions): Promise<void> {
    const transcript = this.#transcript;
    const take = (entries: TranscriptChange | undefined) => {
      call.signal?.throwIfAborted();
      this.#isCurrent = true;
      this.#announce(entries);
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
