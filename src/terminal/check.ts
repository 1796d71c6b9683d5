import { UserError } from '../base/errors.ts';
import { plainText } from '../base/plainText.ts';
import { readConfig } from '../files/read.ts';
import { agentsGetNone, positionsIn } from '../mcp/text/refusal.ts';
import {
  findProblems,
  type ProblemCode,
  type Severity,
} from '../mcp/problems/findProblems.ts';
import { coloursOf, countText, inColumns, printJson } from './output.ts';
import type { TerminalHost } from './host.ts';
import { otherFormat } from './otherFormat.ts';

/** The keys of the answer with --json. */
interface FoundProblem {
  readonly severity: Severity;
  readonly code: ProblemCode | 'unreadable';
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

interface CheckedFile {
  readonly file: string;
  readonly accepted: boolean;
  readonly problems: readonly FoundProblem[];
}

/**
 * Prints the problems of files, without those that depend on the machine.
 * Resolves to true if all are accepted.
 */
export async function checkCommand(
  host: TerminalHost,
  files: readonly string[],
  json: boolean,
): Promise<boolean> {
  const checked = await Promise.all(files.map((file) => checkFile(host, file)));
  if (json) printJson(host, checked);
  else host.stdout.write(textOf(host, checked));
  return checked.every(({ accepted }) => accepted);
}

async function checkFile(
  { disk }: TerminalHost,
  file: string,
): Promise<CheckedFile> {
  try {
    const config = await readConfig(file, { disk });
    if (!config) return unreadable(file, 'This file does not exist.');
    const problems = problemsIn(config.text);
    return {
      file,
      accepted: problems.every(({ severity }) => severity !== 'error'),
      problems,
    };
  } catch (error) {
    if (error instanceof UserError) return unreadable(file, error.message);
    throw error;
  }
}

function unreadable(file: string, message: string): CheckedFile {
  const problem: FoundProblem = {
    severity: 'error',
    code: 'unreadable',
    message,
    line: 1,
    column: 1,
  };
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

/** Lists the problems in columns, and a summary. */
function textOf(
  { stdout, env }: TerminalHost,
  checked: readonly CheckedFile[],
): string {
  const colours = coloursOf(stdout, { env });
  const paint = {
    error: colours.bad,
    warning: colours.warning,
    information: colours.dim,
    hint: colours.dim,
  };
  const all = checked.flatMap(({ problems }) => problems);
  const rows = checked.flatMap(({ file, problems }) => {
    const path = plainText(file, 1000);
    return problems.map(({ line, column, severity, message }) => [
      `${path}:${line}:${column}`,
      severityWords[severity],
      plainText(message, 2000),
    ]);
  });
  const lines = inColumns(rows).map(
    ([place = '', word = '', message = ''], i) =>
      [place, all[i] ? paint[all[i].severity](word) : word, message].join('  '),
  );
  return [
    ...lines,
    ...(rows.length > 0 ? [''] : []),
    colours.dim(sumOf(checked)),
    '',
  ].join('\n');
}

function sumOf(checked: readonly CheckedFile[]): string {
  const faulty = checked.filter(({ problems }) => problems.length > 0);
  const all = checked.flatMap(({ problems }) => problems);
  const counts = (Object.keys(severityWords) as Severity[]).flatMap(
    (severity) => {
      const count = all.filter(
        (problem) => problem.severity === severity,
      ).length;
      return count === 0 ? [] : [countText(count, severityWords[severity])];
    },
  );
  const what = counts.length === 0 ? 'No problems' : counts.join(', ');
  return `${what} in ${filesText(checked, faulty.length)}.${refusedText(checked)}`;
}

function filesText(
  checked: readonly CheckedFile[],
  faultyCount: number,
): string {
  const [first, ...restFiles] = checked;
  if (first && restFiles.length === 0) return plainText(first.file, 1000);
  const files = countText(checked.length, 'file');
  return faultyCount === 0 ? files : `${faultyCount} of ${files}`;
}

function refusedText(checked: readonly CheckedFile[]): string {
  const refused = checked.filter(
    ({ accepted, problems }) =>
      !accepted && problems.every(({ code }) => code !== 'unreadable'),
  ).length;
  if (refused === 0) return '';
  if (checked.length === 1) return ` ${agentsGetNone()}`;
  return refused === 1
    ? ' 1 file is invalid, so agents load none of its servers.'
    : ` ${refused} files are invalid, so agents load none of their servers.`;
}
