/** The settings of an app server, as far as they are about MCP servers: of secrets, not even the names are told. */
import { gitProviders } from '../gitProviderRoutes.ts';
import { json, type HttpAnswer, type Call } from '../http.ts';
import type { Route, RouteContext } from '../route.ts';
import { BodyReader, invalid } from '../validate.ts';
import { asStored, checkServerFields, contradiction } from './record.ts';

type Wire = Readonly<Record<string, unknown>>;

export const settingsV1: readonly Route[] = [
  { method: 'GET', path: 'api/v1/settings', answer: settings },
  { method: 'POST', path: 'api/v1/settings', answer: store },
];

const secrets = new Set(['value', 'password', 'headers', 'client_secret', 'state']);
const untold = new Set(['env', 'headers', 'enabled', 'auth']);

function settings(_call: Call, { toolServers }: RouteContext): HttpAnswer {
  // It cannot disable a server.
  const servers = [...toolServers].filter(([, { enabled }]) => enabled === true);
  const mcp_config = Object.fromEntries(servers.map(([name, server]) => [name, told(server)]));
  return json({
    language: null,
    agent_settings: { schema_version: 4, agent_kind: 'openhands', mcp_config },
    conversation_settings: { schema_version: 1 },
    llm_api_key_set: true,
    provider_tokens_set: Object.fromEntries(gitProviders.map((provider) => [provider, null])),
  });
}

function told(server: Wire): Wire {
  const rest = without(server, untold);
  return server.auth === undefined ? rest : { ...rest, auth: without(server.auth as Wire, secrets) };
}

function without(record: Wire, keys: ReadonlySet<string>): Wire {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.has(key)));
}

/** Replaces all of them. */
function store(call: Call, { toolServers }: RouteContext): HttpAnswer {
  const reader = new BodyReader();
  const request = reader.parse(call.headers['content-type'] ?? '', call.body);
  if (!request) return invalid(reader.errors);
  const legacy = ['agent_settings', 'conversation_settings'].filter((key) => key in request);
  if (legacy.length > 0) {
    const error = 'Use *_diff nested settings payloads instead of legacy keys';
    return json({ error, keys: legacy }, 422);
  }
  const diff = request.agent_settings_diff as { readonly mcp_config?: Wire } | undefined;
  if (diff?.mcp_config !== undefined) {
    const wanted = (diff.mcp_config.mcpServers ?? diff.mcp_config) as Wire;
    const wrong = Object.values(wanted)
      .map(whatIsWrong)
      .find((error) => error !== undefined);
    if (wrong !== undefined) return json({ error: wrong }, 400);
    toolServers.clear();
    for (const [name, server] of Object.entries(wanted)) toolServers.set(name, asStored(server as Wire));
  }
  return json({ message: 'Settings stored' });
}

function whatIsWrong(server: unknown): string | undefined {
  const reader = new BodyReader();
  const fields = reader.object([], server);
  if (fields) checkServerFields(reader, fields, false);
  if (fields && 'enabled' in fields) return 'Extra inputs are not permitted';
  return reader.errors[0]?.msg ?? (fields && contradiction(fields));
}
