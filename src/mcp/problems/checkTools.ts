/** `tools` of a server: what is ignored of it, and what keeps the server from starting. No file is refused for it. */
import { t } from '../../base/l10n.ts';
import { quoted } from '../format/document.ts';
import type { ObjectEntry } from '../format/entry.ts';
import { booleanOf, lastOf, type Member, nameSpan, objectOf, type ObjectNode } from '../text/nodes.ts';
import type { KeyRule } from '../format/ownKeys.ts';
import { ignoredTags } from '../format/entryTools.ts';
import { sameValue, type Value, valueOf } from '../text/values.ts';
import { isTaken } from '../format/verdict.ts';
import { checkDuplicates } from './duplicates.ts';
import { fix, removeFix, renamed, replaceSpan, writtenValue } from './fixes.ts';
import type { Review } from './problem.ts';

const text: KeyRule = { type: 'string', orNull: true };

/** What the program knows of a tool, and what it takes there. Anything else keeps the server from starting. */
const toolKeys: ReadonlyMap<string, KeyRule> = new Map<string, KeyRule>([
  ['name', text],
  ['version', text],
  ['title', text],
  ['description', text],
  ['tags', {}],
  ['meta', { type: 'object', orNull: true }],
  ['enabled', { type: 'boolean' }],
  ['arguments', { type: 'object' }],
]);

export function checkTools(review: Review, entry: ObjectEntry): void {
  const { keys } = entry;
  const field = keys.get('tools');
  const tools = objectOf(field?.value);
  for (const tags of ignoredTags(keys)) {
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
      fixes: () => [removeFix(review.found, entry.object, field, isAll(valueOf(field.value)))],
    });
  }
  if (!tools) return;
  for (const tool of checkDuplicates(review, 'duplicateKey', tools)) checkTool(review, tools, tool);
}

/** As other programs say that agents get all tools. */
function isAll(value: Value): boolean {
  return sameValue(value, ['*']);
}

function checkTool(review: Review, tools: ObjectNode, tool: Member): void {
  const { found } = review;
  const object = objectOf(tool.value);
  if (!object) {
    const message = t(
      'The server cannot be started like this: a tool needs an object such as {"enabled": false}.',
    );
    review.report('badTool', tool.value, message, {
      fixes: () => {
        const on = booleanOf(tool.value);
        if (on !== false) return [removeFix(found, tools, tool)];
        const off = writtenValue(found, tools, tool, new Map([['enabled', false]]));
        return [fix(found, t('Change to "enabled": {0}', String(on)), [replaceSpan(tool.value, off)], true)];
      },
    });
    return;
  }
  for (const field of checkDuplicates(review, 'duplicateKey', object)) checkToolKey(review, object, field);
}

function checkToolKey(review: Review, tool: ObjectNode, field: Member): void {
  const { found } = review;
  const { name, value } = field;
  const rule = toolKeys.get(name);
  if (!rule) {
    const message = t('The server cannot be started like this: a tool has no {0}.', quoted(name));
    review.report('badTool', nameSpan(field), message, {
      fixes: () => {
        const off = name === 'disabled' && !lastOf(tool, 'enabled') ? booleanOf(value) : undefined;
        if (off === undefined) return [removeFix(found, tool, field)];
        const edits = [renamed(field, 'enabled'), replaceSpan(value, String(!off))];
        return [fix(found, t('Change to "enabled": {0}', String(!off)), edits, true)];
      },
    });
  } else if (!isTaken(field, rule)) {
    const message = t(
      'The server cannot be started like this: a tool cannot have this value for {0}.',
      quoted(name),
    );
    review.report('badTool', value, message, { fixes: () => [removeFix(found, tool, field)] });
  }
}
