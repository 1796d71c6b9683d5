import { t } from '../../base/l10n.ts';
import { quoted } from '../document.ts';
import { renameFix } from './fixes.ts';
import type { Review } from './problem.ts';
import { type ObjectNode, nameSpan } from '../nodes.ts';

/** What HTTP takes for the name of a header. */
const token = /^[!#$%&'*+.^_`|~\dA-Za-z-]+$/;

export function checkHeaders(review: Review, headers: ObjectNode): void {
  for (const field of headers.members) {
    const { name } = field;
    if (token.test(name)) continue;
    const message =
      name === ''
        ? t('This header has no name. Give it one.')
        : t('{0} is not a valid header name. Use letters, digits and hyphens.', quoted(name));
    review.report('badHeaderName', nameSpan(field), message, {
      fixes: () => {
        const better = name.replace(/[\s:]+$|^\s+/g, '').replace(/\s+/g, '-');
        const taken = headers.members.some((other) => other.name === better);
        if (!token.test(better) || taken) return [];
        return [renameFix(review.found, field, better, false)];
      },
    });
  }
}
