/**
 * Counts what tests did, for the summary of the soak. Counts with the same
 * words are added up.
 */
const numbers = new Map<string, number>();

export function countDone(count: number, words: string): void {
  numbers.set(words, (numbers.get(words) ?? 0) + count);
}

export function allDone(): string[] {
  return [...numbers].map(
    ([words, count]) => `${count.toLocaleString('en')} ${words}`,
  );
}
