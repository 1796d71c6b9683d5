import { type Clock, sleep } from '../base/clock.ts';
import { t } from '../base/l10n.ts';
import { type Failure, ServiceError } from './serviceError.ts';
import { pauseAfter } from './pacer.ts';
import type { CallOptions } from './transport.ts';
import type { StartTask } from './entities.ts';

interface FollowStartOptions {
  /** The current state of the task. */
  readonly look: (call: CallOptions) => Promise<StartTask | undefined>;
  readonly fail: (couldNot: string, failure: Failure) => ServiceError;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

const patience = 10 * 60_000;
const failuresInARow = 3;

/**
 * Yields the task each time it changes; the last one is ready or failed. Asks again when the service fails briefly.
 * Throws when it keeps failing, forgets the task, or does not finish within ten minutes.
 */
export async function* followStart(
  first: StartTask,
  { look, fail, clock, signal }: FollowStartOptions,
): AsyncGenerator<StartTask, void> {
  const failure = (kind: Failure) => fail(t('Could not follow the start of the conversation'), kind);
  const begin = clock.now();
  let current = first;
  let failures = 0;
  let took = 0;
  yield current;
  while (current.stage !== 'ready' && current.stage !== 'error') {
    const waited = clock.now() - begin;
    if (waited >= patience) throw failure({ kind: 'timedOut', seconds: patience / 1000, answering: true });
    await sleep(clock, pauseAfter(waited, took), signal).catch(() => {
      throw failure({ kind: 'cancelled' });
    });
    let next: StartTask | undefined;
    const asked = clock.now();
    try {
      next = await look({ signal, priority: 'poll' });
      if (!next) throw failure({ kind: 'notFound' });
      failures = 0;
    } catch (error) {
      if (!(error instanceof ServiceError) || !mayPass(error) || ++failures >= failuresInARow) throw error;
      continue;
    } finally {
      took = clock.now() - asked;
    }
    const changed = next.stage !== current.stage || next.detail !== current.detail;
    current = next;
    if (changed) yield current;
  }
}

/** Whether the failure may be over a second later. */
function mayPass({ kind }: ServiceError): boolean {
  return ['unreachable', 'timedOut', 'rateLimited', 'serverFailed', 'notFound'].includes(kind);
}
