export interface Row {
  readonly what: string;
  readonly ours: string;
  readonly reference: string;
  readonly ratio: string;
  readonly goal: string;
}

/** Formats rows as a Markdown table with aligned columns. */
export function tableOf(rows: readonly Row[]): string {
  const head: Row = {
    what: 'what',
    ours: 'ours',
    reference: 'reference',
    ratio: 'ratio',
    goal: 'goal',
  };
  const keys = Object.keys(head) as (keyof Row)[];
  const widths = keys.map((key) =>
    Math.max(...[head, ...rows].map((row) => row[key].length)),
  );
  const line = (row: Row) =>
    `| ${keys.map((key, i) => row[key].padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return (
    ((sorted[Math.ceil(middle) - 1] ?? NaN) +
      (sorted[Math.floor(middle)] ?? NaN)) /
    2
  );
}

/**
 * Suits what a busy machine can only make slower, and does for minutes on end.
 */
export function lowerQuartile(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 4)] ?? NaN;
}

export function milliseconds(value: number): string {
  return `${value.toFixed(1)} ms`;
}

export function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`;
}
