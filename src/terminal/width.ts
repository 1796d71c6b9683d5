/** How much room a text takes on a terminal. It has to be plain: without anything that a terminal acts upon. */
export function displayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of graphemes(text)) width += graphemeWidth(segment);
  return width;
}

/** The text, or as much of it as there is room for, and an ellipsis. */
export function fit(text: string, room: number): string {
  if (displayWidth(text) <= room) return text;
  let fitting = '';
  let width = 1;
  for (const { segment } of graphemes(text)) {
    width += graphemeWidth(segment);
    if (width > room) break;
    fitting += segment;
  }
  return `${fitting}…`;
}

export function padded(text: string, room: number): string {
  return text + ' '.repeat(Math.max(0, room - displayWidth(text)));
}

function graphemes(text: string): Iterable<{ readonly segment: string }> {
  return new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text);
}

/** East Asian wide and full-width characters, and what is drawn as a picture. */
const wide =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{1B000}-\u{1B2FB}\u{20000}-\u{3FFFD}\p{Emoji_Presentation}\uFE0F]/u;

function graphemeWidth(grapheme: string): number {
  if (wide.test(grapheme)) return 2;
  return /^\p{M}+$/u.test(grapheme) ? 0 : 1;
}
