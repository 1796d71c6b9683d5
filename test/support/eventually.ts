/** Waits for a condition. The only timer of the tests. */
import { setTimeout as sleep } from 'node:timers/promises';

const pauseMs = 20;

/** Asks until the answer is not undefined, however long that takes: the time limit of the test ends it. */
export async function until<T>(ask: () => T | undefined | Promise<T | undefined>): Promise<T> {
  const name = String(ask);
  waiting.add(name);
  try {
    for (;;) {
      const answer = await ask();
      if (answer !== undefined) return answer;
      await sleep(pauseMs);
    }
  } finally {
    waiting.delete(name);
  }
}

/** Repeats a check until it passes. After the time limit, throws its last error. */
export async function eventually(check: () => unknown, limitMs = 30_000): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    try {
      await check();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
    }
    await sleep(pauseMs);
  }
}

const waiting = new Set<string>();

/** The conditions that a test still waits for. */
export function unmetConditions(): string[] {
  return [...waiting];
}
