/** Time as a parameter, so that tests can control it. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /**
   * Calls back once after the delay. Returns a function that cancels the call.
   */
  after(milliseconds: number, callback: () => void): () => void;
}

/** Longer timers would fire at once. */
const maxTimerMs = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (milliseconds, callback) => {
    const timer = setTimeout(callback, Math.min(milliseconds, maxTimerMs));
    return () => {
      clearTimeout(timer);
    };
  },
};

/**
 * Resolves with the work, or after the delay if that is earlier; rejects if the
 * signal is aborted. Keeps no timer for what is done.
 */
export async function atMost(
  clock: Clock,
  milliseconds: number,
  work: Promise<unknown>,
  signal?: AbortSignal,
): Promise<void> {
  const done = new AbortController();
  const ends = signal ? [done.signal, signal] : [done.signal];
  try {
    await Promise.race([
      work,
      sleep(clock, milliseconds, AbortSignal.any(ends)),
    ]);
  } finally {
    done.abort();
  }
}

/**
 * Resolves after the delay. If the signal is aborted, rejects at once with its
 * reason.
 */
export function sleep(
  clock: Clock,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const cancel = clock.after(milliseconds, () => {
      signal?.removeEventListener('abort', abort);
      resolve();
    });
    const abort = () => {
      cancel();
      reject(signal?.reason as Error);
    };
    signal?.addEventListener('abort', abort, { once: true });
  });
}
