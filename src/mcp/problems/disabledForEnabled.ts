/** `disabled`, which says in other programs the opposite of what `enabled` says here. */
import { t } from '../../base/l10n.ts';
import { translateValue } from '../dialects/dialects.ts';
import type { ObjectEntry } from '../format/entry.ts';
import { type Member, nameSpan } from '../text/nodes.ts';
import { valueOf } from '../text/values.ts';
import { fix, removeFix, renamed, replaceSpan } from './fixes.ts';
import type { Review } from './problem.ts';

export function checkDisabled(review: Review, entry: ObjectEntry, field: Member): void {
  const { found } = review;
  const meant = translateValue(field.name, valueOf(field.value));
  if (entry.keys.has('enabled')) {
    const agrees = meant === entry.enabled;
    const message = t('"disabled" is ignored here: "enabled" counts. Remove "disabled".');
    review.report('disabledForEnabled', nameSpan(field), message, {
      fixes: () => [removeFix(found, entry.object, field, agrees && entry.isSingle(field))],
    });
    return;
  }
  const message = t(
    '"disabled" is ignored: this server is enabled. Use "enabled": {0} instead.',
    String(meant === true),
  );
  review.report('disabledForEnabled', nameSpan(field), message, {
    fixes: () => {
      if (meant === undefined) return [removeFix(found, entry.object, field)];
      const edits = [renamed(field, 'enabled'), replaceSpan(field.value, JSON.stringify(meant))];
      const title = t('Change to "enabled": {0}', JSON.stringify(meant));
      return [fix(found, title, edits, entry.isSingle(field))];
    },
  });
}
