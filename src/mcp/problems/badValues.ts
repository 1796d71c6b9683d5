/** Values of the wrong type. Those whose meaning is clear can be fixed. */
import { t } from '../../base/l10n.ts';
import { quoted } from '../document.ts';
import { splitLine } from '../shellWords.ts';
import { translateValue } from '../dialects.ts';
import { hasAuthDetails } from '../dialectValues.ts';
import { meantBoolean, meantNumber, ownKeys, type ValueType } from '../ownKeys.ts';
import { valueOf } from '../values.ts';
import { changeFix, fix, removeFix, replace, written } from './fixes.ts';
import { listCommandFixes, splitCommandFixes } from './splitCommand.ts';
import type { Fix, Review } from './problem.ts';
import type { ObjectEntry } from '../entry.ts';
import { type Member, type Node, objectOf, rawOf, stringOf } from '../nodes.ts';

export function checkTypes(review: Review, entry: ObjectEntry): void {
  for (const field of entry.keys.values()) {
    const type = ownKeys.get(field.name)?.type;
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
  report(review, entry, field, message, () => {
    const said = valueOf(value);
    if (name === 'command' && said instanceof Map) return splitCommandFixes(review.found, entry, field, said);
    const meant = name === 'auth' ? translateValue(name, said) : undefined;
    if (meant !== undefined) {
      return [changeFix(review.found, value, JSON.stringify(meant), !hasAuthDetails(said))];
    }
    return quoteFixes(review, value, false);
  });
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
    const meant = meantBoolean(valueOf(value));
    if (meant !== undefined) return [changeFix(review.found, value, String(meant), true)];
    const number = /^"?\s*([01])\s*"?$/.exec(rawOf(value))?.[1];
    if (number !== undefined) return [changeFix(review.found, value, String(number === '1'), false)];
    return [removeFix(review.found, entry.object, field)];
  });
}

function checkNumber(review: Review, entry: ObjectEntry, field: Member): void {
  const { name, value } = field;
  if (value.type === 'number' && !rawOf(value).startsWith('-')) return;
  const message = t('{0} must be a number that is not negative.', quoted(name));
  report(review, entry, field, message, () => {
    const meant = meantNumber(valueOf(value));
    if (meant === undefined) return [removeFix(review.found, entry.object, field)];
    return [fix(review.found, t('Remove the quotes'), [replace(value, String(meant))], true)];
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
function listFixes({ found }: Review, entry: ObjectEntry, field: Member): Fix[] {
  const line = stringOf(field.value);
  if (line === undefined) return [];
  const list = written(found, entry.object, field, splitLine(line) ?? [line]);
  return [fix(found, t('Put it into a list'), [replace(field.value, list)], false)];
}
