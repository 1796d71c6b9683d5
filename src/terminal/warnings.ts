/** What the owner of the file should know, whatever the command. */
import { plainText } from '../base/plainText.ts';
import type { Loss } from '../files/losses.ts';
import type { Remark } from '../mcp/document.ts';
import { shellWord } from '../mcp/mask.ts';
import { positionsIn } from '../mcp/refusal.ts';
import type { Host } from './host.ts';
import { coloursOf } from './colours.ts';

export interface Warning {
  readonly kind: Remark['kind'] | 'openToOthers' | Loss;
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
}

export function warningsOf(
  file: string,
  text: string,
  remarks: readonly Remark[],
  openToOthers: boolean,
): Warning[] {
  const positionOf = positionsIn(text);
  const warnings = remarks.map(({ kind, message, offset }): Warning => {
    const { line, column } = positionOf(offset);
    return { kind, message, line, column };
  });
  if (!openToOthers) return warnings;
  const message = `Other users of this machine can read the file, which may contain secrets. To prevent that: chmod 600 ${shellWord(file)}`;
  return [...warnings, { kind: 'openToOthers', message }];
}

export function printWarnings(host: Host, file: string, warnings: readonly Warning[]): void {
  const colours = coloursOf(host.stderr, host);
  for (const { message, line } of warnings) {
    const place = line === undefined ? file : `${file}, line ${line}`;
    host.stderr.write(
      `${colours.warning('Warning:')} ${plainText(place, 1000)}: ${plainText(message, 2000)}\n`,
    );
  }
}
