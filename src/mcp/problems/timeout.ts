import { t } from '../../base/l10n.ts';
import { fromSeconds } from '../dialects.ts';
import type { ObjectEntry } from '../entry.ts';
import { rawOf } from '../nodes.ts';
import { changeFix } from './fixes.ts';
import type { Review } from './problem.ts';

/** A timeout in seconds, as some programs have it. */
export function checkTimeout(review: Review, entry: ObjectEntry): void {
  const value = entry.keys.get('timeout')?.value;
  if (value?.type !== 'number') return;
  const meant = fromSeconds(Number(rawOf(value)), (key) => entry.keys.has(key));
  if (meant === undefined) return;
  const message = t('This looks like seconds. Here "timeout" is in milliseconds.');
  review.report('timeoutInSeconds', value, message, {
    fixes: () => [changeFix(review.found, value, String(meant), false)],
  });
}
