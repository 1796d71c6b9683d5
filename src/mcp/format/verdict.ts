/**
 * The program's verdict on mcp.json. One invalid value makes it refuse the
 * whole file, so that agents get none of the servers. Only faults found here
 * are errors.
 */
import {
  lastOf,
  lastOfEach,
  type Member,
  type Node,
  type ObjectNode,
  objectOf,
  rawOf,
  stringOf,
} from '../text/nodes.ts';
import type { Outline } from './outline.ts';
import { treeLimits } from '../text/reader.ts';
import {
  type KeyRule,
  rulesOf,
  type ServerKind,
  type ValueType,
} from '../dialects/ownKeys.ts';

export interface ValueFault {
  readonly field: Member;
  readonly type: ValueType;
  /** The value, or the invalid part of it. */
  readonly at: Node;
  /** The name of that part in an object. */
  readonly name?: string;
}

export interface EntryVerdict {
  /** `undefined` without a command and a URL. */
  readonly kind: ServerKind | undefined;
  readonly faults: readonly ValueFault[];
  readonly isAccepted: boolean;
}

const nothing: EntryVerdict = {
  kind: undefined,
  faults: [],
  isAccepted: false,
};

/** Expects the last key of each name. */
export function readKeys(keys: ReadonlyMap<string, Member>): EntryVerdict {
  const local = keys.has('command') ? readAs('local', keys) : nothing;
  if (!keys.has('url')) return local;
  const remote = readAs('remote', keys);
  if (!local.kind) return remote;
  // If both kinds fit, the one with more keys wins.
  if (local.isAccepted && remote.isAccepted)
    return countOf('remote', keys) > countOf('local', keys) ? remote : local;
  return remote.faults.length < local.faults.length ? remote : local;
}

function readAs(
  kind: ServerKind,
  keys: ReadonlyMap<string, Member>,
): EntryVerdict {
  const faults: ValueFault[] = [];
  for (const field of keys.values()) {
    const rule = rulesOf[kind].get(field.name);
    if (rule?.type) checkValue(field, rule, rule.type, faults);
  }
  return { kind, faults, isAccepted: faults.length === 0 };
}

function countOf(kind: ServerKind, keys: ReadonlyMap<string, Member>): number {
  return [...keys.keys()].filter((key) => rulesOf[kind].has(key)).length;
}

function checkValue(
  field: Member,
  rule: KeyRule,
  type: ValueType,
  faults: ValueFault[],
): void {
  const { value } = field;
  if (value.type === 'null' && rule.orNull) return;
  if (type === 'strings' && value.type === 'array') {
    for (const at of value.items)
      if (at.type !== 'string') faults.push({ field, type, at });
  } else if (type === 'stringObject' && value.type === 'object') {
    if (value.members.every((member) => member.value.type === 'string')) return;
    for (const { name, value: at } of lastOfEach(value).values()) {
      if (at.type !== 'string') faults.push({ field, type, at, name });
    }
  } else if (!takes[type](value, rule)) {
    faults.push({ field, type, at: value });
  }
}

export function fitsRule(field: Member, rule: KeyRule): boolean {
  const faults: ValueFault[] = [];
  if (rule.type) checkValue(field, rule, rule.type, faults);
  return faults.length === 0;
}

const takes: Readonly<
  Record<ValueType, (value: Node, rule: KeyRule) => boolean>
> = {
  string: ({ type }) => type === 'string',
  strings: ({ type }) => type === 'array',
  object: ({ type }) => type === 'object',
  stringObject: ({ type }) => type === 'object',
  word: (value, { words }) =>
    words?.some((word) => word === stringOf(value)) === true,
  wholeNumber: (value) =>
    value.type === 'number'
      ? isWhole(rawOf(value))
      : isBooleanOr(value, saysWholeNumber),
  boolean: (value) =>
    value.type === 'number'
      ? [0, 1].includes(Number(rawOf(value)))
      : isBooleanOr(value, saysBoolean),
  duration: (value) =>
    value.type === 'number' || isBooleanOr(value, saysDuration),
};

function isWhole(number: string): boolean {
  const size = Math.abs(Number(number));
  return !/[.e]/i.test(number) || (Number.isInteger(size) && size < 2 ** 63);
}

function isBooleanOr(value: Node, says: (text: string) => boolean): boolean {
  const text = stringOf(value);
  return text === undefined ? value.type === 'boolean' : says(text);
}

/** Accepts a string for a whole number. */
function saysWholeNumber(text: string): boolean {
  return (
    text.length <= treeLimits.digits &&
    /^\s*[+-]?(?:0[0_]*)?\d+(?:_\d+)*(?:\.0+)?\s*$/.test(text)
  );
}

function saysBoolean(text: string): boolean {
  return /^(?:[01tfyn]|true|false|yes|no|on|off)$/i.test(text);
}

function takenForBoolean(value: Node): boolean | undefined {
  if (!takes.boolean(value, {})) return undefined;
  return value.type === 'number'
    ? Number(rawOf(value)) === 1
    : /^(?:[1ty]|true|yes|on)$/i.test(stringOf(value) ?? rawOf(value));
}

function saysDuration(text: string): boolean {
  return (
    text.length <= treeLimits.digits &&
    durations.some((pattern) => pattern.test(text))
  );
}

/**
 * A number, an ISO 8601 duration, days and time, and hours and minutes with or
 * without seconds.
 */
const durations = [
  /^\s*[+-]?(?:(?:\d+(?:_\d+)*(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|inf|infinity|nan)\s*$/i,
  /^[+-]?P(?!T?$)(?:\d+[YMWD])*(?:\d+[.,]\d+[YMWD]T?|(?:T(?:\d+[HMS])*(?:\d+[.,]\d+[HMS])?)?)$/,
  /^[+-]?\d+ ?d(?:ays?)?,? ?(?:(?:[01]\d|2[0-3]):[0-5]\d|(?:[01]?\d|2[0-3])(?::[0-5]\d){2}(?:[.,]\d+)?)?$/i,
  /^[+-]?(?:\d{2,}:[0-5]\d|\d+(?::[0-5]\d){2}(?:[.,]\d+)?)$/,
];

/**
 * False if the servers are at the root and the program recognizes none of them.
 */
export function readsEntries({ property, root }: Outline): boolean {
  if (property) return true;
  return [...lastOfEach(root).values()].some(({ value }) =>
    isServerAtRoot(objectOf(value)),
  );
}

function isServerAtRoot(value: ObjectNode | undefined): boolean {
  return (
    value?.members.some(({ name }) => name === 'command' || name === 'url') ===
    true
  );
}

/** False for text that no strict JSON reader accepts. */
function isStrict({ text, loneSurrogates }: Outline): boolean {
  try {
    JSON.parse(text);
    return loneSurrogates.length === 0;
  } catch {
    return false;
  }
}

export function isRefused(file: Outline): boolean {
  if (!isStrict(file)) return true;
  if (!readsEntries(file)) return false;
  return [...lastOfEach(file.servers).values()].some(({ value }) => {
    const entry = objectOf(value);
    return !entry || !readKeys(lastOfEach(entry)).isAccepted;
  });
}

/**
 * True if agents get the tool. A value the program cannot use changes nothing.
 */
export function isToolOn(tool: Node): boolean {
  const enabled = lastOf(objectOf(tool), 'enabled')?.value;
  return !enabled || takenForBoolean(enabled) !== false;
}

/** Invalid tags, which make the program ignore `tools` too. */
export function ignoredTags(
  keys: ReadonlyMap<string, Member>,
): readonly Member[] {
  return [keys.get('include_tags'), keys.get('exclude_tags')]
    .filter((tags) => tags !== undefined)
    .filter(({ value }) => value.type !== 'null' && !isTagList(value));
}

function isTagList(value: Node): boolean {
  return (
    value.type === 'array' && value.items.every(({ type }) => type === 'string')
  );
}

/**
 * The program puts the name of the server before the tool as soon as two
 * servers are enabled, reachable or not.
 */
export function toolNameForAgents(
  server: string,
  tool: string,
  enabledServers: number,
): string {
  return enabledServers > 1 ? `${server}_${tool}` : tool;
}
