/** The MCP servers in the settings of the service. */
import type { BodyFields } from '../wire/http.ts';

export type StoredServers = Map<string, BodyFields>;

export function firstServers(): StoredServers {
  return new Map<string, BodyFields>([
    [
      'tracker',
      {
        url: 'https://tracker.example.com/mcp',
        transport: 'http',
        headers: { 'X-Team': 'northwind' },
        auth: { strategy: 'bearer', value: 'demo-token-of-the-tracker' },
        enabled: true,
      },
    ],
    [
      'database',
      {
        command: 'npx',
        args: ['-y', '@example/mcp-database', '--read-only'],
        env: { DATABASE_URL: 'postgres://reader:demo@db.example.com/shop' },
        enabled: true,
      },
    ],
    [
      'browser',
      {
        command: 'docker',
        args: ['run', '-i', '--rm', 'example/mcp-browser'],
        enabled: false,
      },
    ],
  ]);
}

/** The error of a server whose fields contradict each other. */
export function contradiction({
  auth,
  headers,
}: BodyFields): string | undefined {
  const names = Object.keys(headers ?? {});
  const isTwice =
    auth !== undefined &&
    names.some((name) => name.toLowerCase() === 'authorization');
  return isTwice
    ? "'auth' cannot be combined with an explicit top-level 'Authorization' header; use auth.strategy='header' instead."
    : undefined;
}

/** Applies a patch, in which null takes a field away. */
export function patched(before: unknown, patch: BodyFields): BodyFields {
  const old = isFields(before) ? before : {};
  const fields = Object.entries({ ...old, ...patch })
    .filter(([, value]) => value !== null)
    .map(([name, value]): [string, unknown] => [
      name,
      isFields(value) ? patched(old[name], value) : value,
    ]);
  return Object.fromEntries(fields);
}

function isFields(value: unknown): value is BodyFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const secretFields = new Set(['env', 'headers', 'auth']);

/** Returns a server with its secrets replaced. */
export function withSecrets(
  server: BodyFields,
  replaced: (secret: unknown) => unknown,
): BodyFields {
  return Object.fromEntries(
    Object.entries(server).map(([field, value]) => {
      if (!secretFields.has(field)) return [field, value];
      const values = Object.entries(value as BodyFields).map(
        ([name, secret]): [string, unknown] => [
          name,
          name === 'strategy' ? secret : replaced(secret),
        ],
      );
      return [field, Object.fromEntries(values)];
    }),
  );
}

export const redacted = '**********';

const encryptedPrefix = 'gAAAAAdemo';

export function encrypted(secret: unknown): string {
  return encryptedPrefix + Buffer.from(String(secret)).toString('base64url');
}

export function decrypted(secret: string): string {
  if (!secret.startsWith(encryptedPrefix)) return secret;
  return Buffer.from(
    secret.slice(encryptedPrefix.length),
    'base64url',
  ).toString();
}
