/** Lines of a text, and the blanks at their ends. */

export function lineStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && text[start - 1] !== '\n' && text[start - 1] !== '\r') start--;
  return start;
}

/** The offset after the blanks that are here. */
export function skipBlanks(text: string, offset: number): number {
  let end = offset;
  while (text[end] === ' ' || text[end] === '\t') end++;
  return end;
}

/** The offset where the blanks begin that are before this. */
export function skipBlanksBefore(text: string, offset: number): number {
  let start = offset;
  while (text[start - 1] === ' ' || text[start - 1] === '\t') start--;
  return start;
}

/** The blanks at the beginning of the line. A byte order mark is not part of it. */
export function indentAt(text: string, offset: number): string {
  const start = firstOfLine(text, offset);
  return text.slice(start, skipBlanks(text, start));
}

/** Whether there is nothing but blanks before this on its line. */
export function startsLine(text: string, offset: number): boolean {
  return skipBlanks(text, firstOfLine(text, offset)) >= offset;
}

function firstOfLine(text: string, offset: number): number {
  const start = lineStart(text, offset);
  return text[start] === '\uFEFF' ? start + 1 : start;
}

/** The line break that is here; empty where there is none. */
export function lineBreakAt(text: string, offset: number): string {
  if (text.startsWith('\r\n', offset)) return '\r\n';
  return text[offset] === '\n' || text[offset] === '\r' ? text.charAt(offset) : '';
}

/** The line break before this place, or else the first one after it, or else the usual one. */
export function lineBreakNear(text: string, offset: number): string {
  const start = lineStart(text, offset);
  if (start > 0) return lineBreakAt(text, text.startsWith('\r\n', start - 2) ? start - 2 : start - 1);
  const next = text.slice(offset).search(/[\r\n]/);
  return next < 0 ? '\n' : lineBreakAt(text, offset + next);
}
