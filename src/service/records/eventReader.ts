/**
 * Reads the events of conversations, which V1 and the Agent Server answer
 * alike.
 */
import { t } from '../../base/l10n.ts';
import type { Log } from '../../base/log.ts';
import { type Conversation, idKey, type Time } from '../model/entities.ts';
import type { AgentEvent } from '../model/events.ts';
import { type FetchPage, type PageRequest, Pager } from '../http/pager.ts';
import { AdaptivePageSize, type Requests, rowLimit } from '../http/requests.ts';
import { readEvent } from './readEvent.ts';
import { ServiceError } from '../http/serviceError.ts';
import type { CallOptions } from '../http/transport.ts';
import { isObject, time } from '../http/wireValues.ts';

/** Large, because an event contains whole files that an agent read or wrote. */
const maxEventBytes = 32_000_000;

export const requestOfOneEvent = {
  bodyLimit: maxEventBytes,
  keepsNumbers: true,
} as const;

/** Step between time zones. */
const quarterHourMs = 15 * 60_000;
/** Largest offset of a zone from UTC. */
const maxOffsetMs = 14 * 3_600_000;
/** Longest time between the creation and the first event. */
const maxCreationDelayMs = 60_000;
/** Longest time between an event and the change of its record by it. */
const maxUpdateDelayMs = 2_000;
/** Changes of the clock by daylight saving time. */
const clockChangesMs = [0, 3_600_000, -3_600_000, 1_800_000, -1_800_000];
const maxTimesRemembered = 1_000;

/** Local times between which this offset is known to hold. */
interface OffsetSpan {
  readonly offset: Time;
  readonly from: Time;
  readonly to: Time;
}

interface EventReaderOptions {
  readonly requests: Requests<'readEvents'>;
  readonly eventTimes: EventTimes;
  readonly log: Log;
  /** The path of the search. */
  readonly path: (id: string) => readonly string[];
  /** True if a cursor is the id of the first event of its page. */
  readonly isCursorId: boolean;
}

export function eventReader({
  requests,
  eventTimes,
  log,
  path,
  isCursorId,
}: EventReaderOptions) {
  function read(id: string, events: readonly unknown[]): readonly AgentEvent[] {
    try {
      eventTimes.compare(id, events.map(timestampOf));
      return events.map((event) =>
        readEvent(event, (at) => eventTimes.at(id, at)),
      );
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw requests.error('readEvents', {
        kind: 'notUnderstood',
        why: t('it is nested too deeply'),
      });
    }
  }

  function fetchPage(id: string): FetchPage<AgentEvent> {
    const pageSize = new AdaptivePageSize();
    return async (cursor, { size = 20, ...call }) => {
      const page = await pageSize.request(rowLimit(size), (limit) => {
        const query = { page_id: cursor, limit, sort_order: 'TIMESTAMP_DESC' };
        const oneEvent = limit === 1 && requestOfOneEvent;
        const sent = {
          path: path(id),
          query,
          keepsNumbers: true,
          ...oneEvent,
        } as const;
        return requests.page('readEvents', sent, call, (event) => event);
      });
      if (eventTimes.wantsFirst(id)) {
        if (page.cursor === undefined)
          eventTimes.learn(id, timestampOf(page.items.at(-1)));
        else await learnTimes(id, call);
      }
      const items = read(id, page.items);
      // The service answers an unknown cursor with the first page, which would
      // hide the events between.
      const isAnotherPage =
        isCursorId && cursor !== undefined && items[0]?.id !== cursor;
      if (isAnotherPage || page.skipped > 0) {
        const why = isAnotherPage
          ? t('it is not the requested page')
          : t('it is too long');
        throw requests.error('readEvents', { kind: 'notUnderstood', why });
      }
      return { ...page, items };
    };
  }

  async function learnTimes(id: string, call: CallOptions): Promise<void> {
    const sent = {
      path: path(id),
      query: { limit: 1, sort_order: 'TIMESTAMP' },
    };
    try {
      const { items } = await requests.page(
        'readEvents',
        sent,
        call,
        (event) => event,
      );
      eventTimes.learn(id, timestampOf(items[0]));
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      if (error.kind !== 'cancelled') eventTimes.learn(id, undefined);
    }
  }

  return {
    read,
    /** The newest first. */
    pages: (id: string, call: PageRequest) =>
      new Pager(fetchPage(id), (event) => event.id, log, call),
  };
}

function timestampOf(event: unknown): unknown {
  return isObject(event) ? event.timestamp : undefined;
}

/**
 * Times of events, which the service gives in its own local time without the
 * zone. A conversation begins with its first event, and its record says in UTC
 * when that was.
 */
export class EventTimes {
  readonly #created = new Map<string, Time>();
  readonly #updated = new Map<string, Time>();
  /**
   * Milliseconds to add to local times to get UTC, that of the first event
   * first; empty if they cannot be known.
   */
  readonly #offsets = new Map<string, readonly OffsetSpan[]>();

  /**
   * Notes the times of a record. Must not get forks, whose first events are
   * older than they are.
   */
  note({ id, createdAt, updatedAt }: Conversation): void {
    if (createdAt !== undefined) remember(this.#created, idKey(id), createdAt);
    if (updatedAt !== undefined) remember(this.#updated, idKey(id), updatedAt);
  }

  /** True if the first event would give the time zone. */
  wantsFirst(id: string): boolean {
    return this.#created.has(idKey(id)) && !this.#offsets.has(idKey(id));
  }

  /**
   * Learns the offset from the timestamp of the very first event; `undefined`
   * if that cannot be read.
   */
  learn(id: string, first: unknown): void {
    const created = this.#created.get(idKey(id));
    if (created === undefined) return;
    const at = time(first);
    const zoneOffset = offset(created, at);
    const spans =
      at === undefined || zoneOffset === undefined
        ? []
        : [{ offset: zoneOffset, from: at, to: at }];
    remember(this.#offsets, idKey(id), spans);
  }

  /**
   * Detects a change of summer time from the newest event and the last change
   * of the record.
   */
  compare(id: string, timestamps: readonly unknown[]): void {
    const updated = this.#updated.get(idKey(id));
    const spans = this.#offsets.get(idKey(id)) ?? [];
    const newest = Math.max(
      ...timestamps.map((timestamp) => time(timestamp) ?? -Infinity),
    );
    const [first] = spans;
    if (updated === undefined || !first || !Number.isFinite(newest)) return;
    const offsets = clockChangesMs.map((change) => first.offset + change);
    const zoneOffset = offsets.find(
      (candidate) => Math.abs(newest + candidate - updated) <= maxUpdateDelayMs,
    );
    if (zoneOffset === undefined) return;
    const span = spans.find((one) => one.offset === zoneOffset) ?? {
      offset: zoneOffset,
      from: newest,
      to: newest,
    };
    const { from, to } = span;
    const longer = {
      offset: zoneOffset,
      from: Math.min(from, newest),
      to: Math.max(to, newest),
    };
    const rest = spans.filter((one) => one !== span);
    remember(
      this.#offsets,
      idKey(id),
      zoneOffset === first.offset ? [longer, ...rest] : [...rest, longer],
    );
  }

  at(id: string, timestamp: unknown): Time | undefined {
    const local = time(timestamp);
    if (local === undefined) return undefined;
    // A timestamp with a zone is not local.
    if (
      typeof timestamp === 'string' &&
      /(?:z|[+-]\d\d:?\d\d)$/i.test(timestamp)
    )
      return local;
    const distance = ({ from, to }: OffsetSpan) =>
      Math.max(from - local, local - to, 0);
    const spans = this.#offsets.get(idKey(id)) ?? [];
    const [nearest] = spans.toSorted((a, b) => distance(a) - distance(b));
    return nearest && local + nearest.offset;
  }
}

/** The offset of the time zone; undefined if the difference is not one. */
function offset(created: Time, first: Time | undefined): Time | undefined {
  if (first === undefined) return undefined;
  const rounded = Math.round((created - first) / quarterHourMs) * quarterHourMs;
  if (
    Math.abs(rounded) > maxOffsetMs ||
    Math.abs(created - first - rounded) > maxCreationDelayMs
  )
    return undefined;
  // Turns minus zero into zero.
  return rounded + 0;
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  const [oldest] = map.keys();
  if (map.size >= maxTimesRemembered && oldest !== undefined && !map.has(key))
    map.delete(oldest);
  map.set(key, value);
}
