import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { Secret } from '../../../src/base/secret.ts';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../../support/demo/faults/misbehavingDemo.ts';
import type { ToolServers } from '../../../src/service/abilities/agentService.ts';
import { ServiceError } from '../../../src/service/http/serviceError.ts';
import {
  MaskedValue,
  type SentServer,
  toolsInPrompt,
} from '../../../src/service/records/serviceServer.ts';
import { serverText } from '../../../src/state/mcpServers/serviceServers.ts';
import { type Answering, saying, startAnswering } from './answering.ts';
import { key, Lines, serviceOf, steeringOf } from './support.ts';

const local: SentServer = {
  transport: 'stdio',
  command: 'npx',
  args: ['-y', 'notes'],
  env: new Map([['TOKEN', new Secret('canary-token')]]),
  extras: { cwd: '/srv', timeout: 5_000 },
};

const remote: SentServer = {
  transport: 'sse',
  url: 'https://h.example.com/events',
  headers: new Map([['X-Key', new Secret('canary-header')]]),
  auth: { strategy: 'bearer', value: new Secret('canary-bearer') },
  extras: {},
};

async function failure(promise: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await promise.catch((error: unknown) => error);
  assert.ok(error instanceof ServiceError, inspect(error));
  return error;
}

describe('the list of MCP servers on an Agent Server', () => {
  let demo: MisbehavingDemo;
  let servers: ToolServers &
    Required<Pick<ToolServers, 'changing' | 'check' | 'checkOwn'>>;
  const log = new Lines();

  beforeEach(async () => {
    demo = await startMisbehavingDemo({ interface: 'agentServer', key });
    servers = serviceOf(demo, 'agentServer', { log })
      .toolServers as typeof servers;
  });

  afterEach(async () => {
    await demo.stop();
    assert.doesNotMatch(log.all.join('\n'), /canary/);
  });

  const find = async (name: string) =>
    (await servers.list()).find((each) => each.name === name);
  /** Reads the secrets of the service. */
  const plain = async (name: string) => {
    const headers = {
      'x-session-api-key': key,
      'x-expose-secrets': 'plaintext',
    };
    const answer = await fetch(`${demo.url}/api/settings`, { headers });
    const { agent_settings } = (await answer.json()) as {
      agent_settings: { mcp_config: Record<string, unknown> };
    };
    return agent_settings.mcp_config[name];
  };

  it('lists MCP servers with their commands or URLs and the names of their secrets', async () => {
    const all = await servers.list();
    assert.deepEqual(
      all.map(({ name, enabled, transport }) => [name, enabled, transport]),
      [
        ['tracker', true, 'http'],
        ['database', true, 'stdio'],
        ['browser', false, 'stdio'],
      ],
    );
    const [tracker, database] = all;
    assert.ok(tracker?.transport === 'http' && database?.transport === 'stdio');
    assert.equal(tracker.url, 'https://tracker.example.com/mcp');
    assert.deepEqual(
      [...(tracker.headers ?? [])],
      [['X-Team', new MaskedValue()]],
    );
    assert.equal(tracker.auth?.strategy, 'bearer');
    assert.deepEqual([...tracker.auth.secrets.keys()], ['value']);
    assert.deepEqual(database.args, [
      '-y',
      '@example/mcp-database',
      '--read-only',
    ]);
    assert.deepEqual([...(database.env?.keys() ?? [])], ['DATABASE_URL']);
  });

  it('shows secrets only as a mask and refuses to write them as JSON', async () => {
    const database = await find('database');
    assert.ok(database?.transport === 'stdio');
    const secret = database.env?.get('DATABASE_URL');
    assert.equal(String(secret), '••••••');
    assert.equal(inspect(secret), '••••••');
    assert.throws(
      () => JSON.stringify(database.env?.get('DATABASE_URL')),
      /cannot be sent/,
    );
  });

  it('adds an MCP server with its secrets, enabled or disabled', async () => {
    await servers.changing.add('notes', local, true);
    await servers.changing.add('events', remote, false);
    assert.deepEqual(await plain('notes'), {
      command: 'npx',
      args: ['-y', 'notes'],
      env: { TOKEN: 'canary-token' },
      cwd: '/srv',
      timeout: 5_000,
      enabled: true,
    });
    assert.deepEqual(await plain('events'), {
      url: 'https://h.example.com/events',
      transport: 'sse',
      headers: { 'X-Key': 'canary-header' },
      auth: { strategy: 'bearer', value: 'canary-bearer' },
      enabled: false,
    });
    const notes = await find('notes');
    assert.deepEqual(notes?.extras, { cwd: '/srv', timeout: 5_000 });
  });

  it('keeps everything that a change does not name, including secrets', async () => {
    await servers.changing.add('notes', local, true);
    await servers.changing.change('notes', { enabled: false });
    await servers.changing.change('notes', { args: ['-y', 'notes@2'] });
    await servers.changing.change('notes', {
      env: new Map([
        ['MORE', new Secret('canary-more')],
        ['NONE', null],
      ]),
    });
    assert.deepEqual(await plain('notes'), {
      command: 'npx',
      args: ['-y', 'notes@2'],
      env: { TOKEN: 'canary-token', MORE: 'canary-more' },
      cwd: '/srv',
      timeout: 5_000,
      enabled: false,
    });
    await servers.changing.change('notes', { env: new Map([['TOKEN', null]]) });
    await servers.changing.change('notes', {
      ...{
        command: null,
        args: null,
        env: null,
        url: 'https://h.example.com/mcp',
        transport: 'http',
      },
      auth: { strategy: 'bearer', value: new Secret('canary-bearer') },
    });
    assert.deepEqual(await plain('notes'), {
      url: 'https://h.example.com/mcp',
      transport: 'http',
      cwd: '/srv',
      timeout: 5_000,
      auth: { strategy: 'bearer', value: 'canary-bearer' },
      enabled: false,
    });
    await servers.changing.change('notes', {
      auth: null,
      headers: null,
      enabled: true,
    });
    assert.equal((await find('notes'))?.enabled, true);
  });

  it('replaces an MCP server completely, and keeps it when the service refuses', async () => {
    const find = async (name: string) =>
      (await servers.list()).find((each) => each.name === name) ??
      assert.fail();
    await servers.changing.replace(await find('tracker'), local, false);
    const after = {
      ...{
        command: 'npx',
        args: ['-y', 'notes'],
        env: { TOKEN: 'canary-token' },
      },
      ...{ cwd: '/srv', timeout: 5_000, enabled: false },
    };
    assert.deepEqual(await plain('tracker'), after);
    await servers.changing.replace(await find('database'), local, false);
    assert.deepEqual(await plain('database'), after);
    await servers.changing.replace(await find('database'), remote, true);
    assert.deepEqual(await plain('database'), {
      ...{
        url: 'https://h.example.com/events',
        transport: 'sse',
        enabled: true,
      },
      ...{
        headers: { 'X-Key': 'canary-header' },
        auth: { strategy: 'bearer', value: 'canary-bearer' },
      },
    });
    const both = {
      ...remote,
      headers: new Map([['authorization', new Secret('canary-header')]]),
    };
    await failure(servers.changing.replace(await find('tracker'), both, true));
    assert.deepEqual(await plain('tracker'), after);
  });

  it('removes an MCP server, even if it is already gone', async () => {
    await servers.changing.remove('database');
    await servers.changing.remove('database');
    assert.equal(await find('database'), undefined);
  });

  it('explains why the service refuses to add or change an MCP server, without secrets', async () => {
    const twice = await failure(servers.changing.add('database', local, true));
    assert.match(
      twice.message,
      /^Could not add the MCP server to the service: .*'database' already exists/,
    );
    const gone = await failure(
      servers.changing.change('nothing', { enabled: true }),
    );
    assert.equal(gone.kind, 'notFound');
    assert.match(
      gone.message,
      /^Could not change the MCP server of the service: .*'nothing' was not found/,
    );
    const name = await failure(servers.changing.add('a/b', local, true));
    assert.match(name.message, /the service does not accept a slash in a name/);
    const both: SentServer = {
      ...remote,
      headers: new Map([['authorization', new Secret('canary-header')]]),
    };
    const refused = await failure(servers.changing.add('both', both, true));
    assert.match(refused.message, /'auth' cannot be combined/);
    for (const error of [twice, gone, name, refused]) {
      assert.doesNotMatch(
        inspect(error),
        /canary-(?:token|header|bearer|more)/,
      );
    }
  });

  it('never sends a mask as a secret', async () => {
    const before = demo.requestCount;
    for (const mask of ['**********', '••••••']) {
      const env = new Map([['TOKEN', new Secret(mask)]]);
      const added = await failure(
        servers.changing.add('notes', { ...local, env }, true),
      );
      assert.match(
        added.message,
        /env\.TOKEN holds only a mask: enter the value itself/,
      );
      await failure(servers.changing.change('database', { env }));
      await failure(servers.changing.change('database', { args: [mask] }));
      await failure(servers.check('notes', { ...local, env }));
    }
    assert.equal(demo.requestCount, before);
  });

  it('checks an MCP server on the service without adding it', async () => {
    assert.deepEqual(
      { ...(await servers.check('notes', local)), milliseconds: 0 },
      {
        works: true,
        tools: ['search', 'read_item', 'create_item', 'delete_item'],
        milliseconds: 0,
      },
    );
    const missing = await servers.check('notes', {
      ...local,
      command: 'docker',
    });
    assert.deepEqual(
      { ...missing, milliseconds: 0 },
      {
        works: false,
        reason: 'noConnection',
        why: "Client failed to connect: [Errno 2] No such file or directory: 'docker'",
        milliseconds: 0,
      },
    );
    const slow = await servers.check('notes', { ...local, args: ['hangs'] });
    assert.ok(!slow.works);
    assert.deepEqual(
      [slow.reason, slow.why],
      ['timedOut', 'MCP tool listing timed out after 30.0 seconds.'],
    );
    const refused = await servers.check('x'.repeat(200), {
      ...remote,
      url: 'https://tracker.example.com/',
    });
    assert.ok(!refused.works);
    assert.equal(refused.reason, 'unknown');
    assert.match(refused.why, /401 Unauthorized/);
    assert.equal(await find('notes'), undefined);
  });

  it('checks an existing MCP server with its own secrets, without reading them', async () => {
    const bodies: string[] = [];
    const watching: typeof fetch = async (input, init) => {
      const answer = await fetch(input, init);
      bodies.push(
        await answer.clone().text(),
        typeof init?.body === 'string' ? init.body : '',
      );
      return answer;
    };
    const { toolServers } = serviceOf(demo, 'agentServer', {
      log,
      fetch: watching,
    });
    const check = await toolServers.checkOwn?.('tracker');
    assert.equal(check?.works, true);
    assert.equal((await toolServers.checkOwn?.('browser'))?.works, false);
    assert.doesNotMatch(bodies.join('\n'), /demo-token-of-the-tracker/);
    for (const name of ['nothing', '__proto__', 'constructor']) {
      assert.equal((await failure(servers.checkOwn(name))).kind, 'notFound');
    }
  });
});

describe('the list of MCP servers on a service with odd answers', () => {
  let server: Answering;
  const log = new Lines();

  beforeEach(async () => {
    server = await startAnswering();
  });

  afterEach(async () => {
    await server.stop();
  });

  const at = (kind: 'v1' | 'agentServer') =>
    serviceOf(server, kind, { log }).toolServers;
  const settings = (mcp_config: unknown) =>
    saying({ agent_settings: { mcp_config } });

  it('explains that the service is too old to change MCP servers', async () => {
    server.give(saying({ detail: 'Not Found' }, 404));
    const error = await failure(
      at('agentServer').changing?.add('a', local, true) ?? Promise.resolve(),
    );
    assert.match(
      error.message,
      /it is too old for that: its MCP servers can only be read/,
    );
    assert.equal(error.circumstances.outcomeUnknown, false);
  });

  it('reads the valid parts of malformed MCP servers', async () => {
    server.give(
      settings({
        a: {
          command: 'x',
          args: ['1', 2],
          env: [],
          transport: 'stdio',
          timeout: '5',
          keep_alive: true,
        },
        b: { url: 'https://h/sse?x' },
        c: {
          url: 'https://h/',
          transport: 'streamable-http',
          command: 'x',
          auth: { strategy: 'new' },
        },
        d: {},
        e: 'x',
        ['__proto__']: { command: 'y' },
        f: {
          url: 'https://h/',
          auth: { strategy: 'basic', username: 'joe', password: '**********' },
        },
        g: {
          url: 'https://h/',
          auth: {
            strategy: 'oauth2',
            authentication: {
              client_id: 'me',
              scopes: ['a', 'b'],
              client_secret: '**********',
            },
          },
        },
      }),
    );
    const all = await at('agentServer').list();
    assert.deepEqual(
      all.map(({ name, transport }) => [name, transport]),
      [
        ['a', 'stdio'],
        ['b', 'sse'],
        ['c', 'http'],
        ['d', undefined],
        ['__proto__', 'stdio'],
        ['f', 'http'],
        ['g', 'http'],
      ],
    );
    const [a, , c, , , f, g] = all;
    assert.ok(a?.transport === 'stdio' && c?.transport === 'http');
    assert.ok(f?.transport === 'http' && g?.transport === 'http');
    assert.deepEqual(
      [a.args, a.env, a.extras],
      [['1'], new Map(), { keep_alive: true }],
    );
    assert.equal(c.auth?.strategy, 'new');
    assert.deepEqual([...(f.auth?.told ?? [])], [['username', 'joe']]);
    assert.deepEqual([...(f.auth?.secrets.keys() ?? [])], ['password']);
    assert.deepEqual(
      [...(g.auth?.told ?? [])],
      [
        ['client_id', 'me'],
        ['scopes', 'a b'],
      ],
    );
    assert.deepEqual(
      [...(g.auth?.secrets.keys() ?? [])],
      ['authentication.client_secret'],
    );
  });

  it('lists nothing when no MCP servers are set, and rejects an answer without settings', async () => {
    for (const nothing of [null, {}]) {
      server.give(settings(nothing));
      assert.deepEqual(await at('agentServer').list(), []);
    }
    for (const answer of [
      [],
      { agent_settings: [] },
      { agent_settings: { mcp_config: [] } },
    ]) {
      server.give(saying(answer));
      for (const kind of ['v1', 'agentServer'] as const) {
        const { message } = await failure(at(kind).list());
        assert.match(
          message,
          /^Could not list the MCP servers of the service: .*does not contain the MCP/,
        );
      }
    }
    server.give(saying({ ok: 'perhaps' }));
    const check = await failure(
      at('agentServer').check?.('a', local) ?? Promise.resolve(),
    );
    assert.match(check.message, /it is not a result/);
  });

  it('refuses to check an MCP server whose secrets the service masks', async () => {
    server.give(settings({ a: { command: 'x', env: { A: '**********' } } }));
    const error = await failure(
      at('agentServer').checkOwn?.('a') ?? Promise.resolve(),
    );
    assert.match(
      error.message,
      /^Could not check the MCP server at the service: .*env\.A holds only a mask/,
    );
    assert.ok(server.asked.every((line) => line.startsWith('GET ')));
  });

  it('explains a failed check without the sent secrets, even if the service repeats them', async () => {
    server.give(
      saying({
        ok: false,
        error: 'bad canary-token and canary-header',
        error_kind: 'new',
      }),
    );
    for (const wanted of [local, remote]) {
      const check = await at('agentServer').check?.('a', wanted);
      assert.ok(check && !check.works);
      assert.equal(check.reason, 'unknown');
      assert.doesNotMatch(
        check.why,
        wanted === local ? /canary-token/ : /canary-header/,
      );
    }
    server.give(saying({ ok: false }));
    const check = await at('agentServer').check?.('a', local);
    assert.ok(check && !check.works);
    assert.equal(check.why, 'it says no more');
    server.give(saying({ ok: true, tools: ['a', 1] }));
    const works = await at('agentServer').check?.('a', local);
    assert.ok(works?.works);
    assert.deepEqual(works.tools, ['a']);
  });
});

describe('the list of MCP servers on an app server', () => {
  it('lists MCP servers and explains why they cannot be changed', async () => {
    const demo = await startMisbehavingDemo({ interface: 'v1', key });
    try {
      const { toolServers } = serviceOf(demo, 'v1', { log: new Lines() });
      const all = await toolServers.list();
      assert.deepEqual(
        all.map(({ name, enabled }) => [name, enabled]),
        [
          ['tracker', true],
          ['database', true],
        ],
      );
      const [tracker, database] = all;
      assert.ok(
        tracker?.transport === 'http' && database?.transport === 'stdio',
      );
      assert.deepEqual([tracker.headers, database.env], [undefined, undefined]);
      assert.deepEqual(
        [toolServers.changing, toolServers.check, toolServers.checkOwn],
        [undefined, undefined, undefined],
      );
      assert.match(toolServers.whyNot?.() ?? '', /can only be read here/);
    } finally {
      await demo.stop();
    }
  });
});

describe('the answer about the MCP servers of a conversation', () => {
  it('has those of its record and the tools of its first event, and never secrets', async () => {
    const demo = await startMisbehavingDemo({ interface: 'agentServer', key });
    try {
      const service = serviceOf(demo, 'agentServer', { log: new Lines() });
      const { value: page } = await service.conversations.list().next();
      const { id = '' } = page?.items[0] ?? {};
      const { servers, tools } = await steeringOf(service).toolServers(id);
      assert.deepEqual(
        servers.map(({ name, enabled }) => [name, enabled]),
        [
          ['tracker', true],
          ['database', true],
          ['browser', false],
        ],
      );
      assert.deepEqual(tools, [
        'tracker_search',
        'tracker_read_item',
        'database_search',
        'database_read_item',
      ]);
      assert.doesNotMatch(
        JSON.stringify(servers.map(serverText)),
        /demo-token|postgres/,
      );
    } finally {
      await demo.stop();
    }
  });

  it('leaves tools unknown while no event has listed any', () => {
    const tool = { kind: 'MCPToolDefinition', title: 'a_echo' };
    assert.equal(toolsInPrompt({ kind: 'MessageEvent' }), undefined);
    assert.equal(toolsInPrompt(null), undefined);
    assert.deepEqual(
      toolsInPrompt({
        tools: [{ kind: 'TerminalTool', title: 'terminal' }, tool, 5],
      }),
      ['a_echo'],
    );
    const named = { kind: 'MCPToolDefinition', mcp_tool: { name: 'b_tell' } };
    assert.deepEqual(toolsInPrompt({ tools: [named] }), ['b_tell']);
  });
});
