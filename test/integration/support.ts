/** Shared by the integration tests. */

const waiting = new Set<() => unknown>();

/** Asks until there is an answer. Only the time limit of the test ends it. */
export async function eventually<T>(
  ask: () => T | undefined | Promise<T | undefined>,
  enough: (answer: T) => boolean = () => true,
): Promise<T> {
  waiting.add(ask);
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && enough(answer)) {
      waiting.delete(ask);
      return answer;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Says what a test waited for when its time was over. */
export function tellWhatIsWaitedFor(): void {
  for (const ask of waiting) console.log(`Waited in vain: ${String(ask)}`);
  waiting.clear();
}

/** Resolves when a number has not changed for longer than the window waits before drawing. */
export async function settled(count: () => number): Promise<void> {
  let last = count();
  let since = performance.now();
  await eventually(() => {
    if (count() === last) return performance.now() - since > 500 || undefined;
    last = count();
    since = performance.now();
    return undefined;
  });
}
