import { plainText } from '../base/plainText.ts';
import type { Loss } from '../files/losses.ts';
import { readConfig } from '../files/read.ts';
import { containerOf } from '../mcp/dialects/dialects.ts';
import { agentsGetNone, positionsIn, Refusal } from '../mcp/text/refusal.ts';
import { entriesIn } from '../mcp/format/document.ts';
import { shellWord } from '../mcp/format/mask.ts';
import { isAtRoot, type Outline } from '../mcp/format/outline.ts';
import type { Problem } from '../mcp/problems/findProblems.ts';
import { isRefused } from '../mcp/format/verdict.ts';
import { lastOfEach } from '../mcp/text/nodes.ts';
import { coloursOf } from './output.ts';
import type { TerminalHost } from './host.ts';

/**
 * Throws a UserError for an unreadable file, and a Refusal without a place for
 * servers.
 */
export async function readServers({ disk }: TerminalHost, file: string) {
  const config = await readConfig(file, { disk });
  if (!config) return { entries: [], text: '', warnings: [], there: false };
  const { text, found: result, openToOthers } = config;
  if (result instanceof Refusal) {
    const other =
      result.kind === 'syntax'
        ? (await import('./otherFormat.ts')).otherFormat(text)
        : undefined;
    const { message, start } = other ?? {
      message: result.what,
      start: result.position?.offset,
    };
    throw new Refusal(
      result.kind,
      `${message} ${agentsGetNone()}`,
      text,
      start,
    );
  }
  const warnings = await warningsOf(file, result, openToOthers);
  return { entries: entriesIn(result), text, warnings, there: true };
}

/** Problems that every command reports. */
const sharedWarningCodes = [
  'duplicateServer',
  'duplicateServers',
  'otherContainer',
  'serversAtRoot',
] as const;

export interface FileWarning {
  readonly kind:
    | 'codeVariables'
    | 'refused'
    | (typeof sharedWarningCodes)[number]
    | 'openToOthers'
    | 'ignoredTools'
    | 'badTool'
    | 'unverifiedTools'
    | Loss;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

export async function warningsOf(
  file: string,
  outline: Outline,
  openToOthers: boolean,
): Promise<FileWarning[]> {
  const positionOf = positionsIn(outline.text);
  const warning = (
    kind: FileWarning['kind'],
    message: string,
    offset: number,
  ): FileWarning => {
    const { line, column } = positionOf(offset);
    return { kind, message, line, column };
  };
  const problems = await problemsIn(outline);
  const reason = problems.find(({ severity }) => severity === 'error');
  const warnings = [
    ...(reason
      ? [
          warning(
            'refused',
            `${agentsGetNone()} ${reason.message}`,
            reason.start,
          ),
        ]
      : []),
    ...problems.flatMap(({ code, message, start }) => {
      const warningCode = sharedWarningCodes.find(
        (candidate) => candidate === code,
      );
      return warningCode ? [warning(warningCode, message, start)] : [];
    }),
  ];
  if (!openToOthers) return warnings;
  const message = `Other users of this machine can read the file, which may contain secrets. To prevent that: chmod 600 ${shellWord(file)}`;
  return [...warnings, { kind: 'openToOthers', message }];
}

/**
 * Loads the checks only for a file that is refused, or may have one of the
 * problems that every command reports.
 */
async function problemsIn(outline: Outline): Promise<Problem[]> {
  const { root, servers, property } = outline;
  const hasOthers = root.members.some(
    (member) => member !== property && containerOf(member.name),
  );
  const hasTwins = servers && lastOfEach(servers).size < servers.members.length;
  if (!hasOthers && !hasTwins && !isAtRoot(outline) && !isRefused(outline))
    return [];
  return (await import('../mcp/problems/findProblems.ts')).findProblems(
    outline.text,
  );
}

export function printWarnings(
  host: TerminalHost,
  file: string,
  warnings: readonly FileWarning[],
): void {
  const colours = coloursOf(host.stderr, host);
  for (const { kind, message, line, column } of warnings) {
    const isRefused = kind === 'refused';
    const row = line === undefined ? '' : `, line ${line}`;
    const place = `${plainText(file, 1000)}${row}${isRefused ? `, column ${column}` : ''}`;
    const mark = isRefused
      ? colours.bad('Refused:')
      : colours.warning('Warning:');
    host.stderr.write(`${mark} ${place}: ${plainText(message, 2000)}\n`);
  }
}
