/**
 * Checks `tools` of a server. Faults are ignored or keep the server from
 * starting; no file is refused for them.
 */
import { t } from '../../base/l10n.ts';
import { quotedName } from '../format/document.ts';
import {
  booleanOf,
  lastOf,
  type Member,
  nameSpan,
  type ObjectNode,
  objectOf,
} from '../text/nodes.ts';
import type { KeyRule } from '../dialects/ownKeys.ts';
import { sameValue, valueOf } from '../text/values.ts';
import { fitsRule, ignoredTags } from '../format/verdict.ts';
import { replaceSpan } from '../text/withEdits.ts';
import {
  type CheckedEntry,
  type ProblemCollector,
  renameEdit,
} from './problem.ts';

const text: KeyRule = { type: 'string', orNull: true };

/**
 * The keys of a tool and their values. Anything else keeps the server from
 * starting.
 */
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

export function checkTools(entry: CheckedEntry): void {
  const { keys } = entry;
  const field = keys.get('tools');
  const tools = objectOf(field?.value);
  for (const tags of ignoredTags(keys)) {
    const message = tools
      ? t(
          '{0} must be a list of strings. As it is, it is ignored, and so is "tools".',
          quotedName(tags.name),
        )
      : t(
          '{0} must be a list of strings. As it is, it is ignored.',
          quotedName(tags.name),
        );
    entry.problems.report('ignoredTools', tags.value, message);
  }
  if (!field) return;
  if (!tools && field.value.type !== 'null') {
    const message = t(
      '"tools" is ignored, so agents get all tools. To turn one off, write "tools": {"NAME": {"enabled": false}}.',
    );
    // ["*"] means all tools in other programs.
    entry.problems.report('ignoredTools', nameSpan(field), message, () => [
      entry.removeFix(field, sameValue(valueOf(field.value), ['*'])),
    ]);
  }
  if (!tools) return;
  for (const tool of entry.problems.reportDuplicates('duplicateKey', tools))
    checkTool(entry.problems, tools, tool);
}

function checkTool(
  problems: ProblemCollector,
  tools: ObjectNode,
  tool: Member,
): void {
  const object = objectOf(tool.value);
  if (!object) {
    const message = t(
      'The server cannot be started like this: a tool needs an object such as {"enabled": false}.',
    );
    problems.report('badTool', tool.value, message, () => {
      const on = booleanOf(tool.value);
      if (on !== false) return [problems.removeFix(tools, tool)];
      const off = problems.writeFor(tools, tool, new Map([['enabled', false]]));
      return [
        problems.fix(
          t('Change to "enabled": {0}', String(on)),
          [replaceSpan(tool.value, off)],
          true,
        ),
      ];
    });
    return;
  }
  for (const field of problems.reportDuplicates('duplicateKey', object))
    checkToolKey(problems, object, field);
}

function checkToolKey(
  problems: ProblemCollector,
  tool: ObjectNode,
  field: Member,
): void {
  const { name, value } = field;
  const rule = toolKeys.get(name);
  if (!rule) {
    const message = t(
      'The server cannot be started like this: a tool has no {0}.',
      quotedName(name),
    );
    problems.report('badTool', nameSpan(field), message, () => {
      const off =
        name === 'disabled' && !lastOf(tool, 'enabled')
          ? booleanOf(value)
          : undefined;
      if (off === undefined) return [problems.removeFix(tool, field)];
      const edits = [
        renameEdit(field, 'enabled'),
        replaceSpan(value, String(!off)),
      ];
      return [
        problems.fix(t('Change to "enabled": {0}', String(!off)), edits, true),
      ];
    });
  } else if (!fitsRule(field, rule)) {
    const message = t(
      'The server cannot be started like this: a tool cannot have this value for {0}.',
      quotedName(name),
    );
    problems.report('badTool', value, message, () => [
      problems.removeFix(tool, field),
    ]);
  }
}
