/** The MCP servers in the settings of an Agent Server. */
import { failed, json, type HttpAnswer, type Call } from '../http.ts';
import type { Route, RouteContext } from '../route.ts';
import { type BodyReader, type BodyFields, withBody } from '../validate.ts';
import { checkToolServer } from './checkToolServer.ts';
import {
  asStored,
  checkServerFields,
  contradiction,
  patched,
  type SecretForm,
  withSecrets,
} from './record.ts';

const one = 'api/settings/mcp/*';

export const settingsOfAgentServer: readonly Route[] = [
  { method: 'GET', path: 'api/settings', answer: settings },
  { method: 'POST', path: one, answer: add },
  { method: 'PATCH', path: one, answer: change },
  { method: 'DELETE', path: one, answer: remove },
  { method: 'POST', path: 'api/mcp/test', answer: checkToolServer },
];

function settings({ headers }: Call, context: RouteContext): HttpAnswer {
  const given = headers['x-expose-secrets'] ?? '';
  const form = given === '' ? 'redacted' : given.toLowerCase();
  if (form === 'redacted' || form === 'encrypted' || form === 'plaintext') return answer(context, form);
  return failed(
    400,
    `Invalid X-Expose-Secrets header value: '${given}'. Valid values are: 'encrypted', 'plaintext'.`,
  );
}

function answer({ toolServers }: RouteContext, form: SecretForm = 'redacted', status = 200): HttpAnswer {
  const servers = [...toolServers].map(([name, server]) => [name, withSecrets(server, form)] as const);
  const mcp_config = Object.fromEntries(servers);
  return json(
    {
      agent_settings: { schema_version: 9, agent_kind: 'openhands', mcp_config },
      conversation_settings: { schema_version: 1 },
      llm_api_key_is_set: true,
      active_profile: null,
      active_agent_profile_id: null,
      active_meta_profile: null,
      misc_settings: {},
    },
    status,
  );
}

function add(call: Call, context: RouteContext): HttpAnswer {
  const read = (reader: BodyReader, server: BodyFields) => {
    checkServerFields(reader, server, false);
    const wrong = reader.errors.length === 0 ? contradiction(server) : undefined;
    if (wrong !== undefined) reader.refuse([], wrong, server);
    return server;
  };
  return withBody(call, read, (server) => {
    const name = nameIn(call);
    if (name.includes('/')) return failed(404, 'Not Found');
    if (context.toolServers.has(name)) return failed(409, `MCP server '${name}' already exists`);
    context.toolServers.set(name, asStored(server));
    return answer(context, 'redacted', 201);
  });
}

function change(call: Call, context: RouteContext): HttpAnswer {
  const read = (reader: BodyReader, patch: BodyFields) => {
    checkServerFields(reader, patch, true);
    return patch;
  };
  return withBody(call, read, (patch) => {
    const name = nameIn(call);
    const before = context.toolServers.get(name);
    if (!before) return absent(name);
    const server = patched(before, patch);
    if (contradiction(server) !== undefined) return failed(422, 'Settings validation failed');
    context.toolServers.set(name, server);
    return answer(context);
  });
}

function remove(call: Call, context: RouteContext): HttpAnswer {
  const name = nameIn(call);
  return context.toolServers.delete(name) ? answer(context) : absent(name);
}

function absent(name: string): HttpAnswer {
  return failed(404, `MCP server '${name}' was not found`);
}

function nameIn({ segments }: Call): string {
  return segments[3] ?? '';
}
