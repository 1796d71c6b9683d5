/** What is said about a paste. Names are shown as plain text, and what may be a secret in them is not shown. */
import { quoted } from '../document.ts';
import { maskText } from '../mask.ts';

export function shown(name: string): string {
  return quoted(maskText(name.slice(0, 200)));
}

/** A paste with more parts of one kind is something else than what people paste. */
export const mostParts = 100;

export const tooManyParts = `Only the first ${mostParts} parts of a kind are read.`;

/** At most so many are named. */
const most = 5;

export function listed(names: readonly string[]): string {
  const parts = names.slice(0, most).map(shown);
  if (names.length > most) parts.push(`${names.length - most} more`);
  const first = parts.slice(0, -1).join(', ');
  return [first, ...parts.slice(-1)].filter((part) => part !== '').join(' and ');
}

/** One sentence about fields or options; none for none. */
export function notTakenOver(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  return [`${listed(names)} ${names.length === 1 ? 'is' : 'are'} not taken over.`];
}
