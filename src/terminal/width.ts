/**
 * How many columns a text takes on a terminal. The text must be plain: no control characters, and nothing that joins
 * characters. It does without Intl.Segmenter, which takes longer to load than a command takes to run, and makes patterns
 * with \p only when it needs them, for the same reason.
 */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** The text, cut off with an ellipsis where it is too wide. */
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

function characterWidth(character: string): number {
  // Nearly all characters.
  if (character <= '~' || '✓○•…'.includes(character)) return 1;
  // Drawn onto the character before it: accents and skin colours.
  if (/[\p{M}\u{1F3FB}-\u{1F3FF}]/u.test(character)) return 0;
  return isWide(character) ? 2 : 1;
}

/** East Asian wide and full-width characters, and emoji. Each half of a flag counts as a character of its own. */
function isWide(character: string): boolean {
  return /(?![\u{1F1E6}-\u{1F1FF}])[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{1B000}-\u{1B2FB}\u{20000}-\u{3FFFD}\p{Emoji_Presentation}]/u.test(
    character,
  );
}
