/** Text in which everything is seen. */

export interface Piece {
  readonly text: string;
  /** It stands for a character that is not seen, or that changes how others are shown. */
  readonly isUnseen: boolean;
}

/** Where people write: blanks of other widths are blanks, and signs of a font of its own are signs. */
const inProse =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\uFFF9-\uFFFB\u2800]/gu;

/** Where each character counts. From the third mark on a letter, marks would cover the lines above. */
const inCode =
  /(?<=\p{M}{2})\p{M}|[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Co}\p{Cn}\uFFF9-\uFFFB\u2800]|(?! )\p{Zs}/gu;

/** Characters after which U+FE0F or U+200D may be part of an emoji. */
const picture = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|[#*\d]/u;

/** Parts a text so that each such character has a piece of its own, which spells it. Line breaks and tabs stay. */
export function visible(text: string, kind: 'prose' | 'code'): readonly Piece[] {
  const unseen = kind === 'prose' ? inProse : inCode;
  const pieces: Piece[] = [];
  let begin = 0;
  for (const { 0: found, index } of text.matchAll(unseen)) {
    if (found === '\n' || found === '\t') continue;
    if (kind === 'prose' && isOfPicture(text, found, index)) continue;
    // A line break of another system, which a shell would not take for one.
    const isBreak = kind === 'prose' && found === '\r' && text[index + 1] === '\n';
    if (index > begin) pieces.push({ text: text.slice(begin, index), isUnseen: false });
    if (!isBreak) pieces.push({ text: spelt(found), isUnseen: true });
    begin = index + found.length;
  }
  if (begin < text.length) pieces.push({ text: text.slice(begin), isUnseen: false });
  return pieces;
}

/** All pieces as one text. */
export function visibleText(text: string, kind: 'prose' | 'code'): string {
  return visible(text, kind)
    .map((piece) => piece.text)
    .join('');
}

function isOfPicture(text: string, found: string, index: number): boolean {
  if (found !== '\uFE0F' && found !== '\u200D') return false;
  const before = characterBefore(text, index);
  if (found === '\uFE0F') return picture.test(before);
  const after = text.codePointAt(index + 1);
  return (
    (picture.test(before) || before === '\uFE0F') &&
    after !== undefined &&
    /\p{Extended_Pictographic}/u.test(String.fromCodePoint(after))
  );
}

function characterBefore(text: string, index: number): string {
  const isPair = /[\uDC00-\uDFFF]/.test(text[index - 1] ?? '');
  return text.slice(Math.max(0, index - (isPair ? 2 : 1)), index);
}

/** As JSON spells it. */
function spelt(character: string): string {
  return Array.from({ length: character.length }, (_, index) =>
    character.charCodeAt(index).toString(16).padStart(4, '0'),
  )
    .map((code) => `\\u${code}`)
    .join('');
}
