import { t } from './l10n.ts';

/**
 * Longer names are not compared: they are unlikely to be typing mistakes, and
 * the comparison would be slow.
 */
const maxNameLength = 60;

/**
 * Up to three candidates that a mistyped name may have meant, best match first.
 * A candidate matches if it differs by a few typos (a character missing, added,
 * wrong, or swapped with its neighbour; case is ignored), or if one name begins
 * with the other or ends with it as a separate word, like `mcp-fetch` and
 * `fetch`.
 */
export function nearestNames(
  name: string,
  candidates: Iterable<string>,
): string[] {
  const lowerName = name.toLowerCase();
  if (lowerName === '' || lowerName.length > maxNameLength) return [];
  const near: { readonly candidate: string; readonly distance: number }[] = [];
  for (const candidate of candidates) {
    const distance = distanceOf(lowerName, candidate.toLowerCase());
    if (distance !== undefined) near.push({ candidate, distance });
  }
  return near
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** Joins alternatives: "a or b or c". */
export function joinWithOr(near: readonly string[]): string {
  return near.reduce((text, alternative) => t('{0} or {1}', text, alternative));
}

/** The distance between two names, or undefined if they do not match. */
function distanceOf(name: string, candidate: string): number | undefined {
  if (candidate === '' || candidate.length > maxNameLength) return undefined;
  // Allows one typo for every three characters, at least one, and one more if
  // the names begin alike.
  const length = Math.max(name.length, candidate.length);
  const most = Math.max(
    1,
    Math.floor(length / 3) +
      (length >= 5 && beginsAlike(name, candidate) ? 1 : 0),
  );
  if (Math.abs(name.length - candidate.length) <= most) {
    const typos = editDistance(name, candidate);
    // A short name in which every character differs is a different name.
    if (typos <= most && typos < Math.min(name.length, candidate.length))
      return typos;
  }
  return isPart(name, candidate) || isPart(candidate, name)
    ? maxNameLength
    : undefined;
}

function beginsAlike(name: string, candidate: string): boolean {
  const start = /^-*[^-]{2}/.exec(name)?.[0];
  return start !== undefined && candidate.startsWith(start);
}

function isPart(part: string, whole: string): boolean {
  if (part.length < 2 || part.length >= whole.length) return false;
  const cut = whole.length - part.length;
  return (
    (whole.startsWith(part) &&
      (part.length > 2 || !isWord(whole[part.length]))) ||
    (whole.endsWith(part) && !isWord(whole[cut - 1]))
  );
}

function isWord(character: string | undefined): boolean {
  return /[\p{L}\p{N}]/u.test(character ?? '');
}

/**
 * The optimal string alignment distance: insertions, deletions, substitutions
 * and swaps of neighbours.
 */
export function editDistance(a: string, b: string): number {
  const width = b.length + 1;
  const least = new Uint8Array((a.length + 1) * width);
  const at = (row: number, column: number) => least[row * width + column] ?? 0;
  for (let column = 1; column <= b.length; column++) least[column] = column;
  for (let row = 1; row <= a.length; row++) {
    least[row * width] = row;
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let typos = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 &&
        column > 1 &&
        a[row - 1] === b[column - 2] &&
        a[row - 2] === b[column - 1];
      if (swapped) typos = Math.min(typos, at(row - 2, column - 2) + 1);
      least[row * width + column] = typos;
    }
  }
  return at(a.length, b.length);
}
