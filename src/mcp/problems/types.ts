/** Values of the wrong type. What was written otherwise than it was meant is put right. */
import { quoted } from '../document.ts';
import { known, type ValueType } from './dialects.ts';
import { changeFix, fix, removeFix, replace } from './fixes.ts';
import { listCommandFixes } from './listCommand.ts';
import type { Fix, Review } from './problem.ts';
import type { Entry } from './servers.ts';
import { type Field, type Item, rawOf, stringOf } from './tree.ts';

export function checkTypes(review: Review, entry: Entry): void {
  for (const field of entry.counting) {
    const type = known.get(field.name)?.type;
    if (type !== undefined) checks[type](review, entry, field);
  }
}

const checks: Readonly<Record<ValueType, (review: Review, entry: Entry, field: Field) => void>> = {
  string: checkString,
  strings: checkStrings,
  record: checkRecord,
  boolean: checkBoolean,
  number: checkNumber,
};

function checkString(review: Review, entry: Entry, field: Field): void {
  const { name, value } = field;
  if (value.type === 'string') return;
  if (name === 'command' && value.type === 'array') {
    const message = 'The command is a single string here, and its arguments are "args". Split the list.';
    review.report('commandIsList', field.value, message, {
      fixes: () => listCommandFixes(review.found, entry, field),
    });
    return;
  }
  report(review, entry, field, 'a string', () => quoteFixes(review, value, false));
}

function checkStrings(review: Review, entry: Entry, field: Field): void {
  const { name, value } = field;
  if (value.type !== 'array') {
    const literal = review.found.text.slice(field.valueStart, field.end);
    report(review, entry, field, 'a list of strings', () =>
      value.type === 'string'
        ? [fix(review.found, 'Put it into a list', [replace(field.value, `[${literal}]`)], false)]
        : [],
    );
    return;
  }
  for (const item of value.items) {
    if (item.type === 'string') continue;
    const message = `All items of ${quoted(name)} are strings. Write this one in double quotes.`;
    review.report('badValue', item, message, { fixes: () => quoteFixes(review, item, true) });
  }
}

function checkRecord(review: Review, entry: Entry, field: Field): void {
  const fields = field.value.fields;
  if (!fields) {
    report(review, entry, field, 'an object of strings', () => []);
    return;
  }
  for (const { name, value } of fields.members) {
    if (value.type === 'string') continue;
    const message = `All values of ${quoted(field.name)} are strings. Write that of ${quoted(name)} in double quotes.`;
    review.report('badValue', value, message, { fixes: () => quoteFixes(review, value, true) });
  }
}

function checkBoolean(review: Review, entry: Entry, field: Field): void {
  const { value } = field;
  if (value.type === 'boolean') return;
  report(review, entry, field, 'true or false', () => {
    const word = stringOf(value)?.trim().toLowerCase() ?? rawOf(value);
    const meant = new Map([
      ['true', 'true'],
      ['false', 'false'],
      ['1', 'true'],
      ['0', 'false'],
    ]).get(word);
    if (meant === undefined) return [removeFix(review.found, entry.fields, field)];
    return [changeFix(review.found, field.value, meant, word === meant)];
  });
}

function checkNumber(review: Review, entry: Entry, field: Field): void {
  const { value } = field;
  if (value.type === 'number' && !rawOf(value).startsWith('-')) return;
  report(review, entry, field, 'a number that is not negative', () => {
    const digits = /^\s*(0|[1-9]\d{0,14})\s*$/.exec(stringOf(value) ?? '')?.[1];
    if (digits === undefined) return [removeFix(review.found, entry.fields, field)];
    return [fix(review.found, 'Remove the quotes', [replace(field.value, digits)], true)];
  });
}

/** `null` is as good as nothing, where the key is not needed. */
function report(review: Review, entry: Entry, field: Field, type: string, fixes: () => Fix[]): void {
  const { name, value } = field;
  const needed = name === 'command' || name === 'url';
  review.report('badValue', field.value, `The value of ${quoted(name)} has to be ${type}. Change it.`, {
    fixes: () =>
      value.type === 'null'
        ? [removeFix(review.found, entry.fields, field, !needed && entry.isSingle(field))]
        : fixes(),
  });
}

/** Numbers, and true and false, as the strings that they were meant to be, spelled as they were. */
function quoteFixes({ found }: Review, node: Item, certain: boolean): Fix[] {
  if (node.type !== 'number' && node.type !== 'boolean') return [];
  const { start, end } = node;
  const literal = found.text.slice(start, end);
  return [fix(found, 'Put it in double quotes', [replace({ start, end }, `"${literal}"`)], certain)];
}
