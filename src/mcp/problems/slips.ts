/** Keys that are one slip of the keyboard away from those that are known. More would take words for slips. */
import { known } from './dialects.ts';

const names = [...known.keys()].map((name) => ({ name, plain: flat(name) }));

/** Words of their own, which are near by chance. */
const others = new Set(['icons', 'end']);

/** The known key that was meant by another, among those that may be. */
export function near(name: string, mayBe: (name: string) => boolean): string | undefined {
  // Longer than any key can be with a slip in it.
  if (name.length > 20 || others.has(name)) return undefined;
  const plain = flat(name);
  return names.find((candidate) => isSlip(plain, candidate.plain) && mayBe(candidate.name))?.name;
}

function flat(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '');
}

/** Whether one has a character more, another one, or two swapped; or is the same. */
function isSlip(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let same = 0;
  const most = Math.min(one.length, other.length) - start;
  while (same < most && one.at(-1 - same) === other.at(-1 - same)) same++;
  const [left, right] = [one.slice(start, one.length - same), other.slice(start, other.length - same)];
  if (left.length + right.length <= 2) return true;
  return left.length === 2 && left === right.charAt(1) + right.charAt(0);
}
