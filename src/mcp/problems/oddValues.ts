/** Values that the program takes, and makes something else of than was meant. */
import { t } from '../../base/l10n.ts';
import { quoted } from '../document.ts';
import type { ObjectEntry } from '../entry.ts';
import { lastOfEach, type Member, nameSpan, type Node, objectOf } from '../nodes.ts';
import { meantBoolean } from '../ownKeys.ts';
import { valueOf } from '../values.ts';
import { isTaken } from '../verdict.ts';
import { quoteFixes } from './badValues.ts';
import { changeFix, removeFix } from './fixes.ts';
import type { Review } from './problem.ts';

export function checkEnabled(review: Review, entry: ObjectEntry): void {
  const value = entry.keys.get('enabled')?.value;
  if (!value || value.type === 'boolean') return;
  const { enabled } = entry;
  const message = enabled
    ? t('"enabled" should be true or false. This value counts as true: the server is enabled.')
    : t('"enabled" should be true or false. This value counts as false: the server is disabled.');
  review.report('enabledIsNoBoolean', value, message, {
    fixes: () => {
      const meant = meantBoolean(valueOf(value));
      const change = (to: boolean, certain: boolean) => changeFix(review.found, value, String(to), certain);
      if (meant === undefined || meant === enabled) return [change(enabled, true)];
      return [change(meant, false), change(enabled, false)];
    },
  });
}

/** The program takes any value of a variable, and fails when it starts the server. */
export function checkVariableValues(review: Review, entry: ObjectEntry): void {
  const env = entry.record('env');
  if (!env?.members.some(isNoString)) return;
  for (const { name, value } of [...lastOfEach(env).values()].filter(isNoString)) {
    const message = t(
      'The server cannot be started like this: the value of {0} must be a string.',
      quoted(name),
    );
    review.report('variableIsNoString', value, message, { fixes: () => quoteFixes(review, value, true) });
  }
}

function isNoString({ value }: Member): boolean {
  return value.type !== 'string';
}

/** What the program knows of a tool. Another key keeps the server from starting. */
const toolKeys: ReadonlySet<string> = new Set([
  'name',
  'version',
  'title',
  'description',
  'tags',
  'meta',
  'enabled',
  'arguments',
]);

export function checkTools(review: Review, entry: ObjectEntry): void {
  const { keys } = entry;
  const field = keys.get('tools');
  const tools = objectOf(field?.value);
  for (const tags of [keys.get('include_tags'), keys.get('exclude_tags')]) {
    if (!tags || tags.value.type === 'null' || isList(tags.value)) continue;
    const message = tools
      ? t('{0} must be a list of strings. As it is, it is ignored, and so is "tools".', quoted(tags.name))
      : t('{0} must be a list of strings. As it is, it is ignored.', quoted(tags.name));
    review.report('ignoredTools', tags.value, message);
  }
  if (!field) return;
  if (!tools && field.value.type !== 'null') {
    const message = t(
      '"tools" is ignored, so agents get all tools. To switch one off, write "tools": {"NAME": {"enabled": false}}.',
    );
    review.report('ignoredTools', nameSpan(field), message, {
      fixes: () => [removeFix(review.found, entry.object, field)],
    });
  }
  for (const tool of lastOfEach(tools).values()) checkTool(review, tool);
}

function isList(value: Node): boolean {
  return value.type === 'array' && value.items.every(({ type }) => type === 'string');
}

function checkTool(review: Review, tool: Member): void {
  const keys = lastOfEach(objectOf(tool.value));
  const enabled = keys.get('enabled');
  const isKnown =
    tool.value.type === 'object' &&
    [...keys.keys()].every((key) => toolKeys.has(key)) &&
    (!enabled || isTaken(enabled, { type: 'boolean' }));
  if (isKnown) return;
  const message = t(
    'The server cannot be started like this: a tool needs an object such as {"enabled": false}.',
  );
  review.report('badTool', tool.value, message);
}
