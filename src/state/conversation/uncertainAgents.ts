/** Reads the events of conversations whose records may be wrong, on a budget. A record says that its agent waits while it runs. */
import type { Clock } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import type { Agents } from '../../service/abilities/agentService.ts';
import type { Conversation, Time } from '../../service/model/entities.ts';
import type { AgentEvent } from '../../service/model/events.ts';
import type { CallOptions } from '../../service/http/transport.ts';
import { type Waiting, waitingOf } from '../transcript/waiting.ts';
import type { ConversationModel, EventVerdict } from './conversationModel.ts';
import { judgeWaiting, readEvents } from './eventReading.ts';

/** Most of what polls may request is left to the lists: at most 5 conversations are read in 20 s, in turn. */
const maxReads = 5;
const readWindowMs = 20_000;
/** The pause between two reads by polls while the record stays the same. */
const minPauseMs = 10_000;
/** A list waits this long at most. */
const timeoutMs = 2_000;
/** These usually include the last state and the whole step. While something waits, the newest event is enough. */
const newestEvents = 20;

interface Uncertain {
  readonly model: ConversationModel;
  /** The record that was just given, and the one in the list before. */
  readonly record: Conversation;
  readonly before: Conversation | undefined;
}

/** The last read of a conversation, and its record then; until the first read, the record that was given first. */
interface LastRead {
  readonly at: Time | undefined;
  readonly record: Conversation;
}

type ReadCall = CallOptions & { readonly signal: AbortSignal };

export class UncertainAgents {
  readonly #clock: Clock;
  readonly #lastReads = new WeakMap<ConversationModel, LastRead>();
  #recent: readonly Time[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Reads the events of those that are due. Fails in silence: the record decides then. */
  async read(agents: Agents, uncertain: readonly Uncertain[], call: CallOptions): Promise<void> {
    const due = this.#due(uncertain, call.priority === 'poll');
    if (due.length === 0) return;
    const end = new AbortController();
    const cancel = this.#clock.after(timeoutMs, () => {
      end.abort();
    });
    const signal = AbortSignal.any([end.signal, ...(call.signal ? [call.signal] : [])]);
    try {
      // The user has not asked for it.
      const asked = { signal, priority: 'poll' } as const;
      const newest = await Promise.all(due.map((one) => this.#readNewest(one, agents, asked)));
      // Reading far back takes long: one at a time, and the others with the next refresh.
      const [first, ...rest] = newest.filter((back) => back !== undefined);
      for (const other of rest) other.leave();
      await first?.read();
    } finally {
      cancel();
    }
  }

  /** Returns first those whose record has changed, then those never read, then those read the longest ago. */
  #due(uncertain: readonly Uncertain[], isPoll: boolean): readonly Uncertain[] {
    const now = this.#clock.now();
    this.#recent = this.#recent.filter((at) => at > now - readWindowMs && at <= now);
    const due = uncertain
      .map((one) => {
        const last = this.#lastReads.get(one.model) ?? { at: undefined, record: one.before ?? one.record };
        // Until it is read, it counts as changed.
        if (last.at === undefined) this.#lastReads.set(one.model, last);
        return { one, at: last.at ?? 0, hasTurned: hasTurned(last.record, one.record), last };
      })
      .filter(({ one, at, last: { record } }) => {
        const isSame = record.execution === one.record.execution && record.updatedAt === one.record.updatedAt;
        return !isPoll || now - at >= minPauseMs || now < at || !isSame;
      })
      .sort((a, b) => Number(b.hasTurned) - Number(a.hasTurned) || a.at - b.at)
      .slice(0, maxReads - this.#recent.length);
    this.#recent = [...this.#recent, ...due.map(() => now)];
    return due.map(({ one }) => one);
  }

  /**
   * Returns a read beyond the newest events, which may be left to the next refresh; undefined where these tell all, or
   * nothing can be read.
   */
  async #readNewest({ model, record }: Uncertain, agents: Agents, call: ReadCall) {
    const recorded = record.execution;
    const before = model.verdict;
    const lastRead = this.#lastReads.get(model);
    this.#lastReads.set(model, { at: this.#clock.now(), record });
    const keep = (verdict: EventVerdict) => {
      // A verdict that came meanwhile is newer.
      if (model.verdict === before) model.verdict = verdict;
    };
    const leave = () => {
      if (lastRead) this.#lastReads.set(model, lastRead);
    };
    const unlessItFails = async <T>(work: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await work();
      } catch (error) {
        // After a timeout, it is read again.
        if (call.signal.aborted) leave();
        else if (!(error instanceof UserError)) throw error;
        else keep({ recorded, waiting: undefined });
        return undefined;
      }
    };
    return await unlessItFails(async () => {
      const size = before?.waiting?.status === 'waits' ? 1 : newestEvents;
      const { items, cursor } = await agents.events(record.id, call).fetch(undefined, { size });
      const newest = items[0]?.id;
      const isAsBefore = before?.waiting !== undefined && before.newest === newest;
      const waiting = isAsBefore ? before.waiting : waitingFrom(items, cursor === undefined, before);
      if (waiting) {
        keep({ recorded, waiting, newest });
        return undefined;
      }
      const read = async () => {
        await unlessItFails(async () => {
          const { verdict: waiting } = await readEvents(record, agents, call.signal, judgeWaiting, call);
          keep({ recorded, waiting, newest });
        });
      };
      return { read, leave };
    });
  }
}

/** True if an agent may have begun to wait, or for something else. The record of one that works changes all the time. */
function hasTurned(before: Conversation, now: Conversation): boolean {
  const isWaiting = now.execution === 'waitingForConfirmation';
  return before.execution !== now.execution || (isWaiting && before.updatedAt !== now.updatedAt);
}

/** Judges by the newest events, and by the verdict before; undefined if older events must be read. */
function waitingFrom(
  items: readonly AgentEvent[],
  isAll: boolean,
  before: EventVerdict | undefined,
): Waiting | undefined {
  const waiting = waitingOf(items, isAll);
  if (waiting.status !== 'unknown') return waiting;
  const goesOn = before?.waiting?.status === 'doesNotWait' && items.some(({ id }) => id === before.newest);
  return goesOn && waiting.oldestNeeded === 'execution' ? before.waiting : undefined;
}
