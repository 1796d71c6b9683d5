/** Shared by the integration tests. */
import { until } from '../support/eventually.ts';

/**
 * Resolves when a number has not changed for longer than the window waits
 * before drawing.
 */
export async function untilSettled(count: () => number): Promise<void> {
  let last = count();
  let since = performance.now();
  await until(() => {
    if (count() === last) return performance.now() - since > 500 || undefined;
    last = count();
    since = performance.now();
    return undefined;
  });
}
