import { t } from '../../base/l10n.ts';
import type { Outline } from '../outline.ts';
import { fix, inserted, replace } from './fixes.ts';
import type { Fix } from './problem.ts';
import type { ObjectEntry } from '../entry.ts';
import { type ArrayNode, stringOf } from '../nodes.ts';

/** A command as a list of words, as some programs have it, split into the command and its arguments. */
export function listCommandFixes(found: Outline, entry: ObjectEntry, list: ArrayNode): Fix[] {
  const words = list.items.map(stringOf);
  const [command, ...args] = words.filter((word) => word !== undefined);
  if (command === undefined || args.length + 1 < words.length) return [];
  const single = replace(list, JSON.stringify(command));
  if (args.length === 0) return [fix(found, t('Change to a string'), [single], true)];
  if (entry.keys.get('args')) return [];
  const edits = [single, ...inserted(found, entry.object, 'args', args)];
  return [fix(found, t('Split into "command" and "args"'), edits, true)];
}
