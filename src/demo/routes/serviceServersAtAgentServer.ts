import {
  type BodyFields,
  bodyOf,
  failed,
  json,
  type HttpAnswer,
  type Call,
} from '../wire/http.ts';
import type { Routes, RouteContext } from './route.ts';
import {
  contradiction,
  decrypted,
  encrypted,
  patched,
  redacted,
  withSecrets,
} from '../toolServers/record.ts';

export const settingsOfAgentServer: Routes = {
  'GET api/settings': ({ headers }, context) =>
    settings(context, headers['x-expose-secrets']),
  'POST api/settings/mcp/*': add,
  'PATCH api/settings/mcp/*': change,
  'DELETE api/settings/mcp/*': remove,
  'POST api/mcp/test': checkToolServer,
};

/** `form` is that of the secrets: `encrypted`, `plaintext` or redacted. */
function settings(
  { toolServers }: RouteContext,
  form?: string,
  status = 200,
): HttpAnswer {
  const shown = (secret: unknown) => {
    if (form === 'plaintext') return secret;
    return form === 'encrypted' ? encrypted(secret) : redacted;
  };
  const servers = [...toolServers].map(
    ([name, server]) => [name, withSecrets(server, shown)] as const,
  );
  const mcp_config = Object.fromEntries(servers);
  return json({ agent_settings: { mcp_config } }, status);
}

function add(call: Call, context: RouteContext): HttpAnswer {
  const name = nameIn(call);
  if (context.toolServers.has(name))
    return failed(409, `MCP server '${name}' already exists`);
  const server = bodyOf(call) as BodyFields;
  const wrong = contradiction(server);
  if (wrong !== undefined) return failed(422, wrong);
  context.toolServers.set(name, { enabled: true, ...server });
  return settings(context, undefined, 201);
}

function change(call: Call, context: RouteContext): HttpAnswer {
  const name = nameIn(call);
  const before = context.toolServers.get(name);
  if (!before) return absent(name);
  const server = patched(before, bodyOf(call) as BodyFields);
  const wrong = contradiction(server);
  if (wrong !== undefined) return failed(422, wrong);
  context.toolServers.set(name, server);
  return settings(context);
}

function remove(call: Call, context: RouteContext): HttpAnswer {
  const name = nameIn(call);
  return context.toolServers.delete(name) ? settings(context) : absent(name);
}

function absent(name: string): HttpAnswer {
  return failed(404, `MCP server '${name}' was not found`);
}

function nameIn({ segments }: Call): string {
  return segments[3] ?? '';
}

const checkTimeMs = 300;

interface CheckedServer {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly url?: string;
  readonly auth?: { readonly value?: string };
}

/**
 * Simulates the check of an MCP server: the outcome follows from its fields
 * alone.
 */
function checkToolServer(call: Call): HttpAnswer {
  const { server, timeout } = bodyOf(call) as {
    server: CheckedServer;
    timeout: number;
  };
  return { ...json(outcome(server, timeout)), wait: checkTimeMs };
}

/** Programs installed on the service's machine. */
const programs = new Set(['npx', 'node', 'uvx', 'uv', 'python', 'python3']);

const tools = ['search', 'read_item', 'create_item', 'delete_item'];

function outcome(
  { command, args = [], url = '', auth }: CheckedServer,
  timeout: number,
): object {
  const fails = (error_kind: string, error: string) => ({
    ok: false,
    error,
    error_kind,
  });
  if (command !== undefined) {
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
  const host = URL.parse(url)?.hostname ?? '';
  if (!host.endsWith('.example.com')) {
    return fails(
      'connection',
      'Client failed to connect: All connection attempts failed',
    );
  }
  // A token that only looks encrypted is invalid.
  const token = decrypted(auth?.value ?? '');
  if (host.startsWith('tracker.') && !token.startsWith('demo-token')) {
    return fails(
      'unknown',
      `HTTPStatusError: Client error '401 Unauthorized' for url '${url}'\nFor more information check: https://developer.mozilla.org/`,
    );
  }
  return { ok: true, tools };
}
