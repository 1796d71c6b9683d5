import { type Clock, sleep } from '../base/clock.ts';
import { t } from '../base/l10n.ts';
import { type Failure, ServiceError } from './serviceError.ts';
import { pauseAfter } from './pacer.ts';
import type { CallOptions } from './transport.ts';
import type { StartTask } from './entities.ts';

export interface FollowOptions {
  /** The task as the service knows it now. */
  readonly look: (call: CallOptions) => Promise<StartTask | undefined>;
  readonly fail: (couldNot: string, failure: Failure) => ServiceError;
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
}

const patience = 10 * 60_000;
const failuresInARow = 3;

/**
 * The task each time it has changed; the last one is ready or failed. A service that fails for a moment is asked again.
 * Throws when it fails for longer, forgets the task, or does not finish within ten minutes.
 */
export async function* followStart(
  first: StartTask,
  { look, fail, clock, signal }: FollowOptions,
): AsyncGenerator<StartTask, void> {
  const failure = (kind: Failure) => fail(t('Could not follow the start of the conversation'), kind);
  const begin = clock.now();
  let current = first;
  let failures = 0;
  yield current;
  while (current.stage !== 'ready' && current.stage !== 'error') {
    const waited = clock.now() - begin;
    if (waited >= patience) throw failure({ kind: 'timedOut', seconds: patience / 1000, answering: true });
    await sleep(clock, pauseAfter(waited), signal).catch(() => {
      throw failure({ kind: 'cancelled' });
    });
    let next: StartTask | undefined;
    try {
      next = await look({ signal, priority: 'poll' });
      if (!next) throw failure({ kind: 'notFound' });
      failures = 0;
    } catch (error) {
      if (!(error instanceof ServiceError) || !mayPass(error) || ++failures >= failuresInARow) throw error;
      continue;
    }
    const changed = next.stage !== current.stage || next.detail !== current.detail;
    current = next;
    if (changed) yield current;
  }
}

/** Whether it can be over a second later. */
function mayPass({ kind }: ServiceError): boolean {
  return ['unreachable', 'timedOut', 'rateLimited', 'serverFailed', 'notFound'].includes(kind);
}
