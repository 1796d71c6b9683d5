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
