import assert from 'node:assert/strict';
import { chmod, link, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { canary, secretive, Terminal } from './support.ts';
import { callCounts } from '../../support/callCounts.ts';
import { watchedDisk } from '../../support/files/faultyDisk.ts';
import { itOnPosix } from '../../support/posix.ts';

const restart =
  'This takes effect when the OpenHands command line starts or restarts a conversation.\n';

describe('a change of servers in the terminal', () => {
  let terminal: Terminal;

  beforeEach(async () => {
    terminal = await Terminal.open();
  });

  afterEach(async () => {
    await terminal.close();
  });

  it('creates a missing file as strict JSON that only its owner can read', async () => {
    const { code, out, err } = await terminal.mcp(
      ...[
        'add',
        'a "b"',
        '--transport',
        'stdio',
        '--env',
        `A=${canary}`,
        'npx',
        '--',
        '-y',
        '--token',
        canary,
      ],
    );
    assert.deepEqual([code, err], [0, '']);
    assert.equal(
      out,
      `Added a "b" (stdio, ✓ enabled) to ${terminal.file}.\n${restart}`,
    );
    const server = {
      command: 'npx',
      args: ['-y', '--token', canary],
      env: { A: canary },
    };
    assert.deepEqual(JSON.parse(await terminal.read()), {
      mcpServers: { 'a "b"': server },
    });
    if (process.platform !== 'win32')
      assert.equal((await stat(terminal.file)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(dirname(terminal.file)), ['mcp.json']);
  });

  it('adds a disabled server, and says how to enable it', async () => {
    const { out } = await terminal.mcp(
      'add',
      'my docs',
      '--transport=http',
      '--disabled',
      'https://h/mcp',
    );
    assert.equal(
      out,
      `Added my docs (http, ○ disabled) to ${terminal.file}.\nAgents can use it once it is enabled: switchboard mcp enable 'my docs'\n`,
    );
    assert.deepEqual(JSON.parse(await terminal.read()), {
      mcpServers: {
        'my docs': { url: 'https://h/mcp', transport: 'http', enabled: false },
      },
    });
  });

  it('restores the same bytes after a server was added, disabled, enabled and removed', async () => {
    const text =
      '{\n  "other": 1.0,\n  "mcpServers": {\n    "a": { "command": "x" }\n  }\n}\n';
    await terminal.write(text);
    assert.equal(
      (await terminal.mcp('add', 'b', '--transport', 'sse', 'https://h/sse'))
        .code,
      0,
    );
    assert.equal(
      (await terminal.mcp('disable', 'b')).out,
      `Disabled b in ${terminal.file}.\n${restart}`,
    );
    assert.match((await terminal.mcp('list')).out, /^b {5}○ disabled/m);
    assert.equal(
      (await terminal.mcp('enable', 'b')).out,
      `Enabled b in ${terminal.file}.\n${restart}`,
    );
    assert.match((await terminal.mcp('list')).out, /^b {5}✓ enabled/m);
    assert.equal(
      (await terminal.mcp('remove', 'b')).out,
      `Removed b from ${terminal.file}.\n${restart}`,
    );
    assert.equal(await terminal.read(), text);
  });

  it('leaves the file alone when there is nothing to change, and says so', async () => {
    await terminal.write(
      '{"mcpServers": {"a": {"command": "x"}, "b": {"command": "x", "enabled": false}}}',
    );
    const { mtimeMs, ino } = await stat(terminal.file);
    assert.deepEqual(await terminal.mcp('enable', 'a'), {
      code: 0,
      out: 'a is already enabled. Nothing was changed.\n',
      err: '',
    });
    assert.equal(
      (await terminal.mcp('disable', 'b')).out,
      'b is already disabled. Nothing was changed.\n',
    );
    const after = await stat(terminal.file);
    assert.deepEqual([after.mtimeMs, after.ino], [mtimeMs, ino]);
  });

  it('parses the file twice for a change, and once when nothing changes, with no extra reads', async () => {
    await terminal.write('{"mcpServers": {"a": {"command": "x"}}}');
    const reads: string[] = [];
    const disk = watchedDisk((call, [path]) => {
      if (
        path === terminal.file &&
        /^(?:readFile|readFileSync|open)$/.test(call)
      )
        reads.push(call);
    });
    const disable = () =>
      terminal.run(['mcp', 'disable', 'a', '--json'], { disk });
    // Loads what is only loaded when it is used.
    await terminal.run(['mcp', 'enable', 'a'], { disk });
    reads.length = 0;
    assert.deepEqual(await callCounts(['readText'], disable), { readText: 2 });
    // To change it, to see what others write at the last moment, and to compare
    // just before it is replaced.
    const held = process.platform === 'win32' ? [] : ['open'];
    assert.deepEqual(reads.splice(0), ['readFile', ...held, 'readFileSync']);
    assert.deepEqual(await callCounts(['readText'], disable), { readText: 1 });
    assert.deepEqual(reads, ['readFile']);
  });

  describe('that fails with exit code 1', () => {
    const good = '{"mcpServers": {"github": {"command": "x"}}}';
    for (const [title, text, args, reason] of [
      [
        'a taken name',
        good,
        ['add', 'github', '--transport', 'stdio', 'x'],
        /there is already a server "github"/,
      ],
      [
        'a missing name, with the nearest one suggested',
        good,
        ['remove', 'gihub'],
        /no server "gihub"\. Did you mean "github"\?/,
      ],
      ['enabling a missing server', good, ['enable', 'x'], /no server "x"/],
      ['disabling a missing server', good, ['disable', 'x'], /no server "x"/],
      [
        'half a file',
        good.slice(0, 20),
        ['remove', 'github'],
        /mcp\.json: Line 1, column 17: /,
      ],
      ['a list', '[]', ['remove', 'github'], /Line 1, column 1: /],
      [
        'servers of the wrong type',
        '{"mcpServers": []}',
        ['remove', 'a'],
        /Line 1, column 16: /,
      ],
      [
        'servers at the root',
        '{"a": {"command": "x"}}',
        ['add', 'b', '--transport', 'stdio', 'x'],
        /at the root of/,
      ],
    ] as const) {
      it(`gives the reason and leaves the same bytes for ${title}`, async () => {
        await terminal.write(text);
        const { code, out, err } = await terminal.mcp(...args);
        assert.deepEqual([code, out], [1, '']);
        assert.match(err, /^Error: .*\n$/);
        assert.match(err, reason);
        assert.equal(await terminal.read(), text);
      });
    }

    it('says that the file does not exist, and creates none', async () => {
      const file = join(terminal.home, 'none.json');
      const expected = [
        1,
        `Error: There are no MCP servers: ${file} does not exist.\n`,
      ];
      for (const args of [
        ['get'],
        ['remove'],
        ['enable'],
        ['disable'],
        ['tools'],
        ['check', '--run'],
      ]) {
        const { code, err } = await terminal.mcp(
          ...args,
          'x',
          '--file',
          'none.json',
        );
        assert.deepEqual([code, err], expected, args.join(' '));
      }
      assert.deepEqual(
        (await terminal.mcp('tools', 'x', '--disable', 'a', '--file', file))
          .err,
        expected[1],
      );
      assert.deepEqual(await readdir(terminal.home), []);
    });

    it('gives the reason for text that is not UTF-8', async () => {
      const bytes = Buffer.from([0x7b, 0xff, 0x7d]);
      await terminal.write(bytes);
      const { code, err } = await terminal.mcp('list');
      assert.equal(code, 1);
      assert.match(err, /UTF-8/);
    });

    it('gives the reason for a folder', async () => {
      await mkdir(terminal.file, { recursive: true });
      for (const args of [
        ['list'],
        ['add', 'a', '--transport', 'stdio', 'x'],
      ]) {
        const { code, err } = await terminal.mcp(...args);
        assert.equal(code, 1);
        assert.match(err, /it is a folder/);
      }
    });
  });

  it('edits a file that is not strict JSON without correcting it, and warns each time', async () => {
    await terminal.write(
      '\uFEFF{ // mine\n  "mcpServers": {\n    "a": {"command": "x"},\n  }\n}',
    );
    for (const args of [
      ['list'],
      ['get', 'a'],
      ['disable', 'a'],
      ['disable', 'a'],
      ['remove', 'a', '--json'],
    ]) {
      const { code, err } = await terminal.mcp(...args);
      assert.equal(code, 0);
      const lines = err.trimEnd().split('\n');
      assert.deepEqual(lines, [
        `Refused: ${terminal.file}, line 1, column 1: This file is invalid, so agents load none of its servers. A byte order mark makes the program refuse the whole file. Save it as UTF-8 without one.`,
      ]);
    }
    assert.match(await terminal.read(), /^\uFEFF\{ \/\/ mine\n/);
  });

  it('warns of added variables that change what runs, and shows their values', async () => {
    const add = [
      'add',
      'a',
      '--transport',
      'stdio',
      '--env',
      `KEY=${canary}`,
      '--env',
    ];
    const { code, err } = await terminal.mcp(
      ...add,
      `NODE_OPTIONS=-r ./pre.js --token ${canary}`,
      'node',
    );
    const message = `These variables change what runs: NODE_OPTIONS='-r ./pre.js --token ••••••'`;
    assert.deepEqual(
      [code, err],
      [0, `Warning: ${terminal.file}: ${message}\n`],
    );
    const { out } = await terminal.mcp(
      'add',
      'b',
      '--transport',
      'stdio',
      '--env',
      'PATH=/x',
      'node',
      '--json',
    );
    const { warnings } = JSON.parse(out) as { warnings: unknown };
    assert.deepEqual(warnings, [
      {
        kind: 'codeVariables',
        message: 'These variables change what runs: PATH=/x',
      },
    ]);
    assert.equal((await terminal.mcp('disable', 'a')).err, '');
  });

  it('warns when a name appears twice', async () => {
    await terminal.write(
      '{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}}}',
    );
    const { out, err } = await terminal.mcp('list');
    assert.match(
      err,
      /^Warning: .*"a" appears again below, and only the last one counts/,
    );
    assert.match(out, /stdio {6}y\n/);
  });

  it('warns when the servers are at the root, or in the first of two places', async () => {
    await terminal.write('{"a": {"command": "x"}}');
    assert.match(
      (await terminal.mcp('list')).err,
      /^Warning: .*The servers are at the root of the file/,
    );
    await terminal.write(
      '{"mcpServers": {"a": {"command": "x"}}, "mcpServers": {}}',
    );
    assert.match(
      (await terminal.mcp('list')).err,
      /^Warning: .*"mcpServers" appears again below/,
    );
  });

  itOnPosix(
    'warns when others can read the file, and says how to prevent that',
    async () => {
      await terminal.write(JSON.stringify(secretive));
      await chmod(terminal.file, 0o644);
      for (const args of [['list'], ['enable', 'remote']]) {
        const { code, err } = await terminal.mcp(...args);
        assert.equal(code, 0);
        assert.equal(
          err,
          `Warning: ${terminal.file}: Other users of this machine can read the file, which may contain secrets. To prevent that: chmod 600 ${terminal.file}\n`,
        );
      }
      await chmod(terminal.file, 0o600);
      assert.equal((await terminal.mcp('list')).err, '');
    },
  );

  it('warns when it breaks the hard links of the file', async () => {
    await terminal.write('{"mcpServers": {"a": {"command": "x"}}}');
    const separate = async (...args: string[]) => {
      await rm(join(terminal.home, 'other.json'), { force: true });
      await link(terminal.file, join(terminal.home, 'other.json'));
      return await terminal.mcp(...args);
    };
    const message =
      'The file had other names (hard links), which keep the old text. To have one file in several places, use symbolic links.';
    const { code, err } = await separate('disable', 'a');
    assert.deepEqual(
      [code, err],
      [0, `Warning: ${terminal.file}: ${message}\n`],
    );
    const { warnings } = JSON.parse(
      (await separate('enable', 'a', '--json')).out,
    ) as { warnings: unknown };
    assert.deepEqual(warnings, [{ kind: 'hardLinks', message }]);
    assert.equal((await separate('enable', 'a')).err, '');
    assert.match((await terminal.mcp('disable', 'a')).err, /hard links/);
    assert.equal((await terminal.mcp('enable', 'a')).err, '');
  });

  it('rejects an empty or multiline name, but manages existing servers with one', async () => {
    for (const [name, why] of [
      ['', 'The name of the server is empty.'],
      [' ', 'The name of the server is empty.'],
      [
        'a\nb',
        'The name of the server has a line break or another control character. Remove it.',
      ],
      [
        'a\u2028b',
        'The name of the server has a line break or another control character. Remove it.',
      ],
    ] as const) {
      const { code, err } = await terminal.mcp(
        'add',
        name,
        '--transport',
        'stdio',
        'x',
      );
      assert.deepEqual(
        [code, err],
        [2, `Error: ${why}\nSee: switchboard mcp add --help\n`],
      );
      assert.deepEqual(await readdir(terminal.home), []);
      await terminal.write(
        JSON.stringify({ mcpServers: { [name]: { command: 'x' } } }),
      );
      for (const command of ['get', 'disable', 'enable', 'remove']) {
        assert.equal((await terminal.mcp(command, name)).code, 0, command);
      }
      assert.equal(await terminal.read(), '{"mcpServers":{}}');
      await rm(dirname(terminal.file), { recursive: true });
    }
  });

  it('shows no secret, whatever the command', async () => {
    await terminal.write(JSON.stringify(secretive));
    const said: string[] = [];
    for (const args of [
      ['list'],
      ['get', 'local'],
      ['get', 'remote'],
      ['disable', 'local'],
      ['enable', 'remote'],
      [
        'add',
        'local',
        '--transport',
        'stdio',
        '--env',
        `A=${canary}`,
        'x',
        '--',
        canary,
      ],
      [
        'add',
        'new',
        '--transport',
        'http',
        '--header',
        `A: ${canary}`,
        '--auth',
        canary,
        `https://${canary}@h`,
      ],
      ['add', 'x', '--transport', 'http', '--header', canary, 'https://h'],
      ['add', 'x', '--transport', 'stdio', '--env', canary, 'x'],
      ['add', 'x', '--transport', 'http', `//u:${canary}@h`],
      ['add', 'x', '--transport', 'stdio', 'x', '--token', canary],
      ['add', 'x', '--transport', 'stdio', 'x', `--token=${canary}`],
      ['remove', 'local'],
    ]) {
      for (const json of [[], ['--json']]) {
        const cut = args.includes('--') ? args.indexOf('--') : args.length;
        const { out, err } = await terminal.mcp(
          ...args.slice(0, cut),
          ...json,
          ...args.slice(cut),
        );
        said.push(out, err);
      }
    }
    assert.ok(
      !said.join('').includes(canary),
      said.find((text) => text.includes(canary)),
    );
    assert.ok((await terminal.read()).includes(canary));
  });
});
