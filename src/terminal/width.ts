/**
 * How much room a text takes on a terminal. The text has to be plain: nothing that a terminal acts upon, and nothing
 * that joins characters. Works without Intl.Segmenter, which takes longer to load than a command to run.
 */
export function displayWidth(text: string): number {
  // What nearly all texts are made of.
  if (/^[ -~✓○•…]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** The text, or as much of it as there is room for, and an ellipsis. */
export function fit(text: string, room: number): string {
  if (displayWidth(text) <= room) return text;
  let fitting = '';
  let width = 1;
  for (const character of text) {
    width += characterWidth(character);
    if (width > room) break;
    fitting += character;
  }
  return `${fitting}…`;
}

export function padded(text: string, room: number): string {
  return text + ' '.repeat(Math.max(0, room - displayWidth(text)));
}

/** What is drawn onto the character before: accents, and the colours of skin. */
const none = /[\p{M}\u{1F3FB}-\u{1F3FF}]/u;

/** East Asian wide and full-width characters, and what is drawn as a picture; but of a flag each half for itself. */
const wide =
  /(?![\u{1F1E6}-\u{1F1FF}])[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{1B000}-\u{1B2FB}\u{20000}-\u{3FFFD}\p{Emoji_Presentation}]/u;

function characterWidth(character: string): number {
  if (none.test(character)) return 0;
  return wide.test(character) ? 2 : 1;
}
