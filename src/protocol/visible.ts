/** Spells invisible characters in text. */

export interface Piece {
  readonly text: string;
  /**
   * True for a spelled character: one that is invisible, or changes how others
   * look.
   */
  readonly isUnseen: boolean;
}

/**
 * Invisible in prose. Blanks of other widths and private-use signs are allowed.
 */
const inProse =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\uFFF9-\uFFFB\u2800]/gu;

/**
 * Invisible or ambiguous in code. From the third mark on a letter, marks would
 * cover the lines above.
 */
const inCode =
  /(?<=\p{M}{2})\p{M}|[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Co}\p{Cn}\uFFF9-\uFFFB\u2800]|(?! )\p{Zs}/gu;

/** Characters after which U+FE0F or U+200D may be part of an emoji. */
const picture = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|[#*\d]/u;

/**
 * Splits text so that each invisible character is a spelled piece. Keeps line
 * breaks and tabs.
 */
export function visiblePieces(
  text: string,
  kind: 'prose' | 'code',
): readonly Piece[] {
  const unseen = kind === 'prose' ? inProse : inCode;
  const pieces: Piece[] = [];
  let begin = 0;
  for (const { 0: character, index } of text.matchAll(unseen)) {
    if (character === '\n' || character === '\t') continue;
    if (kind === 'prose' && isOfPicture(text, character, index)) continue;
    // A Windows line break. A shell would not treat it as one.
    const isBreak =
      kind === 'prose' && character === '\r' && text[index + 1] === '\n';
    if (index > begin)
      pieces.push({ text: text.slice(begin, index), isUnseen: false });
    if (!isBreak) addUnseen(pieces, spelt(character));
    begin = index + character.length;
  }
  if (begin < text.length)
    pieces.push({ text: text.slice(begin), isUnseen: false });
  return pieces;
}

/** Joins neighbors: thousands of elements are slow to draw. */
function addUnseen(pieces: Piece[], text: string) {
  const before = pieces.at(-1)?.isUnseen ? pieces.pop() : undefined;
  pieces.push({ text: (before?.text ?? '') + text, isUnseen: true });
}

export function visibleText(text: string, kind: 'prose' | 'code'): string {
  return visiblePieces(text, kind)
    .map((piece) => piece.text)
    .join('');
}

function isOfPicture(text: string, character: string, index: number): boolean {
  if (character !== '\uFE0F' && character !== '\u200D') return false;
  const before = characterBefore(text, index);
  if (character === '\uFE0F') return picture.test(before);
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

/** Spells a character like JSON. */
function spelt(character: string): string {
  return Array.from({ length: character.length }, (_, index) =>
    character.charCodeAt(index).toString(16).padStart(4, '0'),
  )
    .map((code) => `\\u${code}`)
    .join('');
}
