import { t } from '../../base/l10n.ts';
import { impliedTransport, transportOf } from '../dialects/dialects.ts';
import { fix, inserted } from './fixes.ts';
import type { Review } from './problem.ts';
import type { ObjectEntry } from '../format/entry.ts';

/** A URL without a transport that means another one in the program that the entry is from. */
export function checkTransport(review: Review, entry: ObjectEntry): void {
  const { keys } = entry;
  const url = keys.get('url');
  if (!url || keys.has('transport')) return;
  const implied = impliedTransport((key) => keys.has(key));
  if (!implied || entry.server?.transport !== 'http' || transportOf(entry.string('type'))) return;
  const message = t('Without "transport", this URL means "{0}" in other programs, and "http" here.', implied);
  const add = (transport: string) =>
    fix(
      review.found,
      t('Add "transport": "{0}"', transport),
      inserted(review.found, entry.object, 'transport', transport),
      false,
    );
  review.report('impliedTransport', url.value, message, { fixes: () => [add(implied), add('http')] });
}
