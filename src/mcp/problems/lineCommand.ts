/** A command that is a whole line, as `npx -y server`. Nothing that reads the file splits it. */
import type { Edit } from 'jsonc-parser';
import { t } from '../../base/l10n.ts';
import type { Outline } from '../outline.ts';
import { isPlaceholder } from '../placeholders.ts';
import { splitLine } from '../shellWords.ts';
import { styleOf } from '../style.ts';
import { fix, inserted, replace } from './fixes.ts';
import { hasReference } from './unfilledValues.ts';
import type { Fix, Review } from './problem.ts';
import type { ObjectEntry } from '../entry.ts';
import { type ArrayNode, type Member, stringOf } from '../nodes.ts';

/** Whether it has blanks that are not part of a path: what is before the first blank names no folder. */
export function isLine(command: string): boolean {
  return /^[\w.@-]+\s+\S/.test(command) && !/^[^\\/]*\.(?:exe|com|cmd|bat)$/i.test(command);
}

export function checkLineCommand(review: Review, entry: ObjectEntry): void {
  const field = entry.kind === 'local' ? entry.keys.get('command') : undefined;
  const command = stringOf(field?.value);
  if (!field || command === undefined || !isLine(command)) return;
  // Values that are not filled in yet are reported as such.
  if (isPlaceholder(command) || hasReference(command)) return;
  const message = t('All of this is taken as the name of a program. Move the arguments into "args".');
  review.report('commandIsLine', field.value, message, {
    fixes: () => lineFixes(review.found, entry, field, command),
  });
}

function lineFixes(found: Outline, entry: ObjectEntry, field: Member, command: string): Fix[] {
  const [program, ...args] = splitLine(command) ?? [];
  const given = entry.keys.get('args')?.value;
  if (program === undefined || args.length === 0 || (given && given.type !== 'array')) return [];
  const added = given ? putFirst(found, entry, given, args) : inserted(found, entry.object, 'args', args);
  const edits = [replace(field.value, JSON.stringify(program)), ...added];
  return [fix(found, t('Split into "command" and "args"'), edits, false)];
}

/** Puts words before the items of a list. */
function putFirst(
  { text, root }: Outline,
  entry: ObjectEntry,
  { start, end, items }: ArrayNode,
  words: readonly string[],
): Edit[] {
  const [first] = items;
  const { gap } = styleOf(text, entry.object, root);
  const [blanks] = /^\s*/.exec(text.slice(start + 1, end)) as unknown as readonly [string];
  const separator = `,${first && /[\r\n]/.test(blanks) ? blanks : gap}`;
  const written = words.map((word) => JSON.stringify(word)).join(separator);
  if (!first) return [{ offset: start + 1, length: blanks.length, content: written }];
  return [{ offset: first.start, length: 0, content: written + separator }];
}
