/**
 * Finds servers of any program in a pasted text. Nothing of it is run or
 * opened.
 */
import { t } from '../../base/l10n.ts';
import { sameValue } from '../text/values.ts';
import { writeServer } from '../format/server.ts';
import { acceptEntry } from './acceptEntry.ts';
import { readCommandsIn } from './addCommands.ts';
import { readBareLines } from './bareLines.ts';
import { readFormIn } from './forms.ts';
import { readJsonIn } from './json.ts';
import { readLinksIn } from './links.ts';
import {
  type PastedServers,
  PasteRefusal,
  type PasteFindings,
  type PastedServer,
} from './pastedServer.ts';
import { readTomlIn } from './toml.ts';
import { readYamlIn, readYamlParts } from './yaml.ts';

export const pasteLimits = { characters: 1_000_000, servers: 1000 } as const;

const understood = () =>
  t(
    'You can paste commands such as "claude mcp add"; JSON, TOML or YAML with MCP servers; install links; and the command or the URL of a server.',
  );

/**
 * Throws only a PasteRefusal: if there is no server. `onWindows`: the
 * configuration is for Windows.
 */
export function readPasted(text: string, onWindows = false): PastedServers {
  if (text.length > pasteLimits.characters) {
    throw new PasteRefusal(
      'tooBig',
      t('The text is too long. Paste only the part with the MCP server.'),
    );
  }
  const prepared = prepare(text);
  if (prepared.trim() === '')
    throw new PasteRefusal('empty', t('There is no text. {0}', understood()));

  const findings: PasteFindings = { entries: [], problems: [] };
  const { entries, problems } = findings;
  const readers = [readCommandsIn, readLinksIn, readTomlIn, readYamlIn];
  const rest = readers.reduce(
    (before, read) => read(before, findings),
    prepared,
  );
  readJsonIn(rest, findings);
  for (const read of [readYamlParts, readFormIn, readBareLines]) {
    if (entries.length + problems.length === 0) read(rest, findings);
  }
  if (entries.length > pasteLimits.servers)
    problems.push(
      t('Only the first {0} servers are added.', pasteLimits.servers),
    );

  const servers: PastedServer[] = [];
  for (const entry of entries.slice(0, pasteLimits.servers)) {
    const accepted = acceptEntry(entry, onWindows);
    if (typeof accepted === 'string') problems.push(accepted);
    else if (!servers.some((server) => isSame(server, accepted)))
      servers.push(accepted);
  }
  const [problem] = problems;
  if (servers.length > 0) return { servers, problems };
  if (problem !== undefined) throw new PasteRefusal('unreadable', problem);
  throw new PasteRefusal(
    'nothing',
    t('No MCP server was found in this text. {0}', understood()),
  );
}

/**
 * Normalizes line breaks and blanks, and blanks out quotation signs. Positions
 * stay.
 */
function prepare(text: string): string {
  const prepared = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/\u00A0/g, ' ')
    .replace(/^[ \t]*>(?: ?>)*(?=[ \t\n]|$)/gm, (quote) =>
      ' '.repeat(quote.length),
    )
    // An invisible blank after the backslash would end the command.
    .replace(/\\([ \t]+)$/gm, '$1\\');
  // Text programs curl quotes around names and in commands.
  const isCurly = /[“”][^“”"\n]{1,100}[“”]\s*:|mcp add[^]{0,500}?[“‘]/.test(
    prepared,
  );
  return isCurly
    ? prepared.replace(/[“”]/g, '"').replace(/[‘’]/g, "'")
    : prepared;
}

/** READMEs show one server in several forms. */
function isSame(one: PastedServer, other: PastedServer): boolean {
  return (
    one.name === other.name &&
    one.suggestedName === other.suggestedName &&
    sameValue(
      writeServer(one.server, one.enabled),
      writeServer(other.server, other.enabled),
    )
  );
}
