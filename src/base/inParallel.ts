/** Works on all items, at most `atOnce` at a time. */
export async function inParallel<T>(
  all: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...all];
  const next = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift())
      await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, next));
}
