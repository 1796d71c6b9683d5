/** A command that is a whole line, as `npx -y server`. Nothing that reads the file splits it. */
import { t } from '../../base/l10n.ts';
import type { ObjectEntry } from '../format/entry.ts';
import { isPlaceholder } from '../format/placeholders.ts';
import { isLine } from '../cli/shellWords.ts';
import { stringOf } from '../text/nodes.ts';
import type { Review } from './problem.ts';
import { lineCommandFixes } from './splitCommand.ts';
import { hasReference } from '../format/variables.ts';

export function checkLineCommand(review: Review, entry: ObjectEntry): void {
  const field = entry.kind === 'local' ? entry.keys.get('command') : undefined;
  const command = stringOf(field?.value);
  if (!field || command === undefined || !isLine(command)) return;
  // Values that are not filled in yet are reported as such.
  if (isPlaceholder(command) || hasReference(command)) return;
  const message = t('All of this is taken as the name of a program. Move the arguments into "args".');
  review.report('commandIsLine', field.value, message, {
    fixes: () => lineCommandFixes(review.found, entry, field.value, command),
  });
}
