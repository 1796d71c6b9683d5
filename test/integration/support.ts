/** Shared by the integration tests. */

/** Asks until there is an answer. Only the time limit of the test ends it. */
export async function eventually<T>(
  ask: () => T | undefined | Promise<T | undefined>,
  enough: (answer: T) => boolean = () => true,
): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && enough(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
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
