/** Times of events, which the service gives in its own local time without the zone. */
import { type Conversation, idKey, type Time } from './entities.ts';
import { time } from './wireValues.ts';

/** Step between time zones. */
const quarterHourMs = 15 * 60_000;
/** Largest offset of a zone from UTC. */
const maxOffsetMs = 14 * 3_600_000;
/** Longest time between the creation and the first event. */
const maxCreationDelayMs = 60_000;
const maxRemembered = 1_000;

/** A conversation begins with its first event, and its record says in UTC when that was. */
export class EventTimes {
  readonly #created = new Map<string, Time>();
  /** Milliseconds to add to local times to get UTC; undefined if that cannot be known. */
  readonly #offsets = new Map<string, Time | undefined>();

  /** Not for a fork, whose first events are older than it is. */
  note({ id, createdAt }: Conversation): void {
    if (createdAt !== undefined) remember(this.#created, idKey(id), createdAt);
  }

  /** True if the first event would give the time zone. */
  wantsFirst(id: string): boolean {
    return this.#created.has(idKey(id)) && !this.#offsets.has(idKey(id));
  }

  /** The timestamp of the very first event; undefined if that is not to be had. */
  learn(id: string, first: unknown): void {
    const created = this.#created.get(idKey(id));
    if (created !== undefined) remember(this.#offsets, idKey(id), offset(created, time(first)));
  }

  at(id: string, timestamp: unknown): Time | undefined {
    const local = time(timestamp);
    if (local === undefined) return undefined;
    // Then it is not a local time.
    if (typeof timestamp === 'string' && /(?:z|[+-]\d\d:?\d\d)$/i.test(timestamp)) return local;
    const difference = this.#offsets.get(idKey(id));
    return difference === undefined ? undefined : local + difference;
  }
}

/** Undefined where it is none between zones. */
function offset(created: Time, first: Time | undefined): Time | undefined {
  if (first === undefined) return undefined;
  const rounded = Math.round((created - first) / quarterHourMs) * quarterHourMs;
  if (Math.abs(rounded) > maxOffsetMs || Math.abs(created - first - rounded) > maxCreationDelayMs)
    return undefined;
  // Not minus zero.
  return rounded + 0;
}

function remember<T>(map: Map<string, T>, key: string, value: T): void {
  const [oldest] = map.keys();
  if (map.size >= maxRemembered && oldest !== undefined && !map.has(key)) map.delete(oldest);
  map.set(key, value);
}
