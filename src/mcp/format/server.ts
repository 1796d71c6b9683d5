/**
 * A server with exact types, whatever the file contains, and wrapped secrets.
 */
import { Secret } from '../../base/secret.ts';
import type { ServerKind } from '../dialects/ownKeys.ts';
import type { Fields, Value } from '../text/values.ts';

export interface LocalServer {
  readonly transport: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: ReadonlyMap<string, Secret>;
}

export interface RemoteServer {
  readonly transport: 'http' | 'sse';
  readonly url: string;
  readonly headers: ReadonlyMap<string, Secret>;
  readonly auth?: Secret;
}

export type Server = LocalServer | RemoteServer;

/**
 * Reads fields as the program does; `undefined` if they name no server. The
 * kind defaults to the one of the target.
 */
export function readServer(
  fields: Fields,
  kind: ServerKind = fields.has('command') ? 'local' : 'remote',
): Server | undefined {
  const url = fields.get('url');
  if (kind === 'remote') {
    if (typeof url !== 'string') return undefined;
    const auth = fields.get('auth');
    return {
      transport: remoteTransport(url, fields.get('transport')),
      url,
      headers: secrets(fields.get('headers')),
      ...(typeof auth === 'string' && { auth: new Secret(auth) }),
    };
  }
  const command = fields.get('command');
  if (typeof command !== 'string') return undefined;
  const args = fields.get('args');
  return {
    transport: 'stdio',
    command,
    args: Array.isArray(args)
      ? args.filter((arg) => typeof arg === 'string')
      : [],
    env: secrets(fields.get('env')),
  };
}

function remoteTransport(
  url: string,
  transport: Value | undefined,
): 'http' | 'sse' {
  if (transport === 'sse') return 'sse';
  if (transport === 'http' || transport === 'streamable-http') return 'http';
  const path = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  return /^[^?#]*\/sse(?:[/?#&]|;[^/?#]*(?:[?#]|$)|$)/.test(path)
    ? 'sse'
    : 'http';
}

function secrets(value: Value | undefined): ReadonlyMap<string, Secret> {
  if (!(value instanceof Map)) return new Map();
  const pairs = [...(value as Fields)].flatMap(
    ([name, text]): [string, Secret][] =>
      typeof text === 'string' ? [[name, new Secret(text)]] : [],
  );
  return new Map(pairs);
}

/** The entry to write for a server, with fields in the order of the program. */
export function writeServer(
  server: Server,
  enabled: boolean,
  extra: Fields = new Map(),
): Fields {
  const fields = new Map<string, Value>();
  if (server.transport === 'stdio') {
    fields.set('command', server.command);
    fields.set('args', server.args);
    fields.set('env', revealed(server.env));
  } else {
    fields.set('url', server.url);
    fields.set('transport', server.transport);
    if (server.headers.size > 0)
      fields.set('headers', revealed(server.headers));
    if (server.auth) fields.set('auth', server.auth.reveal());
  }
  for (const [name, value] of extra)
    if (!fields.has(name)) fields.set(name, value);
  if (!enabled) fields.set('enabled', false);
  return fields;
}

function revealed(values: ReadonlyMap<string, Secret>): Fields {
  return new Map([...values].map(([name, value]) => [name, value.reveal()]));
}
