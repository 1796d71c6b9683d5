/**
 * The proof of a change: reads the new text, and compares it with the old one
 * and the wanted change. It does not know how the edits were made.
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

/**
 * Returns the outline of the new text. Throws a Refusal unless exactly the
 * wanted change happened.
 */
export function proveChange(
  before: Outline,
  change: Change,
  edits: readonly Edit[],
  text: string,
): Outline {
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
function sameElsewhere(
  before: string,
  edits: readonly Edit[],
  after: string,
): boolean {
  let from = 0;
  let to = 0;
  for (const { offset, length, content } of editsInOrder(edits)) {
    if (offset < from || !after.startsWith(before.slice(from, offset), to))
      return false;
    to += offset - from;
    if (!after.startsWith(content, to)) return false;
    to += content.length;
    from = offset + length;
  }
  return before.slice(from) === after.slice(to);
}

/** Members next to the servers are equal, and only the wanted one is new. */
function sameRoot(before: Outline, change: Change, after: Outline): boolean {
  if (change.do === 'wrap')
    return after.root.members.map(({ name }) => name).join() === 'mcpServers';
  if (isAtRoot(before)) return true;
  const beside = ({ root, property }: Outline) =>
    root.members.map((member) => (member === property ? '' : rawOf(member)));
  const expected = beside(before);
  if (change.do === 'add' && !before.property) expected.push('');
  return sameList(expected, beside(after));
}

/** All bytes of the other servers are equal. */
function sameServers(before: Outline, change: Change, after: Outline): boolean {
  const oldServers = serversIn(before);
  const newServers =
    isAtRoot(before) && change.do !== 'wrap'
      ? after.root.members
      : serversIn(after);
  const raw = (members: readonly Member[]) => members.map(rawOf);
  if (change.do === 'wrap') return sameList(raw(oldServers), raw(newServers));
  if (change.do === 'remove') {
    return sameList(
      raw(oldServers.filter(({ name }) => name !== change.name)),
      raw(newServers),
    );
  }
  if (change.do === 'rename') {
    const renamed = oldServers.map(({ name }) =>
      name === change.name ? change.to : name,
    );
    const values = (members: readonly Member[]) =>
      members.map(({ value }) => rawOf(value));
    return (
      sameList(
        renamed,
        newServers.map(({ name }) => name),
      ) && sameList(values(oldServers), values(newServers))
    );
  }
  const i =
    change.do === 'add'
      ? oldServers.length
      : oldServers.findLastIndex(({ name }) => name === change.name);
  const oldMember = oldServers[i];
  const newMember = newServers[i];
  if (
    newMember?.name !== change.name ||
    !sameList(raw(oldServers.toSpliced(i, 1)), raw(newServers.toSpliced(i, 1)))
  )
    return false;
  return change.do === 'add' || change.do === 'replace'
    ? sameValue(valueOf(newMember.value), fieldsOf(change))
    : sameEntry(oldMember?.value, newMember.value, change);
}

const keys = {
  enable: 'enabled',
  disable: 'enabled',
  tools: 'tools',
  url: 'url',
} as const;

type OfOneKey = Extract<Change, { readonly do: keyof typeof keys }>;

/**
 * All bytes of the entry outside the key are equal, and the key has the wanted
 * value.
 */
function sameEntry(
  before: Node | undefined,
  after: Node | undefined,
  change: OfOneKey,
): boolean {
  const oldObject = objectOf(before);
  const newObject = objectOf(after);
  if (!oldObject || !newObject) return false;
  const key = keys[change.do];
  const oldMember = lastOf(oldObject, key);
  const newMember = lastOf(newObject, key);
  const restOf = ({ members }: ObjectNode, but: Member | undefined) =>
    members.filter((member) => member !== but).map(rawOf);
  if (!sameList(restOf(oldObject, oldMember), restOf(newObject, newMember)))
    return false;
  if (change.do === 'tools')
    return areSwitched(oldMember?.value, newMember?.value, change);
  const value = change.do === 'url' ? change.url : change.do === 'enable';
  return (
    newMember !== undefined && rawOf(newMember.value) === JSON.stringify(value)
  );
}

/** Comments are lost only inside removed parts, and none is new. */
function sameComments(
  before: Outline,
  change: Change,
  after: Outline,
): boolean {
  // Popped from the end, in the order of the text.
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
  const entries = serversIn(before).filter(({ name }) => name === change.name);
  const values = entries.slice(-1).map(({ value }) => value);
  switch (change.do) {
    case 'remove':
      return entries;
    case 'replace':
      return values;
    case 'enable':
    case 'disable':
    case 'url':
      return values.flatMap(
        (entry) => lastOf(objectOf(entry), keys[change.do])?.value ?? [],
      );
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

/**
 * The tools are switched as wanted, and all other bytes about tools are equal.
 */
function areSwitched(
  before: Node | undefined,
  after: Node | undefined,
  change: SwitchTools,
): boolean {
  const oldTools = objectOf(before);
  const newTools = objectOf(after);
  if ((before && !oldTools && before.type !== 'null') || (after && !newTools))
    return false;
  const restOf = (tools: ObjectNode | undefined) =>
    tools?.members
      .filter((member) => !isMeant(tools, member, change))
      .map(rawOf) ?? [];
  return (
    sameList(restOf(oldTools), restOf(newTools)) &&
    [...change.on, ...change.off].every((name) =>
      isSwitched(
        lastOf(oldTools, name),
        lastOf(newTools, name),
        !change.off.includes(name),
      ),
    )
  );
}

function isSwitched(
  oldMember: Member | undefined,
  newMember: Member | undefined,
  on: boolean,
): boolean {
  const wasOn = !oldMember || isToolOn(oldMember.value);
  if (wasOn === on)
    return (oldMember && rawOf(oldMember)) === (newMember && rawOf(newMember));
  const oldTool = objectOf(oldMember?.value);
  const newTool = objectOf(newMember?.value);
  if ((oldMember && !oldTool) || (newMember && !newTool)) return false;
  const restOf = (tool: ObjectNode | undefined) =>
    tool?.members.filter(({ name }) => name !== 'enabled').map(rawOf) ?? [];
  return (
    (!newTool || isToolOn(newTool)) === on &&
    sameList(restOf(oldTool), restOf(newTool))
  );
}

/**
 * The parts that switching removes: `enabled` of a tool that gets enabled, its
 * value of another one.
 */
function goneFromTools(
  entry: ObjectNode | undefined,
  change: SwitchTools,
): readonly Span[] {
  const tools = objectOf(lastOf(entry, 'tools')?.value);
  if (!tools) return [];
  return tools.members.flatMap((member): readonly Span[] => {
    const tool = objectOf(member.value);
    const on = !change.off.includes(member.name);
    if (!tool || !isMeant(tools, member, change) || isToolOn(tool) === on)
      return [];
    const last = lastOf(tool, 'enabled');
    if (on) return tool.members.filter(({ name }) => name === 'enabled');
    return last ? [last.value] : [];
  });
}

function isMeant(
  tools: ObjectNode,
  member: Member,
  { on, off }: SwitchTools,
): boolean {
  const { name } = member;
  return (
    (on.includes(name) || off.includes(name)) && lastOf(tools, name) === member
  );
}
