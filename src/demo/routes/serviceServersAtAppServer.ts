/**
 * The MCP servers in the settings of an app server, without the names of their
 * secrets.
 */
import { gitProviders } from './gitProviderRoutes.ts';
import { json, type HttpAnswer, type Call } from '../wire/http.ts';
import type { Routes, RouteContext } from './route.ts';
import { BodyReader, type BodyFields, withBody } from '../wire/validate.ts';
import {
  asStored,
  checkServerFields,
  contradiction,
} from '../toolServers/record.ts';

export const settingsV1: Routes = {
  'GET api/v1/settings': settings,
  'POST api/v1/settings': store,
};

const secrets = new Set([
  'value',
  'password',
  'headers',
  'client_secret',
  'state',
]);
const hidden = new Set(['env', 'headers', 'enabled', 'auth']);

function settings(_call: Call, { toolServers }: RouteContext): HttpAnswer {
  // An app server cannot disable servers.
  const servers = [...toolServers].filter(
    ([, { enabled }]) => enabled === true,
  );
  const mcp_config = Object.fromEntries(
    servers.map(([name, server]) => [name, shown(server)]),
  );
  return json({
    language: null,
    agent_settings: { schema_version: 4, agent_kind: 'openhands', mcp_config },
    conversation_settings: { schema_version: 1 },
    llm_api_key_set: true,
    provider_tokens_set: Object.fromEntries(
      gitProviders.map((provider) => [provider, null]),
    ),
  });
}

function shown(server: BodyFields): BodyFields {
  const rest = without(server, hidden);
  return server.auth === undefined
    ? rest
    : { ...rest, auth: without(server.auth as BodyFields, secrets) };
}

function without(record: BodyFields, keys: ReadonlySet<string>): BodyFields {
  return Object.fromEntries(
    Object.entries(record).filter(([key]) => !keys.has(key)),
  );
}

/** Replaces all servers. */
function store(call: Call, { toolServers }: RouteContext): HttpAnswer {
  return withBody(
    call,
    (_, fields) => fields,
    (fields) => {
      const legacy = ['agent_settings', 'conversation_settings'].filter(
        (key) => key in fields,
      );
      if (legacy.length > 0) {
        const error =
          'Use *_diff nested settings payloads instead of legacy keys';
        return json({ error, keys: legacy }, 422);
      }
      const diff = fields.agent_settings_diff as
        { readonly mcp_config?: BodyFields } | undefined;
      if (diff?.mcp_config !== undefined) {
        const entries = Object.entries(
          (diff.mcp_config.mcpServers ?? diff.mcp_config) as BodyFields,
        );
        const [wrong] = entries.flatMap(([, server]) => errorOf(server) ?? []);
        if (wrong !== undefined) return json({ error: wrong }, 400);
        toolServers.clear();
        for (const [name, server] of entries)
          toolServers.set(name, asStored(server as BodyFields));
      }
      return json({ message: 'Settings stored' });
    },
  );
}

function errorOf(server: unknown): string | undefined {
  const reader = new BodyReader();
  const fields = reader.object([], server);
  if (fields) checkServerFields(reader, fields, false);
  if (fields && 'enabled' in fields) return 'Extra inputs are not permitted';
  return reader.errors[0]?.msg ?? (fields && contradiction(fields));
}
