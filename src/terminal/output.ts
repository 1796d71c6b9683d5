import { plainText } from '../base/plainText.ts';
import type { Entry } from '../mcp/format/entry.ts';
import { showServer } from '../mcp/format/mask.ts';
import type { TerminalHost, TerminalOutput } from './host.ts';

type Colours = Readonly<
  Record<'bold' | 'dim' | 'good' | 'warning' | 'bad', (text: string) => string>
>;

/**
 * Uses colours on a capable terminal, unless NO_COLOR is set:
 * https://no-color.org.
 */
export function coloursOf(
  output: TerminalOutput,
  { env }: Pick<TerminalHost, 'env'>,
): Colours {
  const coloured =
    output.isTTY && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
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

/** A mark and a word, to be clear without colour or shape. */
export function stateText(enabled: boolean): string {
  return enabled ? '✓ enabled' : '○ disabled';
}

export function nameText(name: string): string {
  return plainText(name, 100) || '""';
}

/**
 * Columns of a plain text on a terminal. Avoids Intl.Segmenter, which loads
 * longer than a command runs, and needless patterns with \p.
 */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width;
}

/** Cuts off a text that is too wide. */
export function cutToWidth(text: string, room: number): string {
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

/** Pads the cells of each column but the last to the width of the widest. */
export function inColumns(rows: readonly (readonly string[])[]): string[][] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.entries()) {
      widths[column] = Math.max(widths[column] ?? 0, displayWidth(cell));
    }
  }
  return rows.map((row) =>
    row.map((cell, column) =>
      column === row.length - 1
        ? cell
        : cell + ' '.repeat(Number(widths[column]) - displayWidth(cell)),
    ),
  );
}

export function countText(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

function characterWidth(character: string): number {
  if (character <= '~' || '✓○•…'.includes(character)) return 1;
  // Accents and skin colours.
  if (/[\p{M}\u{1F3FB}-\u{1F3FF}]/u.test(character)) return 0;
  return isWide(character) ? 2 : 1;
}

/**
 * East Asian wide characters and emoji. Each half of a flag counts as one
 * character.
 */
function isWide(character: string): boolean {
  return /(?![\u{1F1E6}-\u{1F1FF}])[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97C\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{1B000}-\u{1B2FB}\u{20000}-\u{3FFFD}\p{Emoji_Presentation}]/u.test(
    character,
  );
}

/** Escapes control characters and invisible ones in strings. */
export function printJson(
  { stdout }: Pick<TerminalHost, 'stdout'>,
  value: object,
): void {
  const text = JSON.stringify(value, null, 2).replace(
    /[\u007F-\u009F\p{Cf}\p{DI}\p{Zl}\p{Zp}]/gu,
    (character) =>
      Array.from(
        { length: character.length },
        (_, index) =>
          `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
      ).join(''),
  );
  stdout.write(`${text}\n`);
}

/** `transport` is null without a command and a URL. */
export function serverJson(
  { name, enabled, server, toolsOff }: Entry,
  reveal = false,
): object {
  return {
    name,
    enabled,
    ...(server ? showServer(server, reveal) : { transport: null }),
    ...(toolsOff.length > 0 && { toolsOff }),
  };
}
