/** Works on all, some at once. Begins nothing more after a failure. */
export async function inParallel<T>(
  all: readonly T[],
  atOnce: number,
  work: (one: T) => Promise<void>,
): Promise<void> {
  const queue = [...all];
  const next = async () => {
    for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
      try {
        await work(one);
      } catch (error) {
        queue.length = 0;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
}
