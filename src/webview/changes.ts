/** A change of a text, line by line. */
import { diffLines } from 'diff';

export interface Line {
  readonly sign: '+' | '-' | ' ';
  readonly text: string;
}

/** Lines, and in the place of many unchanged ones their number. */
export type Row = Line | { readonly unchanged: number };

/** Lines that stay around what changes. */
const around = 3;
/** In milliseconds. */
const longest = 300;

/** Undefined if comparing takes too long. With `isWhole`, all lines are there. */
export function rowsOfChange(before: string, after: string, isWhole: boolean): readonly Row[] | undefined {
  const parts = diffLines(before, after, { timeout: longest });
  if (!parts) return undefined;
  return parts.flatMap(({ value, added, removed }, index): readonly Row[] => {
    const sign = added ? '+' : removed ? '-' : ' ';
    const lines = linesOf(value).map((text): Line => ({ sign, text }));
    if (sign !== ' ' || isWhole) return lines;
    const head = index === 0 ? 0 : around;
    const tail = index === parts.length - 1 ? 0 : around;
    const unchanged = lines.length - head - tail;
    // As many lines as the note that would take their place.
    if (unchanged <= 1) return lines;
    return [...lines.slice(0, head), { unchanged }, ...lines.slice(lines.length - tail)];
  });
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
