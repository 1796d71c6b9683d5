/** Merge conflicts in a text, by their marks. Lines are counted from 1. */

interface MarkedConflict {
  readonly first: number;
  readonly last: number;
}

export function conflictsIn(text: string): readonly MarkedConflict[] {
  const found: MarkedConflict[] = [];
  let begun: number | undefined;
  text.split('\n').forEach((line, at) => {
    if (/^<{7}(?: |\r?$)/.test(line)) begun = at + 1;
    if (begun === undefined || !/^>{7}(?: |\r?$)/.test(line)) return;
    found.push({ first: begun, last: at + 1 });
    begun = undefined;
  });
  return found;
}
