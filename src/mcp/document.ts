/** What the text of mcp.json says. */
import { t } from '../base/l10n.ts';
import { either, nearest } from '../base/near.ts';
import { plainText } from '../base/plainText.ts';
import { isAtRoot, lastOfEach, type Outline, outline } from './outline.ts';
import type { Member } from './reader.ts';
import { Refusal } from './refusal.ts';
import { type Fields, readServer, type Server } from './server.ts';
import { parseValue } from './values.ts';

/** A server in the file. Of a name that is there twice this is the last, which is the one that counts. */
export interface Entry {
  readonly name: string;
  readonly enabled: boolean;
  /** Undefined where the entry names neither a command nor a URL. */
  readonly server: Server | undefined;
  /** Undefined where the entry is not an object. */
  readonly fields: Fields | undefined;
  /** Offsets in the text: of the quote before the name, of the value, and behind the value. */
  readonly start: number;
  readonly valueStart: number;
  readonly end: number;
}

/** Something about the file that its owner should know. The message is a sentence. */
export interface Remark {
  readonly kind: 'comment' | 'trailingComma' | 'byteOrderMark' | 'duplicate' | 'serversAtRoot';
  readonly message: string;
  readonly offset: number;
}

export interface Document {
  readonly entries: readonly Entry[];
  readonly remarks: readonly Remark[];
}

/** Throws a Refusal for a text in which no server can be found. */
export function readDocument(text: string): Document {
  const found = outline(text);
  const entries = [...lastOfEach(found.servers).values()].sort((a, b) => a.start - b.start);
  return { entries: entries.map((member) => readEntry(text, member)), remarks: remarksOf(found) };
}

/** Throws a Refusal that lists what may have been meant. */
export function findServer(document: Document, name: string): Entry {
  const entry = document.entries.find((each) => each.name === name);
  if (!entry) throw noSuchServer(name, document.entries);
  return entry;
}

export function noSuchServer(name: string, others: readonly { readonly name: string }[]): Refusal {
  const near = nearest(
    name,
    others.map((other) => other.name),
  ).map(quoted);
  const hint =
    near.length > 0
      ? t('Did you mean {0}?', either(near))
      : others.length > 0
        ? t('List the servers to see their names.')
        : t('There are no servers yet.');
  return new Refusal('noSuchServer', `${t('There is no server {0}.', quoted(name))} ${hint}`);
}

export function quoted(name: string): string {
  return `"${plainText(name, 80)}"`;
}

export function readEntry(text: string, { name, start, valueStart, end }: Member): Entry {
  const value = parseValue(text.slice(valueStart, end));
  const fields = value instanceof Map ? (value as Fields) : undefined;
  return {
    name,
    enabled: fields?.get('enabled') !== false,
    server: fields && readServer(fields),
    fields,
    start,
    valueStart,
    end,
  };
}

export function remarksOf(found: Outline): Remark[] {
  const remarks: Remark[] = [];
  const remark = (kind: Remark['kind'], offset: number | undefined, message: string) => {
    if (offset !== undefined) remarks.push({ kind, offset, message });
  };
  const { text, root, servers, property, comments, trailingCommas } = found;
  remark(
    'byteOrderMark',
    text.startsWith('\uFEFF') ? 0 : undefined,
    t(
      'The file begins with a byte order mark, which the program that reads this file rejects, with the whole file.',
    ),
  );
  remark(
    'comment',
    comments[0]?.start,
    t('The file has a comment, which the program that reads this file rejects, with the whole file.'),
  );
  remark(
    'trailingComma',
    trailingCommas[0],
    t(
      'The file has a comma behind the last value, which the program that reads this file rejects, with the whole file.',
    ),
  );
  remark(
    'serversAtRoot',
    isAtRoot(found) ? root.start : undefined,
    t('The servers stand at the root of the file, not in "mcpServers".'),
  );
  const first = root.members.find(({ name }) => name === 'mcpServers');
  if (first !== property) remark('duplicate', first?.start, moreThanOnce('mcpServers'));
  const last = lastOfEach(servers);
  const seen = new Map<string, Member>();
  for (const member of servers?.members ?? []) {
    const before = seen.get(member.name);
    seen.set(member.name, member);
    if (before && last.get(member.name) === member) {
      remark('duplicate', before.start, moreThanOnce(member.name));
    }
  }
  return remarks;
}

function moreThanOnce(name: string): string {
  return t('{0} is there more than once. Only the last counts.', quoted(name));
}
