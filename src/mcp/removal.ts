import type { Edit } from 'jsonc-parser';
import { lineBreakAt, lineStart, skipBlanks, skipBlanksBefore } from './lines.ts';
import type { Outline } from './outline.ts';
import { type Member, type ObjectText, skipTrivia } from './reader.ts';

/** The edits that take a member out: its text, one comma, and white space that is then left over. No comment. */
export function removeMember({ text, comments }: Outline, object: ObjectText, member: Member): Edit[] {
  const i = object.members.indexOf(member);
  const before = object.members[i - 1];
  const comma = skipTrivia(text, member.end);
  if (text[comma] === ',') {
    const alone = object.members.length === 1 && isBlank(text.slice(comma + 1, object.end - 1));
    if (
      alone &&
      isBlank(text.slice(object.start + 1, member.start)) &&
      isBlank(text.slice(member.end, comma))
    ) {
      return [remove(object.start + 1, object.end - 1)];
    }
    return isBlank(text.slice(member.end, comma))
      ? [tidy(text, member.start, comma + 1)]
      : [tidy(text, member.start, member.end), remove(comma, comma + 1)];
  }
  if (before) {
    const separator = skipTrivia(text, before.end);
    return isBlank(text.slice(separator + 1, member.start))
      ? [remove(separator, member.end)]
      : [remove(separator, separator + 1), tidy(text, member.start, member.end)];
  }
  const alone = !comments.some(
    ({ start, end }) =>
      (start > object.start && end <= member.start) || (start >= member.end && end < object.end),
  );
  return [alone ? remove(object.start + 1, object.end - 1) : tidy(text, member.start, member.end)];
}

function isBlank(text: string): boolean {
  return /^\s*$/.test(text);
}

/** Removes a part, and with it the lines that it has for itself, or else the blanks that would be left over. */
export function tidy(text: string, start: number, end: number): Edit {
  const before = skipBlanksBefore(text, start);
  const behind = skipBlanks(text, end);
  const lineBreak = lineBreakAt(text, behind);
  if (lineBreak === '') return remove(start, behind);
  return before === lineStart(text, start) ? remove(before, behind + lineBreak.length) : remove(before, end);
}

function remove(start: number, end: number): Edit {
  return { offset: start, length: end - start, content: '' };
}
