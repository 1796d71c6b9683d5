/** The keys of a server that the program reading mcp.json knows. A test holds them against the schema. */
import type { Value } from './values.ts';

export type ServerKind = 'local' | 'remote';

export type ValueType = 'string' | 'strings' | 'record' | 'boolean' | 'number';

interface OwnKeyFacts {
  readonly type: ValueType;
  /** The one kind of server that the key is for. */
  readonly kind?: ServerKind;
}

const facts = {
  command: { type: 'string' },
  args: { type: 'strings', kind: 'local' },
  env: { type: 'record', kind: 'local' },
  cwd: { type: 'string', kind: 'local' },
  url: { type: 'string' },
  headers: { type: 'record', kind: 'remote' },
  auth: { type: 'string', kind: 'remote' },
  sse_read_timeout: { type: 'number', kind: 'remote' },
  transport: { type: 'string' },
  enabled: { type: 'boolean' },
  timeout: { type: 'number' },
  description: { type: 'string' },
  icon: { type: 'string' },
} as const satisfies Readonly<Record<string, OwnKeyFacts>>;

export type OwnKey = keyof typeof facts;

export const ownKeys: ReadonlyMap<string, OwnKeyFacts> = new Map(Object.entries(facts));

/** Whether a value is of the JSON type that a key asks for, whatever is inside a list or an object. */
export function fitsKey(key: OwnKey, value: Value): boolean {
  return matches[facts[key].type](value);
}

const matches: Readonly<Record<ValueType, (value: Value) => boolean>> = {
  string: (value) => typeof value === 'string',
  strings: (value) => Array.isArray(value),
  record: (value) => value instanceof Map,
  boolean: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number' && value >= 0,
};

/** True and false in quotes too. */
export function meantBoolean(value: Value | undefined): boolean | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === true || word === 'true') return true;
  return word === false || word === 'false' ? false : undefined;
}

/** A number that is not negative; in quotes too, where it is a whole one. */
export function meantNumber(value: Value | undefined): number | undefined {
  if (typeof value === 'number') return value >= 0 ? value : undefined;
  const digits = typeof value === 'string' ? /^\s*(0|[1-9]\d{0,14})\s*$/.exec(value)?.[1] : undefined;
  return digits === undefined ? undefined : Number(digits);
}
