/**
 * What agents do, where their record says that they work or wait: there the events decide. A record goes on saying that it
 * waits while what was accepted runs.
 */
import type { Clock } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { same } from '../../base/same.ts';
import type { Agents } from '../../service/agentService.ts';
import type { ServiceClient } from '../../service/client.ts';
import { type Conversation, type Execution, keyOf, type Time } from '../../service/entities.ts';
import type { AgentEvent } from '../../service/events.ts';
import type { CallOptions } from '../../service/transport.ts';
import type { Revision } from '../lists/remoteList.ts';
import { type Waiting, type WaitingAction, waitingOf } from '../transcript/waiting.ts';

/** What polls may ask for is mostly left to the lists: so many are asked about in so many milliseconds, each in its turn. */
const most = 5;
const within = 20_000;
/** Of one look, so many are read further back. */
const mostReadBack = 1;
/** Between two looks of polls at one whose record stays the same. */
const leastPause = 10_000;
/** No list waits for longer. */
const patience = 2_000;
/**
 * Mostly the last state and the whole step are among so many events, and so is all of what has just begun. While something
 * waits, the newest event is enough.
 */
const fewEvents = 20;

/** What the events of one conversation have told. */
interface Finding {
  /** What the record said at that time. */
  readonly recorded: Execution | undefined;
  /** Undefined if they cannot be read, or do not tell. */
  readonly waiting: Waiting | undefined;
  readonly newest: string | undefined;
}

/** When it was asked about last, and what its record said then; as long as that has not happened, what it said first. */
interface Asked {
  readonly at: Time | undefined;
  readonly given: Conversation;
}

/** What somebody who follows a conversation tells. */
interface Told {
  waiting: Waiting | undefined;
  at: Time | undefined;
}

/** What is to be read of a conversation beyond its newest events. */
interface Further {
  read(): Promise<void>;
  /** It is the next one's turn. */
  leave(): void;
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
  /** What waits now, however far back its events must be read. */
  readonly read: (conversation: Conversation, call: LookCall) => Promise<Waiting>;
  /** Called when somebody has told what is to be shown. */
  readonly onTold: () => void;
}

export class AgentStates implements Revision<Conversation> {
  readonly #options: AgentStatesOptions;
  /** All of these are by the key of the conversation. */
  readonly #findings = new Map<string, Finding>();
  readonly #told = new Map<string, Told>();
  readonly #lastAsked = new Map<string, Asked>();
  /** When something was asked lately. */
  #asked: readonly Time[] = [];
  /** The rows as they were given, of those that were revised last. */
  readonly #given = new Map<string, Conversation>();

  constructor(options: AgentStatesOptions) {
    this.#options = options;
  }

  /** Asks for the events of some of these. Fails in silence: the record decides then. */
  async look(given: ReadonlyMap<string, Conversation>, call: CallOptions): Promise<void> {
    const { client, clock } = this.#options;
    for (const key of this.#given.keys()) {
      const row = given.get(key);
      if (row && mayBeWrong(row)) continue;
      this.#findings.delete(key);
      this.#lastAsked.delete(key);
      if (!row) this.#given.delete(key);
    }
    const { steering } = client.service ?? {};
    const due = steering ? this.#due(given, call.priority === 'poll') : [];
    if (!steering || due.length === 0) return;
    const end = new AbortController();
    const cancel = clock.after(patience, () => {
      end.abort();
    });
    const signal = AbortSignal.any([end.signal, ...(call.signal ? [call.signal] : [])]);
    try {
      // Nobody has asked for it.
      const asked = { signal, priority: 'poll' } as const;
      let left = Promise.resolve(mostReadBack);
      await Promise.all(
        due.map(async ([key, row]) => {
          const newest = this.#lookAtNewest(key, row, steering, asked);
          // Whose turn it is does not depend on which answer is the fastest.
          const turn = Promise.all([left, newest]);
          left = turn.then(([before, further]) => (further ? before - 1 : before));
          const [mine, further] = await turn;
          if (mine > 0) await further?.read();
          else further?.leave();
        }),
      );
    } finally {
      cancel();
    }
  }

  /** The row as its events tell, as far as they have been read. */
  revise(key: string, given: Conversation): Conversation {
    this.#given.set(key, given);
    const execution = this.#executionOf(key, given);
    return execution === given.execution ? given : { ...given, execution };
  }

  /** What waits for an answer in a row that waits; undefined as long as that is not known. */
  waitsFor(key: string): readonly WaitingAction[] | undefined {
    const waiting = this.#waitingOf(key);
    return waiting?.status === 'waits' ? waiting.actions : undefined;
  }

  /** Whether the events have not told yet whether it is as its record says, and will. */
  isDoubtful(key: string): boolean {
    const given = this.#given.get(key);
    if (!this.#options.client.service?.steering || !given || !mayBeWrong(given)) return false;
    return (
      this.#told.get(key)?.waiting === undefined && this.#findings.get(key)?.recorded !== given.execution
    );
  }

  /** When somebody who follows it has told what its events say. */
  toldAt(key: string): Time | undefined {
    return this.#told.get(key)?.at;
  }

  /** Takes what somebody has just read of it, to act on it. Who follows it knows better. */
  learn(conversation: Conversation, waiting: Waiting): void {
    const key = keyOf(conversation);
    const recorded = this.#given.get(key)?.execution;
    if (recorded === undefined || this.#told.has(key) || same(this.#waitingOf(key), waiting)) return;
    this.#findings.set(key, { recorded, waiting, newest: undefined });
    this.#options.onTold();
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

  /** Those that are asked about now: first whose record has changed, then who never was, then who was the longest ago. */
  #due(
    rows: ReadonlyMap<string, Conversation>,
    isPoll: boolean,
  ): readonly (readonly [string, Conversation])[] {
    const now = this.#options.clock.now();
    this.#asked = this.#asked.filter((at) => at > now - within && at <= now);
    const doubtful: (readonly [string, Conversation])[] = [];
    rows.forEach((row, key) => {
      if (mayBeWrong(row) && !this.#told.has(key)) doubtful.push([key, row]);
    });
    const due = doubtful
      .map(([key, row]) => {
        const { at, given } = this.#lastAsked.get(key) ?? { given: this.#given.get(key) ?? row };
        // Until it is asked about, it counts as changed.
        if (at === undefined) this.#lastAsked.set(key, { at, given });
        return { key, row, at: at ?? 0, given };
      })
      .filter(
        ({ at, given, row }) => !isPoll || now - at >= leastPause || now < at || !isSameRecord(given, row),
      )
      .sort((a, b) => Number(hasTurned(b)) - Number(hasTurned(a)) || a.at - b.at)
      .slice(0, most - this.#asked.length);
    this.#asked = [...this.#asked, ...due.map(() => now)];
    return due.map(({ key, row }) => [key, row]);
  }

  /** Undefined where the newest events tell all, or nothing can be read. */
  async #lookAtNewest(
    key: string,
    row: Conversation,
    steering: Agents,
    call: LookCall,
  ): Promise<Further | undefined> {
    const { execution: recorded } = row;
    const before = this.#findings.get(key);
    const askedBefore = this.#lastAsked.get(key);
    this.#lastAsked.set(key, { at: this.#options.clock.now(), given: row });
    const keep = (finding: Finding) => {
      // What was learned in the meantime is newer.
      if (this.#findings.get(key) === before) this.#findings.set(key, finding);
    };
    const leave = () => {
      if (askedBefore) this.#lastAsked.set(key, askedBefore);
    };
    const unlessItFails = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await work();
      } catch (error) {
        // What took too long is asked for again.
        if (call.signal.aborted) leave();
        else if (!(error instanceof UserError)) throw error;
        else keep({ recorded, waiting: undefined, newest: undefined });
        return undefined;
      }
    };
    return await unlessItFails(async () => {
      const size = before?.waiting?.status === 'waits' ? 1 : fewEvents;
      const { items, cursor } = await steering.events(row.id, call).fetch(undefined, { size });
      const newest = items[0]?.id;
      const isAsBefore = before?.waiting !== undefined && before.newest === newest;
      const told = isAsBefore ? before.waiting : soonTold(items, cursor === undefined, before);
      if (told) {
        keep({ recorded, waiting: told, newest });
        return undefined;
      }
      const read = async () => {
        await unlessItFails(async () => {
          keep({ recorded, waiting: await this.#options.read(row, call), newest });
        });
      };
      return { read, leave };
    });
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

/** Where nothing runs, the record alone is enough. */
function mayBeWrong({ status, execution }: Conversation): boolean {
  return status === 'running' && (execution === 'running' || execution === 'waitingForConfirmation');
}

/** Whether an agent may have begun to wait, or for something else. The record of one that works changes all the time. */
function hasTurned({ given, row }: { readonly given: Conversation; readonly row: Conversation }): boolean {
  const isWaiting = row.execution === 'waitingForConfirmation';
  return given.execution !== row.execution || (isWaiting && given.updatedAt !== row.updatedAt);
}

function isSameRecord(a: Conversation, b: Conversation): boolean {
  return a.execution === b.execution && a.updatedAt === b.updatedAt;
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
