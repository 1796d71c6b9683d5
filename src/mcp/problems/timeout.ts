import { t } from '../../base/l10n.ts';
import { fromSeconds } from '../dialects/dialects.ts';
import type { ObjectEntry } from '../format/entry.ts';
import { rawOf, stringOf } from '../text/nodes.ts';
import { meantNumber } from '../format/ownKeys.ts';
import { changeFix } from './fixes.ts';
import type { Review } from './problem.ts';

/** Reports a timeout in seconds, as some programs have it: as milliseconds, it ends nearly every request. */
export function checkTimeout(review: Review, entry: ObjectEntry): void {
  const value = entry.keys.get('timeout')?.value;
  const number = value && meantNumber(value.type === 'number' ? Number(rawOf(value)) : stringOf(value));
  const meant = number && fromSeconds(number, (key) => entry.keys.has(key));
  if (!value || !meant) return;
  const message = t('This looks like seconds. Here "timeout" is in milliseconds.');
  review.report('timeoutInSeconds', value, message, {
    fixes: () => [changeFix(review.found, value, String(meant), false)],
  });
}
