/** The MCP servers as the settings of a service tell them. */
import { MaskedValue, type ServerExtras, type ServiceAuth, type ServiceServer } from './serviceServer.ts';
import { isObject, type WireRecord } from './wireValues.ts';

/** The mask that a service sends instead of a secret. */
export const wireMask = '**********';

/** Nothing is nested deeper for a reason. */
const maxDepth = 6;

/** The part of the settings with the servers, by their names; undefined for anything but settings. */
export function serversIn(answer: unknown): WireRecord | undefined {
  const settings = isObject(answer) ? answer.agent_settings : undefined;
  if (!isObject(settings)) return undefined;
  const servers = settings.mcp_config ?? {};
  return isObject(servers) ? servers : undefined;
}

/** `tellsSecrets`: true if the service names every secret. */
export function readServiceServers(records: WireRecord, tellsSecrets: boolean): readonly ServiceServer[] {
  return Object.entries(records).flatMap(([name, record]) =>
    isObject(record) ? [readServer(name, record, tellsSecrets)] : [],
  );
}

/** True if a secret in it is masked. */
export function hasMask(value: unknown, depth = maxDepth): boolean {
  if (value === wireMask) return true;
  if (typeof value !== 'object' || value === null || depth === 0) return false;
  return Object.values(value).some((inner) => hasMask(inner, depth - 1));
}

function readServer(name: string, record: WireRecord, tellsSecrets: boolean): ServiceServer {
  const { command, url, transport } = record;
  const listed = { name, enabled: record.enabled !== false, extras: readExtras(record) };
  const isLocal = typeof command === 'string' && (transport === undefined || transport === 'stdio');
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
      transport: transport === 'sse' || (transport === undefined && hasSse(url)) ? 'sse' : 'http',
      url,
      headers: readMasked(record.headers, tellsSecrets),
      auth: readAuth(record.auth),
    };
  }
  return { ...listed, transport: undefined };
}

/** Without a transport, the path decides. */
function hasSse(url: string): boolean {
  return /^[^?#]*\/sse(?:[/?#&]|$)/.test(url);
}

function readMasked(value: unknown, tellsSecrets: boolean): ReadonlyMap<string, MaskedValue> | undefined {
  if (!isObject(value)) return tellsSecrets ? new Map() : undefined;
  return new Map(Object.keys(value).map((name) => [name, new MaskedValue()]));
}

const texts = ['cwd', 'description', 'icon'] as const;
const numbers = ['timeout', 'sse_read_timeout'] as const;

function readExtras(record: WireRecord): ServerExtras {
  const keep = record.keep_alive;
  return {
    ...Object.fromEntries(
      texts.flatMap((key) => (typeof record[key] === 'string' ? [[key, record[key]]] : [])),
    ),
    ...Object.fromEntries(
      numbers.flatMap((key) => (typeof record[key] === 'number' ? [[key, record[key]]] : [])),
    ),
    ...(typeof keep === 'boolean' && { keep_alive: keep }),
  };
}

/** The open parts of a sign-in. All others may be secrets. */
const toldOfAuth = new Set(['username', 'header_name', 'client_id', 'client_name', 'scopes']);

function readAuth(value: unknown): ServiceAuth | undefined {
  if (!isObject(value) || typeof value.strategy !== 'string') return undefined;
  const told = new Map<string, string>();
  const secrets = new Map<string, MaskedValue>();
  const read = (record: WireRecord, before: string, depth: number) => {
    if (depth === 0) return;
    for (const [key, inner] of Object.entries(record)) {
      if (inner === wireMask) secrets.set(before + key, new MaskedValue());
      else if (isObject(inner)) read(inner, `${before}${key}.`, depth - 1);
      else if (toldOfAuth.has(key)) told.set(key, Array.isArray(inner) ? inner.join(' ') : String(inner));
    }
  };
  read(value, '', maxDepth);
  return { strategy: value.strategy, told, secrets };
}
