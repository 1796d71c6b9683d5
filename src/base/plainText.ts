/** Matches anything but printable ASCII with single spaces between words. */
const unusual = /[^ -~]|^ | {2}| $/;

/** Untrusted text as a single line of visible characters, cut off with an ellipsis. */
export function plainText(text: string, length = 200): string {
  if (text.length <= length && !unusual.test(text)) return text;
  // Invisible characters, and characters that change how others are shown: controls, bidirectional marks, tags. The
  // pattern is only made where it is needed, because \p takes long to set up.
  const invisible =
    /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]+/gu;
  // A generous cut first, so that a megabyte of text costs no more than a line.
  const line = text
    .slice(0, length * 4)
    .replace(invisible, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : line;
}
