/** A change of a text, line by line. */
import { diffArrays } from 'diff';

interface DiffLine {
  readonly sign: '+' | '-' | ' ';
  readonly text: string;
}

/** Lines, and in the place of many unchanged ones their number. */
type DiffRow = DiffLine | { readonly unchanged: number };

/** Lines that stay around what changes. */
const around = 3;
/** In milliseconds. */
const longest = 300;

/** Undefined if comparing takes too long. With `isWhole`, all lines are there. */
export function rowsOfChange(
  before: string,
  after: string,
  isWhole: boolean,
): readonly DiffRow[] | undefined {
  const [old = [], changed = []] = linesOf(before, after);
  const parts = diffArrays([...old], [...changed], { timeout: longest });
  if (!parts) return undefined;
  return parts.flatMap(({ value, added, removed }, index): readonly DiffRow[] => {
    const sign = added ? '+' : removed ? '-' : ' ';
    const lines = value.map((text): DiffLine => ({ sign, text }));
    if (sign !== ' ' || isWhole) return lines;
    const head = index === 0 ? 0 : around;
    const tail = index === parts.length - 1 ? 0 : around;
    const unchanged = lines.length - head - tail;
    // As many lines as the note that would take their place.
    if (unchanged <= 1) return lines;
    return [...lines.slice(0, head), { unchanged }, ...lines.slice(lines.length - tail)];
  });
}

/** A line break at the end of only one of them is a line of its own. */
function linesOf(before: string, after: string): readonly (readonly string[])[] {
  const both = [before, after].map((text) => text.split('\n'));
  const areEnded = both.every((lines) => lines.at(-1) === '');
  return both.map((lines) =>
    areEnded ? lines.slice(0, -1) : lines.length === 1 && lines[0] === '' ? [] : lines,
  );
}
