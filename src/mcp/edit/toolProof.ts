/** The part of the proof that concerns tools which are switched on and off. It does not know how that is done either. */
import type { SwitchTools } from './wantedChange.ts';
import {
  lastOf,
  type Member,
  memberText,
  type Node,
  objectOf,
  type ObjectNode,
  type Span,
} from '../text/nodes.ts';
import { isToolOn } from '../format/entryTools.ts';
import { sameList } from '../text/values.ts';

/** The tools that were meant are as they should be, and all else that is said about tools is the same to the byte. */
export function areSwitched(before: Node | undefined, after: Node | undefined, wanted: SwitchTools): boolean {
  const [old, now] = [objectOf(before), objectOf(after)];
  if ((before && !old && before.type !== 'null') || (after && !now)) return false;
  const others = (tools: ObjectNode | undefined) =>
    tools?.members.filter((member) => !isMeant(tools, member, wanted)).map(memberText) ?? [];
  return (
    sameList(others(old), others(now)) &&
    [...wanted.on, ...wanted.off].every((name) =>
      isSwitched(lastOf(old, name), lastOf(now, name), !wanted.off.includes(name)),
    )
  );
}

function isSwitched(old: Member | undefined, now: Member | undefined, on: boolean): boolean {
  const wasOn = !old || isToolOn(old.value);
  if (wasOn === on) return (old && memberText(old)) === (now && memberText(now));
  const [was, is] = [objectOf(old?.value), objectOf(now?.value)];
  if ((old && !was) || (now && !is)) return false;
  const others = (tool: ObjectNode | undefined) =>
    tool?.members.filter(({ name }) => name !== 'enabled').map(memberText) ?? [];
  return (!is || isToolOn(is)) === on && sameList(others(was), others(is));
}

/** What goes where tools are switched, with the comments in it: `enabled` of one that comes on, its value of another. */
export function goneFromTools(entry: ObjectNode | undefined, wanted: SwitchTools): readonly Span[] {
  const tools = objectOf(lastOf(entry, 'tools')?.value);
  return (tools?.members ?? []).flatMap((member): readonly Span[] => {
    const tool = objectOf(member.value);
    const on = !wanted.off.includes(member.name);
    if (!tools || !tool || !isMeant(tools, member, wanted) || isToolOn(tool) === on) return [];
    const last = lastOf(tool, 'enabled');
    return on ? tool.members.filter(({ name }) => name === 'enabled') : last ? [last.value] : [];
  });
}

function isMeant(tools: ObjectNode, member: Member, { on, off }: SwitchTools): boolean {
  const { name } = member;
  return (on.includes(name) || off.includes(name)) && lastOf(tools, name) === member;
}
