/** switchboard mcp check */
import { UserError } from '../base/errors.ts';
import { plainText } from '../base/plainText.ts';
import { readConfig } from '../files/read.ts';
import { agentsGetNone, positionsIn } from '../mcp/text/refusal.ts';
import { findProblems, type ProblemCode, type Severity } from '../mcp/problems/findProblems.ts';
import { coloursOf, displayWidth, padded, printJson } from './output.ts';
import type { Host } from './host.ts';
import { otherFormat } from './otherFormat.ts';

interface Check {
  readonly host: Host;
  /** Their paths. */
  readonly files: readonly string[];
  readonly json: boolean;
}

/** Its keys are those of the answer with --json. */
interface FoundProblem {
  readonly severity: Severity;
  readonly code: ProblemCode | 'unreadable';
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

interface CheckedFile {
  readonly file: string;
  /** Whether the program that reads the file takes it. */
  readonly accepted: boolean;
  readonly problems: readonly FoundProblem[];
}

/** Says what is wrong with the files, as far as that does not depend on the machine. Resolves to whether all are accepted. */
export async function check({ host, files, json }: Check): Promise<boolean> {
  const checked = await Promise.all(files.map((file) => checkFile(host, file)));
  if (json) printJson(host, checked);
  else host.stdout.write(textOf(host, checked));
  return checked.every(({ accepted }) => accepted);
}

async function checkFile({ disk }: Host, file: string): Promise<CheckedFile> {
  try {
    const config = await readConfig(file, { disk });
    if (!config) return unreadable(file, 'This file does not exist.');
    const problems = problemsIn(config.text);
    return { file, accepted: problems.every(({ severity }) => severity !== 'error'), problems };
  } catch (error) {
    if (error instanceof UserError) return unreadable(file, error.message);
    throw error;
  }
}

function unreadable(file: string, message: string): CheckedFile {
  const problem: FoundProblem = { severity: 'error', code: 'unreadable', message, line: 1, column: 1 };
  return { file, accepted: false, problems: [problem] };
}

function problemsIn(text: string): FoundProblem[] {
  const positionOf = positionsIn(text);
  return findProblems(text).map(({ severity, code, message, start }) => {
    const other = code === 'syntax' ? otherFormat(text) : undefined;
    const { line, column } = positionOf(other?.start ?? start);
    return { severity, code, message: other?.message ?? message, line, column };
  });
}

const severityWords: Readonly<Record<Severity, string>> = {
  error: 'error',
  warning: 'warning',
  information: 'note',
  hint: 'hint',
};

/** A line for each problem, in columns, and one that sums them up. */
function textOf({ stdout, env }: Host, checked: readonly CheckedFile[]): string {
  const colours = coloursOf(stdout, { env });
  const paint = { error: colours.bad, warning: colours.warning, information: colours.dim, hint: colours.dim };
  const rows = checked.flatMap(({ file, problems }) => {
    const path = plainText(file, 1000);
    return problems.map((problem) => ({ place: `${path}:${problem.line}:${problem.column}`, ...problem }));
  });
  const placeWidth = rows.reduce((most, { place }) => Math.max(most, displayWidth(place)), 0);
  const wordWidth = rows.reduce((most, { severity }) => Math.max(most, severityWords[severity].length), 0);
  const lines = rows.map(({ place, severity, message }) =>
    [
      padded(place, placeWidth),
      paint[severity](padded(severityWords[severity], wordWidth)),
      plainText(message, 2000),
    ].join('  '),
  );
  return [...lines, ...(rows.length > 0 ? [''] : []), colours.dim(sumOf(checked)), ''].join('\n');
}

/** How many problems of which severity, and how many files agents get nothing from. */
function sumOf(checked: readonly CheckedFile[]): string {
  const faulty = checked.filter(({ problems }) => problems.length > 0);
  const all = checked.flatMap(({ problems }) => problems);
  const counts = (Object.keys(severityWords) as Severity[]).flatMap((severity) => {
    const count = all.filter((problem) => problem.severity === severity).length;
    return count === 0 ? [] : [counted(count, severityWords[severity])];
  });
  const what = counts.length === 0 ? 'No problems' : counts.join(', ');
  const [first, ...others] = checked;
  const files = counted(checked.length, 'file');
  const where =
    first && others.length === 0
      ? plainText(first.file, 1000)
      : counts.length === 0
        ? files
        : `${faulty.length} of ${files}`;
  return `${what} in ${where}.${refusedText(checked)}`;
}

function refusedText(checked: readonly CheckedFile[]): string {
  const refused = checked.filter(
    ({ accepted, problems }) => !accepted && problems.every(({ code }) => code !== 'unreadable'),
  ).length;
  if (refused === 0) return '';
  if (checked.length === 1) return ` ${agentsGetNone()}`;
  return refused === 1
    ? ' 1 file is refused as it is, so agents get none of its servers.'
    : ` ${refused} files are refused as they are, so agents get none of their servers.`;
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
