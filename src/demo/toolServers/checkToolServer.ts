/** The check of an MCP server by the service. The demo starts and asks nothing: what comes of it follows from the server. */
import { json, type HttpAnswer, type Call } from '../http.ts';
import { BodyReader, invalid } from '../validate.ts';
import { checkAuth, contradiction, decrypted, map, noteTooShort, strings } from './record.ts';

type Wire = Readonly<Record<string, unknown>>;

const transports = ['stdio', 'http', 'shttp', 'streamable-http', 'sse'];

/** Milliseconds that it takes. */
const checkTime = 300;

export function checkToolServer(call: Call): HttpAnswer {
  const reader = new BodyReader();
  const request = reader.parse(call.headers['content-type'] ?? '', call.body);
  const server = request && wanted(reader, request);
  if (!server || reader.errors.length > 0) return invalid(reader.errors);
  return {
    ...json(outcome(server, typeof request.timeout === 'number' ? request.timeout : 15)),
    wait: checkTime,
  };
}

/** What is not known of a server is ignored. */
function wanted(reader: BodyReader, request: Wire): Wire | undefined {
  const { name, timeout } = request;
  if (name !== undefined && name !== null) {
    const text = reader.string(['name'], name);
    if (text === '') noteTooShort(reader, ['name']);
    if ((text?.length ?? 0) > 128) {
      const msg = 'String should have at most 128 characters';
      reader.note(['body', 'name'], 'string_too_long', msg, name, { max_length: 128 });
    }
  }
  if (typeof timeout === 'number' && timeout <= 0) {
    reader.note(['body', 'timeout'], 'greater_than', 'Input should be greater than 0', timeout, { gt: 0 });
  }
  if (typeof timeout === 'number' && timeout > 120) {
    const msg = 'Input should be less than or equal to 120';
    reader.note(['body', 'timeout'], 'less_than_equal', msg, timeout, { le: 120 });
  }
  const server = reader.object(['server'], request.server);
  return server && checked(reader, server);
}

function checked(reader: BodyReader, server: Wire): Wire | undefined {
  if ('authentication' in server) {
    reader.refuse([], 'OAuth authentication metadata belongs under auth.authentication.', server);
    return undefined;
  }
  const given = server.type ?? server.transport ?? ('command' in server ? 'stdio' : 'http');
  const type = typeof given === 'string' ? given : '';
  if (!transports.includes(type)) {
    const discriminator = "'type'";
    const expected_tags = transports.map((each) => `'${each}'`).join(', ');
    const msg = `Input tag '${type}' found using ${discriminator} does not match any of the expected tags: ${expected_tags}`;
    const ctx = { discriminator, tag: type, expected_tags };
    reader.note(['body', 'server'], 'union_tag_invalid', msg, server, ctx);
    return undefined;
  }
  const loc = ['server', type];
  const needed = type === 'stdio' ? 'command' : 'url';
  if (reader.string([...loc, needed], server[needed]) === '') noteTooShort(reader, [...loc, needed]);
  if (type === 'stdio' && 'args' in server) strings(reader, [...loc, 'args'], server.args);
  const values = type === 'stdio' ? 'env' : 'headers';
  if (values in server) map(reader, [...loc, values], server[values]);
  if (type !== 'stdio' && (server.auth ?? undefined) !== undefined)
    checkAuth(reader, [...loc, 'auth'], server.auth);
  const wrong = reader.errors.length === 0 && type !== 'stdio' ? contradiction(server) : undefined;
  if (wrong !== undefined) reader.refuse(loc, wrong, server);
  return { ...server, type };
}

/** The programs that the machine of the service has. */
const programs = new Set(['npx', 'node', 'uvx', 'uv', 'python', 'python3']);

const tools = ['search', 'read_item', 'create_item', 'delete_item'];

function outcome(server: Wire, timeout: number): object {
  const fails = (error_kind: string, error: string) => ({ ok: false, error, error_kind });
  if (server.type === 'stdio') {
    const { command, args = [] } = server as { command: string; args?: readonly string[] };
    if (!programs.has(command)) {
      return fails(
        'connection',
        `Client failed to connect: [Errno 2] No such file or directory: '${command}'`,
      );
    }
    if (args.includes('hangs')) {
      const more =
        'MCP servers configured: test-server\n\nPossible solutions:\n  1. Increase the timeout value';
      return fails('timeout', `MCP tool listing timed out after ${timeout.toFixed(1)} seconds.\n${more}`);
    }
    return { ok: true, tools };
  }
  const { url, auth } = server as { url: string; auth?: { value?: unknown } };
  const host = URL.parse(url)?.hostname ?? '';
  if (!host.endsWith('.example.com')) {
    return fails('connection', 'Client failed to connect: All connection attempts failed');
  }
  // A token that only looks encrypted opens nothing.
  const token = typeof auth?.value === 'string' ? decrypted(auth.value) : '';
  if (host.startsWith('tracker.') && !token.startsWith('demo-token')) {
    return fails(
      'unknown',
      `HTTPStatusError: Client error '401 Unauthorized' for url '${url}'\nFor more information check: https://developer.mozilla.org/`,
    );
  }
  return { ok: true, tools };
}
