import { ServiceError } from '../../service/serviceError.ts';
import { withProgress } from './messages.ts';

/** As `withProgress`; undefined when the person cancels it. */
export async function unlessCancelled<T>(
  title: string,
  work: (signal: AbortSignal, tell: (what: string) => void) => Promise<T>,
): Promise<T | undefined> {
  return await withProgress(title, async (signal, tell) => {
    try {
      return await work(signal, tell);
    } catch (error) {
      // Where nothing was sent before it was cancelled, there is nothing to say.
      const unknown = error instanceof ServiceError && error.circumstances.outcomeUnknown;
      if (signal.aborted && !unknown) return undefined;
      throw error;
    }
  });
}
