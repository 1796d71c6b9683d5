/** Changes of the servers in a text. Each comes as the smallest edits, and only after it has been proven. */
import type { Edit } from 'jsonc-parser';
import { t } from '../base/l10n.ts';
import { apply } from './apply.ts';
import { noSuchServer, quoted, type Remark, remarksOf } from './document.ts';
import { insertMember } from './insert.ts';
import { indentAt } from './lines.ts';
import { isAtRoot, lastOf, type Outline, outline } from './outline.ts';
import { prove } from './proof.ts';
import { type Member, type ObjectText, readText } from './reader.ts';
import { removeMembers } from './removal.ts';
import { Refusal } from './refusal.ts';
import { type Fields, type Server, writeServer } from './server.ts';
import { styleOf } from './style.ts';
import type { Value } from './values.ts';
import { writeValue } from './write.ts';

export type Change =
  | (Written & { readonly do: 'add' })
  | { readonly do: 'enable' | 'disable' | 'remove'; readonly name: string }
  | { readonly do: 'rename'; readonly name: string; readonly to: string }
  /** Writes another entry in its place, whatever the old one says. */
  | (Written & { readonly do: 'replace' })
  /** Puts servers that stand at the root into `mcpServers`. */
  | { readonly do: 'wrap' };

/** A server that is written as a whole. */
export interface Written {
  readonly name: string;
  readonly server: Server;
  /** It is, where nothing else is said. */
  readonly enabled?: boolean;
  /** Further fields of the entry. */
  readonly extra?: Fields;
}

export interface Edited {
  readonly text: string;
  /** Of the text as it was. Empty where there was nothing to change. */
  readonly edits: readonly Edit[];
  readonly remarks: readonly Remark[];
}

/** Throws a Refusal for what cannot be done with this text. An empty text is a file that is not there yet. */
export function editText(text: string, change: Change): Edited {
  const found = outline(text);
  const edits = plan(found, change);
  if (edits.length === 0) return { text, edits, remarks: remarksOf(found) };
  const edited = apply(text, edits);
  return { text: edited, edits, remarks: remarksOf(prove(found, change, edits, edited)) };
}

function plan(found: Outline, change: Change): Edit[] {
  switch (change.do) {
    case 'add':
      return add(found, change.name, written(change));
    case 'enable':
      return toggle(found, change.name, true);
    case 'disable':
      return toggle(found, change.name, false);
    case 'remove':
      return remove(found, change.name);
    case 'rename':
      return rename(found, change.name, change.to);
    case 'replace':
      return replace(found, change.name, written(change));
    case 'wrap':
      return wrap(found);
  }
}

function written({ server, enabled = true, extra }: Written): Fields {
  return writeServer(server, enabled, extra);
}

function add(found: Outline, name: string, entry: Value): Edit[] {
  const { text, root, servers } = found;
  refuseTaken(
    found,
    name,
    t('there is a server {0} already. Remove it first, or choose another name.', quoted(name)),
  );
  if (isAtRoot(found)) throw atRoot(found);
  if (servers) return insertMember(found, servers, name, entry);
  const all = new Map([[name, entry]]);
  if (!found.blank) return insertMember(found, root, 'mcpServers', all);
  const empty = outline('{}\n');
  const content = apply(empty.text, insertMember(empty, empty.root, 'mcpServers', all));
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  return [{ offset: start, length: text.length - start, content }];
}

function toggle(found: Outline, name: string, enabled: boolean): Edit[] {
  const { text } = found;
  const { member } = find(found, name) ?? missing(found, name);
  const entry = entryText(text, member);
  const key = lastOf(entry.root, 'enabled');
  if (key) {
    const { valueStart: start, end } = key;
    const content = String(enabled);
    const offset = member.valueStart + start;
    return entry.text.slice(start, end) === content ? [] : [{ offset, length: end - start, content }];
  }
  if (enabled) return [];
  return insertMember(found, moved(entry.root, member.valueStart), 'enabled', false);
}

/** Every entry of the name: if only the last went, an earlier one would come to count. */
function remove(found: Outline, name: string): Edit[] {
  const { text, servers } = found;
  const gone = servers?.members.filter((member) => member.name === name) ?? [];
  if (!servers || gone.length === 0) return missing(found, name);
  // From the last, which is the one that is meant.
  for (const member of gone.toReversed()) entryText(text, member);
  return removeMembers(found, servers, gone);
}

/** Every entry of the name, so that the same one counts. */
function rename(found: Outline, name: string, to: string): Edit[] {
  const all = found.servers?.members.filter((member) => member.name === name) ?? [];
  if (all.length === 0) missing(found, name);
  if (name === to) return [];
  refuseTaken(found, to, t('there is a server {0} already. Choose another name.', quoted(to)));
  if (isAtRoot(found) && to === 'mcpServers') throw atRoot(found);
  return all.map(({ start, nameEnd }) => ({
    offset: start,
    length: nameEnd - start,
    content: JSON.stringify(to),
  }));
}

function replace(found: Outline, name: string, entry: Value): Edit[] {
  const { text, root } = found;
  const { object, member } = find(found, name) ?? missing(found, name);
  const content = writeValue(entry, styleOf(text, object, root), indentAt(text, member.start));
  return [{ offset: member.valueStart, length: member.end - member.valueStart, content }];
}

function atRoot({ text, root }: Outline): Refusal {
  return new Refusal(
    'serversAtRoot',
    t(
      'the servers stand at the root of the file. With "mcpServers" beside them they would no longer count. Put them into "mcpServers" first.',
    ),
    text,
    root.start,
  );
}

function refuseTaken({ text, servers }: Outline, name: string, message: string): void {
  const there = lastOf(servers, name);
  if (there) throw new Refusal('nameTaken', message, text, there.start);
}

function wrap(found: Outline): Edit[] {
  const { text, root } = found;
  if (!isAtRoot(found)) return [];
  for (const member of root.members) entryText(text, member);
  return [
    { offset: root.start + 1, length: 0, content: `${JSON.stringify('mcpServers')}: {` },
    { offset: root.end - 1, length: 0, content: '}' },
  ];
}

/** The entry that counts, and the object that it is in. */
function find({ servers: object }: Outline, name: string) {
  const member = lastOf(object, name);
  return object && member && { object, member };
}

function missing({ servers }: Outline, name: string): never {
  throw noSuchServer(name, servers?.members ?? []);
}

function entryText(text: string, { name, valueStart, end }: Member): { text: string; root: ObjectText } {
  const slice = text.slice(valueStart, end);
  const root = slice.startsWith('{') ? readText(slice).root : undefined;
  if (root) return { text: slice, root };
  const message = t('{0} is not a JSON object. Mend it in the file.', quoted(name));
  throw new Refusal('wrongType', message, text, valueStart);
}

function moved({ start, end, members }: ObjectText, by: number): ObjectText {
  return {
    start: start + by,
    end: end + by,
    members: members.map((member) => ({
      ...member,
      start: member.start + by,
      nameEnd: member.nameEnd + by,
      valueStart: member.valueStart + by,
      end: member.end + by,
    })),
  };
}
