/** Reads the events that a transcript does not have yet: new ones, and older ones. */
import { Serial } from '../../base/serial.ts';
import type { EventSource } from '../../service/agentService.ts';
import type { AgentEvent } from '../../service/events.ts';
import type { CallOptions } from '../../service/transport.ts';
import type { Transcript } from '../transcript/transcript.ts';
import type { TranscriptChange } from '../transcript/transcriptEntry.ts';
import { maxEvents } from './eventReading.ts';

type Source = Pick<EventSource, 'events' | 'cursorAt'>;

const firstPage = 50;
const newPage = 20;
const largePage = 99;
/** If more events are missing, reading begins again with the newest page. */
const maxMissedEvents = 2_000;
/** A live event can be late by this many milliseconds. */
const latest = 60_000;

export class EventHistory {
  readonly #transcript: Transcript;
  /** The newest event of the last reading: none before it is missing. */
  #lastRead: string | undefined;
  /** The place of each page depends on those before it. */
  readonly #serial = new Serial();

  constructor(transcript: Transcript) {
    this.#transcript = transcript;
  }

  /** Reads from the newest on as far as something is missing. Calls `then` with each change. */
  readNew(
    source: Source,
    id: string,
    call: CallOptions,
    then: (change: TranscriptChange | undefined) => void,
  ): Promise<void> {
    return this.#serial.run(async () => {
      const { fetch } = source.events(id, call);
      if (this.#transcript.isFull) then(this.#transcript.clear());
      if (this.#transcript.size > 0) {
        const isMissing = ({ id }: AgentEvent) => !this.#transcript.has(id);
        const sure = (this.#transcript.newestAt ?? 0) - latest;
        const missing: AgentEvent[] = [];
        let newest: string | undefined;
        let cursor: string | undefined;
        do {
          const page = await fetch(cursor, { size: cursor === undefined ? newPage : largePage });
          missing.push(...page.items.filter(isMissing));
          newest ??= page.items[0]?.id;
          ({ cursor } = page);
          const oldest = page.items.at(-1);
          // Events that came live can have gaps, because a connection that ends loses those that were late.
          const isSure = oldest && !isMissing(oldest) && (oldest.at ?? Infinity) < sure;
          if (cursor === undefined || isSure || page.items.some(({ id }) => id === this.#lastRead)) {
            this.#lastRead = newest;
            then(this.#transcript.add(missing.reverse()));
            return;
          }
        } while (missing.length < maxMissedEvents);
        then(this.#transcript.clear());
      }
      const { items, cursor } = await fetch(undefined, { size: firstPage });
      this.#lastRead = items[0]?.id;
      then(this.#transcript.addOlder(items, cursor === undefined));
      while (this.#transcript.waiting.status === 'unknown' && this.#transcript.size < maxEvents) {
        if (this.#transcript.hasAll) break;
        then(await this.#readOlder(source, id, call));
      }
    });
  }

  /** Reads the page before the oldest event; nothing while there is no event. */
  readOlder(source: Source, id: string, call: CallOptions): Promise<TranscriptChange | undefined> {
    return this.#serial.run(async () =>
      this.#transcript.size === 0 ? undefined : await this.#readOlder(source, id, call),
    );
  }

  async #readOlder(source: Source, id: string, call: CallOptions): Promise<TranscriptChange | undefined> {
    const { fetch } = source.events(id, call);
    const oldestId = this.#transcript.oldestId ?? '';
    for (let count = this.#transcript.size; ; count = Math.floor(count / 2)) {
      const { items, cursor } = await fetch(source.cursorAt(oldestId, count), { size: largePage });
      const [first] = items;
      // A service that counts may have fewer of the newest.
      if (count > 0 && (!first || !this.#transcript.has(first.id))) continue;
      return this.#transcript.addOlder(items, cursor === undefined);
    }
  }
}
