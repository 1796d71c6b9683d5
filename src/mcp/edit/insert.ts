import type { Edit } from 'jsonc-parser';
import { indentAt } from '../text/lines.ts';
import type { Outline } from '../format/outline.ts';
import { styleOf } from '../text/style.ts';
import type { ObjectNode } from '../text/nodes.ts';
import type { Value } from '../text/values.ts';
import { writeMember } from '../text/write.ts';

/** The edits that add a member after the others of an object. */
export function insertMember(found: Outline, object: ObjectNode, name: string, value: Value): Edit[] {
  return insertMembers(found, object, [[name, value]]);
}

/** The same for several members, of which there is at least one. */
export function insertMembers(
  found: Outline,
  object: ObjectNode,
  members: readonly (readonly [name: string, value: Value])[],
): Edit[] {
  const { text, root, comments, trailingCommas } = found;
  const style = styleOf(text, object, root);
  const ownLine = `${style.lineBreak}${style.indent}`;
  const member = members
    .map(([name, value]) => writeMember(name, value, style))
    .join(style.tall ? `,${ownLine}` : `,${style.gap}`);
  const closing = object.end - 1;
  const last = object.members.at(-1);

  if (!last) {
    const inner = comments.findLast(({ start, end }) => start > object.start && end <= closing);
    const place = inner?.end ?? object.start + 1;
    const rest = text.slice(place, closing);
    if (/[\r\n]/.test(rest)) return [insert(place, ownLine + member)];
    if (inner || !style.tall) {
      return [insert(place, `${inner ? style.gap : rest}${member}`)];
    }
    const end = `${style.lineBreak}${indentAt(text, object.start)}`;
    return [{ offset: place, length: rest.length, content: ownLine + member + end }];
  }

  const trailing = trailingCommas.find((offset) => offset >= last.end && offset < object.end);
  const after = trailing === undefined ? last.end : trailing + 1;
  const separator = trailing === undefined ? ',' : '';
  if (!style.tall) return [insert(after, `${separator}${style.gap}${member}`)];
  const place = afterComments(found, after);
  if (place === after) return [insert(after, separator + ownLine + member)];
  return [...(separator ? [insert(after, separator)] : []), insert(place, ownLine + member)];
}

/** After the comments that begin on this line; they belong to what is before them. */
function afterComments({ text, comments }: Outline, offset: number): number {
  let place = offset;
  for (const { start, end } of comments) {
    if (start >= place && /^[ \t]*$/.test(text.slice(place, start))) place = end;
  }
  return place;
}

function insert(offset: number, content: string): Edit {
  return { offset, length: 0, content };
}
