/** `oauth` of Gemini CLI and Claude Code: true, or an object with the details of signing in. */
import { t } from '../../base/l10n.ts';
import { quoted } from '../document.ts';
import { fix, removeFix, renamed, renameFix, replace } from './fixes.ts';
import type { Review } from './problem.ts';
import type { ObjectEntry } from '../entry.ts';
import { booleanOf, type Member, nameSpan, objectOf, stringOf } from '../nodes.ts';

export function checkOAuth(review: Review, entry: ObjectEntry, field: Member): void {
  const { found } = review;
  const { value } = field;
  const at = nameSpan(field);
  const members = objectOf(value)?.members ?? [];
  const enabled = members.findLast(({ name }) => name === 'enabled')?.value;
  const isOn = value.type === 'object' ? booleanOf(enabled) !== false : booleanOf(value) === true;
  const remove = () => [removeFix(found, entry.object, field)];
  if (entry.keys.get('auth')) {
    const message = t(
      '{0} is a key of other programs and ignored here: {1} counts. Remove {0}.',
      '"oauth"',
      '"auth"',
    );
    review.report('foreignKey', at, message, { fixes: remove });
  } else if (isOn) {
    const auth = `${quoted('auth')}: ${quoted('oauth')}`;
    const message = t('{0} is a key of other programs. Use {1} here.', '"oauth"', auth);
    review.report('foreignKey', at, message, {
      fixes: () => {
        const edits = [renamed(field, 'auth'), replace(value, '"oauth"')];
        // Details would be lost.
        const certain = members.every(({ name }) => name === 'enabled') && entry.isSingle(field);
        return [fix(found, t('Change to {0}', auth), edits, certain)];
      },
    });
  } else if (stringOf(value)) {
    const message = t('{0} is a key of other programs. Use {1} here.', '"oauth"', '"auth"');
    review.report('foreignKey', at, message, { fixes: () => [renameFix(found, field, 'auth', false)] });
  } else {
    const message = t('{0} is ignored here. Remove it.', '"oauth"');
    review.report('foreignKey', at, message, { fixes: remove });
  }
}
