/** Reads events from the newest back until a judge reaches a verdict. */
import { resultOr, UserError } from '../../base/errors.ts';
import { userError } from '../../base/l10n.ts';
import type { EventSource } from '../../service/abilities/agentService.ts';
import type { Conversation } from '../../service/model/entities.ts';
import type { AgentEvent } from '../../service/model/events.ts';
import type { CallOptions } from '../../service/http/transport.ts';
import { type Waiting, waitingOf } from '../transcript/waiting.ts';

/** Limit of the search for pending actions. */
export const maxEvents = 2_000;
const firstPageSize = 30;
export const eventsPerPage = 99;
const maxPages = 50;

export interface EventReading<Verdict = Waiting> {
  readonly verdict: Verdict;
  readonly events: readonly AgentEvent[];
}

type Source = Pick<EventSource, 'events'>;

/**
 * Returns a verdict, or `undefined` while older events are needed. `forkedAt`:
 * the last event copied into a fork.
 */
export type Judge<Verdict> = (
  newestFirst: readonly AgentEvent[],
  isAll: boolean,
  forkedAt?: string,
) => Verdict | undefined;

export const judgeWaiting: Judge<Waiting> = (events, isAll, forkedAt) => {
  const waiting = waitingOf(events, isAll, forkedAt);
  return waiting.status === 'unknown' ? undefined : waiting;
};

/**
 * Reads older and older events until the judge reaches a verdict. Rejects
 * without one.
 */
export async function readEvents<Verdict>(
  conversation: Conversation,
  source: Source,
  signal: AbortSignal,
  judge: Judge<Verdict>,
  call: CallOptions = {},
): Promise<EventReading<Verdict>> {
  const { fetch } = source.events(conversation.id, { ...call, signal });
  let { items: events, cursor } = await fetch(undefined, {
    size: firstPageSize,
  });
  /** True if newer events may have arrived since the first page. */
  let mayBeOld = false;
  for (let more = 0; more < maxPages && events.length < maxEvents; more++) {
    signal.throwIfAborted();
    const verdict = judge(events, cursor === undefined, conversation.forkedAt);
    if (verdict === undefined) {
      const older = await fetch(cursor, { size: eventsPerPage });
      events = [...events, ...older.items];
      ({ cursor } = older);
      mayBeOld = true;
    } else if (mayBeOld) {
      const latest = await fetch(undefined, { size: firstPageSize });
      const ids = new Set(events.map(({ id }) => id));
      const fresh = latest.items.filter(({ id }) => !ids.has(id));
      mayBeOld = false;
      if (fresh.length < latest.items.length) events = [...fresh, ...events];
      // Events may be missing between the two pages.
      else ({ items: events, cursor } = latest);
    } else return { verdict, events };
  }
  throw userError(
    "Could not read what the agent is waiting for: its last {0} events do not say. Open the conversation in the service's own app.",
    maxEvents,
  );
}

/** Returns `undefined` if the events are unreadable or inconclusive. */
export async function readIfPossible<Verdict>(
  conversation: Conversation,
  source: Source,
  signal: AbortSignal,
  judge: Judge<Verdict>,
  call: CallOptions = {},
): Promise<EventReading<Verdict> | undefined> {
  return await resultOr(
    readEvents(conversation, source, signal, judge, call),
    (error) => error instanceof UserError,
    undefined,
  );
}
