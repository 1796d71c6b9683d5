/** The proof of many fixes at once. It does not know what they fix. */
import type { Edit } from 'jsonc-parser';
import { isAtRoot, outline, type Outline } from '../outline.ts';
import { serversIn } from './servers.ts';
import { type Field, type Fields, readTree } from './tree.ts';

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
  const root = readTree(after);
  const fields = isAtRoot(old) ? serversIn(now, root) : root;
  if (!fields) return false;
  return keepsMembers({ text: before, fields: readTree(before) }, edits, { text: after, fields });
}

function commentsOf({ text, comments }: Outline): string {
  return comments.map(({ start, end }) => text.slice(start, end)).join('\n');
}

interface Side {
  readonly text: string;
  readonly fields: Fields;
}

function keepsMembers(before: Side, edits: readonly Edit[], after: Side): boolean {
  const now = after.fields.members;
  let at = 0;
  // What is new in between is passed over.
  const follows = (isIt: (field: Field) => boolean) => {
    while (at < now.length) {
      const field = now[at++];
      if (field && isIt(field)) return true;
    }
    return false;
  };
  return before.fields.members.every((field) => {
    const touching = edits.filter(
      ({ offset, length }) => offset < field.end && field.start < offset + length,
    );
    if (touching.length === 0) return follows((other) => raw(before, field) === raw(after, other));
    const fields = field.value.fields;
    const isInside = ({ offset, length }: Edit) => field.valueStart < offset && offset + length < field.end;
    // What is renamed, replaced or removed as a whole is what the fixes mean.
    if (!fields || !touching.every(isInside)) return true;
    return follows(({ name, value }) => {
      const others = name === field.name ? value.fields : undefined;
      return (
        others !== undefined &&
        keepsMembers({ text: before.text, fields }, touching, { text: after.text, fields: others })
      );
    });
  });
}

function raw({ text }: Side, { start, end }: Field): string {
  return text.slice(start, end);
}
