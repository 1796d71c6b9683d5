export function lineStart(text: string, offset: number): number {
  let start = offset;
  while (start > 0 && text[start - 1] !== '\n' && text[start - 1] !== '\r')
    start--;
  return start;
}

export function skipBlanks(text: string, offset: number): number {
  let end = offset;
  while (text[end] === ' ' || text[end] === '\t') end++;
  return end;
}

export function skipBlanksBefore(text: string, offset: number): number {
  let start = offset;
  while (text[start - 1] === ' ' || text[start - 1] === '\t') start--;
  return start;
}

/** The indentation of the line, without a byte order mark. */
export function indentAt(text: string, offset: number): string {
  const start = firstOfLine(text, offset);
  return text.slice(start, skipBlanks(text, start));
}

/** True if only blanks precede the offset on its line. */
export function startsLine(text: string, offset: number): boolean {
  return skipBlanks(text, firstOfLine(text, offset)) >= offset;
}

function firstOfLine(text: string, offset: number): number {
  const start = lineStart(text, offset);
  return text[start] === '\uFEFF' ? start + 1 : start;
}

export function lineBreakAt(text: string, offset: number): string {
  if (text.startsWith('\r\n', offset)) return '\r\n';
  return text[offset] === '\n' || text[offset] === '\r'
    ? text.charAt(offset)
    : '';
}
