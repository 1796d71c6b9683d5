import { type Clock, sleep } from '../base/clock.ts';
import { type Failure, ServiceError } from './serviceError.ts';
import { pauseAfter } from './pacer.ts';
import type { CallOptions } from './transport.ts';
import type { StartTask } from './entities.ts';

interface FollowStartOptions {
  /** Reads the current state of the task. */
  readonly look: (call: CallOptions) => Promise<StartTask | undefined>;
  readonly fail: (failure: Failure) => ServiceError;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

const timeoutMs = 10 * 60_000;
const maxFailuresInARow = 3;

/**
 * Yields the task each time it changes; the last one is ready or failed. Asks again when the service fails briefly.
 * Throws when it keeps failing, forgets the task, or does not finish within ten minutes.
 */
export async function* followStart(
  first: StartTask,
  { look, fail, clock, signal }: FollowStartOptions,
): AsyncGenerator<StartTask, void> {
  const begin = clock.now();
  let current = first;
  let failures = 0;
  let tookMs = 0;
  yield current;
  while (current.stage !== 'ready' && current.stage !== 'error') {
    const waitedMs = clock.now() - begin;
    if (waitedMs >= timeoutMs) throw fail({ kind: 'timedOut', seconds: timeoutMs / 1000, answering: true });
    await sleep(clock, pauseAfter(waitedMs, tookMs), signal).catch(() => {
      throw fail({ kind: 'cancelled' });
    });
    const asked = clock.now();
    try {
      const next = await look({ signal, priority: 'poll' });
      if (!next) throw fail({ kind: 'notFound' });
      failures = 0;
      const isChanged = next.stage !== current.stage || next.detail !== current.detail;
      current = next;
      tookMs = clock.now() - asked;
      if (isChanged) yield current;
    } catch (error) {
      if (!(error instanceof ServiceError) || !mayPass(error) || ++failures >= maxFailuresInARow) throw error;
      tookMs = clock.now() - asked;
    }
  }
}

/** True if the failure may be over a second later. */
function mayPass({ kind }: ServiceError): boolean {
  return ['unreachable', 'timedOut', 'rateLimited', 'serverFailed', 'notFound'].includes(kind);
}
