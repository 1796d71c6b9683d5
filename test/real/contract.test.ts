/**
 * Behaviour of the real program that differs from the contract, or is missing
 * there. README.md lists these tests.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newestVariable } from './environment.ts';
import { lockFile } from './locks.ts';
import { meaningOf } from './meaning.ts';
import { Program } from './program.ts';

const command = 'npx';
const url = 'https://h.example/mcp';

describe('the real program', () => {
  let program: Program;

  beforeEach(async () => {
    program = await Program.open();
  });

  afterEach(async () => {
    await program.close();
  });

  const reads = (servers: unknown) =>
    program.reads(JSON.stringify({ mcpServers: servers }));
  const accepts = async (entry: unknown) =>
    (await reads({ a: entry })).accepted;

  it('consists of the versions that are pinned', async () => {
    const { Python, ...versions } = await program.versions();
    console.log(
      `      ${Object.entries({ ...versions, Python })
        .flat()
        .join(' ')}`,
    );
    const lock = readFileSync(lockFile('program'), 'utf8');
    const others = Object.entries(versions).filter(
      ([name, version]) => !lock.includes(`\n${name}==${version} `),
    );
    if ((process.env[newestVariable] ?? '') === '')
      assert.deepEqual(others, []);
  });

  it('refuses the whole file for one entry that it does not take', async () => {
    assert.equal(
      (await reads({ good: { command }, bad: { command, args: [1] } }))
        .accepted,
      false,
    );
    assert.equal((await reads({ good: { command }, bad: {} })).accepted, false);
    assert.equal((await reads({ good: { command } })).accepted, true);
  });

  it('refuses a blank file, and reads no servers in an empty object or without a file', async () => {
    assert.deepEqual(await program.servers('{}'), {});
    for (const text of ['', ' \n'])
      assert.equal((await program.reads(text)).accepted, false);
    for (const line of [['list'], ['add', 'a', '--transport', 'stdio', 'x']]) {
      assert.equal((await program.mcp(...line)).code, 1);
    }
  });

  it('refuses comments, trailing commas and a byte order mark, and takes the last of two keys', async () => {
    for (const text of ['{ // note\n}', '{"mcpServers": {},}', '\uFEFF{}']) {
      assert.equal((await program.reads(text)).accepted, false, text);
    }
    const servers = await program.servers(
      '{"mcpServers": {"a": 1}, "mcpServers": {"b": {"url": "x", "url": "https://h"}}}',
    );
    assert.deepEqual(
      Object.entries(servers).map(([name, { fields }]) => [name, fields.url]),
      [['b', 'https://h']],
    );
  });

  it('reads servers at the root where nothing is called "mcpServers", but then everything there is a server', async () => {
    assert.deepEqual(
      Object.keys(await program.servers('{"a": {"command": "x"}}')),
      ['a'],
    );
    assert.equal(
      (await program.reads('{"$schema": "x", "a": {"command": "x"}}')).accepted,
      false,
    );
    assert.deepEqual(
      await program.servers('{"servers": {"a": {"command": "x"}}}'),
      {},
    );
  });

  it('takes a server for enabled where Python takes the value for true, and where there is none', async () => {
    const truths = ['true', '1', '"false"', '"no"', '[0]'];
    const others = ['false', '0', 'null', '""', '[]', '{}'];
    const entries = [...truths, ...others].map((value) => [
      value,
      { command, enabled: JSON.parse(value) as unknown },
    ]);
    const mcpServers = {
      ...(Object.fromEntries(entries) as object),
      none: { command },
    };
    const servers = await program.servers(JSON.stringify({ mcpServers }));
    const enabled = Object.entries(servers).flatMap(([name, server]) =>
      server.enabled ? [name] : [],
    );
    assert.deepEqual(enabled.sort(), [...truths, 'none'].sort());
  });

  it('has fields that the contract does not name, and is strict with their values', async () => {
    const fields: Readonly<
      Record<
        string,
        readonly [
          target: object,
          good: readonly unknown[],
          bad: readonly unknown[],
        ]
      >
    > = {
      transport: [{ command }, ['stdio'], ['http', '', null]],
      type: [{ command }, ['stdio', null], ['local', 'http', '']],
      env: [{ command }, [{}, { A: 1, B: null }], [null, [], 'A=1']],
      args: [{ command }, [[], ['a']], [null, 'a', [1]]],
      cwd: [{ command }, ['/x', null], [1]],
      timeout: [{ command }, [1, '30000', null, 2], [1.5, 'x', {}]],
      keep_alive: [{ command }, [true, 'yes', null], ['maybe', {}]],
      description: [{ command }, ['x', null], [1]],
      icon: [{ command }, ['x', null], [1]],
      authentication: [{ command }, [{}, null], ['x', []]],
      url: [{}, [url, 'ftp://h', ''], [1, null]],
      headers: [{ url }, [{}, { A: 'b' }], [null, { A: 1 }, []]],
      auth: [{ url }, ['oauth', 'token', null], [{}, 1]],
      sse_read_timeout: [{ url }, [1, 1.5, 'PT30S', null], ['x', {}]],
      max_sse_event_size: [{ url }, [1, '2048', true, null], [1.5, 'x', []]],
    };
    for (const [name, [target, good, bad]] of Object.entries(fields)) {
      for (const value of good)
        assert.ok(
          await accepts({ ...target, [name]: value }),
          `${name}: ${JSON.stringify(value)}`,
        );
      for (const value of bad)
        assert.ok(
          !(await accepts({ ...target, [name]: value })),
          `${name}: ${JSON.stringify(value)}`,
        );
    }
  });

  it('writes the largest event into every remote server, and takes null for no limit', async () => {
    await program.mcp('add', 'a', '--transport', 'http', url);
    assert.match(await program.text(), /"max_sse_event_size": 1048576/);
    const { b } = await program.servers(
      JSON.stringify({ mcpServers: { b: { url, max_sse_event_size: null } } }),
    );
    assert.equal(b?.fields.max_sse_event_size, null);
  });

  it('calls the transports of remote servers "http", "streamable-http" and "sse", and goes by the path without one', async () => {
    const transports = {
      http: 'http',
      'streamable-http': 'http',
      sse: 'sse',
    } as const;
    for (const [transport, is] of Object.entries(transports)) {
      const { a } = await program.servers(
        JSON.stringify({ mcpServers: { a: { url, transport } } }),
      );
      assert.equal(a && meaningOf(a).transport, is);
    }
    for (const transport of ['stdio', 'streamableHttp', ''])
      assert.equal(await accepts({ url, transport }), false);
    for (const [address, is] of [
      [url, 'http'],
      ['https://h/sse', 'sse'],
      ['https://h/sse/?a', 'sse'],
      ['https://h/ssex', 'http'],
    ]) {
      // "type" is not a field of remote servers.
      const { a } = await program.servers(
        JSON.stringify({ mcpServers: { a: { url: address, type: 'sse' } } }),
      );
      assert.equal(a && meaningOf(a).transport, is, address);
    }
  });

  it('obeys "tools" and tags, but a list of tools is ignored like an unknown key', async () => {
    const is = async (more: object) =>
      (
        await program.servers(
          JSON.stringify({ mcpServers: { a: { command, ...more } } }),
        )
      ).a?.reads;
    assert.equal(
      await is({ tools: { x: { enabled: false } } }),
      'TransformingStdioMCPServer',
    );
    assert.equal(
      await is({ include_tags: ['x'] }),
      'TransformingStdioMCPServer',
    );
    assert.equal(
      await is({ tools: ['x'], disabled: true, autoApprove: [] }),
      'StdioMCPServer',
    );
  });

  it('takes an entry with a command and a URL for the kind with more keys, and for a local one on a tie', async () => {
    const is = async (entry: object) => {
      const { a } = await program.servers(
        JSON.stringify({ mcpServers: { a: entry } }),
      );
      return a && meaningOf(a).transport;
    };
    assert.equal(await is({ command, url }), 'stdio');
    assert.equal(await is({ command, url, args: [], headers: {} }), 'stdio');
    assert.equal(await is({ command, url, args: [] }), 'stdio');
    assert.equal(await is({ command, url, headers: {} }), 'http');
    assert.equal(
      await is({ command, url, args: [], headers: {}, auth: 'oauth' }),
      'http',
    );
  });

  it('takes everything after the target of "mcp add" for an argument, with and without "--"', async () => {
    await program.mcp(
      'add',
      'a',
      '--transport',
      'stdio',
      'npx',
      '-y',
      'pkg',
      '--env',
      'A=b',
    );
    await program.mcp(
      'add',
      'b',
      '--transport',
      'stdio',
      'npx',
      '--',
      '-y',
      'pkg',
    );
    await program.mcp(
      'add',
      'c',
      '--transport',
      'http',
      url,
      '--header',
      'A: b',
    );
    const { a, b, c } = await program.servers();
    assert.deepEqual(
      [a?.fields.args, b?.fields.args],
      [
        ['-y', 'pkg', '--env', 'A=b'],
        ['-y', 'pkg'],
      ],
    );
    assert.deepEqual(c?.fields.headers, {});
  });

  it('drops options of "mcp add" for the other kind of server, and takes no way to sign in but "oauth"', async () => {
    await program.mcp('add', 'a', '--transport', 'http', '--env', 'A=b', url);
    await program.mcp(
      'add',
      'b',
      '--transport',
      'stdio',
      '--header',
      'A: b',
      '--auth',
      'oauth',
      'npx',
    );
    assert.doesNotMatch(await program.text(), /"A"|oauth/);
    assert.equal(
      (
        await program.mcp(
          'add',
          'c',
          '--transport',
          'http',
          '--auth',
          'token',
          url,
        )
      ).code,
      2,
    );
  });

  it('ends with 1 for a name that is taken or missing, and with 2 for wrong usage', async () => {
    const add = ['add', 'a', '--transport', 'stdio', 'x'];
    assert.equal((await program.mcp(...add)).code, 0);
    assert.equal((await program.mcp(...add)).code, 1);
    for (const what of ['get', 'remove', 'enable', 'disable'])
      assert.equal((await program.mcp(what, 'b')).code, 1, what);
    for (const args of [
      ['add', 'c', 'x'],
      ['add', 'c', '--transport', 'tcp', 'x'],
      ['get'],
      ['foo'],
      [],
    ]) {
      assert.equal((await program.mcp(...args)).code, 2, args.join(' '));
    }
  });

  it('writes the whole file anew, with null for what is not set, readable as the system has it by default', async () => {
    await program.write(
      '{"mcpServers": {"a": {"command": "x", "mine": 1}}, "other": true}',
    );
    await program.mcp('disable', 'a');
    const unset = [
      'type',
      'cwd',
      'timeout',
      'keep_alive',
      'description',
      'icon',
      'authentication',
    ];
    const nulls = Object.fromEntries(unset.map((name) => [name, null]));
    const a = {
      command: 'x',
      args: [],
      env: {},
      transport: 'stdio',
      ...nulls,
      mine: 1,
      enabled: false,
    };
    assert.deepEqual(JSON.parse(await program.text()), {
      mcpServers: { a },
      other: true,
    });
    assert.equal(
      await program.text(),
      JSON.stringify(JSON.parse(await program.text()), null, 2),
    );

    await program.mcp('add', 'b', '--transport', 'stdio', 'y');
    await program.mcp('remove', 'a');
    // Fields beside the servers are lost.
    assert.deepEqual(Object.keys(JSON.parse(await program.text()) as object), [
      'mcpServers',
    ]);

    const other = await Program.open();
    try {
      await other.mcp('add', 'b', '--transport', 'stdio', 'y');
      const plain = join(other.home, 'plain');
      await writeFile(plain, '');
      assert.equal((await stat(other.file)).mode, (await stat(plain)).mode);
    } finally {
      await other.close();
    }
  });
});
