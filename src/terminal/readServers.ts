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
import type { CommandContext, TerminalHost } from './host.ts';

/** Throws a UserError for an unreadable file, and a Refusal without a place for servers. */
export async function readServers({ host, file }: Pick<CommandContext, 'host' | 'file'>) {
  const config = await readConfig(file, { disk: host.disk });
  if (!config) return { entries: [], text: '', warnings: [], there: false };
  const { text, found, openToOthers } = config;
  if (found instanceof Refusal) {
    const other = found.kind === 'syntax' ? (await import('./otherFormat.ts')).otherFormat(text) : undefined;
    const { message, start } = other ?? { message: found.what, start: found.position?.offset };
    throw new Refusal(found.kind, `${message} ${agentsGetNone()}`, text, start);
  }
  const warnings = await warningsOf(file, found, openToOthers);
  return { entries: entriesIn(found), text, warnings, there: true };
}

/** Problems that every command reports. */
const toldCodes = ['duplicateServer', 'duplicateServers', 'otherContainer', 'serversAtRoot'] as const;

export interface FileWarning {
  readonly kind:
    | 'codeVariables'
    | 'refused'
    | (typeof toldCodes)[number]
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
  found: Outline,
  openToOthers: boolean,
): Promise<FileWarning[]> {
  const positionOf = positionsIn(found.text);
  const warning = (kind: FileWarning['kind'], message: string, offset: number): FileWarning => {
    const { line, column } = positionOf(offset);
    return { kind, message, line, column };
  };
  const problems = await problemsIn(found);
  const reason = problems.find(({ severity }) => severity === 'error');
  const warnings = [
    ...(reason ? [warning('refused', `${agentsGetNone()} ${reason.message}`, reason.start)] : []),
    ...problems.flatMap(({ code, message, start }) => {
      const told = toldCodes.find((each) => each === code);
      return told ? [warning(told, message, start)] : [];
    }),
  ];
  if (!openToOthers) return warnings;
  const message = `Other users of this machine can read the file, which may contain secrets. To prevent that: chmod 600 ${shellWord(file)}`;
  return [...warnings, { kind: 'openToOthers', message }];
}

/** Loads the checks only for a file that is refused, or may have one of the problems that every command reports. */
async function problemsIn(found: Outline): Promise<Problem[]> {
  const { root, servers, property } = found;
  const hasOthers = root.members.some((member) => member !== property && containerOf(member.name));
  const hasTwins = servers && lastOfEach(servers).size < servers.members.length;
  if (!hasOthers && !hasTwins && !isAtRoot(found) && !isRefused(found)) return [];
  return (await import('../mcp/problems/findProblems.ts')).findProblems(found.text);
}

export function printWarnings(host: TerminalHost, file: string, warnings: readonly FileWarning[]): void {
  const colours = coloursOf(host.stderr, host);
  for (const { kind, message, line, column } of warnings) {
    const isRefused = kind === 'refused';
    const row = line === undefined ? '' : `, line ${line}`;
    const place = `${plainText(file, 1000)}${row}${isRefused ? `, column ${column}` : ''}`;
    const mark = isRefused ? colours.bad('Refused:') : colours.warning('Warning:');
    host.stderr.write(`${mark} ${place}: ${plainText(message, 2000)}\n`);
  }
}
