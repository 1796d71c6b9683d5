/** What fixes are made of. Whatever they write comes in the style around it. */
import type { Edit } from 'jsonc-parser';
import { t } from '../../base/l10n.ts';
import { quoted } from '../document.ts';
import { insertMember } from '../insert.ts';
import type { Outline } from '../outline.ts';
import type { Span } from '../reader.ts';
import { removeMembers } from '../removal.ts';
import { parseValue, sameValue, type Value } from '../values.ts';
import type { Fix } from './problem.ts';
import { type Field, type Fields, nameOf } from './tree.ts';

/** What takes a comment with it is never done without asking. */
export function fix({ comments }: Outline, title: string, edits: readonly Edit[], certain: boolean): Fix {
  const lost = comments.some(({ start, end }) =>
    edits.some(({ offset, length }) => offset <= start && end <= offset + length),
  );
  return { title, edits, certain: certain && !lost };
}

export function replace({ start, end }: Span, content: string): Edit {
  return { offset: start, length: end - start, content };
}

export function renamed(field: Field, name: string): Edit {
  return replace(nameOf(field), JSON.stringify(name));
}

export function renameFix(found: Outline, field: Field, name: string, certain: boolean): Fix {
  return fix(found, t('Rename to {0}', quoted(name)), [renamed(field, name)], certain);
}

export function removeFix(found: Outline, fields: Fields, field: Field, certain = false): Fix {
  return fix(found, t('Remove {0}', quoted(field.name)), removeMembers(found, fields, [field]), certain);
}

/** The content is shown, so it is nothing but a word that we know. */
export function changeFix(found: Outline, at: Span, content: string, certain: boolean): Fix {
  return fix(found, t('Change to {0}', content), [replace(at, content)], certain);
}

export function inserted(found: Outline, fields: Fields, name: string, value: Value): Edit[] {
  return insertMember(found, fields, name, value);
}

/** Whether both fields have the same value. */
export function sameField({ text }: Outline, one: Field, other: Field): boolean {
  const value = (field: Field) => {
    const { start, end } = field.value;
    return parseValue(text.slice(start, end));
  };
  return sameValue(value(one), value(other));
}
