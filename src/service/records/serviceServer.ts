/**
 * Reads the MCP servers in the settings of a service, and writes requests that
 * change them.
 */
import { mask, type Secret } from '../../base/secret.ts';
import { isObject, type WireRecord } from '../http/wireValues.ts';

const inspectCustom: unique symbol = Symbol.for('nodejs.util.inspect.custom');

/**
 * A secret that a service has and does not reveal. Cannot be written: it is not
 * text, and throws when it becomes JSON.
 */
export class MaskedValue {
  toString(): string {
    return mask;
  }

  toJSON(): never {
    throw new Error(
      'A secret that the service does not tell cannot be sent or written.',
    );
  }

  [inspectCustom](): string {
    return mask;
  }
}

/** Other fields of a server, by the names of the service. */
export interface ServerExtras {
  readonly cwd?: string;
  readonly description?: string;
  readonly icon?: string;
  readonly timeout?: number;
  readonly sse_read_timeout?: number;
  readonly keep_alive?: boolean;
}

/** The sign-in of a server, as a service reports it. */
export interface ServiceAuth {
  /**
   * `none`, `api_key`, `bearer`, `basic`, `header`, `oauth2`, or one that is
   * not known yet.
   */
  readonly strategy: string;
  /** Open parts, such as `username`. */
  readonly told: ReadonlyMap<string, string>;
  /** Named by their path, such as `value`, `password` and `headers.X-Key`. */
  readonly secrets: ReadonlyMap<string, MaskedValue>;
}

interface Listed {
  readonly name: string;
  /** True if agents get it. */
  readonly enabled: boolean;
  readonly extras: ServerExtras;
}

/**
 * A server as a service reports it. Arguments and addresses can contain
 * secrets: they come as they are.
 */
export type ServiceServer = Listed &
  (
    | {
        readonly transport: 'stdio';
        readonly command: string;
        readonly args: readonly string[];
        /** Undefined if the service does not say. */
        readonly env: ReadonlyMap<string, MaskedValue> | undefined;
      }
    | {
        readonly transport: 'http' | 'sse';
        readonly url: string;
        /** Undefined if the service does not say. */
        readonly headers: ReadonlyMap<string, MaskedValue> | undefined;
        readonly auth: ServiceAuth | undefined;
      }
    /** Has neither a command nor an address, so agents cannot use it. */
    | { readonly transport: undefined }
  );

type SentAuth =
  | { readonly strategy: 'bearer'; readonly value: Secret }
  | { readonly strategy: 'oauth2' };

export type SentServer =
  | {
      readonly transport: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: ReadonlyMap<string, Secret>;
      readonly extras: ServerExtras;
    }
  | {
      readonly transport: 'http' | 'sse';
      readonly url: string;
      readonly headers: ReadonlyMap<string, Secret>;
      readonly auth?: SentAuth | undefined;
      readonly extras: ServerExtras;
    };

/**
 * Changes of a server. Fields that are missing stay as they are, secrets
 * included; null takes a field away.
 */
export interface ServerChange {
  readonly enabled?: boolean;
  readonly command?: string | null;
  readonly args?: readonly string[] | null;
  readonly env?: ReadonlyMap<string, Secret | null> | null;
  readonly url?: string | null;
  readonly transport?: 'stdio' | 'http' | 'sse';
  readonly headers?: ReadonlyMap<string, Secret | null> | null;
  readonly auth?: SentAuth | null;
}

/**
 * The result of starting or reaching a server from the machine of the service.
 */
export type ServiceCheck =
  | {
      readonly works: true;
      readonly tools: readonly string[];
      readonly milliseconds: number;
    }
  | {
      readonly works: false;
      /** `unknown`: the service says no more than `why`. */
      readonly reason: 'timedOut' | 'noConnection' | 'unknown';
      /** One line of the service, without secrets. */
      readonly why: string;
      readonly milliseconds: number;
    };

/** The mask that a service sends instead of a secret. */
const wireMask = '**********';

/** Deeper values are ignored. */
const maxDepth = 6;

/**
 * The part of the settings with the servers, by their names; undefined for
 * anything but settings.
 */
export function serversIn(answer: unknown): WireRecord | undefined {
  const settings = isObject(answer) ? answer.agent_settings : undefined;
  if (!isObject(settings)) return undefined;
  const servers = settings.mcp_config ?? {};
  return isObject(servers) ? servers : undefined;
}

/**
 * The part of a conversation's record with the servers of its agent;
 * `undefined` for anything else.
 */
export function agentServersIn(record: unknown): WireRecord | undefined {
  const agent = isObject(record) ? record.agent : undefined;
  if (!isObject(agent)) return undefined;
  const servers = agent.mcp_config ?? {};
  return isObject(servers) ? servers : undefined;
}

/**
 * The names of the tools of MCP servers in the first event of a conversation.
 */
export function toolsInPrompt(event: unknown): readonly string[] | undefined {
  if (!isObject(event) || !Array.isArray(event.tools)) return undefined;
  return (event.tools as unknown[]).flatMap((tool) => {
    if (!isObject(tool) || tool.kind !== 'MCPToolDefinition') return [];
    const name =
      tool.title ?? (isObject(tool.mcp_tool) ? tool.mcp_tool.name : undefined);
    return typeof name === 'string' ? [name] : [];
  });
}

/** `tellsSecrets`: true if the service names every secret. */
export function readServiceServers(
  records: WireRecord,
  tellsSecrets: boolean,
): readonly ServiceServer[] {
  return Object.entries(records).flatMap(([name, record]) =>
    isObject(record) ? [readServer(name, record, tellsSecrets)] : [],
  );
}

export function hasMask(value: unknown, depth = maxDepth): boolean {
  if (value === wireMask) return true;
  if (typeof value !== 'object' || value === null || depth === 0) return false;
  return Object.values(value).some((inner) => hasMask(inner, depth - 1));
}

function readServer(
  name: string,
  record: WireRecord,
  tellsSecrets: boolean,
): ServiceServer {
  const { command, url, transport } = record;
  const listed = {
    name,
    enabled: record.enabled !== false,
    extras: readExtras(record),
  };
  const isLocal =
    typeof command === 'string' &&
    (transport === undefined || transport === 'stdio');
  if (isLocal) {
    const args = Array.isArray(record.args) ? (record.args as unknown[]) : [];
    return {
      ...listed,
      transport: 'stdio',
      command,
      args: args.filter((arg) => typeof arg === 'string'),
      env: readMasked(record.env, tellsSecrets),
    };
  }
  if (typeof url === 'string') {
    return {
      ...listed,
      transport:
        transport === 'sse' || (transport === undefined && hasSse(url))
          ? 'sse'
          : 'http',
      url,
      headers: readMasked(record.headers, tellsSecrets),
      auth: readAuth(record.auth),
    };
  }
  return { ...listed, transport: undefined };
}

/** Guesses the transport by the path. */
function hasSse(url: string): boolean {
  return /^[^?#]*\/sse(?:[/?#&]|$)/.test(url);
}

function readMasked(
  value: unknown,
  tellsSecrets: boolean,
): ReadonlyMap<string, MaskedValue> | undefined {
  if (!isObject(value)) return tellsSecrets ? new Map() : undefined;
  return new Map(Object.keys(value).map((name) => [name, new MaskedValue()]));
}

const typesOfExtras: Readonly<Record<keyof ServerExtras, string>> = {
  cwd: 'string',
  description: 'string',
  icon: 'string',
  timeout: 'number',
  sse_read_timeout: 'number',
  keep_alive: 'boolean',
};

function readExtras(record: WireRecord): ServerExtras {
  const isExtra = ([key, type]: readonly [string, string]) =>
    typeof record[key] === type;
  const extras = Object.entries(typesOfExtras).filter(isExtra);
  return Object.fromEntries(extras.map(([key]) => [key, record[key]]));
}

/** The open parts of a sign-in. All others may be secrets. */
const toldOfAuth = new Set([
  'username',
  'header_name',
  'client_id',
  'client_name',
  'scopes',
]);

function readAuth(value: unknown): ServiceAuth | undefined {
  if (!isObject(value) || typeof value.strategy !== 'string') return undefined;
  const openParts = new Map<string, string>();
  const secrets = new Map<string, MaskedValue>();
  const read = (record: WireRecord, before: string, depth: number) => {
    if (depth === 0) return;
    for (const [key, inner] of Object.entries(record)) {
      if (inner === wireMask) secrets.set(before + key, new MaskedValue());
      else if (isObject(inner)) read(inner, `${before}${key}.`, depth - 1);
      else if (toldOfAuth.has(key))
        openParts.set(
          key,
          Array.isArray(inner) ? inner.join(' ') : String(inner),
        );
    }
  };
  read(value, '', maxDepth);
  return { strategy: value.strategy, told: openParts, secrets };
}

/** The server in a request. Null takes something away. */
export function serverBody(server: SentServer): object {
  if (server.transport === 'stdio') {
    const { command, args, env, extras } = server;
    return {
      command,
      args,
      ...(env.size > 0 && { env: revealed(env) }),
      ...extras,
    };
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

export function changeBody({
  env,
  headers,
  auth,
  ...rest
}: ServerChange): object {
  return {
    ...rest,
    ...(env !== undefined && { env: env && revealed(env) }),
    ...(headers !== undefined && { headers: headers && revealed(headers) }),
    ...(auth !== undefined && { auth: auth && authBody(auth) }),
  };
}

/**
 * Clears all fields of the old server, because a change keeps the fields that
 * it does not mention.
 */
export function replacementBody(
  before: ServiceServer,
  server: SentServer,
): object {
  const old =
    before.transport === 'stdio'
      ? before.env
      : before.transport && before.headers;
  const taken = Object.fromEntries(
    [...(old?.keys() ?? [])].map((name) => [name, null]),
  );
  const kind = server.transport === 'stdio' ? 'env' : 'headers';
  const isSame =
    (before.transport === 'stdio') === (server.transport === 'stdio');
  const body = serverBody(server) as Readonly<
    Record<string, object | undefined>
  >;
  return {
    ...nothing,
    ...body,
    ...(isSame && body[kind] && { [kind]: { ...taken, ...body[kind] } }),
  };
}

const nothing = {
  url: null,
  transport: null,
  command: null,
  args: null,
  env: null,
  headers: null,
  auth: null,
  cwd: null,
  description: null,
  icon: null,
  timeout: null,
  sse_read_timeout: null,
  keep_alive: null,
};

/** The places that hold a mask instead of a secret. */
export function masksIn(body: unknown, path = ''): string[] {
  if (body === wireMask || body === mask) return [path];
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([key, value]) =>
    masksIn(value, path === '' ? key : `${path}.${key}`),
  );
}

function authBody(auth: SentAuth): object {
  return auth.strategy === 'bearer'
    ? { strategy: 'bearer', value: auth.value.reveal() }
    : auth;
}

function revealed(values: ReadonlyMap<string, Secret | null>): object {
  return Object.fromEntries(
    [...values].map(([name, value]) => [name, value?.reveal() ?? null]),
  );
}
