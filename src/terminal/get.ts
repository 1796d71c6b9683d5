import { plainText } from '../base/plainText.ts';
import { findServer } from '../mcp/format/document.ts';
import type { Entry } from '../mcp/format/entry.ts';
import { exactText, showServer, targetText } from '../mcp/format/mask.ts';
import { positionAt } from '../mcp/text/refusal.ts';
import type { CommandContext } from './host.ts';
import { coloursOf, inColumns, nameText, printJson, serverJson, stateText } from './output.ts';
import { printWarnings, readServers } from './readServers.ts';

export async function getCommand({ host, file, json, reveal }: CommandContext, name: string): Promise<void> {
  const { entries, text, warnings } = await readServers({ host, file });
  const entry = findServer(entries, name);
  if (json) {
    printJson(host, { file, server: serverJson(entry, reveal), warnings });
  } else {
    const colours = coloursOf(host.stdout, host);
    const state = (entry.enabled ? colours.good : colours.dim)(stateText(entry.enabled));
    host.stdout.write(`${colours.bold(nameText(name))}  ${state}\n\n`);
    const place = plainText(`${file}, line ${positionAt(text, entry.start).line}`, 10_000);
    const details: Detail[] = [...detailsOf(entry, reveal), ['File', [place]]];
    const rows = details.flatMap(([title, lines]) => lines.map((line, i) => [i === 0 ? title : '', line]));
    for (const [title = '', line = ''] of inColumns(rows)) {
      host.stdout.write(`${colours.dim(title)}  ${line}\n`);
    }
  }
  printWarnings(host, file, warnings);
}

/** The lines are safe for a terminal. */
type Detail = readonly [title: string, lines: readonly string[]];

function detailsOf({ server, tools, toolsOff: off, otherFields }: Entry, reveal: boolean): Detail[] {
  const isAllSaid = off.length > 0 && off.length === tools.size;
  const others = otherFields.filter((key) => key !== 'tools' || !isAllSaid);
  const switchedOff: Detail = [
    'Tools off',
    off.length > 0 ? [plainText(off.map(nameText).join(', '), 10_000)] : [],
  ];
  // Only the names: any value may be a secret.
  const rest: Detail = ['Other fields', others.length > 0 ? [plainText(others.join(', '), 10_000)] : []];
  if (!server) return [['Transport', ['? (neither a command nor a URL)']], switchedOff, rest];
  const shown = showServer(server, reveal);
  const line = (...parts: readonly string[]) =>
    reveal ? parts.map(exactText).join('') : plainText(parts.join(''), 10_000);
  const pairs = (values: Readonly<Record<string, string>>, separator: string) =>
    Object.entries(values).map(([key, value]) => line(key, separator, value));
  const target = line(targetText(server, reveal));
  const own: Detail[] =
    shown.transport === 'stdio'
      ? [
          ['Command', [target]],
          ['Environment', pairs(shown.env, '=')],
        ]
      : [
          ['URL', [target]],
          ['Headers', pairs(shown.headers, ': ')],
          ['Auth', shown.auth === null ? [] : [line(shown.auth)]],
        ];
  return [['Transport', [shown.transport]], ...own, switchedOff, rest];
}
