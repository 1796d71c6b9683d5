/** Whether we and the program agree on which files it refuses. */
import { findProblems, type Problem } from '../../src/mcp/problems/findProblems.ts';
import type { Program } from './program.ts';

/** A file that only one of us takes for good. */
export interface Difference {
  readonly text: string;
  /** Who refuses it: we without need, or the program while we do not see it. */
  readonly refusedBy: 'us' | 'program';
  /** Why, in the words of the one who refuses it, without what is in this file only. */
  readonly reason: string;
}

export interface Comparison {
  readonly files: number;
  readonly refused: number;
  readonly differences: readonly Difference[];
}

/** Our verdict: a problem is an error exactly when the program refuses the file. */
export function ourErrors(text: string): readonly Problem[] {
  return findProblems(text).filter(({ severity }) => severity === 'error');
}

export async function compareVerdicts(program: Program, texts: readonly string[]): Promise<Comparison> {
  const differences: Difference[] = [];
  let refused = 0;
  for (const text of texts) {
    const reading = await program.reads(text);
    const errors = ourErrors(text);
    if (!reading.accepted) refused++;
    if (reading.accepted && errors.length > 0) {
      const reasons = errors.map(({ code, message }) => `${code}: ${message.replace(/"[^"]*"/, '"…"')}`);
      differences.push({ text, refusedBy: 'us', reason: distinct(reasons) });
    }
    if (!reading.accepted && errors.length === 0) {
      const reasons = reading.faults.map(({ where, what }) => `${where} ${what}`.replace(/line \d+ column \d+/, '…'));
      differences.push({ text, refusedBy: 'program', reason: distinct(reasons) });
    }
  }
  return { files: texts.length, refused, differences };
}

function distinct(reasons: readonly string[]): string {
  return [...new Set(reasons)].sort().join('\n');
}

/** The differences with their reasons, the most frequent first, each with its shortest file. */
export function listDifferences({ files, refused, differences }: Comparison): string {
  const share = ((1 - differences.length / files) * 100).toFixed(2);
  const lines = [`${files} files, ${refused} refused by the program. ${share} % agree, ${differences.length} differ.`];
  const groups = Map.groupBy(differences, ({ refusedBy, reason }) => `${refusedBy}\n${reason}`);
  for (const group of [...groups.values()].sort((one, other) => other.length - one.length)) {
    const [shortest] = group.toSorted((one, other) => one.text.length - other.text.length);
    if (!shortest) continue;
    const who = shortest.refusedBy === 'us' ? 'refused by us alone' : 'refused by the program alone';
    lines.push('', `${group.length} × ${who}`, indented(shortest.reason), indented(shown(shortest.text)));
  }
  return lines.join('\n');
}

const indented = (text: string) => text.replace(/^/gm, '  ');

/** What cannot be seen, as escapes. */
function shown(text: string): string {
  return JSON.stringify(text).slice(1, -1).replaceAll('\\n', '\n').replaceAll('\\"', '"').slice(0, 1500);
}
