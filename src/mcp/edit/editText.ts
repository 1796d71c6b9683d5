/**
 * Changes the servers in a text with the smallest edits, proven before they are
 * returned.
 */
import type { Edit } from 'jsonc-parser';
import { t } from '../../base/l10n.ts';
import { insertMember, insertMembers, removeMembers } from './members.ts';
import { proveChange } from './proof.ts';
import { type Change, fieldsOf, type SwitchTools } from './wantedChange.ts';
import { noSuchServer, quotedName } from '../format/document.ts';
import { ignoredTags, isToolOn } from '../format/verdict.ts';
import { isAtRoot, type Outline, outline } from '../format/outline.ts';
import { indentAt } from '../text/lines.ts';
import {
  lastOf,
  lastOfEach,
  type Member,
  nameSpan,
  type ObjectNode,
  objectOf,
  rawOf,
  type Span,
} from '../text/nodes.ts';
import { Refusal } from '../text/refusal.ts';
import { styleOf, writeValue } from '../text/style.ts';
import type { Value } from '../text/values.ts';
import { replaceSpan, withEdits } from '../text/withEdits.ts';

export interface Edited {
  readonly text: string;
  /** Edits of the old text; empty without a change. */
  readonly edits: readonly Edit[];
  readonly before: Outline;
  readonly after: Outline;
}

/**
 * Throws a Refusal for an impossible change. An empty text is a file that does
 * not exist yet.
 */
export function editText(text: string, change: Change): Edited {
  const before = outline(text);
  const edits = plan(before, change);
  if (edits.length === 0) return { text, edits, before, after: before };
  const edited = withEdits(text, edits);
  return {
    text: edited,
    edits,
    before,
    after: proveChange(before, change, edits, edited),
  };
}

function plan(file: Outline, change: Change): Edit[] {
  switch (change.do) {
    case 'add':
      return add(file, change.name, fieldsOf(change));
    case 'enable':
      return toggle(file, change.name, true);
    case 'disable':
      return toggle(file, change.name, false);
    case 'remove':
      return remove(file, change.name);
    case 'tools':
      return switchTools(file, entryIn(file, change.name), change);
    case 'url':
      return write(file, entryIn(file, change.name), 'url', change.url);
    case 'rename':
      return rename(file, change.name, change.to);
    case 'replace':
      return replace(file, change.name, fieldsOf(change));
    case 'wrap':
      return wrap(file);
  }
}

function add(file: Outline, name: string, entry: Value): Edit[] {
  const { text, root, servers } = file;
  refuseTaken(
    file,
    name,
    t(
      'there is already a server {0}. Remove it first, or choose another name.',
      quotedName(name),
    ),
  );
  if (isAtRoot(file)) throw atRoot(file);
  if (servers) return insertMember(file, servers, name, entry);
  const all = new Map([[name, entry]]);
  if (!file.blank) return insertMember(file, root, 'mcpServers', all);
  const empty = outline('{}\n');
  const content = withEdits(
    empty.text,
    insertMember(empty, empty.root, 'mcpServers', all),
  );
  return [{ offset: 0, length: text.length, content }];
}

function toggle(file: Outline, name: string, enabled: boolean): Edit[] {
  const entry = entryIn(file, name);
  // A server without the key is enabled.
  return enabled && !lastOf(entry, 'enabled')
    ? []
    : write(file, entry, 'enabled', enabled);
}

function write(
  file: Outline,
  entry: ObjectNode,
  key: string,
  value: string | boolean,
): Edit[] {
  const node = lastOf(entry, key)?.value;
  if (!node) return insertMember(file, entry, key, value);
  const content = JSON.stringify(value);
  return rawOf(node) === content ? [] : [replaceSpan(node, content)];
}

/** Removes every entry of the name: otherwise an earlier one would count. */
function remove(file: Outline, name: string): Edit[] {
  const { servers } = file;
  const members =
    servers?.members.filter((member) => member.name === name) ?? [];
  if (!servers || members.length === 0) return missing(file, name);
  // The last entry counts, so its error comes first.
  for (const member of members.toReversed()) entryOf(file, member);
  return removeMembers(file, servers, members);
}

/** Renames every entry of the name, so the same one counts. */
function rename(file: Outline, name: string, to: string): Edit[] {
  const all =
    file.servers?.members.filter((member) => member.name === name) ?? [];
  if (all.length === 0) missing(file, name);
  if (name === to) return [];
  refuseTaken(
    file,
    to,
    t('there is already a server {0}. Choose another name.', quotedName(to)),
  );
  if (isAtRoot(file) && to === 'mcpServers') throw atRoot(file);
  return all.map((member) => replaceSpan(nameSpan(member), JSON.stringify(to)));
}

function replace(file: Outline, name: string, entry: Value): Edit[] {
  const { text, root } = file;
  const { object, member } = find(file, name) ?? missing(file, name);
  const content = writeValue(
    entry,
    styleOf(text, object, root),
    indentAt(text, member.start),
  );
  return [replaceSpan(member.value, content)];
}

function atRoot({ text, root }: Outline): Refusal {
  return new Refusal(
    'serversAtRoot',
    t(
      'the servers are at the root of the file. With "mcpServers" beside them they would be ignored. Move them into "mcpServers" first.',
    ),
    text,
    root.start,
  );
}

function refuseTaken(
  { text, servers }: Outline,
  name: string,
  message: string,
): void {
  const member = lastOf(servers, name);
  if (member) throw new Refusal('nameTaken', message, text, member.start);
}

function wrap(file: Outline): Edit[] {
  const { root } = file;
  if (!isAtRoot(file)) return [];
  for (const member of root.members) entryOf(file, member);
  return [
    {
      offset: root.start + 1,
      length: 0,
      content: `${JSON.stringify('mcpServers')}: {`,
    },
    { offset: root.end - 1, length: 0, content: '}' },
  ];
}

/** Finds the entry that counts, and the object around it. */
function find({ servers: object }: Outline, name: string) {
  const member = lastOf(object, name);
  return object && member && { object, member };
}

function missing({ servers }: Outline, name: string): never {
  throw noSuchServer(name, servers?.members ?? []);
}

function entryIn(file: Outline, name: string): ObjectNode {
  return entryOf(file, (find(file, name) ?? missing(file, name)).member);
}

function entryOf({ text }: Outline, { name, value }: Member): ObjectNode {
  const entry = objectOf(value);
  if (entry) return entry;
  const message = t(
    '{0} is not a JSON object. Correct it in the file.',
    quotedName(name),
  );
  throw new Refusal('wrongType', message, text, value.start);
}

export function switchTools(
  file: Outline,
  entry: ObjectNode,
  change: SwitchTools,
): Edit[] {
  const off = new Set(change.off);
  const on = new Set(change.on);
  const [ignored] = ignoredTags(lastOfEach(entry));
  if (ignored && off.size > 0) {
    const message = t(
      '{0} must be a list of strings. As it is, it is ignored, and so is "tools".',
      quotedName(ignored.name),
    );
    throw new Refusal('wrongType', message, file.text, ignored.value.start);
  }
  const field = lastOf(entry, 'tools');
  if (!field)
    return off.size > 0
      ? insertMember(file, entry, 'tools', switchedOff(off))
      : [];
  const tools = objectOf(field.value);
  if (!tools) return off.size > 0 ? [writeTools(file, entry, field, off)] : [];

  const membersByName = lastOfEach(tools);
  const edits: Edit[] = [];
  const removedMembers: Member[] = [];
  for (const member of membersByName.values()) {
    const tool = objectOf(member.value);
    if (off.has(member.name)) edits.push(...switchOff(file, member));
    else if (tool && on.has(member.name) && !isToolOn(tool)) {
      if (isOnlyOff(file, tools, member, tool)) removedMembers.push(member);
      // Removes every `enabled`: otherwise an earlier one would count.
      else
        edits.push(
          ...removeMembers(file, tool, tool.members.filter(isEnabled)),
        );
    }
  }
  const newTools = [...off].filter((tool) => !membersByName.has(tool));
  // A new tool takes the place of a removed one.
  const places = removedMembers.splice(0, newTools.length);
  const renamed = newTools.splice(0, places.length);
  edits.push(
    ...places.map((member, i) =>
      replaceSpan(nameSpan(member), JSON.stringify(renamed[i])),
    ),
  );
  if (newTools.length > 0)
    edits.push(...insertMembers(file, tools, [...switchedOff(newTools)]));
  if (removedMembers.length === 0) return edits;
  const isEmptied = removedMembers.length === tools.members.length;
  return isEmptied && isSingle(entry, 'tools') && !hasComments(file, field)
    ? removeMembers(file, entry, [field])
    : [...edits, ...removeMembers(file, tools, removedMembers)];
}

function switchedOff(tools: Iterable<string>): ReadonlyMap<string, Value> {
  return new Map(
    [...tools].map((tool) => [tool, new Map([['enabled', false]])]),
  );
}

function writeTools(
  { text, root }: Outline,
  entry: ObjectNode,
  { start, value }: Member,
  off: Iterable<string>,
): Edit {
  if (value.type !== 'null') {
    const message = t(
      '"tools" is not a JSON object, so it is ignored and agents get all tools. Correct or remove it in the file.',
    );
    throw new Refusal('wrongType', message, text, value.start);
  }
  const content = writeValue(
    switchedOff(off),
    styleOf(text, entry, root),
    indentAt(text, start),
  );
  return replaceSpan(value, content);
}

function switchOff(file: Outline, { name, value }: Member): Edit[] {
  const tool = objectOf(value);
  if (!tool) {
    const message = t(
      'The entry for {0} in "tools" is not a JSON object. Correct it in the file.',
      quotedName(name),
    );
    throw new Refusal('wrongType', message, file.text, value.start);
  }
  if (!isToolOn(tool)) return [];
  const enabled = lastOf(tool, 'enabled');
  return enabled
    ? [replaceSpan(enabled.value, 'false')]
    : insertMember(file, tool, 'enabled', false);
}

/**
 * True if a tool has nothing else than its `enabled`: no comment, and no
 * earlier member of its name.
 */
function isOnlyOff(
  file: Outline,
  tools: ObjectNode,
  member: Member,
  { members }: ObjectNode,
): boolean {
  return (
    members.every(isEnabled) &&
    isSingle(tools, member.name) &&
    !hasComments(file, member)
  );
}

function isEnabled({ name }: Member): boolean {
  return name === 'enabled';
}

function isSingle({ members }: ObjectNode, name: string): boolean {
  return members.filter((member) => member.name === name).length === 1;
}

function hasComments({ comments }: Outline, { start, end }: Span): boolean {
  return comments.some(
    (comment) => comment.start >= start && comment.end <= end,
  );
}
