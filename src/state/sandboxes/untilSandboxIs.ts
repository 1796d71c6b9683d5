/** Waits until a sandbox has reached a state. */
import { type Clock, sleep } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import { keyOf, type Sandbox } from '../../service/entities.ts';
import { pauseAfter } from '../../service/pacer.ts';
import { isRefusal } from '../../service/serviceError.ts';
import type { RemoteList } from '../lists/remoteList.ts';

const patience = 5 * 60_000;
/** So many times in a row the service may fail to give the state. */
const failuresInARow = 3;

export type WantedStatus = 'running' | 'paused' | 'missing';

/** Rejects if it fails, if the service does, if it takes too long, or when the signal is aborted. */
export async function untilSandboxIs(
  wanted: WantedStatus,
  list: RemoteList<Sandbox>,
  which: { readonly service: string; readonly id: string },
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const name = plainText(which.id, 60);
  const begin = clock.now();
  let failures = 0;
  for (;;) {
    const asked = clock.now();
    await list.refresh('poll');
    signal.throwIfAborted();
    const took = clock.now() - asked;
    const { error } = list;
    failures = error ? failures + 1 : 0;
    // A service that refuses us is not asked again and again.
    if (error && (failures === failuresInARow || isRefusal(error))) throw error;
    const sandbox = list.rows.get(keyOf(which));
    // One that is gone is not listed for long.
    if (!error && (sandbox?.status ?? 'missing') === wanted) return;
    const now = clock.now();
    if (!error && sandbox && wanted !== 'missing') {
      const { status, detail } = sandbox;
      if (status === 'missing' || status === 'error')
        throw new UserError(
          detail
            ? t('Sandbox {0} failed: {1}. Start another one.', name, detail)
            : t('Sandbox {0} failed. Start another one.', name),
        );
    }
    const waited = now - begin;
    if (waited >= patience) throw new UserError(tooLate(name, wanted));
    await sleep(clock, pauseAfter(waited, took), signal);
  }
}

function tooLate(sandbox: string, wanted: WantedStatus): string {
  switch (wanted) {
    case 'running':
      return t('Sandbox {0} did not start within five minutes. Refresh to see its state.', sandbox);
    case 'paused':
      return t('Sandbox {0} did not pause within five minutes. Refresh to see its state.', sandbox);
    case 'missing':
      return t('Sandbox {0} is still there after five minutes. Refresh to see its state.', sandbox);
  }
}
