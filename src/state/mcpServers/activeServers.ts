/**
 * Which servers running conversations use: those that were in the file when they started. Remembered are the states of the
 * file, as digests, and when each began; and when conversations were seen to start.
 */
import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/event.ts';
import type { Conversation, Time } from '../../service/entities.ts';
import {
  activeServers,
  type PendingChange,
  pendingChanges,
  rememberEntries,
  type RememberedServers,
} from '../../mcp/format/pending.ts';
import type { Document } from '../../mcp/format/document.ts';
import type { Store } from '../../base/store.ts';

/** How the file was from a moment on. */
interface FileState {
  readonly path: string;
  readonly since: Time;
  readonly servers: RememberedServers;
}

/** The last start of a conversation that runs. */
export interface ConversationStart {
  readonly conversation: Conversation;
  readonly at: Time;
  /** False where only its creation is known, and it may have started again unseen. */
  readonly seen: boolean;
}

export interface UsedServers {
  /** The names of those that it uses. */
  readonly active: readonly string[];
  /** What will be different when it starts again. */
  readonly pending: readonly PendingChange[];
}

interface Memory {
  readonly states: readonly FileState[];
  readonly starts: Readonly<Record<string, Time>>;
}

const nothing: Document = { entries: [], remarks: [] };

const storeKey = 'activeServers';
const mostStates = 50;
const mostStarts = 500;

export class ActiveServers {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #changed = new Emitter();
  /** Fires when a getter may give something else. */
  readonly onChange = this.#changed.on;
  #memory: Memory;
  #rows: ReadonlyMap<string, Conversation> = new Map();
  #running: readonly ConversationStart[] = [];
  #document = nothing;
  #path = '';
  /** Worked out when somebody asks, for as long as the file stays the same. */
  readonly #used = new Map<FileState, UsedServers>();

  /** The store is that of the machine, because the file is. */
  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#memory = readMemory(store.get(storeKey));
  }

  /** Takes what the file says now, and since when if that is known. Of a file that is refused, agents get nothing. */
  setFile(
    path: string,
    document: Document,
    since: Time = this.#clock.now(),
    { isRefused = false } = {},
  ): void {
    const given = isRefused ? nothing : document;
    this.#document = given;
    this.#path = path;
    this.#used.clear();
    const last = this.#memory.states.findLast((state) => state.path === path);
    if (!last || !haveSameServers(last.servers, given)) {
      const state = {
        path,
        since: last ? Math.max(since, last.since) : since,
        servers: rememberEntries(given),
      };
      this.#remember({ states: [...this.#memory.states, state].slice(-mostStates) });
    }
    this.#changed.fire();
  }

  /** Takes the conversations that are listed now. */
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
      this.#remember({ starts: Object.fromEntries(all.slice(-mostStarts)) });
    }
    const before = this.#running;
    this.#running = this.#startsOf(rows);
    if (!haveSameStarts(before, this.#running)) this.#changed.fire();
  }

  /** The conversations that run, the latest start first. */
  get running(): readonly ConversationStart[] {
    return this.#running;
  }

  /** Changes pending for the newest conversation of each service; `undefined` if none of them is known. */
  get pending(): readonly PendingChange[] | undefined {
    const ofServices = Map.groupBy(this.#running, ({ conversation }) => conversation.service).values();
    const used = new Set([...ofServices].flatMap(([latest]) => (latest && this.usedBy(latest)) ?? []));
    const [first, ...others] = [...used].map(({ pending }) => pending);
    if (!first || others.length === 0) return first;
    const names = new Map([...first, ...others.flat()].reverse().map((change) => [change.name, change]));
    return [...names.values()].reverse();
  }

  /** Undefined where the file was not watched when the conversation started. */
  usedBy({ at }: ConversationStart): UsedServers | undefined {
    const state = this.#memory.states.findLast(({ path, since }) => path === this.#path && since <= at);
    if (!state) return undefined;
    let used = this.#used.get(state);
    if (!used) {
      const { servers } = state;
      used = { active: activeServers(servers), pending: pendingChanges(servers, this.#document) };
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

/** Its sandbox is there. What the agent does in it, and whether it has failed, starts nothing again. */
function isRunning({ status }: Conversation): boolean {
  return !['stopped', 'archived', 'error'].includes(status);
}

/** Whether they are starts of the same conversations, by the same titles. */
function haveSameStarts(before: readonly ConversationStart[], after: readonly ConversationStart[]): boolean {
  return (
    before.length === after.length &&
    before.every(({ conversation: { id, title }, at, seen }, index) => {
      const other = after[index];
      return (
        other?.conversation.id === id &&
        other.conversation.title === title &&
        other.at === at &&
        other.seen === seen
      );
    })
  );
}

function haveSameServers(servers: RememberedServers, document: Document): boolean {
  return JSON.stringify(rememberEntries(document, servers.salt)) === JSON.stringify(servers);
}

function readMemory(value: unknown): Memory {
  const { states, starts } = (typeof value === 'object' && value !== null ? value : {}) as Partial<Memory>;
  return { states: Array.isArray(states) ? (states as FileState[]) : [], starts: starts ?? {} };
}
