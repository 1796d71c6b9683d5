/** Servers in TOML: of Codex, and of our own CLI before its release 1.0.0. */
import { t } from '../../base/l10n.ts';
import { containerOf, formerLists } from '../dialects/dialects.ts';
import type { Fields } from '../format/server.ts';
import type { Value } from '../text/values.ts';
import { findEntries, mapOf } from './findEntries.ts';
import type { PastedEntry, PasteFindings } from './pastedServer.ts';
import { mostParts, tooManyParts } from './sentences.ts';
import { TomlReader } from './tomlReader.ts';

/** A table of servers, or a list of our own CLI as it was. */
const start =
  /^[ \t]*(?:\[\[?[ \t]*(?:mcp(?:[_-]?servers)?|context_servers)[ \t]*[.\]]|(?:sse|shttp|stdio)_servers[ \t]*=)/gim;

/** Returns the text with blanks where the tables were. */
export function readTomlIn(text: string, { entries, problems, others }: PasteFindings): string {
  const rest: string[] = [];
  let from = 0;
  for (let count = 0; ; count++) {
    start.lastIndex = from;
    const match = start.exec(text);
    if (!match) break;
    if (count >= mostParts) {
      problems.push(tooManyParts());
      break;
    }
    const reader = new TomlReader(text, match.index);
    // A failure is a part as well: to say where each of very many is would take long.
    const failures = reader.read(mostParts - count);
    count += failures.length;
    for (const { table, message } of failures) if (isOurs(table)) problems.push(message);
    for (const entry of entriesIn(reader, others)) entries.push(entry);
    const end = Math.max(reader.at, match.index + match[0].length);
    rest.push(text.slice(from, match.index), text.slice(match.index, end).replace(/[^\n]/g, ' '));
    from = end;
  }
  return rest.join('') + text.slice(from);
}

function isOurs(table: string): boolean {
  return formerLists.has(table) || (containerOf(table) !== undefined && /mcp|context/i.test(table));
}

/** Without those of which a part could not be read, because half a server would be a different one. */
function entriesIn({ root, broken }: TomlReader, others: PasteFindings['others']): PastedEntry[] {
  const ours: Fields = new Map([...root].filter(([table]) => isOurs(table) && !formerLists.has(table)));
  const entries = findEntries(ours, others).filter(({ fields }) => !broken.has(fields));
  return [...entries, ...formerEntries(root, broken), ...formerEntries(mapOf(root.get('mcp')), broken)];
}

/** The lists of our own CLI as it was, with addresses or tables in them. */
function formerEntries(mcp: Fields, broken: ReadonlySet<Value>): PastedEntry[] {
  return [...formerLists].flatMap(([key, transport]) => {
    const list = mcp.get(key);
    const items = (Array.isArray(list) ? (list as readonly Value[]) : []).filter((item) => !broken.has(item));
    return items.map((item): PastedEntry => {
      const own: Fields = typeof item === 'string' ? new Map([['url', item]]) : mapOf(item);
      const name = own.get('name');
      const [timeout, notes] = inMilliseconds(own.get('timeout'));
      const fields = new Map([...own, ...timeout, ['transport', transport] as const]);
      return { name: typeof name === 'string' ? name : undefined, fields, inputs: new Map(), notes };
    });
  });
}

/** A timeout of our own CLI as it was. It allowed no more than an hour. */
function inMilliseconds(seconds: Value | undefined): [fields: Fields, notes: string[]] {
  if (typeof seconds !== 'number' || seconds < 1 || seconds > 3600) return [new Map(), []];
  const note = t('The timeout was in seconds, and is converted to milliseconds.');
  return [new Map([['timeout', seconds * 1000]]), [note]];
}
