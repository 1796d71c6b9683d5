import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../../host/paths.ts';
import { headingId } from '../../support/headingId.ts';
import { canary, secretive, Terminal } from './support.ts';

describe('the command line', () => {
  let terminal: Terminal;

  beforeEach(async () => {
    terminal = await Terminal.open();
  });

  afterEach(async () => {
    await terminal.close();
  });

  describe('with wrong usage', () => {
    const add = ['mcp', 'add', 'x'];
    for (const [args, message, help] of [
      [
        ['list'],
        'There is no command "list". Did you mean switchboard mcp list?',
        '',
      ],
      [
        ['mpc', 'list'],
        'There is no command "mpc". Did you mean switchboard mcp?',
        '',
      ],
      [['frobnicate'], 'There is no command "frobnicate".', ''],
      [
        ['--jsn', 'mcp', 'list'],
        'Unknown option --jsn. Did you mean --json?',
        '',
      ],
      [
        ['--verbose=1', 'mcp', 'list'],
        'Unknown option --verbose. Did you mean --version?',
        '',
      ],
      [
        ['mcp', 'lst'],
        'There is no command "mcp lst". Did you mean list?',
        'mcp',
      ],
      [
        ['mcp', 'show'],
        'There is no command "mcp show". There are list, get, add, remove, enable, disable, tools, check.',
        'mcp',
      ],
      [['mcp', '--reveal', 'list'], 'Unknown option --reveal.', 'mcp'],
      [
        ['mcp', 'list', 'x'],
        'list takes no name. To show the details of one server: switchboard mcp get NAME',
        'mcp list',
      ],
      [
        ['mcp', 'get'],
        'The name of the server is missing: switchboard mcp get NAME',
        'mcp get',
      ],
      [
        ['mcp', 'remove', 'my', 'server'],
        'remove takes one name. A name with spaces needs quotes: switchboard mcp remove NAME',
        'mcp remove',
      ],
      [['mcp', 'enable', 'x', '--file'], '--file needs a value.', 'mcp enable'],
      [
        ['mcp', 'enable', 'x', '--file='],
        '--file needs a value.',
        'mcp enable',
      ],
      [
        ['--file', 'a', 'mcp', 'enable', 'x', '--file', 'b'],
        '--file is given twice.',
        'mcp enable',
      ],
      [
        ['mcp', 'disable', 'x', '--json=yes'],
        '--json takes no value.',
        'mcp disable',
      ],
      [
        ['mcp', 'tools'],
        'The name of the server is missing: switchboard mcp tools NAME',
        'mcp tools',
      ],
      [
        ['mcp', 'tools', 'x', '--enable', ''],
        'The name of a tool is empty.',
        'mcp tools',
      ],
      [
        ['mcp', 'tools', 'x', '--disable'],
        '--disable needs a value.',
        'mcp tools',
      ],
      [
        [
          'mcp',
          'tools',
          'x',
          '--disable',
          'a',
          '--enable',
          'b',
          '--enable',
          'a',
        ],
        'Both --enable and --disable name a. Leave one out.',
        'mcp tools',
      ],
      [['mcp', 'check', '--reveal'], 'Unknown option --reveal.', 'mcp check'],
      [
        ['mcp', 'check', 'a.json', ''],
        'The path of a file is empty.',
        'mcp check',
      ],
      [
        ['mcp', 'remove', 'x', '--reveal'],
        'Unknown option --reveal.',
        'mcp remove',
      ],
      [['mcp', 'list', '--version'], 'Unknown option --version.', 'mcp list'],
      [
        ['mcp', 'list', '--filee', canary],
        'Unknown option --filee. Did you mean --file?',
        'mcp list',
      ],
      [add, '--transport and the command or URL are missing.', 'mcp add'],
      [[...add, '--transport'], '--transport needs a value.', 'mcp add'],
      [
        ['mcp', 'add', 'files', 'npx', '-y', 'x'],
        'Missing: --transport stdio, "--" before the arguments. Run: switchboard mcp add files --transport stdio npx -- -y x',
        'mcp add',
      ],
      [
        ['mcp', 'add', 'npx', '-y', 'weather-mcp', '--key', canary],
        `Missing: a name, --transport stdio, "--" before the arguments. Run: switchboard mcp add NAME --transport stdio npx -- -y weather-mcp --key '<SECRET>'`,
        'mcp add',
      ],
      [
        ['mcp', 'add', `https://weather.example/mcp?key=${canary}`],
        "Missing: a name, --transport http or sse. Run: switchboard mcp add NAME --transport http 'https://weather.example/mcp?key=<SECRET>'",
        'mcp add',
      ],
      [
        [...add, '--transport', 'http', '--env', 'A=b', 'https://h'],
        '--env is for stdio. A server over http gets its credentials with --header "Key: value" or --auth.',
        'mcp add',
      ],
      [
        [...add, '--transport', 'stdio', '--header', 'A: b', 'x'],
        '--header is for http and sse. A stdio server gets its credentials with --env KEY=value.',
        'mcp add',
      ],
      [
        [
          ...add,
          '--transport',
          'stdio',
          '\u001b[31mhttps://x',
          'y\nz',
          '--\u001b[0m',
        ],
        `Missing: "--" before the arguments. Run: switchboard mcp add x --transport stdio $'\\033[31mhttps://x' -- $'y\\nz' $'--\\033[0m'`,
        'mcp add',
      ],
    ] as const) {
      it(`exits with code 2 and a reason, and writes nothing: ${args.join(' ')}`, async () => {
        const expected = `Error: ${message}\nSee: switchboard ${help}${help && ' '}--help\n`;
        assert.deepEqual(await terminal.run(args), {
          code: 2,
          out: '',
          err: expected,
        });
        const { code, out, err } = await terminal.run(['--json', ...args]);
        assert.deepEqual([code, err], [2, expected]);
        const { error } = JSON.parse(out) as { error: object };
        // An empty --file is noticed when the file is chosen.
        assert.deepEqual(error, { kind: 'usage', message });
        assert.deepEqual(await readdir(terminal.home), []);
      });
    }
  });

  it('shows help as an error when a command is missing', async () => {
    for (const args of [[], ['mcp'], ['mcp', '--file', 'x']]) {
      const { code, out, err } = await terminal.run(args);
      assert.deepEqual([code, out], [2, '']);
      assert.match(err, /^Usage: switchboard mcp COMMAND/);
    }
    const { code, out } = await terminal.run(['mcp', '--json']);
    assert.equal(code, 2);
    assert.deepEqual(JSON.parse(out), {
      error: { kind: 'usage', message: 'The command is missing.' },
    });
  });

  it('shows help with examples at each level, in lines of at most 100 characters', async () => {
    const usages = new Set<string>();
    for (const words of [
      [],
      ['mcp'],
      ...[
        'list',
        'get',
        'add',
        'remove',
        'enable',
        'disable',
        'tools',
        'check',
      ].map((each) => ['mcp', each]),
    ]) {
      const { code, out, err } = await terminal.run([...words, '--help']);
      assert.deepEqual([code, err], [0, '']);
      assert.match(
        out,
        new RegExp(`^Usage: switchboard mcp ${words[1] ?? 'COMMAND'}`),
      );
      assert.match(out, /\n\nExamples:\n {2}switchboard /);
      assert.ok(
        out.split('\n').every((line) => line.length <= 100),
        out,
      );
      for (const option of ['--file PATH', '--json', '-h, --help'])
        assert.ok(out.includes(`  ${option} `));
      for (const others of [
        [...words, '-h'],
        ['help', ...words],
        [...words, '--json', '--bad', '--help'],
      ]) {
        assert.equal((await terminal.run(others)).out, out);
      }
      usages.add(out);
    }
    assert.equal(usages.size, 10);
    const { out } = await terminal.mcp('help', 'add');
    for (const option of [
      '--transport',
      '--env',
      '--header',
      '--auth',
      '--enabled',
      '--disabled',
    ]) {
      assert.match(out, new RegExp(`^ {2}${option}\\b`, 'm'));
    }
  });

  it('keeps the help of all commands to 35 lines, and says where the JSON is described', async () => {
    const { out } = await terminal.mcp('--help');
    assert.ok(out.trimEnd().split('\n').length <= 35, out);
    const [, page = '', id] = /\/blob\/HEAD\/(\S+)#(\S+)$/m.exec(out) ?? [];
    const headings =
      (await readFile(join(root, page), 'utf8')).match(/^#+ .+$/gm) ?? [];
    assert.ok(
      headings.some((heading) => headingId(heading) === id),
      id,
    );
  });

  it('treats everything after “--” as arguments, even --help', async () => {
    const { code } = await terminal.mcp(
      'add',
      'x',
      '--transport',
      'stdio',
      'x',
      '--',
      '--help',
      '--json',
    );
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(await terminal.read()), {
      mcpServers: { x: { command: 'x', args: ['--help', '--json'], env: {} } },
    });
    assert.equal(
      (await terminal.mcp('get', '--', '-x')).err,
      'Error: There is no server "-x". List the servers to see their names.\n',
    );
  });

  it('prints the version', async () => {
    assert.deepEqual(await terminal.run(['--version']), {
      code: 0,
      out: '1.2.3\n',
      err: '',
    });
    assert.deepEqual(await terminal.run(['mcp', '--version']), {
      code: 0,
      out: '1.2.3\n',
      err: '',
    });
  });

  it('reports a bug of its own without secrets', async () => {
    const version = () => {
      throw new TypeError(`x is not a function: https://u:${canary}@h`);
    };
    const message =
      'This should not have happened. It is a bug in switchboard: x is not a function: https://••••••@h';
    const { code, out, err } = await terminal.run(['--version', '--json'], {
      version,
    });
    assert.deepEqual([code, err], [1, `Error: ${message}\n`]);
    assert.deepEqual(JSON.parse(out), { error: { kind: 'defect', message } });
  });

  it('uses the file from --file, the environment or the usual place', async () => {
    const other = join(terminal.home, 'other.json');
    const text = '{"mcpServers": {"there": {"command": "x"}}}';
    await writeFile(other, text);
    await terminal.write('{"mcpServers": {"usual": {"command": "x"}}}');
    const env = { SWITCHBOARD_MCP_FILE: other };
    const named = async (args: readonly string[], variables = {}) =>
      /^(\w+) +✓/m.exec(
        (await terminal.run(args, { env: variables })).out,
      )?.[1];
    assert.equal(await named(['mcp', 'list']), 'usual');
    assert.equal(await named(['mcp', 'list'], env), 'there');
    assert.equal(await named(['mcp', 'list', '--file', 'other.json']), 'there');
    assert.equal(await named(['--file=~/other.json', 'mcp', 'list']), 'there');
    assert.equal(
      await named(['mcp', '--file', '.agent/mcp.json', 'list'], env),
      'usual',
    );
    const { code, err } = await terminal.run(['mcp', 'list'], {
      env: { SWITCHBOARD_MCP_FILE: 'x.json' },
    });
    assert.equal(code, 1);
    assert.match(err, /"x\.json" is not an absolute path/);
    await mkdir(join(terminal.home, '.openhands'));
    await writeFile(join(terminal.home, '.openhands', 'mcp.json'), text);
    assert.equal(await named(['mcp', 'list']), 'there');
  });
});

describe('--json', () => {
  let terminal: Terminal;

  beforeEach(async () => {
    terminal = await Terminal.open();
  });

  afterEach(async () => {
    await terminal.close();
  });

  const json = async (...args: string[]) => {
    const { out } = await terminal.mcp(...args, '--json');
    return JSON.parse(out) as Record<string, unknown>;
  };
  const mask = '••••••';

  it('masks secrets in the list of servers unless told to reveal them', async () => {
    await terminal.write(JSON.stringify(secretive));
    assert.deepEqual(await json('list'), {
      file: terminal.file,
      servers: [
        {
          name: 'local',
          enabled: true,
          transport: 'stdio',
          command: 'npx',
          args: [
            '-y',
            'a server',
            '--token',
            mask,
            `--url=https://${mask}@h/?k=${mask}#${mask}`,
          ],
          env: { API_TOKEN: mask, EMPTY: '' },
        },
        {
          name: 'remote',
          enabled: false,
          transport: 'sse',
          url: `https://${mask}@example.com/sse?key=${mask}`,
          headers: { Authorization: mask },
          auth: mask,
        },
        {
          name: 'signIn',
          enabled: true,
          transport: 'http',
          url: 'https://example.com/mcp',
          headers: {},
          auth: 'oauth',
        },
      ],
      warnings: [],
    });
    const { local, remote } = secretive.mcpServers;
    const { servers } = await json('list', '--reveal');
    assert.partialDeepStrictEqual(servers, [
      { args: local.args, env: local.env },
      { url: remote.url, headers: remote.headers, auth: remote.auth },
    ]);
  });

  it('prints an empty list when there are no servers', async () => {
    assert.deepEqual(await json('list'), {
      file: terminal.file,
      servers: [],
      warnings: [],
    });
  });

  it('prints one server, even an invalid one', async () => {
    await terminal.write('{"mcpServers": {"a": {"command": "x"}, "b": {}}}');
    const { file } = terminal;
    const message =
      'This file is invalid, so agents load none of its servers. "b" has neither a command nor a URL. Add "command" or "url".';
    const warnings = [{ kind: 'refused', message, line: 1, column: 40 }];
    const server = {
      name: 'a',
      enabled: true,
      transport: 'stdio',
      command: 'x',
      args: [],
      env: {},
    };
    assert.deepEqual(await json('get', 'a'), { file, server, warnings });
    const none = { name: 'b', enabled: true, transport: null };
    assert.deepEqual(await json('get', 'b'), { file, server: none, warnings });
  });

  it('reports what changed', async () => {
    const { file } = terminal;
    const server = {
      name: 'a',
      enabled: true,
      transport: 'stdio',
      command: 'x',
      args: [],
      env: { A: mask },
    };
    assert.deepEqual(
      await json('add', 'a', '--transport', 'stdio', '--env', 'A=b', 'x'),
      {
        file,
        changed: true,
        server,
        warnings: [],
      },
    );
    assert.deepEqual(await json('enable', 'a'), {
      file,
      changed: false,
      server,
      warnings: [],
    });
    const disabled = { ...server, enabled: false };
    assert.deepEqual(await json('disable', 'a'), {
      file,
      changed: true,
      server: disabled,
      warnings: [],
    });
    assert.deepEqual(await json('remove', 'a'), {
      file,
      changed: true,
      removed: disabled,
      warnings: [],
    });
  });

  it('includes the warnings, and prints them on standard error too', async () => {
    await terminal.write('{ // mine\n"mcpServers": {}}', 0o644);
    const { out, err } = await terminal.mcp('list', '--json');
    const { warnings } = JSON.parse(out) as {
      warnings: { kind: string; message: string }[];
    };
    const [comment, ...others] = warnings;
    assert.match(comment?.message ?? '', /comment/);
    assert.deepEqual(comment, {
      kind: 'refused',
      message: comment?.message,
      line: 1,
      column: 3,
    });
    if (process.platform !== 'win32')
      assert.deepEqual(
        others.map(({ kind }) => kind),
        ['openToOthers'],
      );
    assert.equal(err.trimEnd().split('\n').length, warnings.length);
  });

  it('prints an error as JSON on standard output and as text on standard error', async () => {
    await terminal.write('{"mcpServers": {}');
    const { code, out, err } = await terminal.mcp('list', '--json');
    assert.equal(code, 1);
    const { error } = JSON.parse(out) as { error: { message: string } };
    const place = { file: terminal.file, line: 1, column: 17 };
    assert.deepEqual(error, {
      kind: 'syntax',
      message: error.message,
      ...place,
    });
    assert.equal(err, `Error: ${terminal.file}: ${error.message}\n`);
    await terminal.write(new Uint8Array([0xff]));
    assert.partialDeepStrictEqual(await json('list'), {
      error: { kind: 'failed', file: terminal.file },
    });
    await terminal.write('{}');
    assert.partialDeepStrictEqual(await json('get', 'a'), {
      error: { kind: 'noSuchServer' },
    });
  });

  it('escapes control characters without changing the value', async () => {
    const name = 'a\u009B31m\u202E\u{E0041}\u2028\u007F\u3164\uFE0F\n👍';
    await terminal.write(
      JSON.stringify({ mcpServers: { [name]: { command: name } } }),
    );
    const { out } = await terminal.mcp('list', '--json');
    assert.doesNotMatch(
      out,
      /[\u007F-\u009F\u2028\u202E\u3164\uFE0F\u{E0041}]/u,
    );
    assert.partialDeepStrictEqual(JSON.parse(out), {
      servers: [{ name, command: name }],
    });
  });
});
