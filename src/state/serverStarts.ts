/**
 * Which servers the conversations have that run: those that were in the file when they started. Remembered are the
 * states of the file, as digests, and when each began; and when conversations were seen to start.
 */
import type { Clock } from '../base/clock.ts';
import { Emitter } from '../base/event.ts';
import { type Conversation, idKey, type Time } from '../service/entities.ts';
import {
  activeServers,
  type Pending,
  pendingChanges,
  rememberServers,
  type RememberedServers,
} from '../mcp/pending.ts';
import type { Document } from '../mcp/document.ts';
import type { Store } from './store.ts';

/** How the file was from a moment on. */
interface FileState {
  readonly path: string;
  readonly since: Time;
  readonly snapshot: RememberedServers;
}

/** A start of a conversation, and what it is known to have got. */
export interface ServerStart {
  readonly conversation: Conversation;
  readonly at: Time;
  /** False where only its creation is known, and it may have started again unseen. */
  readonly seen: boolean;
  /** Undefined where the file was not watched then. */
  readonly known: { readonly active: readonly string[]; readonly pending: readonly Pending[] } | undefined;
}

interface Memory {
  readonly states: readonly FileState[];
  readonly starts: Readonly<Record<string, Time>>;
}

const storeKey = 'serverStarts';
const mostStates = 50;
const mostStarts = 500;

export class ServerStarts {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #changed = new Emitter();
  #memory: Memory;
  #rows: ReadonlyMap<string, Conversation> = new Map();
  #document: Document = { entries: [], remarks: [] };
  #path = '';

  /** The store is that of the machine, because the file is. */
  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#memory = readMemory(store.get(storeKey));
  }

  get onChange(): Emitter['on'] {
    return this.#changed.on;
  }

  /** Tells how the file is now, and since when if that is known. */
  fileIs(path: string, document: Document, since: Time = this.#clock.now()): void {
    this.#document = document;
    this.#path = path;
    const last = this.#memory.states.findLast((state) => state.path === path);
    if (!last || !isSame(last.snapshot, document)) {
      const state = {
        path,
        since: last ? Math.max(since, last.since) : since,
        snapshot: rememberServers(document),
      };
      this.#remember({ states: [...this.#memory.states, state].slice(-mostStates) });
    }
    this.#changed.fire();
  }

  /** Tells which conversations there are now. */
  conversationsAre(rows: ReadonlyMap<string, Conversation>): void {
    const before = this.#rows;
    this.#rows = rows;
    const started = [...rows].filter(([key, row]) => {
      const old = before.get(key);
      return old !== undefined && !isRunning(old) && isRunning(row);
    });
    if (started.length > 0) {
      const now = this.#clock.now();
      const all = [...Object.entries(this.#memory.starts), ...started.map(([key]) => [key, now] as const)];
      this.#remember({ starts: Object.fromEntries(all.slice(-mostStarts)) });
    }
    this.#changed.fire();
  }

  /** The conversations that run, the latest start first. */
  get running(): ServerStart[] {
    return [...this.#rows.values()]
      .filter(isRunning)
      .flatMap((conversation): ServerStart[] => {
        const seenAt = this.#memory.starts[idKey(conversation.id)];
        const at = seenAt ?? conversation.createdAt;
        if (at === undefined) return [];
        return [{ conversation, at, seen: seenAt !== undefined, known: this.#knownAt(at) }];
      })
      .sort((a, b) => b.at - a.at);
  }

  /** What is pending for the conversation that started last; undefined where that cannot be known. */
  get pending(): readonly Pending[] | undefined {
    return this.running[0]?.known?.pending;
  }

  #knownAt(at: Time): ServerStart['known'] {
    const state = this.#memory.states.findLast(({ path, since }) => path === this.#path && since <= at);
    if (!state) return undefined;
    return { active: activeServers(state.snapshot), pending: pendingChanges(state.snapshot, this.#document) };
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

function isSame(snapshot: RememberedServers, document: Document): boolean {
  return JSON.stringify(rememberServers(document, snapshot.salt)) === JSON.stringify(snapshot);
}

function readMemory(value: unknown): Memory {
  const { states, starts } = (typeof value === 'object' && value !== null ? value : {}) as Partial<Memory>;
  return { states: Array.isArray(states) ? (states as FileState[]) : [], starts: starts ?? {} };
}
