/** Waits for a condition. The only timer of the tests. */
import { setTimeout as sleep } from 'node:timers/promises';

const usualPauseMs = 20;

type Answer<T> = T | false | undefined;

/**
 * Asks until the answer is neither undefined nor false, and is good enough,
 * however long that takes: the time limit of the test ends it.
 */
export async function until<T>(
  ask: () => Answer<T> | Promise<Answer<T>>,
  isEnough: (answer: T) => boolean = () => true,
  pauseMs = usualPauseMs,
): Promise<T> {
  waiting.add(ask);
  try {
    for (;;) {
      const answer = await ask();
      if (answer !== undefined && answer !== false && isEnough(answer))
        return answer;
      await sleep(pauseMs);
    }
  } finally {
    waiting.delete(ask);
  }
}

/**
 * Repeats a check until it passes. After the time limit, throws its last error.
 */
export async function eventually(
  check: () => unknown,
  limitMs = 30_000,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await sleep(usualPauseMs);
  }
}

const waiting = new Set<() => unknown>();

/** Returns and forgets the conditions that tests still wait for. */
export function takeUnmetConditions(): string[] {
  const unmet = [...waiting].map(String);
  waiting.clear();
  return unmet;
}
