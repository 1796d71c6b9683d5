/** What the owner of the file should know, whatever the command. Where it is refused, that comes first. */
import { plainText } from '../base/plainText.ts';
import type { Loss } from '../files/losses.ts';
import { agentsGetNone } from '../mcp/format/agentsGetNone.ts';
import { containerOf } from '../mcp/dialects/dialects.ts';
import type { Remark } from '../mcp/format/document.ts';
import { shellWord } from '../mcp/format/mask.ts';
import type { Outline } from '../mcp/format/outline.ts';
import type { Problem } from '../mcp/problems/findProblems.ts';
import { whyRefused } from '../mcp/problems/whyRefused.ts';
import { positionsIn } from '../mcp/text/refusal.ts';
import type { Host } from './host.ts';
import { coloursOf } from './colours.ts';

export interface Warning {
  readonly kind:
    | Remark['kind']
    | 'codeVariables'
    | 'refused'
    | 'otherContainer'
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
  remarks: readonly Remark[],
  openToOthers: boolean,
): Promise<Warning[]> {
  const positionOf = positionsIn(found.text);
  const warning = (kind: Warning['kind'], message: string, offset: number): Warning => {
    const { line, column } = positionOf(offset);
    return { kind, message, line, column };
  };
  const reason = await whyRefused(found);
  const warnings = [
    ...(reason ? [warning('refused', `${agentsGetNone()} ${reason.message}`, reason.start)] : []),
    ...remarks.map(({ kind, message, offset }) => warning(kind, message, offset)),
    ...(await otherContainers(found)).map(({ message, start }) => warning('otherContainer', message, start)),
  ];
  if (!openToOthers) return warnings;
  const message = `Other users of this machine can read the file, which may contain secrets. To prevent that: chmod 600 ${shellWord(file)}`;
  return [...warnings, { kind: 'openToOthers', message }];
}

/** Where servers are that the program does not read. What says it is loaded only where there may be any. */
async function otherContainers({ root, text }: Outline): Promise<Problem[]> {
  if (!root.members.some(({ name }) => name !== 'mcpServers' && containerOf(name))) return [];
  const { findProblems } = await import('../mcp/problems/findProblems.ts');
  return findProblems(text).filter(({ code }) => code === 'otherContainer');
}

export function printWarnings(host: Host, file: string, warnings: readonly Warning[]): void {
  const colours = coloursOf(host.stderr, host);
  for (const { kind, message, line, column } of warnings) {
    const isRefused = kind === 'refused';
    const row = line === undefined ? '' : `, line ${line}`;
    const place = `${plainText(file, 1000)}${row}${isRefused ? `, column ${column}` : ''}`;
    const mark = isRefused ? colours.bad('Refused:') : colours.warning('Warning:');
    host.stderr.write(`${mark} ${place}: ${plainText(message, 2000)}\n`);
  }
}
