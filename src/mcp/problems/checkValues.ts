/**
 * Checks the values of a server: those that make the program refuse the file,
 * and those it misunderstands.
 */
import type { Edit } from 'jsonc-parser';
import { t } from '../../base/l10n.ts';
import { joinWithOr, nearestNames } from '../../base/near.ts';
import { isLine, splitLine } from '../cli/shellWords.ts';
import {
  fromSeconds,
  hasAuthDetails,
  isTargetKey,
  spellingsOf,
  translateValue,
  transportOf,
} from '../dialects/dialects.ts';
import {
  keysOf,
  meantBoolean,
  meantNumber,
  type ValueType,
} from '../dialects/ownKeys.ts';
import { insertMembers } from '../edit/members.ts';
import { quotedName } from '../format/document.ts';
import { isPlaceholder } from '../format/placeholders.ts';
import { hasReference } from '../format/variables.ts';
import type { ValueFault } from '../format/verdict.ts';
import { replaceSpan } from '../text/withEdits.ts';
import type { CheckedEntry, Fix, ProblemCollector } from './problem.ts';
import {
  type ArrayNode,
  lastOfEach,
  type Member,
  type Node,
  rawOf,
  stringOf,
} from '../text/nodes.ts';
import { styleOf } from '../text/style.ts';
import { type Value, valueOf } from '../text/values.ts';

export function checkValues(entry: CheckedEntry): void {
  if (entry.problems.readsEntries)
    for (const fault of entry.reading.faults) reportValue(entry, fault);
  checkEnabled(entry);
  checkVariableValues(entry);
  checkTimeout(entry);
  checkCommand(entry);
}

function reportValue(entry: CheckedEntry, fault: ValueFault): void {
  const { field, at, name } = fault;
  if (field.name === 'transport') reportTransport(entry, fault);
  else if (field.name === 'type') reportType(entry, fault);
  else if (field.name === 'command' && at.type === 'array') {
    const message = t(
      'The command must be a single string, with its arguments in "args". Split the list.',
    );
    entry.problems.report('commandIsList', at, message, () =>
      listCommandFixes(entry, at),
    );
  } else if (at !== field.value) {
    const message =
      name === undefined
        ? t(
            'All items of {0} must be strings. Put this one in double quotes.',
            quotedName(field.name),
          )
        : t(
            'All values of {0} must be strings. Put the value of {1} in double quotes.',
            quotedName(field.name),
            quotedName(name),
          );
    entry.problems.report('badValue', at, message, () =>
      quoteFixes(entry.problems, at, true),
    );
  } else {
    const message = expectations[fault.type](quotedName(field.name));
    entry.problems.report('badValue', at, message, () =>
      valueFixes(entry, fault),
    );
  }
}

const mustBeString = (name: string) => t('{0} must be a string.', name);
const expectations: Readonly<Record<ValueType, (name: string) => string>> = {
  string: mustBeString,
  word: mustBeString,
  strings: (name) => t('{0} must be a list of strings.', name),
  stringObject: (name) => t('{0} must be an object of strings.', name),
  object: (name) => t('{0} must be an object.', name),
  wholeNumber: (name) => t('{0} must be a whole number.', name),
  boolean: (name) => t('{0} must be true or false.', name),
  duration: (name) =>
    t('{0} must be a number of seconds, or a duration such as "PT30S".', name),
};

function valueFixes(entry: CheckedEntry, fault: ValueFault): Fix[] {
  const { field, type, at } = fault;
  const remove = (certain = false) => entry.removeFix(field, certain);
  // Removing null loses nothing.
  if (at.type === 'null')
    return isTargetKey(field.name) ? [] : [remove(entry.isSingle(field))];
  if (type === 'strings') return listFixes(entry, fault);
  if (type === 'wholeNumber')
    return [...roundFixes(entry.problems, at), remove()];
  if (type === 'boolean' || type === 'duration') return [remove()];
  return type === 'object' || type === 'stringObject'
    ? []
    : stringFixes(entry, fault);
}

function stringFixes(entry: CheckedEntry, { field, at }: ValueFault): Fix[] {
  const value = valueOf(at);
  if (field.name === 'command' && value instanceof Map) {
    return splitCommandFixes(entry, field, value);
  }
  const translation =
    field.name === 'auth' ? translateValue(field.name, value) : undefined;
  if (translation === undefined) return quoteFixes(entry.problems, at);
  return [
    entry.problems.changeFix(
      at,
      JSON.stringify(translation),
      !hasAuthDetails(value),
    ),
  ];
}

/**
 * Turns a number or boolean into the string that was meant, with the same
 * spelling.
 */
function quoteFixes(
  problems: ProblemCollector,
  node: Node,
  certain = false,
): Fix[] {
  if (node.type !== 'number' && node.type !== 'boolean') return [];
  return [
    problems.fix(
      t('Put it in double quotes'),
      [replaceSpan(node, `"${rawOf(node)}"`)],
      certain,
    ),
  ];
}

/** Splits a line as a shell does, unless a quote in it never closes. */
function listFixes(entry: CheckedEntry, { field }: ValueFault): Fix[] {
  const line = stringOf(field.value);
  if (line === undefined) return [];
  const list = entry.writeFor(field, splitLine(line) ?? [line]);
  return [
    entry.problems.fix(t('Put it into a list'), [
      replaceSpan(field.value, list),
    ]),
  ];
}

function roundFixes(problems: ProblemCollector, at: Node): Fix[] {
  const rounded = at.type === 'number' ? Math.round(Number(rawOf(at))) : NaN;
  return Number.isSafeInteger(rounded)
    ? [problems.changeFix(at, String(rounded))]
    : [];
}

const transports: readonly string[] = [
  ...keysOf.local.transport.words,
  ...keysOf.remote.transport.words,
];

function reportTransport(entry: CheckedEntry, { field, at }: ValueFault): void {
  const isLocal = entry.kind === 'local';
  const allowed = isLocal
    ? keysOf.local.transport.words
    : keysOf.remote.transport.words;
  const word = stringOf(at) ?? '';
  const change = (to: string, certain: boolean) =>
    entry.problems.changeFix(at, JSON.stringify(to), certain);
  const remove = () =>
    entry.removeFix(field, at.type === 'null' && entry.isSingle(field));
  if (transports.includes(word)) {
    const message = isLocal
      ? t(
          'The transport of a server with a command is "stdio". Change or remove it.',
        )
      : t(
          'The transport of a server with a URL is "http" or "sse". Change or remove it.',
        );
    entry.problems.report('transportMisfit', at, message, () => [
      change(isLocal ? 'stdio' : 'http', false),
      remove(),
    ]);
    return;
  }
  const same = transportOf(word);
  const meant =
    same === undefined
      ? nearestNames(word, allowed)
      : allowed.filter((candidate) => candidate === same);
  const message = t(
    'This is not a valid transport. Use {0}.',
    joinWithOr(allowed.map(quotedName)),
  );
  entry.problems.report('unknownTransport', at, message, () => [
    ...meant.map((to) => change(to, same !== undefined)),
    remove(),
  ]);
}

/**
 * Reports `type` of a local server. The program ignores it for a remote one.
 */
function reportType(entry: CheckedEntry, { field, at }: ValueFault): void {
  const message = t(
    '"type" of a server with a command must be "stdio". Change or remove it.',
  );
  entry.problems.report('badType', at, message, () => [
    entry.problems.changeFix(
      at,
      '"stdio"',
      transportOf(valueOf(at)) === 'stdio',
    ),
    entry.removeFix(field),
  ]);
}

function checkEnabled(entry: CheckedEntry): void {
  const value = entry.keys.get('enabled')?.value;
  if (!value || value.type === 'boolean') return;
  const { enabled } = entry;
  const message = t(
    '"enabled" should be true or false. This value counts as {0}.',
    String(enabled),
  );
  entry.problems.report('enabledIsNoBoolean', value, message, () => {
    const meant = meantBoolean(valueOf(value));
    const change = (to: boolean, certain: boolean) =>
      entry.problems.changeFix(value, String(to), certain);
    if (meant === undefined || meant === enabled)
      return [change(enabled, true)];
    return [change(meant, false), change(enabled, false)];
  });
}

/**
 * The program accepts these values of variables, but then fails to start the
 * server.
 */
function checkVariableValues(entry: CheckedEntry): void {
  const env = entry.record('env');
  if (!env?.members.some(isNoString)) return;
  for (const { name, value } of [...lastOfEach(env).values()].filter(
    isNoString,
  )) {
    const message = t(
      'The server cannot be started like this: the value of {0} must be a string.',
      quotedName(name),
    );
    entry.problems.report('variableIsNoString', value, message, () =>
      quoteFixes(entry.problems, value, true),
    );
  }
}

function isNoString({ value }: Member): boolean {
  return value.type !== 'string';
}

/** Splits a list of words, as OpenCode writes it. */
function listCommandFixes(entry: CheckedEntry, list: ArrayNode): Fix[] {
  const words = list.items.map(stringOf);
  const [command, ...args] = words.filter((word) => word !== undefined);
  if (command === undefined || args.length + 1 < words.length) return [];
  if (args.length > 0)
    return wordsFixes(entry, list, [command, ...args], !entry.keys.has('args'));
  return [
    entry.problems.fix(
      t('Change to a string'),
      [replaceSpan(list, JSON.stringify(command))],
      true,
    ),
  ];
}

function wordsFixes(
  entry: CheckedEntry,
  command: Node,
  [program = '', ...args]: readonly string[],
  certain = false,
): Fix[] {
  const argsNode = entry.keys.get('args')?.value;
  // Arguments under another name must become "args" first.
  if (spellingsOf('args').some((key) => key !== 'args' && entry.keys.has(key)))
    return [];
  if (argsNode && argsNode.type !== 'array') return [];
  const added = argsNode
    ? putFirst(entry, argsNode, args)
    : entry.insert('args', args);
  const edits = [replaceSpan(command, JSON.stringify(program)), ...added];
  return [
    entry.problems.fix(t('Split into "command" and "args"'), edits, certain),
  ];
}

function putFirst(
  { object, problems: { file } }: CheckedEntry,
  { start, end, items }: ArrayNode,
  words: readonly string[],
): Edit[] {
  const [first] = items;
  const { gap } = styleOf(file.text, object, file.root);
  const [blanks] = /^\s*/.exec(
    file.text.slice(start + 1, end),
  ) as unknown as readonly [string];
  const separator = `,${first && /[\r\n]/.test(blanks) ? blanks : gap}`;
  const written = words.map((word) => JSON.stringify(word)).join(separator);
  if (!first)
    return [{ offset: start + 1, length: blanks.length, content: written }];
  return [{ offset: first.start, length: 0, content: written + separator }];
}

/** Splits an object with `path`, `args` and `env`, as Zed writes it. */
function splitCommandFixes(
  entry: CheckedEntry,
  field: Member,
  parts: ReadonlyMap<string, Value>,
): Fix[] {
  const path = parts.get('path');
  const otherParts = [...parts].filter(([key]) => key !== 'path');
  const isKnown = ([key]: [string, Value]) =>
    (key === 'args' || key === 'env') && !entry.keys.has(key);
  if (typeof path !== 'string' || !otherParts.every(isKnown)) return [];
  const edits = [
    replaceSpan(field.value, JSON.stringify(path)),
    ...(otherParts.length > 0
      ? insertMembers(entry.problems.file, entry.object, otherParts)
      : []),
  ];
  return [
    entry.problems.fix(t('Split into "command", "args" and "env"'), edits),
  ];
}

function checkCommand(entry: CheckedEntry): void {
  const field = entry.keys.get('command');
  const command = stringOf(field?.value);
  if (!field || command === undefined) return;
  if (command.trim() === '') {
    entry.problems.report(
      'emptyCommand',
      field.value,
      t('The command is empty. Enter the program to start.'),
    );
  }
  // checkConnection reports values that are not filled in.
  if (
    entry.kind !== 'local' ||
    !isLine(command) ||
    isPlaceholder(command) ||
    hasReference(command)
  )
    return;
  const message = t(
    'The whole string is treated as the program\'s name. Move the arguments into "args".',
  );
  entry.problems.report('commandIsLine', field.value, message, () => {
    const words = splitLine(command) ?? [];
    return words.length > 1 ? wordsFixes(entry, field.value, words) : [];
  });
}

/**
 * Reports a timeout that is likely in seconds. As milliseconds it would end
 * nearly every request.
 */
function checkTimeout(entry: CheckedEntry): void {
  const value = entry.keys.get('timeout')?.value;
  const number =
    value &&
    meantNumber(
      value.type === 'number' ? Number(rawOf(value)) : stringOf(value),
    );
  const meant = number && fromSeconds(number, (key) => entry.keys.has(key));
  if (!value || !meant) return;
  const message = t(
    'This looks like seconds. Here "timeout" is in milliseconds.',
  );
  entry.problems.report('timeoutInSeconds', value, message, () => [
    entry.problems.changeFix(value, String(meant)),
  ]);
}
