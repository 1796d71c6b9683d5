import { t } from './l10n.ts';

/** Names longer than this are no slips of the keyboard, and comparing them would cost. */
const longest = 60;

/**
 * Those of the candidates that may have been meant by a name that is not among them: at most three, the best first.
 * Near is what differs by few slips (a character missing, added, wrong, or swapped with its neighbour; case does not
 * count), and what begins or ends with the name as a word of its own, as `mcp-fetch` does with `fetch`.
 */
export function nearest(name: string, candidates: Iterable<string>): string[] {
  const wanted = name.toLowerCase();
  if (wanted === '' || wanted.length > longest) return [];
  const near: { readonly candidate: string; readonly distance: number }[] = [];
  for (const candidate of candidates) {
    const distance = distanceOf(wanted, candidate.toLowerCase());
    if (distance !== undefined) near.push({ candidate, distance });
  }
  return near
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** All of them, of which one is meant. */
export function either(near: readonly string[]): string {
  return near.reduce((others, one) => t('{0} or {1}', others, one));
}

/** How far apart, or undefined when too far. */
function distanceOf(wanted: string, candidate: string): number | undefined {
  if (candidate === '' || candidate.length > longest) return undefined;
  // One slip in a short name, two from six characters on, three from nine on; and one more in what begins alike.
  const length = Math.max(wanted.length, candidate.length);
  const most = Math.max(1, Math.floor(length / 3) + (length >= 5 && beginsAlike(wanted, candidate) ? 1 : 0));
  if (Math.abs(wanted.length - candidate.length) <= most) {
    const slips = countSlips(wanted, candidate);
    // A name that has nothing in common is another name, however short.
    if (slips <= most && slips < Math.min(wanted.length, candidate.length)) return slips;
  }
  return isPart(wanted, candidate) || isPart(candidate, wanted) ? longest : undefined;
}

function beginsAlike(wanted: string, candidate: string): boolean {
  const start = /^-*[^-]{2}/.exec(wanted)?.[0];
  return start !== undefined && candidate.startsWith(start);
}

function isPart(part: string, whole: string): boolean {
  if (part.length < 2 || part.length >= whole.length) return false;
  const cut = whole.length - part.length;
  return (
    (whole.startsWith(part) && (part.length > 2 || !isWord(whole[part.length]))) ||
    (whole.endsWith(part) && !isWord(whole[cut - 1]))
  );
}

function isWord(character: string | undefined): boolean {
  return /[\p{L}\p{N}]/u.test(character ?? '');
}

/** The optimal string alignment distance: insertions, deletions, substitutions and swaps of neighbours. */
function countSlips(a: string, b: string): number {
  const width = b.length + 1;
  const least = new Uint8Array((a.length + 1) * width);
  const at = (row: number, column: number) => least[row * width + column] ?? 0;
  for (let column = 1; column <= b.length; column++) least[column] = column;
  for (let row = 1; row <= a.length; row++) {
    least[row * width] = row;
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let slips = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (same ? 0 : 1),
      );
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (swapped) slips = Math.min(slips, at(row - 2, column - 2) + 1);
      least[row * width + column] = slips;
    }
  }
  return at(a.length, b.length);
}
