/**
 * Parses the colors and weights of terminal output. Other control sequences
 * stay visible in the text.
 */

/** One of the 16 terminal colors of a theme. */
type Colour = number;

export interface TextStyle {
  readonly colour?: Colour | undefined;
  readonly background?: Colour | undefined;
  readonly bold?: boolean;
  readonly faint?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly struck?: boolean;
}

export interface TextRun {
  readonly text: string;
  readonly style: TextStyle;
  /** True for sequences that only switch a terminal mode. */
  readonly isMode?: true;
}

interface Changing extends TextStyle {
  readonly inverse?: boolean;
}

/**
 * Matches styles, `ESC [ numbers m`, and modes, `ESC [ ? numbers h`, which
 * shells follow with a carriage return.
 */
const control = /\u001b\[(?:(?<numbers>[0-9;:]*)m|\?[0-9;]*[hl](?:\r(?!\n))?)/g;

export function terminalText(text: string): readonly TextRun[] {
  const runs: TextRun[] = [];
  let now: Changing = {};
  let begin = 0;
  const add = (end: number) => {
    if (end > begin)
      runs.push({ text: text.slice(begin, end), style: styleOf(now) });
  };
  for (const { 0: all, groups, index } of text.matchAll(control)) {
    add(index);
    begin = index + all.length;
    if (groups?.numbers === undefined)
      runs.push({ text: all, style: {}, isMode: true });
    else now = changed(now, groups.numbers);
  }
  add(text.length);
  return runs;
}

function styleOf({ inverse, ...style }: Changing): TextStyle {
  // Backgrounds are tints, so inverse text cannot hide in its own color.
  return inverse
    ? {
        ...style,
        colour: undefined,
        background: style.colour ?? style.background ?? 7,
      }
    : style;
}

function changed(before: Changing, numbers: string): Changing {
  // The limit guards against hostile input.
  const codes = numbers.split(/[;:]/, 64).map(Number);
  let now = before;
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index] ?? 0;
    if (code === 38 || code === 48) {
      const [colour, used] = extended(codes, index + 1);
      now = { ...now, [code === 38 ? 'colour' : 'background']: colour };
      index += used;
    } else now = code === 0 ? {} : { ...now, ...meaning(code) };
  }
  return now;
}

const weights: Readonly<Record<number, Changing>> = {
  1: { bold: true },
  2: { faint: true },
  3: { italic: true },
  4: { underline: true },
  7: { inverse: true },
  9: { struck: true },
  22: { bold: false, faint: false },
  23: { italic: false },
  24: { underline: false },
  27: { inverse: false },
  29: { struck: false },
  39: { colour: undefined },
  49: { background: undefined },
};

function meaning(code: number): Changing {
  if (code >= 30 && code <= 37) return { colour: code - 30 };
  if (code >= 40 && code <= 47) return { background: code - 40 };
  if (code >= 90 && code <= 97) return { colour: code - 82 };
  if (code >= 100 && code <= 107) return { background: code - 92 };
  return weights[code] ?? {};
}

/**
 * Reads `5;N`, one of 256 colors, or `2;R;G;B`. Returns the nearest of the 16,
 * and the number of parameters.
 */
function extended(
  codes: readonly number[],
  at: number,
): readonly [Colour | undefined, number] {
  if (codes[at] === 2) {
    const [red = 0, green = 0, blue = 0] = codes.slice(at + 1, at + 4);
    return [nearest(red, green, blue), 4];
  }
  if (codes[at] !== 5) return [undefined, 0];
  const number = codes[at + 1] ?? 0;
  if (number < 16) return [number, 2];
  if (number >= 232) {
    const grey = 8 + 10 * (number - 232);
    return [nearest(grey, grey, grey), 2];
  }
  const level = (value: number) => (value === 0 ? 0 : 55 + 40 * value);
  const cube = number - 16;
  return [
    nearest(
      level(Math.floor(cube / 36)),
      level(Math.floor(cube / 6) % 6),
      level(cube % 6),
    ),
    2,
  ];
}

/** The nearest of the 16 colors. */
function nearest(red: number, green: number, blue: number): Colour {
  const most = Math.max(red, green, blue);
  const least = Math.min(red, green, blue);
  if (most - least < 40) {
    if (most < 64) return 0;
    if (most < 128) return 8;
    return most < 208 ? 7 : 15;
  }
  const half = (most + least) / 2;
  const hue =
    (red > half ? 1 : 0) + (green > half ? 2 : 0) + (blue > half ? 4 : 0);
  return hue + (most > 200 ? 8 : 0);
}
