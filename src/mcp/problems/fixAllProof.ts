/** The proof of many fixes at once. It does not know what they fix. */
import type { Edit } from 'jsonc-parser';
import { isAtRoot, outline, type Outline } from '../format/outline.ts';
import { type Member, memberText, objectOf } from '../text/nodes.ts';

/**
 * Whether after the edits there still is, to the byte and in its place, every member that they do not touch, and every
 * comment. The servers may have come from the root into `mcpServers`.
 */
export function keepsTheRest(before: string, edits: readonly Edit[], after: string): boolean {
  const old = outline(before);
  let now: Outline;
  try {
    now = outline(after);
  } catch {
    return false;
  }
  if (commentsOf(old) !== commentsOf(now) || old.blank !== now.blank) return false;
  if (old.blank) return true;
  const container = isAtRoot(old) ? now.servers : now.root;
  return container !== undefined && keepsMembers(old.root.members, edits, container.members);
}

function commentsOf({ text, comments }: Outline): string {
  return comments.map(({ start, end }) => text.slice(start, end)).join('\n');
}

function keepsMembers(before: readonly Member[], edits: readonly Edit[], after: readonly Member[]): boolean {
  let at = 0;
  // What is new in between is passed over.
  const follows = (isIt: (member: Member) => boolean) => {
    while (at < after.length) {
      const member = after[at++];
      if (member && isIt(member)) return true;
    }
    return false;
  };
  return before.every((member) => {
    const touching = edits.filter(
      ({ offset, length }) => offset < member.end && member.start < offset + length,
    );
    if (touching.length === 0) return follows((other) => memberText(member) === memberText(other));
    const inner = objectOf(member.value)?.members;
    const isInside = ({ offset, length }: Edit) =>
      member.value.start < offset && offset + length < member.end;
    // What is renamed, replaced or removed as a whole is what the fixes mean.
    if (!inner || !touching.every(isInside)) return true;
    return follows(({ name, value }) => {
      const others = name === member.name ? objectOf(value)?.members : undefined;
      return others !== undefined && keepsMembers(inner, touching, others);
    });
  });
}
