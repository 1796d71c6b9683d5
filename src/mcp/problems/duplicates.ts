import { t } from '../../base/l10n.ts';
import { quoted } from '../format/document.ts';
import type { TakenCode } from './codes.ts';
import { removeFix, sameField } from './fixes.ts';
import type { Review } from './problem.ts';
import { type Member, type ObjectNode, nameSpan } from '../text/nodes.ts';

/** Reports members that are ignored because another of the same name follows. Returns the others, in their order. */
export function checkDuplicates(
  review: Review,
  code: TakenCode,
  fields: ObjectNode,
  isMeant: (field: Member) => boolean = () => true,
): readonly Member[] {
  const { found } = review;
  const last = new Map<string, Member>();
  for (const field of fields.members) last.set(field.name, field);
  if (last.size === fields.members.length) return fields.members;
  return fields.members.filter((field) => {
    const counting = last.get(field.name);
    if (!counting || counting === field || !isMeant(field)) return counting === field;
    const name = quoted(field.name);
    review.report(
      code,
      nameSpan(field),
      t('{0} appears again below, and only the last one counts. Remove this one.', name),
      {
        related: [{ ...nameSpan(counting), message: t('This {0} counts.', name) }],
        fixes: () => [removeFix(found, fields, field, sameField(field, counting))],
      },
    );
    return false;
  });
}
