/**
 * The proof of a change: reads the new text, and compares it with the old one and the wanted change. It does not know
 * how the edits were made.
 */
import type { Edit } from 'jsonc-parser';
import { t } from '../../base/l10n.ts';
import { type Change, fieldsOf, type SwitchTools } from './wantedChange.ts';
import { isToolOn } from '../format/verdict.ts';
import { isAtRoot, type Outline, outline } from '../format/outline.ts';
import {
  lastOf,
  type Member,
  type Node,
  type ObjectNode,
  objectOf,
  rawOf,
  type Span,
} from '../text/nodes.ts';
import { Refusal } from '../text/refusal.ts';
import { sameList, sameValue, valueOf } from '../text/values.ts';
import { editsInOrder } from '../text/withEdits.ts';

/** Returns the outline of the new text. Throws a Refusal unless exactly the wanted change happened. */
export function proveChange(before: Outline, change: Change, edits: readonly Edit[], text: string): Outline {
  const fault = () =>
    new Refusal(
      'unproven',
      t(
        'The change was not made, because something else would have changed too. Make it by hand, and please report this.',
      ),
    );
  let after: Outline;
  try {
    after = outline(text);
  } catch {
    throw fault();
  }
  const holds =
    sameElsewhere(before.text, edits, text) &&
    sameRoot(before, change, after) &&
    sameServers(before, change, after) &&
    sameComments(before, change, after) &&
    after.trailingCommas.length <= before.trailingCommas.length;
  if (!holds) throw fault();
  return after;
}

/** All bytes outside the edits are equal. */
function sameElsewhere(before: string, edits: readonly Edit[], after: string): boolean {
  let from = 0;
  let to = 0;
  for (const { offset, length, content } of editsInOrder(edits)) {
    if (offset < from || !after.startsWith(before.slice(from, offset), to)) return false;
    to += offset - from;
    if (!after.startsWith(content, to)) return false;
    to += content.length;
    from = offset + length;
  }
  return before.slice(from) === after.slice(to);
}

/** Members next to the servers are equal, and only the wanted one is new. */
function sameRoot(before: Outline, change: Change, after: Outline): boolean {
  if (change.do === 'wrap') return after.root.members.map(({ name }) => name).join() === 'mcpServers';
  if (isAtRoot(before)) return true;
  const beside = ({ root, property }: Outline) =>
    root.members.map((member) => (member === property ? '' : rawOf(member)));
  const expected = beside(before);
  if (change.do === 'add' && !before.property) expected.push('');
  return sameList(expected, beside(after));
}

/** All bytes of the other servers are equal. */
function sameServers(before: Outline, change: Change, after: Outline): boolean {
  const old = serversIn(before);
  const now = isAtRoot(before) && change.do !== 'wrap' ? after.root.members : serversIn(after);
  const raw = (members: readonly Member[]) => members.map(rawOf);
  if (change.do === 'wrap') return sameList(raw(old), raw(now));
  if (change.do === 'remove') {
    return sameList(raw(old.filter(({ name }) => name !== change.name)), raw(now));
  }
  if (change.do === 'rename') {
    const renamed = old.map(({ name }) => (name === change.name ? change.to : name));
    const values = (members: readonly Member[]) => members.map(({ value }) => rawOf(value));
    return (
      sameList(
        renamed,
        now.map(({ name }) => name),
      ) && sameList(values(old), values(now))
    );
  }
  const i = change.do === 'add' ? old.length : old.findLastIndex(({ name }) => name === change.name);
  const was = old[i];
  const is = now[i];
  if (is?.name !== change.name || !sameList(raw(old.toSpliced(i, 1)), raw(now.toSpliced(i, 1)))) return false;
  return change.do === 'add' || change.do === 'replace'
    ? sameValue(valueOf(is.value), fieldsOf(change))
    : sameEntry(was?.value, is.value, change);
}

const keys = { enable: 'enabled', disable: 'enabled', tools: 'tools', url: 'url' } as const;

type OfOneKey = Extract<Change, { readonly do: keyof typeof keys }>;

/** All bytes of the entry outside the key are equal, and the key has the wanted value. */
function sameEntry(before: Node | undefined, after: Node | undefined, change: OfOneKey): boolean {
  const old = objectOf(before);
  const now = objectOf(after);
  if (!old || !now) return false;
  const key = keys[change.do];
  const was = lastOf(old, key);
  const is = lastOf(now, key);
  const restOf = ({ members }: ObjectNode, but: Member | undefined) =>
    members.filter((member) => member !== but).map(rawOf);
  if (!sameList(restOf(old, was), restOf(now, is))) return false;
  if (change.do === 'tools') return areSwitched(was?.value, is?.value, change);
  const value = change.do === 'url' ? change.url : change.do === 'enable';
  return is !== undefined && rawOf(is.value) === JSON.stringify(value);
}

/** Comments are lost only inside removed parts, and none is new. */
function sameComments(before: Outline, change: Change, after: Outline): boolean {
  // In the order of the text, like the comments.
  const gone = goneFrom(before, change).toReversed();
  const kept = before.comments.filter((comment) => {
    let next = gone.at(-1);
    while (next && next.end <= comment.start) {
      gone.pop();
      next = gone.at(-1);
    }
    return !next || comment.end <= next.start;
  });
  const text = (file: Outline, comments: readonly Span[]) =>
    comments.map(({ start, end }) => file.text.slice(start, end));
  return sameList(text(before, kept), text(after, after.comments));
}

function goneFrom(before: Outline, change: Change): readonly Span[] {
  if (change.do === 'wrap') return [];
  const named = serversIn(before).filter(({ name }) => name === change.name);
  const values = named.slice(-1).map(({ value }) => value);
  switch (change.do) {
    case 'remove':
      return named;
    case 'replace':
      return values;
    case 'enable':
    case 'disable':
    case 'url':
      return values.flatMap((entry) => lastOf(objectOf(entry), keys[change.do])?.value ?? []);
    case 'tools':
      return values.flatMap((entry) => goneFromTools(objectOf(entry), change));
    case 'add':
    case 'rename':
      return [];
  }
}

function serversIn({ servers }: Outline): readonly Member[] {
  return servers?.members ?? [];
}

/** The tools are switched as wanted, and all other bytes about tools are equal. */
function areSwitched(before: Node | undefined, after: Node | undefined, change: SwitchTools): boolean {
  const old = objectOf(before);
  const now = objectOf(after);
  if ((before && !old && before.type !== 'null') || (after && !now)) return false;
  const restOf = (tools: ObjectNode | undefined) =>
    tools?.members.filter((member) => !isMeant(tools, member, change)).map(rawOf) ?? [];
  return (
    sameList(restOf(old), restOf(now)) &&
    [...change.on, ...change.off].every((name) =>
      isSwitched(lastOf(old, name), lastOf(now, name), !change.off.includes(name)),
    )
  );
}

function isSwitched(old: Member | undefined, now: Member | undefined, on: boolean): boolean {
  const wasOn = !old || isToolOn(old.value);
  if (wasOn === on) return (old && rawOf(old)) === (now && rawOf(now));
  const was = objectOf(old?.value);
  const is = objectOf(now?.value);
  if ((old && !was) || (now && !is)) return false;
  const restOf = (tool: ObjectNode | undefined) =>
    tool?.members.filter(({ name }) => name !== 'enabled').map(rawOf) ?? [];
  return (!is || isToolOn(is)) === on && sameList(restOf(was), restOf(is));
}

/** The parts that switching removes: `enabled` of a tool that gets enabled, its value of another one. */
function goneFromTools(entry: ObjectNode | undefined, change: SwitchTools): readonly Span[] {
  const tools = objectOf(lastOf(entry, 'tools')?.value);
  return (tools?.members ?? []).flatMap((member): readonly Span[] => {
    const tool = objectOf(member.value);
    const on = !change.off.includes(member.name);
    if (!tools || !tool || !isMeant(tools, member, change) || isToolOn(tool) === on) return [];
    const last = lastOf(tool, 'enabled');
    if (on) return tool.members.filter(({ name }) => name === 'enabled');
    return last ? [last.value] : [];
  });
}

function isMeant(tools: ObjectNode, member: Member, { on, off }: SwitchTools): boolean {
  const { name } = member;
  return (on.includes(name) || off.includes(name)) && lastOf(tools, name) === member;
}
