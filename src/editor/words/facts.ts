export type Fact = readonly [name: string, value: string];

export interface PageSection {
  readonly title?: string;
  readonly text?: string;
  /** An empty name continues the previous fact. */
  readonly facts?: readonly Fact[];
}

/** One fact with several values. */
export function factsNamed(name: string, values: readonly string[]): Fact[] {
  return values.map((value, index) => [index === 0 ? name : '', value]);
}

export function factLines(facts: readonly Fact[]): string {
  return facts.map(([name, value]) => (name === '' ? `    ${value}` : `${name}: ${value}`)).join('\n');
}
