/** Values of the wrong type. Those whose meaning is clear can be fixed. */
import { t } from '../../base/l10n.ts';
import { quoted } from '../document.ts';
import { indentAt } from '../lines.ts';
import { splitLine } from '../shellWords.ts';
import { styleOf } from '../style.ts';
import { writeValue } from '../write.ts';
import { known, type ValueType } from './dialects.ts';
import { changeFix, fix, removeFix, replace } from './fixes.ts';
import { listCommandFixes } from './listCommand.ts';
import type { Fix, Review } from './problem.ts';
import type { ObjectEntry } from '../entry.ts';
import { type Member, type Node, objectOf, rawOf, stringOf } from '../nodes.ts';

export function checkTypes(review: Review, entry: ObjectEntry): void {
  for (const field of entry.keys.values()) {
    const type = known.get(field.name)?.type;
    if (type !== undefined) checks[type](review, entry, field);
  }
}

const checks: Readonly<Record<ValueType, (review: Review, entry: ObjectEntry, field: Member) => void>> = {
  string: checkString,
  strings: checkStrings,
  record: checkRecord,
  boolean: checkBoolean,
  number: checkNumber,
};

function checkString(review: Review, entry: ObjectEntry, field: Member): void {
  const { name, value } = field;
  if (value.type === 'string') return;
  if (name === 'command' && value.type === 'array') {
    const message = t('The command must be a single string, with its arguments in "args". Split the list.');
    review.report('commandIsList', field.value, message, {
      fixes: () => listCommandFixes(review.found, entry, value),
    });
    return;
  }
  const message = t('{0} must be a string.', quoted(name));
  report(review, entry, field, message, () => quoteFixes(review, value, false));
}

function checkStrings(review: Review, entry: ObjectEntry, field: Member): void {
  const { name, value } = field;
  if (value.type !== 'array') {
    const message = t('{0} must be a list of strings.', quoted(name));
    report(review, entry, field, message, () => listFixes(review, entry, field));
    return;
  }
  for (const item of value.items) {
    if (item.type === 'string') continue;
    const message = t('All items of {0} must be strings. Put this one in double quotes.', quoted(name));
    review.report('badValue', item, message, { fixes: () => quoteFixes(review, item, true) });
  }
}

function checkRecord(review: Review, entry: ObjectEntry, field: Member): void {
  const fields = objectOf(field.value);
  if (!fields) {
    const message = t('{0} must be an object of strings.', quoted(field.name));
    report(review, entry, field, message, () => []);
    return;
  }
  for (const { name, value } of fields.members) {
    if (value.type === 'string') continue;
    const message = t(
      'All values of {0} must be strings. Put the value of {1} in double quotes.',
      quoted(field.name),
      quoted(name),
    );
    review.report('badValue', value, message, { fixes: () => quoteFixes(review, value, true) });
  }
}

function checkBoolean(review: Review, entry: ObjectEntry, field: Member): void {
  const { name, value } = field;
  if (value.type === 'boolean') return;
  const message = t('{0} must be true or false.', quoted(name));
  report(review, entry, field, message, () => {
    const word = stringOf(value)?.trim().toLowerCase() ?? rawOf(value);
    const meant = new Map([
      ['true', 'true'],
      ['false', 'false'],
      ['1', 'true'],
      ['0', 'false'],
    ]).get(word);
    if (meant === undefined) return [removeFix(review.found, entry.object, field)];
    return [changeFix(review.found, field.value, meant, word === meant)];
  });
}

function checkNumber(review: Review, entry: ObjectEntry, field: Member): void {
  const { name, value } = field;
  if (value.type === 'number' && !rawOf(value).startsWith('-')) return;
  const message = t('{0} must be a number that is not negative.', quoted(name));
  report(review, entry, field, message, () => {
    const digits = /^\s*(0|[1-9]\d{0,14})\s*$/.exec(stringOf(value) ?? '')?.[1];
    if (digits === undefined) return [removeFix(review.found, entry.object, field)];
    return [fix(review.found, t('Remove the quotes'), [replace(field.value, digits)], true)];
  });
}

/** `null` is as good as nothing, where the key is not needed. */
function report(
  review: Review,
  entry: ObjectEntry,
  field: Member,
  message: string,
  fixes: () => Fix[],
): void {
  const { name, value } = field;
  const needed = name === 'command' || name === 'url';
  review.report('badValue', field.value, message, {
    fixes: () =>
      value.type === 'null'
        ? [removeFix(review.found, entry.object, field, !needed && entry.isSingle(field))]
        : fixes(),
  });
}

/** Numbers, and true and false, as the strings that they were meant to be, spelled as they were. */
function quoteFixes({ found }: Review, node: Node, certain: boolean): Fix[] {
  if (node.type !== 'number' && node.type !== 'boolean') return [];
  const { start, end } = node;
  const literal = found.text.slice(start, end);
  return [fix(found, t('Put it in double quotes'), [replace({ start, end }, `"${literal}"`)], certain)];
}

/** The words that a shell would find; but one word where a quote in it has no end. */
function listFixes({ found }: Review, entry: ObjectEntry, { value, start }: Member): Fix[] {
  const line = stringOf(value);
  if (line === undefined) return [];
  const { text, root } = found;
  const style = styleOf(text, entry.object, root);
  const list = writeValue(splitLine(line) ?? [line], style, indentAt(text, start));
  return [fix(found, t('Put it into a list'), [replace(value, list)], false)];
}
