/**
 * Compares the files that the program refuses with the files that we refuse.
 */
import {
  findProblems,
  type Problem,
} from '../../src/mcp/problems/findProblems.ts';
import type { Program } from './program.ts';

/** A file that only one of us takes for good. */
export interface Difference {
  readonly text: string;
  /**
   * The side that refuses it: we without need, or the program while we do not
   * see it.
   */
  readonly refusedBy: 'us' | 'program';
  /**
   * Why, in the words of the one who refuses it, without what is in this file
   * only.
   */
  readonly reasons: readonly string[];
}

export interface Comparison {
  readonly files: number;
  readonly refused: number;
  readonly differences: readonly Difference[];
}

/**
 * Our verdict: a problem is an error exactly when the program refuses the file.
 */
export function ourErrors(text: string): readonly Problem[] {
  return findProblems(text).filter(({ severity }) => severity === 'error');
}

export async function compareVerdicts(
  program: Program,
  texts: readonly string[],
): Promise<Comparison> {
  const differences: Difference[] = [];
  let refused = 0;
  const readings = await program.readsAll(texts);
  for (const [index, text] of texts.entries()) {
    const reading = readings[index];
    if (!reading) throw new Error(`The program did not read file ${index}.`);
    const errors = ourErrors(text);
    if (!reading.accepted) refused++;
    if (reading.accepted && errors.length > 0) {
      const reasons = errors.map(
        ({ code, message }) => `${code}: ${message.replace(/"[^"]*"/, '"…"')}`,
      );
      differences.push({ text, refusedBy: 'us', reasons: distinct(reasons) });
    }
    if (!reading.accepted && errors.length === 0) {
      const reasons = reading.faults.map(({ where, what }) =>
        withoutPlace(`${where} ${what}`).trim(),
      );
      // One reason: an entry is refused because it is not any kind of server.
      differences.push({
        text,
        refusedBy: 'program',
        reasons: [distinct(reasons).join('\n')],
      });
    }
  }
  return { files: texts.length, refused, differences };
}

function withoutPlace(reason: string): string {
  return reason
    .replace(/(?:line|column) \d+/g, '…')
    .replace(/\S+mcp\.json/, '…');
}

function distinct(reasons: readonly string[]): string[] {
  return [...new Set(reasons)].sort();
}

/**
 * The reasons, those of most files first, each with the shortest of its files.
 * A file can be there for several reasons.
 */
export function listDifferences({
  files,
  refused,
  differences,
}: Comparison): string {
  const share = ((1 - differences.length / files) * 100).toFixed(2);
  const lines = [
    `${files} files, ${refused} refused by the program. ${share} % agree, ${differences.length} differ.`,
  ];
  const byReason = Map.groupBy(
    differences.flatMap(({ reasons, ...difference }) =>
      reasons.map((reason) => ({ reason, ...difference })),
    ),
    ({ refusedBy, reason }) =>
      `refused by ${refusedBy === 'us' ? 'us' : 'the program'} alone\n${indented(reason)}`,
  );
  const groups = [...byReason].sort(
    ([, one], [, other]) => other.length - one.length,
  );
  for (const [title, group] of groups) {
    const [shortest = ''] = group
      .map(({ text }) => text)
      .sort((one, other) => one.length - other.length);
    lines.push('', `${group.length} × ${title}`, indented(shown(shortest), 6));
  }
  return lines.join('\n');
}

const indented = (text: string, by = 2) => text.replace(/^/gm, ' '.repeat(by));

/** Writes invisible characters as escapes. */
function shown(text: string): string {
  const code = (sign: string) =>
    `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return text.replace(/(?![ \n])[\p{Z}\p{C}]/gu, code).slice(0, 1500);
}
