/**
 * Every text that can be reached from a value without calling anything but
 * getters and iterators: own properties, hidden ones too, causes and stacks of
 * errors, entries of maps and headers. Unlike `inspect`, it stops at no depth
 * and leaves nothing out; like everybody else, it cannot see private fields and
 * closures.
 */
export function reachableText(value: unknown): string {
  const texts: string[] = [];
  const seen = new Set<unknown>();
  const queue = [value];
  while (queue.length > 0) {
    const next = queue.pop();
    if (typeof next === 'string') texts.push(next);
    if (
      (typeof next !== 'object' && typeof next !== 'function') ||
      next === null ||
      seen.has(next)
    )
      continue;
    seen.add(next);
    for (const key of Reflect.ownKeys(next)) {
      texts.push(String(key));
      queue.push((next as Record<string | symbol, unknown>)[key]);
    }
    if (
      Symbol.iterator in next &&
      typeof next[Symbol.iterator] === 'function'
    ) {
      queue.push(...(next as Iterable<unknown>));
    }
  }
  return texts.join('\n');
}
