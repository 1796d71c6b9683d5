/**
 * Parts of a paste, and sentences about it. Names are plain text, with possible
 * secrets masked.
 */
import { t } from '../../base/l10n.ts';
import { maskText } from '../../base/masks/maskText.ts';
import { quotedName } from '../format/document.ts';

export function shownName(name: string): string {
  return quotedName(maskText(name.slice(0, 200)));
}

export const maxParts = 100;

/**
 * Reads the parts that begin with a match, and returns the text with blanks in
 * their place. `read` gets the number of parts left, and returns the end of a
 * part and the number of parts that it counts as.
 */
export function readParts(
  text: string,
  opening: RegExp,
  problems: string[],
  read: (
    match: RegExpExecArray,
    left: number,
  ) => readonly [end: number, count: number],
): string {
  const rest: string[] = [];
  let from = 0;
  let left = maxParts;
  for (;;) {
    opening.lastIndex = from;
    const match = opening.exec(text);
    if (!match) break;
    if (left <= 0) {
      problems.push(tooManyParts());
      break;
    }
    const [end, count] = read(match, left);
    left -= count;
    rest.push(
      text.slice(from, match.index),
      text.slice(match.index, end).replace(/[^\n]/g, ' '),
    );
    from = end;
  }
  return rest.join('') + text.slice(from);
}

export const tooManyParts = () =>
  t('Only the first {0} parts of each kind are read.', maxParts);

const most = 5;

export function listNames(names: readonly string[]): string {
  const parts = names.slice(0, most).map(shownName);
  if (names.length > most)
    return t('{0} and {1} more', parts.join(', '), names.length - most);
  const last = parts.slice(-1).join('');
  return parts.length > 1
    ? t('{0} and {1}', parts.slice(0, -1).join(', '), last)
    : last;
}

export function notTakenOver(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const list = listNames(names);
  return [
    names.length === 1
      ? t('{0} is left out.', list)
      : t('{0} are left out.', list),
  ];
}
