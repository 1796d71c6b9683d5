/** Values that the program takes, and makes something else of than was meant. */
import { t } from '../../base/l10n.ts';
import { quoted } from '../format/document.ts';
import type { ObjectEntry } from '../format/entry.ts';
import { lastOfEach, type Member } from '../text/nodes.ts';
import { meantBoolean } from '../format/ownKeys.ts';
import { valueOf } from '../text/values.ts';
import { quoteFixes } from './badValues.ts';
import { changeFix } from './fixes.ts';
import type { Review } from './problem.ts';

export function checkEnabled(review: Review, entry: ObjectEntry): void {
  const value = entry.keys.get('enabled')?.value;
  if (!value || value.type === 'boolean') return;
  const { enabled } = entry;
  const message = enabled
    ? t('"enabled" should be true or false. This value counts as true: the server is enabled.')
    : t('"enabled" should be true or false. This value counts as false: the server is disabled.');
  review.report('enabledIsNoBoolean', value, message, {
    fixes: () => {
      const meant = meantBoolean(valueOf(value));
      const change = (to: boolean, certain: boolean) => changeFix(review.found, value, String(to), certain);
      if (meant === undefined || meant === enabled) return [change(enabled, true)];
      return [change(meant, false), change(enabled, false)];
    },
  });
}

/** The program takes any value of a variable, and fails when it starts the server. */
export function checkVariableValues(review: Review, entry: ObjectEntry): void {
  const env = entry.record('env');
  if (!env?.members.some(isNoString)) return;
  for (const { name, value } of [...lastOfEach(env).values()].filter(isNoString)) {
    const message = t(
      'The server cannot be started like this: the value of {0} must be a string.',
      quoted(name),
    );
    review.report('variableIsNoString', value, message, { fixes: () => quoteFixes(review, value, true) });
  }
}

function isNoString({ value }: Member): boolean {
  return value.type !== 'string';
}
