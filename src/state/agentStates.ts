/**
 * What agents do, where their record says that they work or wait: there the events decide. A record goes on saying that it
 * waits while what was accepted runs.
 */
import type { Clock } from '../base/clock.ts';
import { UserError } from '../base/errors.ts';
import { same } from '../base/same.ts';
import type { Agents } from '../service/agentService.ts';
import type { ServiceClient } from '../service/client.ts';
import { type Conversation, type Execution, keyOf, type Time } from '../service/entities.ts';
import type { AgentEvent } from '../service/events.ts';
import type { CallOptions } from '../service/transport.ts';
import type { Revision } from './remoteList.ts';
import { type Waiting, type WaitingAction, waitingOf } from './waiting.ts';

/** Of one look at a list, and of all within a minute; the others get their turn with the next. */
const mostAtOnce = 10;
const mostPerMinute = 20;
const minute = 60_000;
/** No list waits for longer. */
const patience = 2_000;
/** Often the last state is among so many events. While something waits, the newest event is enough. */
const fewEvents = 5;

/** What the events of one conversation have told. */
interface Finding {
  /** What the record said at that time. */
  readonly recorded: Execution | undefined;
  /** Undefined if they cannot be read, or do not tell. */
  readonly waiting: Waiting | undefined;
  readonly newest: string | undefined;
}

/** What somebody who follows a conversation tells. */
interface Told {
  waiting: Waiting | undefined;
  at: Time | undefined;
}

/** How one who follows a conversation tells what its events say. That decides until it is released. */
export interface Teller {
  tell(waiting: Waiting): void;
  release(): void;
}

type LookCall = CallOptions & { readonly signal: AbortSignal };

export interface AgentStatesOptions {
  readonly client: ServiceClient;
  readonly clock: Clock;
  /** What waits now, however far back its events have to be read. */
  readonly read: (conversation: Conversation, call: LookCall) => Promise<Waiting>;
  /** Called when somebody has told what is to be shown. */
  readonly onTold: () => void;
}

export class AgentStates implements Revision<Conversation> {
  readonly #options: AgentStatesOptions;
  /** All of these are by the key of the conversation. */
  readonly #findings = new Map<string, Finding>();
  readonly #told = new Map<string, Told>();
  readonly #lastAsked = new Map<string, Time>();
  /** When something was asked in the last minute. */
  #asked: readonly Time[] = [];
  /** The rows as they were given, of those that were revised last. */
  readonly #given = new Map<string, Conversation>();

  constructor(options: AgentStatesOptions) {
    this.#options = options;
  }

  /** Asks for the events of some of these. Fails in silence: the record decides then. */
  async look(given: readonly Conversation[], call: CallOptions): Promise<void> {
    const { client, clock } = this.#options;
    const byKey = new Map(given.map((row) => [keyOf(row), row]));
    for (const key of this.#given.keys()) {
      const row = byKey.get(key);
      if (row && mayBeWrong(row)) continue;
      this.#findings.delete(key);
      this.#lastAsked.delete(key);
      if (!row) this.#given.delete(key);
    }
    const { steering } = client.service ?? {};
    const due = steering ? this.#due(byKey) : [];
    if (!steering || due.length === 0) return;
    const end = new AbortController();
    const cancel = clock.after(patience, () => {
      end.abort();
    });
    const signal = AbortSignal.any([end.signal, ...(call.signal ? [call.signal] : [])]);
    try {
      // Nobody has asked for it.
      const asked = { signal, priority: 'poll' } as const;
      await Promise.all(due.map(([key, row]) => this.#lookAt(key, row, steering, asked)));
    } finally {
      cancel();
    }
  }

  /** The row as its events tell, as far as they have been read. */
  revise(given: Conversation): Conversation {
    const key = keyOf(given);
    this.#given.set(key, given);
    const execution = this.#executionOf(key, given);
    return execution === given.execution ? given : { ...given, execution };
  }

  /** What waits for an answer in a row that waits; undefined as long as that is not known. */
  waitsFor(row: Conversation): readonly WaitingAction[] | undefined {
    const waiting = this.#waitingOf(keyOf(row));
    return waiting?.status === 'waits' ? waiting.actions : undefined;
  }

  /** Whether the events have not told yet whether it is as its record says, and will. */
  isDoubtful(row: Conversation): boolean {
    const key = keyOf(row);
    const given = this.#given.get(key);
    if (!this.#options.client.service?.steering || !given || !mayBeWrong(given)) return false;
    return (
      this.#told.get(key)?.waiting === undefined && this.#findings.get(key)?.recorded !== given.execution
    );
  }

  /** When somebody who follows it has told what its events say. */
  toldAt(row: Conversation): Time | undefined {
    return this.#told.get(keyOf(row))?.at;
  }

  /** From now on nothing is asked about this conversation: who follows it tells. */
  follow(conversation: Conversation): Teller {
    const key = keyOf(conversation);
    const told: Told = { waiting: undefined, at: undefined };
    this.#told.set(key, told);
    const isOver = () => this.#told.get(key) !== told;
    return {
      tell: (waiting) => {
        if (isOver()) return;
        const isNew = !same(told.waiting, waiting);
        told.waiting = waiting;
        told.at = this.#options.clock.now();
        if (isNew) this.#options.onTold();
      },
      release: () => {
        if (isOver()) return;
        this.#told.delete(key);
        // It is right until the next look, which the record may not be.
        const recorded = this.#given.get(key)?.execution;
        if (told.waiting) this.#findings.set(key, { recorded, waiting: told.waiting, newest: undefined });
      },
    };
  }

  /** Those that are asked about now: the ones that were asked about the longest ago. */
  #due(rows: ReadonlyMap<string, Conversation>): readonly (readonly [string, Conversation])[] {
    const now = this.#options.clock.now();
    this.#asked = this.#asked.filter((at) => at > now - minute && at <= now);
    const most = Math.min(mostAtOnce, mostPerMinute - this.#asked.length);
    const lastAsked = (key: string) => this.#lastAsked.get(key) ?? 0;
    const due = [...rows]
      .filter(([key, row]) => mayBeWrong(row) && !this.#told.has(key))
      .sort(([a], [b]) => lastAsked(a) - lastAsked(b))
      .slice(0, Math.max(0, most));
    this.#asked = [...this.#asked, ...due.map(() => now)];
    for (const [key] of due) this.#lastAsked.set(key, now);
    return due;
  }

  async #lookAt(key: string, row: Conversation, steering: Agents, call: LookCall): Promise<void> {
    const { execution: recorded } = row;
    const before = this.#findings.get(key);
    try {
      const size = before?.waiting?.status === 'waits' ? 1 : fewEvents;
      const { items, cursor } = await steering.events(row.id, call).fetch(undefined, { size });
      const newest = items[0]?.id;
      const isAsBefore = before?.waiting !== undefined && before.newest === newest;
      const waiting = isAsBefore
        ? before.waiting
        : (soonTold(items, cursor === undefined, before) ?? (await this.#options.read(row, call)));
      this.#findings.set(key, { recorded, waiting, newest });
    } catch (error) {
      // What took too long is asked for again.
      if (call.signal.aborted) return;
      if (!(error instanceof UserError)) throw error;
      this.#findings.set(key, { recorded, waiting: undefined, newest: undefined });
    }
  }

  #waitingOf(key: string): Waiting | undefined {
    const told = this.#told.get(key)?.waiting;
    if (told) return told;
    const finding = this.#findings.get(key);
    return finding?.recorded === this.#given.get(key)?.execution ? finding?.waiting : undefined;
  }

  #executionOf(key: string, { execution: recorded }: Conversation): Execution | undefined {
    const waiting = this.#waitingOf(key);
    if (!waiting) return recorded;
    if (waiting.status === 'waits') return 'waitingForConfirmation';
    // Nothing is left that could be answered: the agent goes on.
    return waiting.execution === 'waitingForConfirmation' ? 'running' : (waiting.execution ?? recorded);
  }
}

/** Where nothing runs, the record need not be looked behind. */
function mayBeWrong({ status, execution }: Conversation): boolean {
  return status === 'running' && (execution === 'running' || execution === 'waitingForConfirmation');
}

/** What the newest events tell, perhaps with what was known before; undefined if more of them are to be read. */
function soonTold(
  items: readonly AgentEvent[],
  isAll: boolean,
  before: Finding | undefined,
): Waiting | undefined {
  const told = waitingOf(items, isAll);
  if (told.status !== 'unknown') return told;
  const goesOn = before?.waiting?.status === 'doesNotWait' && items.some(({ id }) => id === before.newest);
  return goesOn && told.oldestNeeded === 'execution' ? before.waiting : undefined;
}
