/** Following one conversation live, until that ends. */
import type { Clock } from '../../base/clock.ts';
import { Throttle } from '../../base/throttle.ts';
import type { LiveEnd, Steering } from '../../service/agentService.ts';
import type { AgentEvent } from '../../service/events.ts';
import { ServiceError } from '../../service/serviceError.ts';

interface LiveOptions {
  readonly clock: Clock;
  readonly steering: Steering;
  readonly id: string;
  /** Aborted when it is left. */
  readonly signal: AbortSignal;
  /** From when on what happened is to be sent again, as the service has it. */
  readonly since: string | undefined;
  readonly isKnown: (eventId: string) => boolean;
  readonly onOpen: () => void;
  readonly onEvents: (events: readonly AgentEvent[]) => void;
  /** Reads what has come in the meantime, where the service does not send it again. */
  readonly catchUp: () => Promise<unknown>;
  /** False if the service does not have the conversation any more. */
  readonly readRecord: () => Promise<boolean>;
}

export type FollowingEnd = Pick<LiveEnd, 'reason'> & Partial<LiveEnd>;

/** In milliseconds. What comes within it after something was told is told together. */
const together = 25;
/** A rename and a deletion are not told live. */
const recordEvery = 30_000;
/** A service that resends recent events has done so by then. */
const untilResent = 3_000;

export interface LiveFollowing {
  /** Undefined if it was left. */
  readonly ended: Promise<FollowingEnd | undefined>;
  /** Finds out at once whether the service still has the conversation. */
  readonly lookAtRecord: () => void;
}

export function followLive(options: LiveOptions): LiveFollowing {
  const { clock, steering, id, signal, since, isKnown, onOpen, onEvents, catchUp, readRecord } = options;
  const { promise: ended, resolve } = Promise.withResolvers<FollowingEnd | undefined>();
  const timers = new Map<string, () => void>();
  const after = (name: string, milliseconds: number, then: () => void) => {
    timers.get(name)?.();
    timers.set(name, clock.after(milliseconds, then));
  };
  let events: AgentEvent[] = [];
  let isResent = false;
  const flush = () => {
    const all = events;
    events = [];
    onEvents(all);
  };
  const throttle = new Throttle(clock, together, flush);
  const over = (end: FollowingEnd | undefined) => {
    signal.removeEventListener('abort', abort);
    for (const cancel of timers.values()) cancel();
    throttle.cancel();
    flush();
    resolve(end);
  };
  const abort = () => {
    close();
    over(undefined);
  };
  const lookBeside = (look: () => Promise<unknown>) => {
    look().catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
    });
  };
  const lookAtRecord = () => {
    after('record', recordEvery, lookAtRecord);
    lookBeside(async () => {
      if ((await readRecord()) || signal.aborted) return;
      // The connection to what is deleted stays open and silent.
      close();
      over({ reason: 'gone' });
    });
  };
  signal.addEventListener('abort', abort, { once: true });
  const close = steering.live(id, {
    since,
    onOpen: () => {
      onOpen();
      after('record', recordEvery, lookAtRecord);
      after('resent', untilResent, () => {
        if (!isResent) lookBeside(catchUp);
      });
    },
    onEvents: (given) => {
      isResent ||= given.some((event) => isKnown(event.id));
      events.push(...given);
      throttle.request();
    },
    onEnd: over,
  });
  return { ended, lookAtRecord };
}
