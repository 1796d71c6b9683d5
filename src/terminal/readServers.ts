import { plainText } from '../base/plainText.ts';
import type { Loss } from '../files/losses.ts';
import { readConfig } from '../files/read.ts';
import { containerOf } from '../mcp/dialects/dialects.ts';
import { agentsGetNone, positionsIn, Refusal } from '../mcp/text/refusal.ts';
import { type Document, documentOf, type Remark } from '../mcp/format/document.ts';
import { shellWord } from '../mcp/format/mask.ts';
import type { Outline } from '../mcp/format/outline.ts';
import type { Problem } from '../mcp/problems/findProblems.ts';
import { whyRefused } from '../mcp/problems/whyRefused.ts';
import { coloursOf } from './output.ts';
import type { Context, Host } from './host.ts';

interface Servers {
  readonly document: Document;
  readonly text: string;
  readonly warnings: readonly Warning[];
  /** Whether the file exists. */
  readonly there: boolean;
}

/** What the file contains. Throws a UserError if it cannot be read, and a Refusal if no servers can be found in it. */
export async function readServers({ host, file }: Pick<Context, 'host' | 'file'>): Promise<Servers> {
  const config = await readConfig(file, { disk: host.disk });
  if (!config) return { document: { entries: [], remarks: [] }, text: '', warnings: [], there: false };
  const { text, found, openToOthers } = config;
  if (found instanceof Refusal) {
    const other = found.kind === 'syntax' ? (await import('./otherFormat.ts')).otherFormat(text) : undefined;
    const { message, start } = other ?? { message: found.what, start: found.position?.offset };
    throw new Refusal(found.kind, `${message} ${agentsGetNone()}`, text, start);
  }
  const document = documentOf(found);
  const warnings = await warningsOf(file, found, document.remarks, openToOthers);
  return { document, text, warnings, there: true };
}

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
