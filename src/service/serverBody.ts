/** MCP servers as they are sent to a service. Null takes something away. */
import { mask, type Secret } from '../base/secret.ts';
import { wireMask } from './serverRecord.ts';
import type { SentAuth, SentServer, ServerChange, ServiceServer } from './serviceServer.ts';

export function serverBody(server: SentServer): object {
  if (server.transport === 'stdio') {
    const { command, args, env, extras } = server;
    return { command, args, ...(env.size > 0 && { env: revealed(env) }), ...extras };
  }
  const { url, transport, headers, auth, extras } = server;
  return {
    url,
    transport,
    ...(headers.size > 0 && { headers: revealed(headers) }),
    ...(auth && { auth: authBody(auth) }),
    ...extras,
  };
}

export function changeBody({ env, headers, auth, ...rest }: ServerChange): object {
  return {
    ...rest,
    ...(env !== undefined && { env: env && revealed(env) }),
    ...(headers !== undefined && { headers: headers && revealed(headers) }),
    ...(auth !== undefined && { auth: auth && authBody(auth) }),
  };
}

/** Takes away everything that the old server may have, because a change keeps what it does not mention. */
export function replacementBody(before: ServiceServer, server: SentServer): object {
  const old = before.transport === 'stdio' ? before.env : before.transport && before.headers;
  const taken = Object.fromEntries([...(old?.keys() ?? [])].map((name) => [name, null]));
  const kind = server.transport === 'stdio' ? 'env' : 'headers';
  const isSame = (before.transport === 'stdio') === (server.transport === 'stdio');
  const body = serverBody(server) as Readonly<Record<string, object | undefined>>;
  return { ...nothing, ...body, ...(isSame && body[kind] && { [kind]: { ...taken, ...body[kind] } }) };
}

const nothing = {
  ...{ url: null, transport: null, command: null, args: null, env: null, headers: null, auth: null },
  ...{ cwd: null, description: null, icon: null, timeout: null, sse_read_timeout: null, keep_alive: null },
};

/** The places that hold a mask instead of a secret. */
export function masksIn(body: unknown, path = ''): string[] {
  if (body === wireMask || body === mask) return [path];
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) => masksIn(value, path === '' ? key : `${path}.${key}`));
}

function authBody(auth: SentAuth): object {
  return auth.strategy === 'bearer' ? { strategy: 'bearer', value: auth.value.reveal() } : auth;
}

function revealed(values: ReadonlyMap<string, Secret | null>): object {
  return Object.fromEntries([...values].map(([name, value]) => [name, value?.reveal() ?? null]));
}
