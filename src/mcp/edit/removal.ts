import type { Edit } from 'jsonc-parser';
import { lineBreakAt, lineStart, skipBlanks, skipBlanksBefore } from '../text/lines.ts';
import type { Outline } from '../format/outline.ts';
import { skipTrivia } from '../text/reader.ts';
import type { Member, ObjectNode, Span } from '../text/nodes.ts';

/** Members that go as one: there is nothing between them but commas and white space. */
interface Block extends Span {
  /** Of the first and of the last of them among all members. */
  readonly first: number;
  readonly last: number;
}

/**
 * The edits that take members out, which are given in their order: their text, one comma each, and white space that is
 * then left over. No comment.
 */
export function removeMembers(found: Outline, object: ObjectNode, gone: readonly Member[]): Edit[] {
  const { text } = found;
  const blocks = blocksOf(text, object, gone);
  // Where nothing is left after a block, and no comma either, the comma before it goes instead.
  let tail = object.members.length;
  const lastMember = object.members.at(-1);
  if (lastMember && text[skipTrivia(text, lastMember.end)] !== ',') {
    for (const { first, last } of blocks.toReversed()) if (last === tail - 1) tail = first;
  }
  const [first, ...others] = blocks.filter((block) => block.first >= tail);
  const ending = others.at(-1) ?? first;
  const edits = blocks.flatMap((block) =>
    block !== ending
      ? withCommaAfter(text, object, block)
      : block === first
        ? withCommaBefore(found, object, block)
        : [tidy(text, block.start, block.end)],
  );
  const before = first && others.length > 0 ? object.members[first.first - 1] : undefined;
  if (!before) return edits;
  const comma = skipTrivia(text, before.end);
  return [remove(text, comma, comma + 1), ...edits];
}

function blocksOf(text: string, { members }: ObjectNode, gone: readonly Member[]): Block[] {
  const blocks: Block[] = [];
  let i = -1;
  for (const member of gone) {
    i = members.indexOf(member, i + 1);
    const { start, end } = member;
    const before = blocks.at(-1);
    if (before?.last === i - 1 && /^\s*,\s*$/.test(text.slice(before.end, start))) {
      blocks[blocks.length - 1] = { ...before, last: i, end };
    } else blocks.push({ first: i, last: i, start, end });
  }
  return blocks;
}

function withCommaAfter(text: string, object: ObjectNode, { first, last, start, end }: Block): Edit[] {
  const comma = skipTrivia(text, end);
  const alone = last - first + 1 === object.members.length && isBlank(text.slice(comma + 1, object.end - 1));
  if (alone && isBlank(text.slice(object.start + 1, start)) && isBlank(text.slice(end, comma))) {
    return [remove(text, object.start + 1, object.end - 1)];
  }
  return isBlank(text.slice(end, comma))
    ? [tidy(text, start, comma + 1)]
    : [tidy(text, start, end), remove(text, comma, comma + 1)];
}

function withCommaBefore({ text, comments }: Outline, object: ObjectNode, block: Block): Edit[] {
  const { start, end } = block;
  const before = object.members[block.first - 1];
  if (before) {
    const separator = skipTrivia(text, before.end);
    return isBlank(text.slice(separator + 1, start))
      ? [remove(text, separator, end)]
      : [remove(text, separator, separator + 1), tidy(text, start, end)];
  }
  const alone = !comments.some(
    (comment) =>
      (comment.start > object.start && comment.end <= start) ||
      (comment.start >= end && comment.end < object.end),
  );
  return [alone ? remove(text, object.start + 1, object.end - 1) : tidy(text, start, end)];
}

function isBlank(text: string): boolean {
  return /^\s*$/.test(text);
}

/** Removes a part, and with it the lines that only it is on, or else the blanks that would be left over. */
export function tidy(text: string, start: number, end: number): Edit {
  const before = skipBlanksBefore(text, start);
  const after = skipBlanks(text, end);
  const lineBreak = lineBreakAt(text, after);
  if (lineBreak === '') return remove(text, start, after);
  return before === lineStart(text, start)
    ? remove(text, before, after + lineBreak.length)
    : remove(text, before, end);
}

function remove(text: string, start: number, end: number): Edit {
  // A carriage return and a line feed that came together would be one line break, of a kind that the text may not have.
  const offset = text[start - 1] === '\r' && text[end] === '\n' ? start - 1 : start;
  return { offset, length: end - offset, content: '' };
}
