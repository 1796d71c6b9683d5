import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { callCounts } from '../../support/callCounts.ts';
import { canary, Terminal } from './support.ts';

const restart =
  'This takes effect when the OpenHands command line starts or restarts a conversation.\n';

describe('switchboard mcp tools', () => {
  let terminal: Terminal;

  beforeEach(async () => {
    terminal = await Terminal.open();
  });

  afterEach(async () => {
    await terminal.close();
  });

  const write = async (entry: string) => {
    await terminal.write(`{"mcpServers": {"s": ${entry}}}`);
  };
  const json = async (...args: string[]) =>
    JSON.parse(
      (await terminal.mcp('tools', 's', ...args, '--json')).out,
    ) as Record<string, unknown>;

  it('lists the tools in the file, with their states and names for agents', async () => {
    await terminal.write(
      '{"mcpServers": {"s": {"command": "x", "tools": {"a\\u001b": {"name": "b"}, "delete_repo": {"enabled": false}}}, "t": {"url": "https://h"}}}',
    );
    assert.deepEqual(await terminal.mcp('tools', 's'), {
      code: 0,
      out: `TOOL         STATE       NAME FOR AGENTS
a            ✓ enabled   s_b
delete_repo  ○ disabled

1 of them disabled, in ${terminal.file}. Agents get all other tools of s.
`,
      err: '',
    });
    assert.deepEqual(await json(), {
      file: terminal.file,
      name: 's',
      tools: [
        { name: 'a\u001b', enabled: true, nameForAgents: 's_b' },
        { name: 'delete_repo', enabled: false, nameForAgents: null },
      ],
      warnings: [],
    });
  });

  it('gives the names that agents see once the server is enabled', async () => {
    const entry = '{"command": "x", "enabled": false, "tools": {"a": {}}}';
    await write(entry);
    assert.deepEqual((await json()).tools, [
      { name: 'a', enabled: true, nameForAgents: 'a' },
    ]);
    await terminal.write(
      `{"mcpServers": {"s": ${entry}, "t": {"command": "y"}}}`,
    );
    assert.deepEqual((await json()).tools, [
      { name: 'a', enabled: true, nameForAgents: 's_a' },
    ]);
    await terminal.write(
      `{"mcpServers": {"s": ${entry}, "t": {"command": "y", "enabled": false}}}`,
    );
    assert.deepEqual((await json()).tools, [
      { name: 'a', enabled: true, nameForAgents: 'a' },
    ]);
  });

  it('says that agents get all tools when the file disables none', async () => {
    await write('{"command": "x"}');
    const all = `Agents get all tools of s: ${terminal.file} switches none of them off.\n`;
    assert.deepEqual(await terminal.mcp('tools', 's'), {
      code: 0,
      out: all,
      err: '',
    });
    await write(
      '{"command": "x", "tools": {"a": {"enabled": false}}, "include_tags": null, "exclude_tags": ["t"]}',
    );
    assert.match(
      (await terminal.mcp('tools', 's')).out,
      /get those that its tags let through\.\n$/,
    );
  });

  it('warns about ignored tool settings and about invalid ones', async () => {
    await write('{"command": "x", "tools": ["*"]}');
    const { code, out, err } = await terminal.mcp('tools', 's');
    assert.equal(code, 0);
    assert.match(out, /^Agents get all tools of s:/);
    assert.match(
      err,
      /^Warning: .*, line 1: "tools" is ignored, so agents get all tools\./,
    );
    await write(
      '{"command": "x", "tools": {"a": {"enabled": false}, "b": {"x": 1}}, "include_tags": "a"}',
    );
    const { tools, warnings } = await json();
    assert.deepEqual(tools, [
      { name: 'a', enabled: true, nameForAgents: 'a' },
      { name: 'b', enabled: true, nameForAgents: 'b' },
    ]);
    const kinds = (warnings as { kind: string; line: number }[]).map(
      ({ kind, line }) => [kind, line],
    );
    assert.deepEqual(kinds, [
      ['badTool', 1],
      ['ignoredTools', 1],
    ]);
    await terminal.write(
      '{"mcpServers": {"a": {"command": "x", "tools": []}, "s": {"command": "x"}}}',
    );
    assert.deepEqual((await json()).warnings, []);
  });

  it('disables and enables tools, and restores the same bytes in the end', async () => {
    const text = '{\n  "mcpServers": {\n    "s": { "command": "x" }\n  }\n}\n';
    await terminal.write(text);
    assert.partialDeepStrictEqual(
      await terminal.mcp('tools', 's', '--disable', 'a', '--disable=b'),
      {
        code: 0,
        out: `Disabled a, b of s in ${terminal.file}.\n${restart}`,
      },
    );
    assert.equal(
      await terminal.read(),
      text.replace(
        '"x"',
        '"x", "tools": { "a": { "enabled": false }, "b": { "enabled": false } }',
      ),
    );
    assert.match((await terminal.mcp('get', 's')).out, /^Tools off {2}a, b$/m);
    assert.doesNotMatch((await terminal.mcp('get', 's')).out, /Other fields/);
    assert.equal(
      (
        await terminal.mcp(
          'tools',
          's',
          '--enable',
          'a',
          '--disable',
          'c',
          '--disable',
          'b',
        )
      ).out,
      `Disabled c and enabled a of s in ${terminal.file}.\n${restart}`,
    );
    assert.equal(
      (await terminal.mcp('tools', 's', '--enable', 'c', '--enable', 'b')).out,
      `Enabled c, b of s in ${terminal.file}.\n${restart}`,
    );
    assert.equal(await terminal.read(), text);
  });

  it('lists other tool settings under “Other fields” in the server’s details', async () => {
    await write(
      '{"command": "x", "tools": {"a": {"enabled": false}, "b": {"description": "secret"}}}',
    );
    const { out } = await terminal.mcp('get', 's');
    assert.match(out, /^Tools off {5}a\nOther fields {2}tools$/m);
    assert.doesNotMatch(out, /secret/);
    const { server } = JSON.parse(
      (await terminal.mcp('get', 's', '--json')).out,
    ) as { server: object };
    assert.partialDeepStrictEqual(server, { name: 's', toolsOff: ['a'] });
  });

  it('warns that the server may not have a tool that the file did not name before', async () => {
    await terminal.write(
      '{"mcpServers": {"my s": {"command": "x", "tools": {"a": {}}}}}',
    );
    const disable = (...tools: string[]) =>
      terminal.mcp(
        'tools',
        'my s',
        ...tools.flatMap((tool) => ['--disable', tool]),
      );
    const { err } = await disable('a', 'deleet', 'b');
    const message = `my s was not started, and may have no tool deleet, b. To list its tools: switchboard mcp check --run 'my s'`;
    assert.equal(err, `Warning: ${terminal.file}: ${message}\n`);
    assert.equal((await disable('deleet', 'b')).err, '');
  });

  it('prints the resulting tools and whether they changed, with --json', async () => {
    await write(
      `{"command": "x", "env": {"TOKEN": "${canary}"}, "tools": {"a": {}}}`,
    );
    const tools = [{ name: 'a', enabled: false, nameForAgents: null }];
    const { file } = terminal;
    assert.deepEqual(await json('--disable', 'a'), {
      file,
      changed: true,
      name: 's',
      tools,
      warnings: [],
    });
    const { mtimeMs, ino } = await stat(file);
    assert.deepEqual(await json('--disable', 'a'), {
      file,
      changed: false,
      name: 's',
      tools,
      warnings: [],
    });
    const again = await terminal.mcp(
      'tools',
      's',
      '--disable',
      'a',
      '--enable',
      'z',
    );
    assert.deepEqual(again, {
      code: 0,
      out: 'The tools of s are like that already. Nothing was changed.\n',
      err: '',
    });
    const after = await stat(file);
    assert.deepEqual([after.mtimeMs, after.ino], [mtimeMs, ino]);
  });

  it('fails with exit code 1 and the reason, and leaves the same bytes', async () => {
    for (const [text, reason] of [
      ['{"mcpServers": {"t": {}}}', /There is no server "s"/],
      [
        '{"mcpServers": {"s": {"tools": ["a"]}}}',
        /mcp\.json: Line 1, column 32: "tools" is not a JSON object/,
      ],
      [
        '{"mcpServers": {"s": {"tools": {"a": false}}}}',
        /Line 1, column 38: The entry for "a" in "tools"/,
      ],
      [
        '{"mcpServers": {"s": {"command": "x", "include_tags": "a"}}}',
        /"include_tags" must be a list of strings.*so is "tools"/,
      ],
      ['{"mcpServers": {"s": {', /mcp\.json: Line 1/],
    ] as const) {
      await terminal.write(text);
      const { code, out, err } = await terminal.mcp(
        'tools',
        's',
        '--disable',
        'a',
      );
      assert.deepEqual([code, out], [1, '']);
      assert.match(err, reason);
      assert.equal(await terminal.read(), text);
    }
    await terminal.write('{"mcpServers": {}}');
    assert.match(
      (await terminal.mcp('tools', 's')).err,
      /There is no server "s"/,
    );
  });

  it('changes 200 tools with only three parses of the file', async () => {
    await write('{"command": "x"}');
    const names = Array.from({ length: 200 }, (_, i) => [
      '--disable',
      `tool_${i}`,
    ]).flat();
    const counts = await callCounts(['readText'], () =>
      terminal.run(['mcp', 'tools', 's', ...names]),
    );
    assert.deepEqual(counts, { readText: 3 });
  });
});
