/**
 * Derives the servers of running conversations: those in the file when they started. Remembers past states of the file
 * as digests, and observed starts.
 */
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import { isEqual } from '../../base/same.ts';
import type { Conversation, Time } from '../../service/entities.ts';
import {
  activeServers,
  type PendingChange,
  pendingChanges,
  rememberEntries,
  type RememberedServers,
} from '../../mcp/format/pending.ts';
import type { Entry } from '../../mcp/format/entry.ts';
import type { Store } from '../../base/store.ts';

interface FileState {
  readonly path: string;
  readonly since: Time;
  readonly servers: RememberedServers;
}

export interface ConversationStart {
  readonly conversation: Conversation;
  readonly at: Time;
  /** False if derived from the creation; the conversation may have restarted since. */
  readonly seen: boolean;
}

export interface UsedServers {
  readonly active: readonly string[];
  /** Changes that a restart brings. */
  readonly pending: readonly PendingChange[];
}

interface Memory {
  readonly states: readonly FileState[];
  readonly starts: Readonly<Record<string, Time>>;
}

const storeKey = 'activeServers';
const maxStates = 50;
const maxStarts = 500;

export class ActiveServers {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #changed = new Emitter();
  readonly onChange = this.#changed.on;
  #memory: Memory;
  #rows: ReadonlyMap<string, Conversation> = new Map();
  #running: readonly ConversationStart[] = [];
  #entries: readonly Entry[] = [];
  #path = '';
  /** Computed on demand; cleared when the file changes. */
  readonly #used = new Map<FileState, UsedServers>();

  /** `store`: the global state, because the file is global too. */
  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#memory = readMemory(store.get(storeKey));
  }

  /** A refused file gives agents no servers. */
  setFile(
    path: string,
    entries: readonly Entry[],
    since: Time = this.#clock.now(),
    { isRefused = false } = {},
  ): void {
    const given = isRefused ? [] : entries;
    this.#entries = given;
    this.#path = path;
    this.#used.clear();
    const last = this.#memory.states.findLast((state) => state.path === path);
    if (!last || !haveSameServers(last.servers, given)) {
      const state = {
        path,
        since: last ? Math.max(since, last.since) : since,
        servers: rememberEntries(given),
      };
      this.#remember({ states: [...this.#memory.states, state].slice(-maxStates) });
    }
    this.#changed.fire();
  }

  setConversations(rows: ReadonlyMap<string, Conversation>): void {
    if (rows === this.#rows) return;
    const started = [...rows].filter(([key, row]) => {
      const old = this.#rows.get(key);
      return old !== undefined && !isRunning(old) && isRunning(row);
    });
    this.#rows = rows;
    if (started.length > 0) {
      const now = this.#clock.now();
      const all = [...Object.entries(this.#memory.starts), ...started.map(([key]) => [key, now] as const)];
      this.#remember({ starts: Object.fromEntries(all.slice(-maxStarts)) });
    }
    const before = this.#running;
    this.#running = this.#startsOf(rows);
    if (!isEqual(before.map(shownStart), this.#running.map(shownStart))) this.#changed.fire();
  }

  /** Latest start first. */
  get running(): readonly ConversationStart[] {
    return this.#running;
  }

  /** Pending changes for the newest conversation of each service; undefined if none is known. */
  get pending(): readonly PendingChange[] | undefined {
    const ofServices = Map.groupBy(this.#running, ({ conversation }) => conversation.service).values();
    const used = new Set([...ofServices].flatMap(([latest]) => (latest && this.usedBy(latest)) ?? []));
    const [first, ...others] = [...used].map(({ pending }) => pending);
    if (!first || others.length === 0) return first;
    const names = new Map([...first, ...others.flat()].reverse().map((change) => [change.name, change]));
    return [...names.values()].reverse();
  }

  /** Undefined if the file was not watched yet. */
  usedBy({ at }: ConversationStart): UsedServers | undefined {
    const state = this.#memory.states.findLast(({ path, since }) => path === this.#path && since <= at);
    if (!state) return undefined;
    let used = this.#used.get(state);
    if (!used) {
      const { servers } = state;
      used = { active: activeServers(servers), pending: pendingChanges(servers, this.#entries) };
      this.#used.set(state, used);
    }
    return used;
  }

  #startsOf(rows: ReadonlyMap<string, Conversation>): readonly ConversationStart[] {
    const seen = new Map(Object.entries(this.#memory.starts));
    const starts: ConversationStart[] = [];
    for (const [key, conversation] of rows) {
      const seenAt = seen.get(key);
      const at = seenAt ?? conversation.createdAt;
      if (at === undefined || !isRunning(conversation)) continue;
      starts.push({ conversation, at, seen: seenAt !== undefined });
    }
    return starts.sort((a, b) => b.at - a.at);
  }

  #remember(change: Partial<Memory>): void {
    this.#memory = { ...this.#memory, ...change };
    void this.#store.update(storeKey, this.#memory);
  }
}

/** True if its sandbox exists. Work and failures of the agent restart nothing. */
function isRunning({ status }: Conversation): boolean {
  return !['stopped', 'archived', 'error'].includes(status);
}

/** The parts of a start that users see. */
function shownStart({ conversation: { id, title }, at, seen }: ConversationStart) {
  return { id, title, at, seen };
}

function haveSameServers(servers: RememberedServers, entries: readonly Entry[]): boolean {
  return JSON.stringify(rememberEntries(entries, servers.salt)) === JSON.stringify(servers);
}

function readMemory(value: unknown): Memory {
  const { states, starts } = (typeof value === 'object' && value !== null ? value : {}) as Partial<Memory>;
  return { states: Array.isArray(states) ? (states as FileState[]) : [], starts: starts ?? {} };
}
