/** Facts, which pages and tooltips consist of. */

/** A name and a value. */
export type Fact = readonly [name: string, value: string];

/** Part of a page. */
export interface Section {
  readonly title?: string;
  readonly text?: string;
  /** An empty name continues the fact before. */
  readonly facts?: readonly Fact[];
}

export function factLines(facts: readonly Fact[]): string {
  return facts.map(([name, value]) => (name === '' ? `    ${value}` : `${name}: ${value}`)).join('\n');
}
