/** Characters that change how others are shown or cannot be seen: controls, bidirectional marks, zero width, tags. */
const invisible =
  /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]+/gu;

/** What a text of printable ASCII characters with single spaces in between does not have. */
const unusual = /[^ -~]|^ | {2}| $/;

/** Text from elsewhere as one line that shows what it says and no more, capped with an ellipsis. */
export function plainText(text: string, length = 200): string {
  if (text.length <= length && !unusual.test(text)) return text;
  // Cut generously first, so that a megabyte costs no more than a line.
  const line = text
    .slice(0, length * 4)
    .replace(invisible, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : line;
}
