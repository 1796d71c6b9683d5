/** Colours for terminals that have any, and the words that go with them. */
import { plainText } from '../base/plainText.ts';
import type { Entry } from '../mcp/format/entry.ts';
import { showServer } from '../mcp/format/mask.ts';
import type { Host, Output } from './host.ts';

type Colours = Readonly<Record<'bold' | 'dim' | 'good' | 'warning' | 'bad', (text: string) => string>>;

/** Colours only on a terminal that has them, and not if NO_COLOR is set: https://no-color.org. */
export function coloursOf(output: Output, { env }: Pick<Host, 'env'>): Colours {
  const coloured = output.isTTY && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
  const paint = (on: number, off: number) => (text: string) =>
    coloured ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    good: paint(32, 39),
    warning: paint(33, 39),
    bad: paint(31, 39),
  };
}

/** A mark and a word, so that nobody depends on colour or shape alone. */
export function stateText(enabled: boolean): string {
  return enabled ? '✓ enabled' : '○ disabled';
}

/** The name of a server without invisible characters. */
export function nameText(name: string): string {
  return plainText(name, 100) || '""';
}

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

/** Prints one document. Control characters and invisible characters are escaped in its strings. */
export function printJson({ stdout }: Pick<Host, 'stdout'>, value: object): void {
  const text = JSON.stringify(value, null, 2).replace(
    /[\u007F-\u009F\p{Cf}\p{DI}\p{Zl}\p{Zp}]/gu,
    (character) =>
      Array.from(
        { length: character.length },
        (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
      ).join(''),
  );
  stdout.write(`${text}\n`);
}

/** A server; `transport` is null if its entry has neither a command nor a URL. */
export function serverJson({ name, enabled, server, tools }: Entry, reveal = false): object {
  const off = toolsOff(tools);
  return {
    name,
    enabled,
    ...(server ? showServer(server, reveal) : { transport: null }),
    ...(off.length > 0 && { toolsOff: off }),
  };
}

/** The names of the tools that agents do not get. */
export function toolsOff(tools: Entry['tools']): string[] {
  return [...tools].flatMap(([tool, enabled]) => (enabled ? [] : [tool]));
}
