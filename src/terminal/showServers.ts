/** switchboard mcp list, switchboard mcp get NAME */
import { plainText } from '../base/plainText.ts';
import { findServer } from '../mcp/format/document.ts';
import type { Entry } from '../mcp/format/entry.ts';
import {
  exactText,
  shellWord,
  showServer,
  targetText,
} from '../mcp/format/mask.ts';
import { positionAt } from '../mcp/text/refusal.ts';
import type { CommandContext, TerminalHost } from './host.ts';
import {
  coloursOf,
  countText,
  displayWidth,
  cutToWidth,
  inColumns,
  nameText,
  printJson,
  serverJson,
  stateText,
} from './output.ts';
import { printWarnings, readServers, type FileWarning } from './readServers.ts';

export async function listCommand({
  host,
  file,
  json,
  reveal,
}: CommandContext): Promise<void> {
  const { entries, warnings, there } = await readServers(host, file);
  const refused = warnings.filter(({ kind }) => kind === 'refused');
  const elsewhere =
    json || entries.length > 0
      ? []
      : warnings.filter(({ kind }) => kind === 'otherContainer');
  printWarnings(host, file, refused);
  if (json) {
    printJson(host, {
      file,
      servers: entries.map((entry) => serverJson(entry, reveal)),
      warnings,
    });
  } else if (entries.length === 0) {
    host.stdout.write(
      elsewhere.length > 0
        ? elsewhereText(file, elsewhere)
        : emptyText(file, there),
    );
  } else {
    host.stdout.write(tableText(host, entries, reveal));
    const enabled = entries.filter((entry) => entry.enabled).length;
    const servers = countText(entries.length, 'server');
    const colours = coloursOf(host.stdout, host);
    host.stdout.write(
      `\n${colours.dim(`${servers}, ${enabled} enabled, in ${plainText(file, 1000)}`)}\n`,
    );
  }
  printWarnings(
    host,
    file,
    warnings.filter(
      (warning) => !refused.includes(warning) && !elsewhere.includes(warning),
    ),
  );
}

function emptyText(file: string, there: boolean): string {
  const path = plainText(file, 1000);
  return `There are no MCP servers${there ? ` in ${path}` : `: ${path} does not exist yet`}.
Add one with:
  switchboard mcp add NAME --transport stdio COMMAND -- ARGUMENTS...
  switchboard mcp add NAME --transport http https://example.com/mcp
`;
}

/**
 * The text for a file whose servers are all outside the place that agents read.
 */
function elsewhereText(file: string, warnings: readonly FileWarning[]): string {
  const reasons = warnings
    .map(({ message }) => plainText(message, 2000))
    .join(' ');
  return `Agents get no MCP servers from ${plainText(file, 1000)}. ${reasons}
To see all that is wrong with the file:
  switchboard mcp check ${shellWord(file)}
`;
}

/** Fits the table into the terminal. */
function tableText(
  { stdout, env }: TerminalHost,
  entries: readonly Entry[],
  reveal: boolean,
): string {
  const colours = coloursOf(stdout, { env });
  const head = ['NAME', 'STATE', 'TRANSPORT', 'TARGET'];
  const [title = [], ...rows] = inColumns([
    head,
    ...entries.map((entry) => cellsOf(entry, reveal)),
  ]);
  const before = displayWidth(title.slice(0, -1).join('  ')) + 2;
  // The target wraps on a narrow terminal instead of disappearing. A revealed
  // one always wraps.
  const room = stdout.isTTY ? (stdout.columns ?? Infinity) - before : Infinity;
  const lines = rows.map(
    ([name = '', state = '', transport = '', target = ''], i) =>
      [
        name,
        (entries[i]?.enabled ? colours.good : colours.dim)(state),
        transport,
        reveal || room < 20 ? target : cutToWidth(target, room),
      ].join('  '),
  );
  return `${[colours.bold(title.join('  ')), ...lines].join('\n')}\n`;
}

function cellsOf({ name, enabled, server }: Entry, reveal: boolean): string[] {
  const target = server
    ? targetText(server, reveal)
    : '(neither a command nor a URL)';
  const targetCell = reveal ? exactText(target) : plainText(target, 1000);
  return [
    nameText(name),
    stateText(enabled),
    server?.transport ?? '?',
    targetCell,
  ];
}

export async function getCommand(
  { host, file, json, reveal }: CommandContext,
  name: string,
): Promise<void> {
  const { entries, text, warnings } = await readServers(host, file);
  const entry = findServer(entries, name);
  if (json) {
    printJson(host, { file, server: serverJson(entry, reveal), warnings });
  } else {
    const colours = coloursOf(host.stdout, host);
    const state = (entry.enabled ? colours.good : colours.dim)(
      stateText(entry.enabled),
    );
    host.stdout.write(`${colours.bold(nameText(name))}  ${state}\n\n`);
    const place = plainText(
      `${file}, line ${positionAt(text, entry.start).line}`,
      10_000,
    );
    const details: Detail[] = [...detailsOf(entry, reveal), ['File', [place]]];
    const rows = details.flatMap(([title, lines]) =>
      lines.map((line, i) => [i === 0 ? title : '', line]),
    );
    for (const [title = '', line = ''] of inColumns(rows)) {
      host.stdout.write(`${colours.dim(title)}  ${line}\n`);
    }
  }
  printWarnings(host, file, warnings);
}

/** The lines are safe for a terminal. */
type Detail = readonly [title: string, lines: readonly string[]];

function detailsOf(
  { server, tools, toolsOff: off, otherFields }: Entry,
  reveal: boolean,
): Detail[] {
  const isAllSaid = off.length > 0 && off.length === tools.size;
  const otherNames = otherFields.filter((key) => key !== 'tools' || !isAllSaid);
  const switchedOff: Detail = [
    'Tools off',
    off.length > 0 ? [plainText(off.map(nameText).join(', '), 10_000)] : [],
  ];
  // Lists names only, because any value may be a secret.
  const rest: Detail = [
    'Other fields',
    otherNames.length > 0 ? [plainText(otherNames.join(', '), 10_000)] : [],
  ];
  if (!server)
    return [
      ['Transport', ['? (neither a command nor a URL)']],
      switchedOff,
      rest,
    ];
  const view = showServer(server, reveal);
  const line = (...parts: readonly string[]) =>
    reveal ? parts.map(exactText).join('') : plainText(parts.join(''), 10_000);
  const pairs = (values: Readonly<Record<string, string>>, separator: string) =>
    Object.entries(values).map(([key, value]) => line(key, separator, value));
  const target = line(targetText(server, reveal));
  const own: Detail[] =
    view.transport === 'stdio'
      ? [
          ['Command', [target]],
          ['Environment', pairs(view.env, '=')],
        ]
      : [
          ['URL', [target]],
          ['Headers', pairs(view.headers, ': ')],
          ['Auth', view.auth === null ? [] : [line(view.auth)]],
        ];
  return [['Transport', [view.transport]], ...own, switchedOff, rest];
}
