/** A command that has its arguments in it, as some programs write it, split into its parts. */
import type { Edit } from 'jsonc-parser';
import { t } from '../../base/l10n.ts';
import { spellingsOf } from '../dialects/dialects.ts';
import type { ObjectEntry } from '../format/entry.ts';
import { insertMembers } from '../edit/insert.ts';
import type { Outline } from '../format/outline.ts';
import { splitLine } from '../cli/shellWords.ts';
import { styleOf } from '../text/style.ts';
import { type ArrayNode, type Member, type Node, stringOf } from '../text/nodes.ts';
import type { Value } from '../text/values.ts';
import { fix, inserted, replaceSpan } from './fixes.ts';
import type { Fix } from './problem.ts';

/** A list of words, as OpenCode has it. */
export function listCommandFixes(found: Outline, entry: ObjectEntry, list: ArrayNode): Fix[] {
  const words = list.items.map(stringOf);
  const [command, ...args] = words.filter((word) => word !== undefined);
  if (command === undefined || args.length + 1 < words.length) return [];
  if (args.length > 0) return wordsFixes(found, entry, list, [command, ...args], !entry.keys.has('args'));
  return [fix(found, t('Change to a string'), [replaceSpan(list, JSON.stringify(command))], true)];
}

/** A whole line, as `npx -y server`. */
export function lineCommandFixes(found: Outline, entry: ObjectEntry, line: Node, command: string): Fix[] {
  const words = splitLine(command) ?? [];
  return words.length > 1 ? wordsFixes(found, entry, line, words, false) : [];
}

function wordsFixes(
  found: Outline,
  entry: ObjectEntry,
  command: Node,
  [program = '', ...args]: readonly string[],
  certain: boolean,
): Fix[] {
  const given = entry.keys.get('args')?.value;
  // Arguments under another name become "args" first.
  if (spellingsOf('args').some((key) => key !== 'args' && entry.keys.has(key))) return [];
  if (given && given.type !== 'array') return [];
  const added = given ? putFirst(found, entry, given, args) : inserted(found, entry.object, 'args', args);
  const edits = [replaceSpan(command, JSON.stringify(program)), ...added];
  return [fix(found, t('Split into "command" and "args"'), edits, certain)];
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

/** An object with the path of the program, its arguments and its variables, as Zed has it. */
export function splitCommandFixes(
  found: Outline,
  entry: ObjectEntry,
  field: Member,
  parts: ReadonlyMap<string, Value>,
): Fix[] {
  const path = parts.get('path');
  const others = [...parts].filter(([key]) => key !== 'path');
  const isKnown = ([key]: [string, Value]) => (key === 'args' || key === 'env') && !entry.keys.has(key);
  if (typeof path !== 'string' || !others.every(isKnown)) return [];
  const edits = [
    replaceSpan(field.value, JSON.stringify(path)),
    ...(others.length > 0 ? insertMembers(found, entry.object, others) : []),
  ];
  return [fix(found, t('Split into "command", "args" and "env"'), edits, false)];
}
