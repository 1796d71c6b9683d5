import { diffArrays } from 'diff';

interface DiffLine {
  readonly sign: '+' | '-' | ' ';
  readonly text: string;
}

type DiffRow = DiffLine | { readonly unchanged: number };

const contextLines = 3;
const timeoutMs = 300;

/**
 * Returns `undefined` if comparing takes too long. `isWhole`: show all lines.
 */
export function rowsOfChange(
  before: string,
  after: string,
  isWhole: boolean,
): readonly DiffRow[] | undefined {
  const [old = [], changed = []] = linesOf(before, after);
  const parts = diffArrays([...old], [...changed], { timeout: timeoutMs });
  if (!parts) return undefined;
  return parts.flatMap(
    ({ value, added, removed }, index): readonly DiffRow[] => {
      if (added) return value.map((text): DiffLine => ({ sign: '+', text }));
      if (removed) return value.map((text): DiffLine => ({ sign: '-', text }));
      const lines = value.map((text): DiffLine => ({ sign: ' ', text }));
      if (isWhole) return lines;
      const head = index === 0 ? 0 : contextLines;
      const tail = index === parts.length - 1 ? 0 : contextLines;
      const unchanged = lines.length - head - tail;
      // A note would need as many lines.
      if (unchanged <= 1) return lines;
      return [
        ...lines.slice(0, head),
        { unchanged },
        ...lines.slice(lines.length - tail),
      ];
    },
  );
}

/** Counts a final line break as a line if only one text has it. */
function linesOf(
  before: string,
  after: string,
): readonly (readonly string[])[] {
  const both = [before, after].map((text) => text.split('\n'));
  const areEnded = both.every((lines) => lines.at(-1) === '');
  if (areEnded) return both.map((lines) => lines.slice(0, -1));
  return both.map((lines) =>
    lines.length === 1 && lines[0] === '' ? [] : lines,
  );
}
