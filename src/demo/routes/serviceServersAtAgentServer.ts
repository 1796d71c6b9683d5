import { failed, json, type HttpAnswer, type Call } from '../wire/http.ts';
import type { Routes, RouteContext } from './route.ts';
import {
  type BodyReader,
  type BodyFields,
  withBody,
} from '../wire/validate.ts';
import {
  asStored,
  checkAuth,
  checkMap,
  checkServerFields,
  checkStrings,
  contradiction,
  decrypted,
  patched,
  type SecretForm,
  withSecrets,
} from '../toolServers/record.ts';

export const settingsOfAgentServer: Routes = {
  'GET api/settings': settings,
  'POST api/settings/mcp/*': add,
  'PATCH api/settings/mcp/*': change,
  'DELETE api/settings/mcp/*': remove,
  'POST api/mcp/test': checkToolServer,
};

function settings({ headers }: Call, context: RouteContext): HttpAnswer {
  const header = headers['x-expose-secrets'] ?? '';
  const form = header === '' ? 'redacted' : header.toLowerCase();
  if (form === 'redacted' || form === 'encrypted' || form === 'plaintext')
    return answer(context, form);
  return failed(
    400,
    `Invalid X-Expose-Secrets header value: '${header}'. Valid values are: 'encrypted', 'plaintext'.`,
  );
}

function answer(
  { toolServers }: RouteContext,
  form: SecretForm = 'redacted',
  status = 200,
): HttpAnswer {
  const servers = [...toolServers].map(
    ([name, server]) => [name, withSecrets(server, form)] as const,
  );
  const mcp_config = Object.fromEntries(servers);
  return json(
    {
      agent_settings: {
        schema_version: 9,
        agent_kind: 'openhands',
        mcp_config,
      },
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
    const wrong =
      reader.errors.length === 0 ? contradiction(server) : undefined;
    if (wrong !== undefined) reader.note([], wrong);
    return server;
  };
  return withBody(call, read, (server) => {
    const name = nameIn(call);
    if (name.includes('/')) return failed(404, 'Not Found');
    if (context.toolServers.has(name))
      return failed(409, `MCP server '${name}' already exists`);
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
    if (contradiction(server) !== undefined)
      return failed(422, 'Settings validation failed');
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

const checkedTransports = ['stdio', 'http', 'shttp', 'streamable-http', 'sse'];

const checkTimeMs = 300;

/**
 * Simulates the check of an MCP server: the outcome follows from its fields
 * alone.
 */
function checkToolServer(call: Call): HttpAnswer {
  return withBody(call, readWanted, ({ server, timeout }) => ({
    ...json(outcome(server, timeout)),
    wait: checkTimeMs,
  }));
}

/** Ignores unknown fields. */
function readWanted(reader: BodyReader, fields: BodyFields) {
  reader.optional(fields, 'name', (loc, value) =>
    reader.string(loc, value, { least: 1, most: 128 }),
  );
  const { timeout: seconds } = fields;
  const timeout = typeof seconds === 'number' ? seconds : 15;
  reader.noteRange(['timeout'], timeout, 0, 120);
  const record = reader.object(['server'], fields.server);
  const server = record && checked(reader, record);
  return server && { server, timeout };
}

function checked(
  reader: BodyReader,
  server: BodyFields,
): BodyFields | undefined {
  if ('authentication' in server) {
    reader.note(
      [],
      'OAuth authentication metadata belongs under auth.authentication.',
    );
    return undefined;
  }
  const transport =
    server.type ?? server.transport ?? ('command' in server ? 'stdio' : 'http');
  const type = typeof transport === 'string' ? transport : '';
  if (!checkedTransports.includes(type)) {
    reader.note(['server'], `Unknown type '${type}'`);
    return undefined;
  }
  const loc = ['server', type];
  const isLocal = type === 'stdio';
  const needed = isLocal ? 'command' : 'url';
  const values = isLocal ? 'env' : 'headers';
  reader.string([...loc, needed], server[needed], { least: 1 });
  if (isLocal && 'args' in server)
    checkStrings(reader, [...loc, 'args'], server.args);
  if (values in server) checkMap(reader, [...loc, values], server[values]);
  if (!isLocal && (server.auth ?? undefined) !== undefined)
    checkAuth(reader, [...loc, 'auth'], server.auth);
  const wrong =
    reader.errors.length === 0 && !isLocal ? contradiction(server) : undefined;
  if (wrong !== undefined) reader.note(loc, wrong);
  return { ...server, type };
}

/** Programs installed on the service's machine. */
const programs = new Set(['npx', 'node', 'uvx', 'uv', 'python', 'python3']);

const tools = ['search', 'read_item', 'create_item', 'delete_item'];

function outcome(server: BodyFields, timeout: number): object {
  const fails = (error_kind: string, error: string) => ({
    ok: false,
    error,
    error_kind,
  });
  if (server.type === 'stdio') {
    const { command, args = [] } = server as {
      command: string;
      args?: readonly string[];
    };
    if (!programs.has(command)) {
      return fails(
        'connection',
        `Client failed to connect: [Errno 2] No such file or directory: '${command}'`,
      );
    }
    if (args.includes('hangs')) {
      const more =
        'MCP servers configured: test-server\n\nPossible solutions:\n  1. Increase the timeout value';
      return fails(
        'timeout',
        `MCP tool listing timed out after ${timeout.toFixed(1)} seconds.\n${more}`,
      );
    }
    return { ok: true, tools };
  }
  const { url, auth } = server as { url: string; auth?: { value?: unknown } };
  const host = URL.parse(url)?.hostname ?? '';
  if (!host.endsWith('.example.com')) {
    return fails(
      'connection',
      'Client failed to connect: All connection attempts failed',
    );
  }
  // A token that only looks encrypted is invalid.
  const token = typeof auth?.value === 'string' ? decrypted(auth.value) : '';
  if (host.startsWith('tracker.') && !token.startsWith('demo-token')) {
    return fails(
      'unknown',
      `HTTPStatusError: Client error '401 Unauthorized' for url '${url}'\nFor more information check: https://developer.mozilla.org/`,
    );
  }
  return { ok: true, tools };
}
