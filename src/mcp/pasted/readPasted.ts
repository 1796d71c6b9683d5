/** The servers in a text that somebody pasted, whichever program it was written for. Nothing of it is run or opened. */
import { t } from '../../base/l10n.ts';
import { sameValue } from '../values.ts';
import { writeServer } from '../server.ts';
import { acceptEntry } from './acceptEntry.ts';
import { readCommandsIn } from './addCommands.ts';
import { readJsonIn } from './json.ts';
import { readLinksIn } from './links.ts';
import { type Pasted, PasteRefusal, type PasteFindings, type PastedServer } from './pastedServer.ts';
import { readTomlIn } from './toml.ts';

/** What is beyond these limits is something else than what people paste. */
export const limits = { characters: 1_000_000, servers: 1000 } as const;

const understood = () =>
  t(
    'You can paste commands with "mcp add", "mcp add-json" or "--add-mcp"; JSON with "mcpServers", "servers" or a single server; the TOML of Codex; and install links of VS Code and Cursor.',
  );

/** Throws a PasteRefusal, and nothing else, where no server is found. */
export function readPasted(text: string): Pasted {
  if (text.length > limits.characters) {
    throw new PasteRefusal('tooBig', t('The text is too long. Paste only the part with the MCP server.'));
  }
  const prepared = prepare(text);
  if (prepared.trim() === '') throw new PasteRefusal('empty', t('There is no text. {0}', understood()));

  const findings: PasteFindings = { entries: [], problems: [] };
  const readers = [readCommandsIn, readLinksIn, readTomlIn];
  readJsonIn(
    readers.reduce((rest, read) => read(rest, findings), prepared),
    findings,
  );
  const { entries, problems } = findings;
  if (entries.length > limits.servers)
    problems.push(t('Only the first {0} servers are taken.', limits.servers));

  const servers: PastedServer[] = [];
  for (const entry of entries.slice(0, limits.servers)) {
    const accepted = acceptEntry(entry);
    if (typeof accepted === 'string') problems.push(accepted);
    else if (!servers.some((server) => isSame(server, accepted))) servers.push(accepted);
  }
  const [problem] = problems;
  if (servers.length > 0) return { servers, problems };
  if (problem !== undefined) throw new PasteRefusal('unreadable', problem);
  throw new PasteRefusal('nothing', t('No MCP server was found in this text. {0}', understood()));
}

/** With one kind of line break and blank, and without the signs of a quotation. Lines and columns stay. */
function prepare(text: string): string {
  return text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .replace(/\u00A0/g, ' ')
    .replace(/^[ \t]*>(?: ?>)*(?=[ \t\n]|$)/gm, (quote) => ' '.repeat(quote.length));
}

/** READMEs have the same server in several shapes. */
function isSame(one: PastedServer, other: PastedServer): boolean {
  return (
    one.name === other.name &&
    one.suggestedName === other.suggestedName &&
    sameValue(writeServer(one.server, one.enabled), writeServer(other.server, other.enabled))
  );
}
