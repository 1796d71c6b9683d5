import type { Edit } from 'jsonc-parser';
import type { Outline } from '../format/outline.ts';
import {
  indentAt,
  lineBreakAt,
  lineStart,
  skipBlanks,
  skipBlanksBefore,
} from '../text/lines.ts';
import type { Member, ObjectNode, Span } from '../text/nodes.ts';
import { skipTrivia } from '../text/reader.ts';
import { styleOf, writeMember } from '../text/style.ts';
import type { Value } from '../text/values.ts';

export function insertMember(
  file: Outline,
  object: ObjectNode,
  name: string,
  value: Value,
): Edit[] {
  return insertMembers(file, object, [[name, value]]);
}

/** Edits that add at least one member. */
export function insertMembers(
  file: Outline,
  object: ObjectNode,
  members: readonly (readonly [name: string, value: Value])[],
): Edit[] {
  const { text, root, comments, trailingCommas } = file;
  const style = styleOf(text, object, root);
  const ownLine = `${style.lineBreak}${style.indent}`;
  const member = members
    .map(([name, value]) => writeMember(name, value, style))
    .join(style.isTall ? `,${ownLine}` : `,${style.gap}`);
  const closing = object.end - 1;
  const last = object.members.at(-1);

  if (!last) {
    const inner = comments.findLast(
      ({ start, end }) => start > object.start && end <= closing,
    );
    const place = inner?.end ?? object.start + 1;
    const rest = text.slice(place, closing);
    if (/[\r\n]/.test(rest)) return [insert(place, ownLine + member)];
    if (inner || !style.isTall) {
      return [insert(place, `${inner ? style.gap : rest}${member}`)];
    }
    const end = `${style.lineBreak}${indentAt(text, object.start)}`;
    return [
      { offset: place, length: rest.length, content: ownLine + member + end },
    ];
  }

  const trailing = trailingCommas.find(
    (offset) => offset >= last.end && offset < object.end,
  );
  const after = trailing === undefined ? last.end : trailing + 1;
  const separator = trailing === undefined ? ',' : '';
  if (!style.isTall)
    return [insert(after, `${separator}${style.gap}${member}`)];
  const place = afterComments(file, after);
  if (place === after) return [insert(after, separator + ownLine + member)];
  return [
    ...(separator ? [insert(after, separator)] : []),
    insert(place, ownLine + member),
  ];
}

/** Skips the comments on this line, which belong to the member before. */
function afterComments({ text, comments }: Outline, offset: number): number {
  let place = offset;
  for (const { start, end } of comments) {
    if (start >= place && /^[ \t]*$/.test(text.slice(place, start)))
      place = end;
  }
  return place;
}

function insert(offset: number, content: string): Edit {
  return { offset, length: 0, content };
}

/**
 * Adjacent members to remove, with only commas and white space between them.
 */
interface Block extends Span {
  readonly first: number;
  readonly last: number;
}

/**
 * Edits that remove members, which are in order: their text, one comma each and
 * leftover white space. Comments stay.
 */
export function removeMembers(
  file: Outline,
  object: ObjectNode,
  gone: readonly Member[],
): Edit[] {
  const { text } = file;
  const blocks = blocksOf(text, object, gone);
  // The comma before a block goes if no member or comma follows.
  let tail = object.members.length;
  const lastMember = object.members.at(-1);
  if (lastMember && text[skipTrivia(text, lastMember.end)] !== ',') {
    for (const { first, last } of blocks.toReversed())
      if (last === tail - 1) tail = first;
  }
  const [first, ...later] = blocks.filter((block) => block.first >= tail);
  const ending = later.at(-1) ?? first;
  const edits = blocks.flatMap((block) => {
    if (block !== ending) return withCommaAfter(text, object, block);
    return block === first
      ? withCommaBefore(file, object, block)
      : [removePart(text, block.start, block.end)];
  });
  const before =
    first && later.length > 0 ? object.members[first.first - 1] : undefined;
  if (!before) return edits;
  const comma = skipTrivia(text, before.end);
  return [remove(text, comma, comma + 1), ...edits];
}

function blocksOf(
  text: string,
  { members }: ObjectNode,
  gone: readonly Member[],
): Block[] {
  const blocks: Block[] = [];
  let i = -1;
  for (const member of gone) {
    i = members.indexOf(member, i + 1);
    const { start, end } = member;
    const before = blocks.at(-1);
    if (
      before?.last === i - 1 &&
      /^\s*,\s*$/.test(text.slice(before.end, start))
    ) {
      blocks[blocks.length - 1] = { ...before, last: i, end };
    } else blocks.push({ first: i, last: i, start, end });
  }
  return blocks;
}

function withCommaAfter(
  text: string,
  object: ObjectNode,
  { first, last, start, end }: Block,
): Edit[] {
  const comma = skipTrivia(text, end);
  const alone =
    last - first + 1 === object.members.length &&
    isBlank(text.slice(comma + 1, object.end - 1));
  if (
    alone &&
    isBlank(text.slice(object.start + 1, start)) &&
    isBlank(text.slice(end, comma))
  ) {
    return [remove(text, object.start + 1, object.end - 1)];
  }
  return isBlank(text.slice(end, comma))
    ? [removePart(text, start, comma + 1)]
    : [removePart(text, start, end), remove(text, comma, comma + 1)];
}

function withCommaBefore(
  { text, comments }: Outline,
  object: ObjectNode,
  block: Block,
): Edit[] {
  const { start, end } = block;
  const before = object.members[block.first - 1];
  if (before) {
    const separator = skipTrivia(text, before.end);
    return isBlank(text.slice(separator + 1, start))
      ? [remove(text, separator, end)]
      : [remove(text, separator, separator + 1), removePart(text, start, end)];
  }
  const alone = !comments.some(
    (comment) =>
      (comment.start > object.start && comment.end <= start) ||
      (comment.start >= end && comment.end < object.end),
  );
  return [
    alone
      ? remove(text, object.start + 1, object.end - 1)
      : removePart(text, start, end),
  ];
}

function isBlank(text: string): boolean {
  return /^\s*$/.test(text);
}

/** Removes a part with its otherwise empty lines or leftover blanks. */
export function removePart(text: string, start: number, end: number): Edit {
  const before = skipBlanksBefore(text, start);
  const after = skipBlanks(text, end);
  const lineBreak = lineBreakAt(text, after);
  if (lineBreak === '') return remove(text, start, after);
  return before === lineStart(text, start)
    ? remove(text, before, after + lineBreak.length)
    : remove(text, before, end);
}

function remove(text: string, start: number, end: number): Edit {
  // Joining a carriage return and a line feed would make a line break that the
  // text may not use.
  const offset =
    text[start - 1] === '\r' && text[end] === '\n' ? start - 1 : start;
  return { offset, length: end - offset, content: '' };
}
