/** An MCP server in the settings, as a real service takes and tells it. */
import type { BodyReader } from '../validate.ts';

type Wire = Readonly<Record<string, unknown>>;
type Loc = readonly string[];

export const redacted = '**********';
/** What is encrypted begins so. */
const encrypted = 'gAAAAAdemo';

const transports = ['stdio', 'http', 'streamable-http', 'sse'];
const strategies = ['none', 'api_key', 'bearer', 'basic', 'header', 'oauth2'];
/** In the order in which they are told. */
const keys = [
  ...['url', 'transport', 'command', 'args', 'env', 'cwd', 'description', 'icon', 'timeout'],
  ...['sse_read_timeout', 'keep_alive', 'headers', 'auth', 'enabled'],
];

/** Notes what is wrong with a server. In a patch, null takes something away. */
export function checkServerFields(reader: BodyReader, server: Wire, isPatch: boolean): void {
  const given = (key: string) => (server[key] ?? undefined) !== undefined;
  const text = (key: string, isShort = false) => {
    if (!given(key)) return;
    const value = reader.string([key], server[key]);
    if (value === '' && !isShort) noteTooShort(reader, [key]);
  };
  text('url');
  if (given('transport')) reader.literal(['transport'], server.transport, transports);
  text('command');
  if (given('args')) strings(reader, ['args'], server.args);
  if (given('env')) map(reader, ['env'], server.env, isPatch);
  for (const key of ['cwd', 'description', 'icon']) text(key, true);
  for (const key of ['timeout', 'sse_read_timeout']) {
    if (given(key) && typeof server[key] !== 'number') {
      reader.note(['body', key], 'float_type', 'Input should be a valid number', server[key]);
    }
  }
  if (given('keep_alive')) reader.flag(['keep_alive'], server.keep_alive);
  if (given('headers')) map(reader, ['headers'], server.headers, isPatch);
  if (given('auth')) checkAuth(reader, ['auth'], server.auth);
  if ('enabled' in server && !(isPatch && server.enabled === null)) {
    reader.flag(['enabled'], server.enabled);
  }
  for (const key of Object.keys(server)) {
    if (keys.includes(key)) continue;
    reader.note(['body', key], 'extra_forbidden', 'Extra inputs are not permitted', server[key]);
  }
}

export function strings(reader: BodyReader, loc: Loc, value: unknown): void {
  for (const [at, each] of (reader.list(loc, value) ?? []).entries())
    reader.string([...loc, at] as Loc, each);
}

export function map(reader: BodyReader, loc: Loc, value: unknown, nulls = false): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    reader.note(['body', ...loc], 'dict_type', 'Input should be a valid dictionary', value);
    return;
  }
  for (const [name, each] of Object.entries(value)) {
    if (!(nulls && each === null)) reader.string([...loc, name], each);
  }
}

export function checkAuth(reader: BodyReader, loc: Loc, value: unknown): void {
  const auth = reader.object(loc, value);
  if (!auth || strategies.some((each) => each === auth.strategy)) return;
  const discriminator = "'strategy'";
  const expected_tags = strategies.map((each) => `'${each}'`).join(', ');
  if (auth.strategy === undefined) {
    const msg = `Unable to extract tag using discriminator ${discriminator}`;
    reader.note(['body', ...loc], 'union_tag_not_found', msg, value, { discriminator });
    return;
  }
  const tag = typeof auth.strategy === 'string' ? auth.strategy : '';
  const msg = `Input tag '${tag}' found using ${discriminator} does not match any of the expected tags: ${expected_tags}`;
  reader.note(['body', ...loc], 'union_tag_invalid', msg, value, { discriminator, tag, expected_tags });
}

export function noteTooShort(reader: BodyReader, loc: Loc): void {
  const msg = 'String should have at least 1 character';
  reader.note(['body', ...loc], 'string_too_short', msg, '', { min_length: 1 });
}

/** What keeps a server from being one, apart from its fields; undefined if nothing does. */
export function contradiction({ transport, command, url, auth, headers }: Wire): string | undefined {
  if (transport === 'stdio' && !command) return "stdio MCP servers require 'command'";
  if (transport !== undefined && transport !== 'stdio' && !url) return "remote MCP servers require 'url'";
  const names = Object.keys(headers ?? {});
  if (auth === undefined || !names.some((name) => name.toLowerCase() === 'authorization')) return undefined;
  return "'auth' cannot be combined with an explicit top-level 'Authorization' header; use auth.strategy='header' instead.";
}

/** The server with a patch. A mask in a map deletes what is there, and elsewhere leaves it. */
export function patched(before: Wire, patch: Wire): Wire {
  const result: Record<string, unknown> = { ...before };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) Reflect.deleteProperty(result, key);
    else if (key === 'auth') result[key] = merged(result[key], withoutMasks(value as Wire));
    else if (isMap(value)) result[key] = withoutMasks(merged(result[key], value));
    else result[key] = value;
  }
  return asStored(result);
}

/** As the service stores it: in its order, without what is null, masked or empty. */
export function asStored(server: Wire): Wire {
  const values = keys.flatMap((key): [string, unknown][] => {
    const value = server[key] ?? undefined;
    if (key === 'enabled') return [[key, isOn(value)]];
    const without = isMap(value) ? withoutMasks(value) : value;
    const isEmpty = isMap(without) && Object.keys(without).length === 0;
    return without === undefined || isEmpty ? [] : [[key, without]];
  });
  return Object.fromEntries(values);
}

/** The server with its secrets as the caller wants them. */
export function told(server: Wire, how: 'redacted' | 'encrypted' | 'plaintext'): Wire {
  const tell = (secret: unknown) =>
    how === 'plaintext' ? secret : how === 'encrypted' ? encrypt(secret) : redacted;
  const inMap = (value: unknown) =>
    Object.fromEntries(Object.entries(value as Wire).map(([name, secret]) => [name, tell(secret)]));
  const inAuth = (auth: Wire): Wire =>
    Object.fromEntries(
      Object.entries(auth).map(([key, value]) => {
        if (key === 'headers') return [key, inMap(value)];
        if (isMap(value)) return [key, inAuth(value)];
        return [key, secretsOfAuth.has(key) ? tell(value) : value];
      }),
    );
  return Object.fromEntries(
    Object.entries(server).map(([key, value]) => {
      if (key === 'env' || key === 'headers') return [key, inMap(value)];
      return [key, key === 'auth' ? inAuth(value as Wire) : value];
    }),
  );
}

export function decrypted(secret: string): string {
  return secret.startsWith(encrypted)
    ? Buffer.from(secret.slice(encrypted.length), 'base64url').toString()
    : secret;
}

const secretsOfAuth = new Set(['value', 'password', 'client_secret', 'access_token', 'refresh_token']);

function encrypt(secret: unknown): string {
  return encrypted + Buffer.from(String(secret)).toString('base64url');
}

function merged(before: unknown, value: Wire): Wire {
  const all = { ...(isMap(before) ? before : {}), ...value };
  return Object.fromEntries(Object.entries(all).filter(([, each]) => each !== null));
}

function withoutMasks(values: Wire): Wire {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== redacted && value !== ''));
}

function isMap(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Of what was taken for a boolean. */
function isOn(value: unknown): boolean {
  if (typeof value !== 'string' && typeof value !== 'number') return value !== false;
  return /^(?:1|true|t|yes|y|on)$/i.test(String(value));
}
