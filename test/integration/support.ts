/** What the integration tests share. */

/** Asks until the answer is there. The test's own time limit ends it. */
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

/** Resolves when a number has stayed the same for longer than the window waits before it draws. */
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
