import { quoted } from '../document.ts';
import type { ProblemCode } from './codes.ts';
import { removeFix, sameField } from './fixes.ts';
import type { Review } from './problem.ts';
import { type Field, type Fields, nameOf } from './tree.ts';

/** Reports members that count for nothing, because another of the same name follows; the others, in their order. */
export function checkDuplicates(
  review: Review,
  code: ProblemCode,
  fields: Fields,
  isMeant: (field: Field) => boolean = () => true,
): readonly Field[] {
  const { found } = review;
  const last = new Map<string, Field>();
  for (const field of fields.members) last.set(field.name, field);
  if (last.size === fields.members.length) return fields.members;
  return fields.members.filter((field) => {
    const counting = last.get(field.name);
    if (!counting || counting === field || !isMeant(field)) return counting === field;
    const name = quoted(field.name);
    review.report(
      code,
      nameOf(field),
      `${name} is there again below, and only the last one counts. Remove this one.`,
      {
        related: [{ ...nameOf(counting), message: `This ${name} counts.` }],
        fixes: () => [removeFix(found, fields, field, sameField(found, field, counting))],
      },
    );
    return false;
  });
}
