import { ServiceError } from '../../service/serviceError.ts';
import { withProgress } from './messages.ts';

/** Like `withProgress`, but resolves with `undefined` if the user cancels. */
export async function unlessCancelled<T>(
  title: string,
  work: (signal: AbortSignal, tell: (what: string) => void) => Promise<T>,
): Promise<T | undefined> {
  return await withProgress(title, async (signal, tell) => {
    try {
      return await work(signal, tell);
    } catch (error) {
      // A request that was canceled before it was sent needs no message.
      const unknown = error instanceof ServiceError && error.circumstances.outcomeUnknown;
      if (signal.aborted && !unknown) return undefined;
      throw error;
    }
  });
}
