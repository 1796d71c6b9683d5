import { t } from '../../base/l10n.ts';
import { quoted } from '../format/document.ts';
import { renameFix } from './fixes.ts';
import type { Review } from './problem.ts';
import { isHeaderName, isHeaderValue, isVariableName, isVariableValue } from '../format/serverRules.ts';
import { type ObjectNode, nameSpan, stringOf } from '../text/nodes.ts';

export function checkHeaders(review: Review, headers: ObjectNode): void {
  for (const field of headers.members) {
    const { name } = field;
    const value = stringOf(field.value);
    if (value !== undefined && !isHeaderValue(value)) {
      const message = t(
        '{0} has a line break or another control character in its value. Remove it.',
        quoted(name),
      );
      review.report('badHeaderValue', field.value, message);
    }
    if (isHeaderName(name)) continue;
    const message =
      name === ''
        ? t('This header has no name. Give it one.')
        : t('{0} is not a valid header name. Use letters, digits and hyphens.', quoted(name));
    review.report('badHeaderName', nameSpan(field), message, {
      fixes: () => {
        const better = name.replace(/[\s:]+$|^\s+/g, '').replace(/\s+/g, '-');
        const taken = headers.members.some((other) => other.name === better);
        if (!isHeaderName(better) || taken) return [];
        return [renameFix(review.found, field, better, false)];
      },
    });
  }
}

export function checkVariables(review: Review, env: ObjectNode): void {
  for (const field of env.members) {
    const { name, value } = field;
    if (!isVariableName(name)) {
      const message =
        name === ''
          ? t('This variable has no name. Give it one.')
          : t('{0} is not a valid variable name. Leave out spaces and "=".', quoted(name));
      review.report('badVariable', nameSpan(field), message);
    } else if (!isVariableValue(stringOf(value) ?? '')) {
      review.report(
        'badVariable',
        value,
        t('{0} has a NUL character in its value. Remove it.', quoted(name)),
      );
    }
  }
}
