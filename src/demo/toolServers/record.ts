/** Reads and writes MCP servers in settings like a real service. */
import {
  type BodyReader,
  type BodyFields,
  flagOf,
  isFields,
} from '../wire/validate.ts';

type Loc = readonly string[];

export const redacted = '**********';
const encryptedPrefix = 'gAAAAAdemo';

const transports = ['stdio', 'http', 'streamable-http', 'sse'];
const strategies = ['none', 'api_key', 'bearer', 'basic', 'header', 'oauth2'];

type CheckField = (
  reader: BodyReader,
  loc: Loc,
  value: unknown,
  isPatch: boolean,
) => unknown;

const text: CheckField = (reader, loc, value) => reader.string(loc, value);
const filled: CheckField = (reader, loc, value) =>
  reader.string(loc, value, { least: 1 });
const seconds: CheckField = (reader, loc, value) => {
  if (typeof value !== 'number')
    reader.note(loc, 'Input should be a valid number');
};

const checks: Readonly<Record<string, CheckField>> = {
  url: filled,
  transport: (reader, loc, value) => reader.oneOf(loc, value, transports),
  command: filled,
  args: checkStrings,
  env: checkMap,
  cwd: text,
  description: text,
  icon: text,
  timeout: seconds,
  sse_read_timeout: seconds,
  keep_alive: (reader, loc, value) => reader.flag(loc, value),
  headers: checkMap,
  auth: checkAuth,
};

/** The fields of a server, in the order of answers. */
const keys = [...Object.keys(checks), 'enabled'];

/** Notes errors in a server. In a patch, null takes something away. */
export function checkServerFields(
  reader: BodyReader,
  server: BodyFields,
  isPatch: boolean,
): void {
  for (const [key, check] of Object.entries(checks))
    reader.optional(server, key, (loc, value) =>
      check(reader, loc, value, isPatch),
    );
  if ('enabled' in server && !(isPatch && server.enabled === null))
    reader.flag(['enabled'], server.enabled);
  for (const key of Object.keys(server))
    if (!keys.includes(key))
      reader.note([key], 'Extra inputs are not permitted');
}

export function checkStrings(
  reader: BodyReader,
  loc: Loc,
  value: unknown,
): void {
  for (const [index, item] of (reader.list(loc, value) ?? []).entries())
    reader.string([...loc, index], item);
}

export function checkMap(
  reader: BodyReader,
  loc: Loc,
  value: unknown,
  allowsNull = false,
): void {
  if (!isFields(value)) {
    reader.note(loc, 'Input should be a valid dictionary');
    return;
  }
  for (const [name, item] of Object.entries(value))
    if (!(allowsNull && item === null)) reader.string([...loc, name], item);
}

export function checkAuth(reader: BodyReader, loc: Loc, value: unknown): void {
  const auth = reader.object(loc, value);
  if (auth) reader.oneOf([...loc, 'strategy'], auth.strategy, strategies);
}

/** The error of a server whose fields contradict each other. */
export function contradiction({
  transport,
  command,
  url,
  auth,
  headers,
}: BodyFields): string | undefined {
  if (transport === 'stdio' && !command)
    return "stdio MCP servers require 'command'";
  if (transport !== undefined && transport !== 'stdio' && !url)
    return "remote MCP servers require 'url'";
  const names = Object.keys(headers ?? {});
  if (
    auth === undefined ||
    !names.some((name) => name.toLowerCase() === 'authorization')
  )
    return undefined;
  return "'auth' cannot be combined with an explicit top-level 'Authorization' header; use auth.strategy='header' instead.";
}

/**
 * Applies a patch to a server. A mask deletes a value in a map, and keeps it
 * elsewhere.
 */
export function patched(before: BodyFields, patch: BodyFields): BodyFields {
  const result: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) Reflect.deleteProperty(result, key);
    else if (key === 'auth')
      result[key] = merged(result[key], withoutMasks(value as BodyFields));
    else if (isFields(value))
      result[key] = withoutMasks(merged(result[key], value));
    else result[key] = value;
  }
  return asStored(result);
}

/**
 * Returns a server as stored: with ordered fields, without null, masked and
 * empty values.
 */
export function asStored(server: BodyFields): BodyFields {
  const values = keys.flatMap((key): [string, unknown][] => {
    const value = server[key] ?? undefined;
    if (key === 'enabled') {
      const isText = typeof value === 'string' || typeof value === 'number';
      return [[key, isText ? flagOf(String(value)) : value !== false]];
    }
    const without = isFields(value) ? withoutMasks(value) : value;
    const isEmpty = isFields(without) && Object.keys(without).length === 0;
    return without === undefined || isEmpty ? [] : [[key, without]];
  });
  return Object.fromEntries(values);
}

export type SecretForm = 'redacted' | 'encrypted' | 'plaintext';

/** Returns a server with its secrets in this form. */
export function withSecrets(server: BodyFields, form: SecretForm): BodyFields {
  const show = (secret: unknown) => {
    if (form === 'plaintext') return secret;
    return form === 'encrypted' ? encrypted(secret) : redacted;
  };
  const inMap = (value: unknown) =>
    mapped(value as BodyFields, (_, secret) => show(secret));
  const inAuth = (auth: BodyFields): BodyFields =>
    mapped(auth, (key, value) => {
      if (key === 'headers') return inMap(value);
      if (isFields(value)) return inAuth(value);
      return secretsOfAuth.has(key) ? show(value) : value;
    });
  return mapped(server, (key, value) => {
    if (key === 'env' || key === 'headers') return inMap(value);
    return key === 'auth' ? inAuth(value as BodyFields) : value;
  });
}

function mapped(
  fields: BodyFields,
  change: (key: string, value: unknown) => unknown,
): BodyFields {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [key, change(key, value)]),
  );
}

export function decrypted(secret: string): string {
  if (!secret.startsWith(encryptedPrefix)) return secret;
  return Buffer.from(
    secret.slice(encryptedPrefix.length),
    'base64url',
  ).toString();
}

const secretsOfAuth = new Set([
  'value',
  'password',
  'client_secret',
  'access_token',
  'refresh_token',
]);

export function encrypted(secret: unknown): string {
  return encryptedPrefix + Buffer.from(String(secret)).toString('base64url');
}

function merged(before: unknown, value: BodyFields): BodyFields {
  const all = { ...(isFields(before) ? before : {}), ...value };
  return Object.fromEntries(
    Object.entries(all).filter(([, field]) => field !== null),
  );
}

function withoutMasks(values: BodyFields): BodyFields {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) => value !== redacted && value !== '',
    ),
  );
}

/** The MCP servers in the settings of the service, by their names. */
export type StoredServers = Map<string, BodyFields>;

export function firstServers(): StoredServers {
  const servers: Readonly<Record<string, BodyFields>> = {
    tracker: {
      url: 'https://tracker.example.com/mcp',
      transport: 'http',
      headers: { 'X-Team': 'northwind' },
      auth: { strategy: 'bearer', value: 'demo-token-of-the-tracker' },
    },
    database: {
      command: 'npx',
      args: ['-y', '@example/mcp-database', '--read-only'],
      env: { DATABASE_URL: 'postgres://reader:demo@db.example.com/shop' },
    },
    browser: {
      command: 'docker',
      args: ['run', '-i', '--rm', 'example/mcp-browser'],
      enabled: false,
    },
  };
  return new Map(
    Object.entries(servers).map(([name, server]) => [name, asStored(server)]),
  );
}
