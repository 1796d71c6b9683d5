/** Facts, of which a page and a tooltip are made. */

/** One fact about something: what it is called, and what it is. */
export type Fact = readonly [name: string, value: string];

/** Part of a page. */
export interface Section {
  readonly title?: string;
  readonly text?: string;
  /** A name that is empty belongs to the fact before. */
  readonly facts?: readonly Fact[];
}

export function factLines(facts: readonly Fact[]): string {
  return facts.map(([name, value]) => `${name}: ${value}`).join('\n');
}
