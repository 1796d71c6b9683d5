/**
 * A ledger of what agents spend by day, in a file that all windows share. It
 * remembers how much of each conversation it has counted, so that windows that
 * note the same cost count it once.
 */
import type { Clock } from '../../base/clock.ts';
import { Serial } from '../../base/serial.ts';
import { hiddenName } from '../../files/sharedValue.ts';
import {
  type Conversation,
  keyOf,
  type Time,
} from '../../service/model/entities.ts';
import { dayOf } from '../lists/conversationRows.ts';

const nanosPerDollar = 1e9;
/** Leaves room to add up thousands of them exactly. */
const maxNanos = 1e6 * nanosPerDollar;

/** Other formats are discarded. */
const format = 1;
const keptDays = 400;
const dayMs = 86_400_000;
/** The conversations noted least recently are forgotten beyond this number. */
const maxConversations = 5_000;
/** Limits what is kept while the file cannot be used. */
const maxPending = 10_000;

interface SpentDay {
  /** A local day: `2026-11-28`. */
  readonly day: string;
  readonly dollars: number;
}

/** The cost of a conversation at a time, or the first sight of a service. */
interface Note {
  readonly service: string;
  readonly notedAt: Time;
  readonly cost?: {
    readonly name: string;
    readonly nanos: number;
    /** True if the cost may include that of another conversation. */
    readonly isFork: boolean;
    readonly createdAt: Time | undefined;
    /** The last known activity. */
    readonly activeAt: Time;
  };
}

interface Counted {
  readonly nanos: number;
  /** The day of the last note. */
  readonly day: string;
}

interface Tables {
  /** Conversations created before are not counted from 0 at first sight. */
  floor: Time;
  /** The times at which services were first seen. */
  readonly services: Map<string, Time>;
  readonly conversations: Map<string, Counted>;
  readonly days: Map<string, number>;
}

export class SpendingLedger {
  readonly #path: string | undefined;
  readonly #clock: Clock;
  readonly #files = new Serial();
  #tables = tablesIn('');
  /** The text of the file that the tables begin with. */
  #text = '';
  /** Notes that the file may lack, oldest first. */
  #pending: readonly Note[] = [];
  /** The next reading, which takes all notes up to its start. */
  #queued: Promise<void> | undefined;

  /** The ledger lasts only for this window without a path. */
  constructor(clock: Clock, path?: string) {
    this.#clock = clock;
    this.#path = path;
  }

  /** True if all windows count together. The demo is not counted so. */
  get isShared(): boolean {
    return this.#path !== undefined;
  }

  /** The start of what is known; `undefined` before the first note. */
  get since(): Time | undefined {
    const { services, floor } = this.#tables;
    return services.size === 0
      ? undefined
      : Math.max(floor, Math.min(...services.values()));
  }

  /** The dollars spent on this local day at all services. */
  get today(): number {
    const { days } = this.#tables;
    return dollarsIn(days.get(dayOf(this.#clock.now())) ?? 0);
  }

  /** The most dollars that any window has noted for this conversation. */
  counted(conversation: Conversation): number {
    const name = hiddenName(keyOf(conversation));
    return dollarsIn(this.#tables.conversations.get(name)?.nanos ?? 0);
  }

  /** The days with costs, oldest first. */
  get days(): readonly SpentDay[] {
    return [...this.#tables.days]
      .map(([day, nanos]) => ({ day, dollars: dollarsIn(nanos) }))
      .sort((a, b) => (a.day < b.day ? -1 : 1));
  }

  /**
   * Counts what these conversations have spent since they were last noted by
   * any window. The first sight of an older conversation or of a fork counts
   * nothing. `reportedAt` returns the time of the events that told the cost.
   */
  note(
    service: string,
    conversations: Iterable<Conversation>,
    reportedAt?: (conversation: Conversation) => Time | undefined,
  ): void {
    const notedAt = this.#clock.now();
    const first = { service: hiddenName(service), notedAt };
    const notes: Note[] = [first];
    for (const conversation of conversations) {
      const { cost, createdAt, updatedAt, forkedFrom } = conversation;
      if (cost === undefined) continue;
      notes.push({
        ...first,
        cost: {
          name: hiddenName(keyOf(conversation)),
          nanos: nanosIn(cost),
          isFork: forkedFrom !== undefined,
          createdAt,
          activeAt: reportedAt?.(conversation) ?? updatedAt ?? notedAt,
        },
      });
    }
    const fresh = notes.filter((note) => count(this.#tables, note));
    if (this.#path !== undefined)
      this.#pending = [...this.#pending, ...fresh].slice(-maxPending);
    void this.read();
  }

  /** Reads what other windows have counted. Keeps the last if that fails. */
  read(): Promise<void> {
    return (this.#queued ??= this.#files
      .run(() => {
        this.#queued = undefined;
        return this.#sync();
      })
      .catch(() => undefined));
  }

  async #sync(): Promise<void> {
    const path = this.#path;
    if (path === undefined) return;
    const { changeShared, readShared } =
      await import('../../files/sharedFile.ts');
    if (this.#take((await readShared(path)).text)) return;
    let written: string | undefined;
    let writtenNotes = new Set<Note>();
    await changeShared(path, ({ text }) => {
      if (this.#take(text)) return undefined;
      writtenNotes = new Set(this.#pending);
      return (written = textOf(this.#tables, this.#clock.now()));
    });
    const { text } = await readShared(path);
    if (text === written)
      this.#pending = this.#pending.filter((note) => !writtenNotes.has(note));
    this.#take(text);
  }

  /** Returns true if the file has all that was noted. */
  #take(text: string): boolean {
    if (text === this.#text && this.#pending.length === 0) return true;
    const tables = tablesIn(text);
    const fresh = this.#pending.filter((note) => count(tables, note));
    if (fresh.length === 0) this.#pending = [];
    this.#text = text;
    this.#tables = tables;
    return fresh.length === 0;
  }
}

/** An amount in billionths of a dollar: integers add up without drift. */
export function nanosIn(dollars: number): number {
  return Math.min(Math.round(dollars * nanosPerDollar), maxNanos);
}

export function dollarsIn(nanos: number): number {
  return nanos / nanosPerDollar;
}

/**
 * The cost of a conversation; `undefined` if unknown. Services tell 0 for
 * models whose prices they do not know.
 */
export function knownCost({ cost, tokens }: Conversation): number | undefined {
  const isUsed = tokens !== undefined && tokens.read + tokens.written > 0;
  return cost === 0 && isUsed ? undefined : cost;
}

/** Returns false if the tables have this note or a later one. */
function count(tables: Tables, { service, notedAt, cost }: Note): boolean {
  const { services, conversations, days } = tables;
  const since = services.get(service);
  if (since === undefined) services.set(service, notedAt);
  if (!cost) return since === undefined;
  const { name, nanos, isFork, createdAt = 0, activeAt } = cost;
  const before = conversations.get(name);
  const today = dayOf(notedAt);
  if (before && before.nanos >= nanos && before.day >= today) return false;
  const isNew =
    !isFork && createdAt >= (since ?? notedAt) && createdAt > tables.floor;
  const counted = before?.nanos ?? (isNew ? 0 : nanos);
  if (nanos > counted) {
    // An agent may have worked on a day on which no window was open.
    const lastDay = laterOf(before?.day, dayOf(activeAt));
    const day = lastDay < today ? lastDay : today;
    days.set(day, (days.get(day) ?? 0) + nanos - counted);
  }
  // The latest note comes last.
  conversations.delete(name);
  conversations.set(name, {
    nanos: Math.max(nanos, counted),
    day: laterOf(before?.day, today),
  });
  return true;
}

function laterOf(day: string | undefined, otherDay: string): string {
  return day !== undefined && day > otherDay ? day : otherDay;
}

/** Drops what is too old or too much. */
function textOf(tables: Tables, now: Time): string {
  const oldest = now - keptDays * dayMs;
  const oldestDay = dayOf(oldest);
  const counted = [...tables.conversations].filter(
    ([, { day }]) => day >= oldestDay,
  );
  return JSON.stringify({
    format,
    // Forgotten conversations must not count from 0 if they are seen again.
    floor:
      counted.length > maxConversations ? now : Math.max(tables.floor, oldest),
    services: [...tables.services],
    days: [...tables.days].filter(([day]) => day >= oldestDay),
    conversations: counted
      .slice(-maxConversations)
      .map(([name, { nanos, day }]) => [name, nanos, day]),
  });
}

/** Returns empty tables for a file of another format. */
function tablesIn(text: string): Tables {
  const tables: Tables = {
    floor: 0,
    services: new Map(),
    conversations: new Map(),
    days: new Map(),
  };
  try {
    const stored = JSON.parse(text) as Partial<
      Record<
        'format' | 'floor' | 'services' | 'days' | 'conversations',
        unknown
      >
    > | null;
    if (stored?.format !== format) return tables;
    if (typeof stored.floor === 'number') tables.floor = stored.floor;
    for (const name of ['services', 'days'] as const)
      for (const [key, amount] of entriesIn(stored[name]))
        tables[name].set(key, amount);
    for (const [name, nanos, day] of entriesIn(stored.conversations))
      if (typeof day === 'string')
        tables.conversations.set(name, { nanos, day });
  } catch {
    // A new ledger begins.
  }
  return tables;
}

type Entry = readonly [name: string, amount: number, day?: unknown];

function entriesIn(value: unknown): readonly Entry[] {
  return Array.isArray(value) ? value.filter(isEntry) : [];
}

function isEntry(value: unknown): value is Entry {
  return (
    Array.isArray(value) &&
    typeof value[0] === 'string' &&
    Number.isFinite(value[1])
  );
}
