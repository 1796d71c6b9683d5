/** The end of the output of `npm test`. */
import type { LaneReport } from './lanes.ts';
import type { Count, Timed } from './mocha.ts';

export interface SuiteCount extends Count {
  readonly suite: string;
  readonly seconds: number;
}

const slowestShown = 10;

/**
 * The failed tests, the slowest tests and files, a line for each suite and
 * lane, and the total.
 */
export function summary(
  counts: readonly SuiteCount[],
  { lanes, busy }: LaneReport,
  seconds: number,
): string {
  const failed = counts.flatMap(({ suite, titles = [] }) =>
    titles.map((title) => `${suite}: ${title}`),
  );
  const suites = [...Map.groupBy(counts, ({ suite }) => suite)].map(
    ([suite, all]) => {
      const { passed, failed } = total(all);
      const time = all.reduce((sum, each) => sum + each.seconds, 0);
      return `${suite.padEnd(12)} ${passed} passed, ${failed} failed, ${time.toFixed(1)} s`;
    },
  );
  const lines = [
    ...block('Failed:', failed),
    ...block('Slowest tests:', slowest(counts, 'tests')),
    ...block('Slowest files:', slowest(counts, 'files')),
    ...suites,
    ...lanes.map(
      (time, index) => `${`lane ${index + 1}`.padEnd(12)} ${time.toFixed(1)} s`,
    ),
    `${'all'.padEnd(12)} ${seconds.toFixed(1)} s, cores ${Math.round(100 * busy)} % busy`,
    `${total(counts).passed} passed, ${total(counts).failed} failed`,
  ];
  return lines.join('\n');
}

export function total(counts: readonly Count[]): {
  readonly passed: number;
  readonly failed: number;
} {
  return {
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  };
}

function slowest(
  counts: readonly SuiteCount[],
  what: 'tests' | 'files',
): string[] {
  return counts
    .flatMap((count) =>
      (count[what] ?? []).map((timed: Timed) => ({
        ...timed,
        suite: count.suite,
      })),
    )
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, slowestShown)
    .map(
      ({ suite, name, seconds }) =>
        `${seconds.toFixed(1).padStart(6)} s  ${suite}: ${name}`,
    );
}

function block(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines, ''];
}
