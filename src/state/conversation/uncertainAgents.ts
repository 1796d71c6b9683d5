/**
 * Reads the events of conversations whose records may be wrong, within a
 * budget: records say "waiting" while the agent runs.
 */
import type { Clock } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import type { Conversation, Time } from '../../service/model/entities.ts';
import type { AgentEvent } from '../../service/model/events.ts';
import type { CallOptions } from '../../service/http/transport.ts';
import { type Waiting, waitingOf } from '../transcript/waiting.ts';
import type { AgentLocations } from './agentLocations.ts';
import type { ConversationModel, EventVerdict } from './conversationModel.ts';
import { judgeWaiting, readEvents } from './eventReading.ts';

/**
 * Leaves most requests to the lists: at most 5 conversations are read in 20 s,
 * in turn.
 */
const maxReads = 5;
const readWindowMs = 20_000;
/** Pause between two reads by polls while the record is unchanged. */
const minPauseMs = 10_000;
/** Maximum delay of a list. */
const timeoutMs = 2_000;
/**
 * Usually includes the last state and the whole step. While an action waits,
 * the newest event is enough.
 */
const newestEvents = 20;

interface Uncertain {
  readonly model: ConversationModel;
  /** The new record, and the previous one in the list. */
  readonly record: Conversation;
  readonly before: Conversation | undefined;
}

/**
 * The last read of a conversation and its record then, or the first record
 * before any read.
 */
interface LastRead {
  readonly at: Time | undefined;
  readonly record: Conversation;
}

export class UncertainAgents {
  readonly #clock: Clock;
  readonly #locations: AgentLocations;
  readonly #lastReads = new WeakMap<ConversationModel, LastRead>();
  #recent: readonly Time[] = [];

  constructor(clock: Clock, locations: AgentLocations) {
    this.#clock = clock;
    this.#locations = locations;
  }

  /**
   * Reads the events of due conversations. Failures are silent and leave the
   * record in force.
   */
  async read(
    uncertain: readonly Uncertain[],
    call: CallOptions,
  ): Promise<void> {
    const due = this.#due(uncertain, call.priority === 'poll');
    if (due.length === 0) return;
    const end = new AbortController();
    const cancel = this.#clock.after(timeoutMs, () => {
      end.abort();
    });
    const signal = AbortSignal.any([
      end.signal,
      ...(call.signal ? [call.signal] : []),
    ]);
    try {
      // Always at the priority of a poll: the user did not request it.
      const asked = { signal, priority: 'poll' } as const;
      const newest = await Promise.all(
        due.map((one) => this.#readNewest(one, asked)),
      );
      // Reading far back takes long: one conversation now, the rest with the
      // next refresh.
      const [first, ...rest] = newest.filter((back) => back !== undefined);
      for (const other of rest) other.leave();
      await first?.read();
    } finally {
      cancel();
    }
  }

  /**
   * Orders conversations by need: changed records, then unread ones, then the
   * least recently read.
   */
  #due(uncertain: readonly Uncertain[], isPoll: boolean): readonly Uncertain[] {
    const now = this.#clock.now();
    this.#recent = this.#recent.filter(
      (at) => at > now - readWindowMs && at <= now,
    );
    const due = uncertain
      .map((one) => {
        const last = this.#lastReads.get(one.model) ?? {
          at: undefined,
          record: one.before ?? one.record,
        };
        // An unread conversation counts as changed.
        if (last.at === undefined) this.#lastReads.set(one.model, last);
        return {
          one,
          at: last.at ?? 0,
          hasTurned: hasTurned(last.record, one.record),
          last,
        };
      })
      .filter(({ one, at, last: { record } }) => {
        const isSame =
          record.execution === one.record.execution &&
          record.updatedAt === one.record.updatedAt;
        return !isPoll || now - at >= minPauseMs || now < at || !isSame;
      })
      .sort((a, b) => Number(b.hasTurned) - Number(a.hasTurned) || a.at - b.at)
      .slice(0, maxReads - this.#recent.length);
    this.#recent = [...this.#recent, ...due.map(() => now)];
    return due.map(({ one }) => one);
  }

  /**
   * Returns a deeper read that may wait for the next refresh; `undefined` if
   * the newest events suffice or cannot be read.
   */
  async #readNewest(
    { model, record }: Uncertain,
    call: CallOptions & { readonly signal: AbortSignal },
  ) {
    const recorded = record.execution;
    const before = model.verdict;
    const lastRead = this.#lastReads.get(model);
    this.#lastReads.set(model, { at: this.#clock.now(), record });
    const keep = (verdict: EventVerdict) => {
      // A newer verdict may have arrived while reading.
      if (model.verdict === before) model.verdict = verdict;
    };
    const leave = () => {
      if (lastRead) this.#lastReads.set(model, lastRead);
    };
    const unlessItFails = async <T>(
      work: () => Promise<T>,
    ): Promise<T | undefined> => {
      try {
        return await work();
      } catch (error) {
        // A timeout makes it due again.
        if (call.signal.aborted) leave();
        else if (!(error instanceof UserError)) throw error;
        else keep({ recorded, waiting: undefined });
        return undefined;
      }
    };
    return await unlessItFails(async () => {
      const size = before?.waiting?.status === 'waits' ? 1 : newestEvents;
      const { items, cursor } = await this.#locations.readNearest(
        record,
        call,
        (source) => source.events(record.id, call).fetch(undefined, { size }),
      );
      const newest = items[0]?.id;
      const isAsBefore =
        before?.waiting !== undefined && before.newest === newest;
      const waiting = isAsBefore
        ? before.waiting
        : waitingFrom(items, cursor === undefined, before);
      if (waiting) {
        keep({ recorded, waiting, newest });
        return undefined;
      }
      const read = async () => {
        await unlessItFails(async () => {
          const { verdict: waiting } = await this.#locations.readNearest(
            record,
            call,
            (source) =>
              readEvents(record, source, call.signal, judgeWaiting, call),
          );
          keep({ recorded, waiting, newest });
        });
      };
      return { read, leave };
    });
  }
}

/**
 * True if an agent may have begun to wait, or waits for another action. Records
 * of working agents change all the time.
 */
function hasTurned(before: Conversation, now: Conversation): boolean {
  const isWaiting = now.execution === 'waitingForConfirmation';
  return (
    before.execution !== now.execution ||
    (isWaiting && before.updatedAt !== now.updatedAt)
  );
}

/**
 * Judges by the newest events and the previous verdict; `undefined` if older
 * events are needed.
 */
function waitingFrom(
  items: readonly AgentEvent[],
  isAll: boolean,
  before: EventVerdict | undefined,
): Waiting | undefined {
  const waiting = waitingOf(items, isAll);
  if (waiting.status !== 'unknown') return waiting;
  const goesOn =
    before?.waiting?.status === 'doesNotWait' &&
    items.some(({ id }) => id === before.newest);
  return goesOn && waiting.oldestNeeded === 'execution'
    ? before.waiting
    : undefined;
}
