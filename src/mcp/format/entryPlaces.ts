/** Finding what a message is about in the text of an entry. */
import type { Entry } from './entry.ts';

/**
 * Where the first of these places is that the entry has: a key (`command`), what is below one (`headers.X-Key`, in any
 * case), or a reference to a variable (`${NAME}`). The beginning of the entry, if it has none of them.
 */
export function placeIn(entry: Entry, text: string, places: readonly string[]): number {
  for (const place of places) {
    const found = offsetOf(entry, text, place);
    if (found !== undefined) return found;
  }
  return entry.start;
}

function offsetOf(entry: Entry, text: string, place: string): number | undefined {
  if (place.startsWith('${')) {
    const found = text.slice(entry.start, entry.end).indexOf(place);
    return found < 0 ? undefined : entry.start + found;
  }
  const dot = place.indexOf('.');
  if (dot < 0) return entry.keys.get(place)?.start;
  const below = place.slice(dot + 1).toLowerCase();
  const members = entry.record(place.slice(0, dot))?.members;
  return members?.findLast(({ name }) => name.toLowerCase() === below)?.start;
}
