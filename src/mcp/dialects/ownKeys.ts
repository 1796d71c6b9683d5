/**
 * The keys of a server that the program reading mcp.json knows, and the values
 * it accepts: the one source of its verdict (verdict.ts) and of the schema
 * (schema.ts).
 */
import type { Value } from '../text/values.ts';

export type ServerKind = 'local' | 'remote';

export type Transport = 'stdio' | 'http' | 'sse';

/**
 * The type of a value. A whole number, a boolean and a duration may also be
 * written as a string.
 */
export type ValueType =
  | 'string'
  | 'strings'
  | 'object'
  | 'stringObject'
  | 'wholeNumber'
  | 'boolean'
  | 'duration'
  | 'word';

export interface KeyRule {
  /**
   * Left out if the program accepts every value and ignores those it cannot
   * use.
   */
  readonly type?: ValueType;
  readonly words?: readonly string[];
  readonly orNull?: true;
}

const text = { type: 'string', orNull: true } as const;

const both = {
  enabled: {},
  timeout: { type: 'wholeNumber', orNull: true },
  description: text,
  icon: text,
  authentication: { type: 'object', orNull: true },
  tools: {},
  include_tags: {},
  exclude_tags: {},
} as const satisfies Readonly<Record<string, KeyRule>>;

export const keysOf = {
  local: {
    command: { type: 'string' },
    args: { type: 'strings' },
    env: { type: 'object' },
    cwd: text,
    transport: { type: 'word', words: ['stdio'] },
    type: { type: 'word', words: ['stdio'], orNull: true },
    keep_alive: { type: 'boolean', orNull: true },
    ...both,
  },
  remote: {
    url: { type: 'string' },
    transport: {
      type: 'word',
      words: ['http', 'streamable-http', 'sse'],
      orNull: true,
    },
    headers: { type: 'stringObject' },
    auth: text,
    sse_read_timeout: { type: 'duration', orNull: true },
    max_sse_event_size: { type: 'wholeNumber', orNull: true },
    ...both,
  },
} as const satisfies Readonly<
  Record<ServerKind, Readonly<Record<string, KeyRule>>>
>;

export type OwnKey =
  keyof (typeof keysOf)['local'] | keyof (typeof keysOf)['remote'];

export const rulesOf: Readonly<
  Record<ServerKind, ReadonlyMap<string, KeyRule>>
> = {
  local: new Map(Object.entries(keysOf.local)),
  remote: new Map(Object.entries(keysOf.remote)),
};

export const ownKeys: ReadonlySet<string> = new Set([
  ...rulesOf.local.keys(),
  ...rulesOf.remote.keys(),
]);

/**
 * The kind of server that a key is for; `undefined` for a key of both or of
 * none.
 */
export function kindOfKey(key: string): ServerKind | undefined {
  const local = rulesOf.local.has(key);
  const remote = rulesOf.remote.has(key);
  if (local === remote) return undefined;
  return local ? 'local' : 'remote';
}

/** Reads true and false, also in quotes. */
export function meantBoolean(value: Value | undefined): boolean | undefined {
  const word = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (word === true || word === 'true') return true;
  return word === false || word === 'false' ? false : undefined;
}

/** Reads a number that is not negative, and a whole number in quotes. */
export function meantNumber(value: Value | undefined): number | undefined {
  if (typeof value === 'number') return value >= 0 ? value : undefined;
  const digits =
    typeof value === 'string'
      ? /^\s*(0|[1-9]\d{0,14})\s*$/.exec(value)?.[1]
      : undefined;
  return digits === undefined ? undefined : Number(digits);
}
