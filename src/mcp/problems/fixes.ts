/** What fixes are made of. Whatever they write comes in the style around it. */
import type { Edit } from 'jsonc-parser';
import { t } from '../../base/l10n.ts';
import { quoted } from '../format/document.ts';
import { insertMember } from '../edit/insert.ts';
import { indentAt } from '../text/lines.ts';
import type { Outline } from '../format/outline.ts';
import type { Span } from '../text/nodes.ts';
import { removeMembers } from '../edit/removal.ts';
import { styleOf } from '../text/style.ts';
import { sameValue, type Value, valueOf } from '../text/values.ts';
import { writeValue } from '../text/write.ts';
import type { Fix } from './problem.ts';
import { type Member, type ObjectNode, nameSpan } from '../text/nodes.ts';

/** What takes a comment with it is never done without asking. */
export function fix({ comments }: Outline, title: string, edits: readonly Edit[], certain: boolean): Fix {
  const lost = comments.some(({ start, end }) =>
    edits.some(({ offset, length }) => offset <= start && end <= offset + length),
  );
  return { title, edits, certain: certain && !lost };
}

export function replaceSpan({ start, end }: Span, content: string): Edit {
  return { offset: start, length: end - start, content };
}

export function renamed(field: Member, name: string): Edit {
  return replaceSpan(nameSpan(field), JSON.stringify(name));
}

export function renameFix(found: Outline, field: Member, name: string, certain: boolean): Fix {
  return fix(found, t('Rename to {0}', quoted(name)), [renamed(field, name)], certain);
}

export function removeFix(found: Outline, fields: ObjectNode, field: Member, certain = false): Fix {
  return fix(found, t('Remove {0}', quoted(field.name)), removeMembers(found, fields, [field]), certain);
}

/** The content is shown, so it is nothing but a word that we know. */
export function changeFix(found: Outline, at: Span, content: string, certain: boolean): Fix {
  return fix(found, t('Change to {0}', content), [replaceSpan(at, content)], certain);
}

export function inserted(found: Outline, fields: ObjectNode, name: string, value: Value): Edit[] {
  return insertMember(found, fields, name, value);
}

/** A value as it is written in the place of that of a field. */
export function writtenValue(
  { text, root }: Outline,
  object: ObjectNode,
  field: Member,
  value: Value,
): string {
  return writeValue(value, styleOf(text, object, root), indentAt(text, field.start));
}

/** Whether both fields have the same value. */
export function sameField(one: Member, other: Member): boolean {
  return sameValue(valueOf(one.value), valueOf(other.value));
}
