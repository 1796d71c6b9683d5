export type Fact = readonly [name: string, value: string];

export interface PageSection {
  readonly title?: string;
  readonly text?: string;
  /** An empty name continues the previous fact. */
  readonly facts?: readonly Fact[];
}

/** Leaves out facts without a value. */
export function knownFacts(
  facts: readonly (readonly [
    name: string,
    value: string | false | undefined,
  ])[],
) {
  return facts.flatMap(([name, value]): Fact[] =>
    value === undefined || value === false ? [] : [[name, value]],
  );
}

/** One name for several values. */
export function listFacts(name: string, values: readonly string[]): Fact[] {
  return values.map((value, i) => [i === 0 ? name : '', value]);
}

export function factLines(facts: readonly Fact[]): string {
  return facts
    .map(([name, value]) =>
      name === '' ? `    ${value}` : `${name}: ${value}`,
    )
    .join('\n');
}
