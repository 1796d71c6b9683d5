/** What tests have done, in numbers, for the summary of the soak. What is said in the same words is added up. */
const numbers = new Map<string, number>();

export function done(count: number, words: string): void {
  numbers.set(words, (numbers.get(words) ?? 0) + count);
}

export function allDone(): string[] {
  return [...numbers].map(([words, count]) => `${count.toLocaleString('en')} ${words}`);
}
