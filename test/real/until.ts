import { until as untilAnswered } from '../support/eventually.ts';

/**
 * Asks a real service, which shares the machine with the tests, less often than
 * usual.
 */
const pauseMs = 200;

export async function until<T>(ask: () => Promise<T | undefined>): Promise<T> {
  return await untilAnswered(ask, () => true, pauseMs);
}
