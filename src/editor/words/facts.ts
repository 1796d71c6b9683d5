/** The facts on pages and in tooltips. */

export type Fact = readonly [name: string, value: string];

export interface PageSection {
  readonly title?: string;
  readonly text?: string;
  /** An empty name continues the previous fact. */
  readonly facts?: readonly Fact[];
}

export function factLines(facts: readonly Fact[]): string {
  return facts.map(([name, value]) => (name === '' ? `    ${value}` : `${name}: ${value}`)).join('\n');
}
