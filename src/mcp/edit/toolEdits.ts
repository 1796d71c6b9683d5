/** The edits that switch tools of a server on and off, and leave alone what else is said about them. */
import type { Edit } from 'jsonc-parser';
import { t } from '../../base/l10n.ts';
import type { SwitchTools } from './wantedChange.ts';
import { quoted } from '../format/document.ts';
import { insertMember, insertMembers } from './insert.ts';
import { indentAt } from '../text/lines.ts';
import {
  lastOf,
  lastOfEach,
  type Member,
  nameSpan,
  objectOf,
  type ObjectNode,
  type Span,
} from '../text/nodes.ts';
import type { Outline } from '../format/outline.ts';
import { Refusal } from '../text/refusal.ts';
import { removeMembers } from './removal.ts';
import { styleOf } from '../text/style.ts';
import { ignoredTags, isToolOn } from '../format/entryTools.ts';
import type { Value } from '../text/values.ts';
import { writeValue } from '../text/write.ts';

export function switchTools(found: Outline, entry: ObjectNode, wanted: SwitchTools): Edit[] {
  const off = new Set(wanted.off);
  const on = new Set(wanted.on);
  const [ignored] = ignoredTags(lastOfEach(entry));
  if (ignored && off.size > 0) {
    const message = t(
      '{0} must be a list of strings. As it is, it is ignored, and so is "tools".',
      quoted(ignored.name),
    );
    throw new Refusal('wrongType', message, found.text, ignored.value.start);
  }
  const field = lastOf(entry, 'tools');
  if (!field) return off.size > 0 ? insertMember(found, entry, 'tools', switchedOff(off)) : [];
  const tools = objectOf(field.value);
  if (!tools) return off.size > 0 ? [writeTools(found, entry, field, off)] : [];

  const there = lastOfEach(tools);
  const edits: Edit[] = [];
  const gone: Member[] = [];
  for (const member of there.values()) {
    const tool = objectOf(member.value);
    if (off.has(member.name)) edits.push(...switchOff(found, member));
    else if (tool && on.has(member.name) && !isToolOn(tool)) {
      if (isOnlyOff(found, tools, member, tool)) gone.push(member);
      // All of them: if only the last went, an earlier one would count.
      else edits.push(...removeMembers(found, tool, tool.members.filter(isEnabled)));
    }
  }
  const fresh = [...off].filter((tool) => !there.has(tool));
  // A tool that comes takes the place of one that goes.
  const places = gone.splice(0, fresh.length);
  const renamed = fresh.splice(0, places.length);
  edits.push(...places.map((member, i) => replaced(nameSpan(member), JSON.stringify(renamed[i]))));
  if (fresh.length > 0) edits.push(...insertMembers(found, tools, [...switchedOff(fresh)]));
  if (gone.length === 0) return edits;
  const isEmptied = gone.length === tools.members.length;
  return isEmptied && isSingle(entry, 'tools') && !hasComments(found, field)
    ? removeMembers(found, entry, [field])
    : [...edits, ...removeMembers(found, tools, gone)];
}

function switchedOff(tools: Iterable<string>): ReadonlyMap<string, Value> {
  return new Map([...tools].map((tool) => [tool, new Map([['enabled', false]])]));
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
  const written = writeValue(switchedOff(off), styleOf(text, entry, root), indentAt(text, start));
  return replaced(value, written);
}

function switchOff(found: Outline, { name, value }: Member): Edit[] {
  const tool = objectOf(value);
  if (!tool) {
    const message = t(
      'What "tools" says about {0} is not a JSON object. Correct it in the file.',
      quoted(name),
    );
    throw new Refusal('wrongType', message, value.text, value.start);
  }
  if (!isToolOn(tool)) return [];
  const enabled = lastOf(tool, 'enabled');
  return enabled ? [replaced(enabled.value, 'false')] : insertMember(found, tool, 'enabled', false);
}

/** Whether nothing is left of a tool without its `enabled`, not even a comment or an earlier one of its name. */
function isOnlyOff(found: Outline, tools: ObjectNode, member: Member, { members }: ObjectNode): boolean {
  return members.every(isEnabled) && isSingle(tools, member.name) && !hasComments(found, member);
}

function isEnabled({ name }: Member): boolean {
  return name === 'enabled';
}

function isSingle({ members }: ObjectNode, name: string): boolean {
  return members.filter((member) => member.name === name).length === 1;
}

function hasComments({ comments }: Outline, { start, end }: Span): boolean {
  return comments.some((comment) => comment.start >= start && comment.end <= end);
}

function replaced({ start, end }: Span, content: string): Edit {
  return { offset: start, length: end - start, content };
}
