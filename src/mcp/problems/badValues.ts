/** Values that the program does not take, and the whole file with them. Those whose meaning is clear can be fixed. */
import { t } from '../../base/l10n.ts';
import { nearestNames } from '../../base/near.ts';
import { quoted } from '../format/document.ts';
import { splitLine } from '../cli/shellWords.ts';
import { translateValue, transportOf } from '../dialects/dialects.ts';
import { hasAuthDetails } from '../dialects/dialectValues.ts';
import type { ObjectEntry } from '../format/entry.ts';
import { type Node, rawOf, stringOf } from '../text/nodes.ts';
import { keysOf, type ValueType } from '../format/ownKeys.ts';
import { valueOf } from '../text/values.ts';
import type { ValueFault } from '../format/verdict.ts';
import { changeFix, fix, removeFix, replaceSpan, writtenValue } from './fixes.ts';
import { listCommandFixes, splitCommandFixes } from './splitCommand.ts';
import type { Fix, Review } from './problem.ts';

export function reportValue(review: Review, entry: ObjectEntry, fault: ValueFault): void {
  const { field, at, name } = fault;
  if (field.name === 'transport') reportTransport(review, entry, fault);
  else if (field.name === 'type') reportType(review, entry, fault);
  else if (field.name === 'command' && at.type === 'array') {
    const message = t('The command must be a single string, with its arguments in "args". Split the list.');
    review.refuse('commandIsList', at, message, { fixes: () => listCommandFixes(review.found, entry, at) });
  } else if (at !== field.value) {
    const message =
      name === undefined
        ? t('All items of {0} must be strings. Put this one in double quotes.', quoted(field.name))
        : t(
            'All values of {0} must be strings. Put the value of {1} in double quotes.',
            quoted(field.name),
            quoted(name),
          );
    review.refuse('badValue', at, message, { fixes: () => quoteFixes(review, at, true) });
  } else {
    const message = expected(fault.rule.type, quoted(field.name));
    review.refuse('badValue', at, message, { fixes: () => valueFixes(review, entry, fault) });
  }
}

function expected(type: ValueType | undefined, name: string): string {
  switch (type) {
    case 'strings':
      return t('{0} must be a list of strings.', name);
    case 'stringObject':
      return t('{0} must be an object of strings.', name);
    case 'object':
      return t('{0} must be an object.', name);
    case 'wholeNumber':
      return t('{0} must be a whole number.', name);
    case 'boolean':
      return t('{0} must be true or false.', name);
    case 'duration':
      return t('{0} must be a number of seconds, or a duration such as "PT30S".', name);
    case 'string':
    case 'word':
    case undefined:
      return t('{0} must be a string.', name);
  }
}

function valueFixes(review: Review, entry: ObjectEntry, fault: ValueFault): Fix[] {
  const { found } = review;
  const { field, rule, at } = fault;
  const remove = (certain = false) => removeFix(found, entry.object, field, certain);
  const isTarget = field.name === 'command' || field.name === 'url';
  // Nothing is said, and nothing is lost.
  if (at.type === 'null') return isTarget ? [] : [remove(entry.isSingle(field))];
  const { type } = rule;
  if (type === 'strings') return listFixes(review, entry, fault);
  if (type === 'wholeNumber') return [...roundFixes(review, at), remove()];
  if (type === 'boolean' || type === 'duration') return [remove()];
  return type === 'object' || type === 'stringObject' ? [] : stringFixes(review, entry, fault);
}

function stringFixes(review: Review, entry: ObjectEntry, { field, at }: ValueFault): Fix[] {
  const said = valueOf(at);
  if (field.name === 'command' && said instanceof Map) {
    return splitCommandFixes(review.found, entry, field, said);
  }
  const meant = field.name === 'auth' ? translateValue(field.name, said) : undefined;
  if (meant === undefined) return quoteFixes(review, at, false);
  return [changeFix(review.found, at, JSON.stringify(meant), !hasAuthDetails(said))];
}

/** Numbers, and true and false, as the strings that they were meant to be, spelled as they were. */
export function quoteFixes({ found }: Review, node: Node, certain: boolean): Fix[] {
  if (node.type !== 'number' && node.type !== 'boolean') return [];
  return [fix(found, t('Put it in double quotes'), [replaceSpan(node, `"${rawOf(node)}"`)], certain)];
}

/** The words that a shell would find; but one word where a quote in it has no end. */
function listFixes({ found }: Review, entry: ObjectEntry, { field }: ValueFault): Fix[] {
  const line = stringOf(field.value);
  if (line === undefined) return [];
  const list = writtenValue(found, entry.object, field, splitLine(line) ?? [line]);
  return [fix(found, t('Put it into a list'), [replaceSpan(field.value, list)], false)];
}

function roundFixes({ found }: Review, at: Node): Fix[] {
  const rounded = at.type === 'number' ? Math.round(Number(rawOf(at))) : NaN;
  return Number.isSafeInteger(rounded) ? [changeFix(found, at, String(rounded), false)] : [];
}

const transports: readonly string[] = [...keysOf.local.transport.words, ...keysOf.remote.transport.words];

function reportTransport(review: Review, entry: ObjectEntry, { field, at }: ValueFault): void {
  const { found } = review;
  const allowed = entry.kind === 'local' ? keysOf.local.transport.words : keysOf.remote.transport.words;
  const word = stringOf(at) ?? '';
  const change = (to: string, certain: boolean) => changeFix(found, at, JSON.stringify(to), certain);
  const remove = () => removeFix(found, entry.object, field, at.type === 'null' && entry.isSingle(field));
  if (transports.includes(word)) {
    const [message, to] =
      entry.kind === 'local'
        ? [t('The transport of a server with a command is "stdio". Change or remove it.'), 'stdio']
        : [t('The transport of a server with a URL is "http" or "sse". Change or remove it.'), 'http'];
    review.refuse('transportMisfit', at, message, { fixes: () => [change(to, false), remove()] });
    return;
  }
  const same = transportOf(word);
  const meant = same === undefined ? nearestNames(word, allowed) : allowed.filter((each) => each === same);
  const message =
    allowed.length === 1
      ? t('This is not a valid transport. Use "stdio".')
      : t('This is not a valid transport. Use one of {0}.', allowed.map(quoted).join(', '));
  review.refuse('unknownTransport', at, message, {
    fixes: () => [...meant.map((to) => change(to, same !== undefined)), remove()],
  });
}

/** `type` of a local server; for a remote one it may be anything, and is ignored. */
function reportType(review: Review, entry: ObjectEntry, { field, at }: ValueFault): void {
  const { found } = review;
  const message = t('"type" of a server with a command must be "stdio". Change or remove it.');
  review.refuse('badType', at, message, {
    fixes: () => [
      changeFix(found, at, '"stdio"', transportOf(valueOf(at)) === 'stdio'),
      removeFix(found, entry.object, field),
    ],
  });
}
