/** Matches anything but printable ASCII with single spaces between words. */
const unusual = /[^ -~]|^ | {2}| $/;

/**
 * Untrusted text as a single line of visible characters, cut off with an
 * ellipsis.
 */
export function plainText(text: string, length = 200): string {
  if (text.length <= length && !unusual.test(text)) return text;
  // A generous cut first, so that a megabyte of text costs no more than a line.
  // The patterns are only made where they are needed, because \p takes long to
  // set up.
  const line = text
    .slice(0, length * 4)
    // The sign for "as a picture" after an emoji, which is one in any case.
    .replace(
      /(?<=\p{Extended_Pictographic}|[#*\d](?=\uFE0F\u20E3))\uFE0F/gu,
      '',
    )
    // Invisible characters, and those that change how other characters are
    // shown. In its place is a blank, so that no word looks like another.
    .replace(
      /[\p{Cc}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]/gu,
      ' ',
    )
    // Piled marks would cover other lines.
    .replace(/(\p{M}{3})\p{M}+/gu, '$1')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(line);
  return characters.length > length
    ? `${characters.slice(0, length - 1).join('')}…`
    : line;
}
