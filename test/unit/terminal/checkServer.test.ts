import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../host/paths.ts';
import { AddressServer, working } from '../../support/servers/address.ts';
import { until } from '../../support/eventually.ts';
import { canary, type Circumstances, Terminal } from './support.ts';

const program = join(root, 'test/support/servers/program.ts');

describe('switchboard mcp check --run', () => {
  let terminal: Terminal;

  beforeEach(async () => {
    terminal = await Terminal.open();
  });

  afterEach(async () => {
    await terminal.close();
  });

  async function write(entry: object): Promise<void> {
    await terminal.write(JSON.stringify({ mcpServers: { it: entry } }));
  }

  const local = (kind: string, more: object = {}) => ({
    command: process.execPath,
    args: [program, kind],
    ...more,
  });

  async function run(
    args: readonly string[] = [],
    circumstances: Circumstances = {},
  ) {
    return await terminal.run(['mcp', 'check', '--run', 'it', ...args], {
      env: { PATH: process.env.PATH ?? '' },
      ...circumstances,
    });
  }

  it('shows the command, asks to start it, and lists the tools', async () => {
    await write(
      local('good', { env: { API_KEY: canary, MODE: 'fast' }, enabled: false }),
    );
    const { code, out, err } = await run([], { answer: 'y' });
    assert.equal(code, 0);
    assert.match(
      out,
      /^✓ 2 tools in \d+\.\d s\n {2}read_it {4}read-only\n {2}delete_it {2}destructive\n$/,
    );
    assert.equal(
      err,
      [
        'This command runs once on this machine to list its tools:',
        `  ${process.execPath} ${program} good`,
        `in ${terminal.home}`,
        'with these variables, which can change what runs:',
        '  API_KEY=••••••',
        '  MODE=fast',
        'Start it? [y/N] ',
      ].join('\n'),
    );
  });

  it('shows the values of all variables before it asks', async () => {
    const env = {
      NODE_OPTIONS: '--require ./pre.js',
      API_KEY: canary,
      GIT_SSH_COMMAND: `ssh --token ${canary}`,
    };
    await write({ command: 'no-such-program-here', env });
    const { err } = await run([], { answer: 'n' });
    assert.ok(
      err.includes(
        [
          'with these variables, which can change what runs:',
          "  NODE_OPTIONS='--require ./pre.js'",
          '  API_KEY=••••••',
          "  GIT_SSH_COMMAND='ssh --token ••••••'",
          'Start it? [y/N] ',
        ].join('\n'),
      ),
      err,
    );
  });

  it('starts nothing unless the answer is yes', async () => {
    await write({ command: 'no-such-program-here' });
    for (const answer of ['', 'n', 'no', 'yeah']) {
      const { code, out, err } = await run([], { answer });
      assert.deepEqual([code, out], [1, '']);
      assert.match(err, /Start it\? \[y\/N\] Nothing was done\.\n$/);
    }
  });

  it('asks nothing if it cannot show all that would run', async () => {
    const script = 'TOKEN=$(echo x; echo y > started) no-such-program-here';
    await write({ command: 'bash', args: ['-c', script] });
    const masked = await run([], { answer: 'y' });
    assert.equal(masked.code, 1);
    assert.match(
      masked.err,
      /A masked part of its command could run something\. Move its secrets to variables\. Nothing was done\.\n$/,
    );
    await write({ command: 'npx', args: ['x'.repeat(4_001)] });
    const long = await run([], { answer: 'y' });
    assert.equal(long.code, 1);
    assert.match(long.err, /longer than can be shown/);
  });

  it('starts nothing without --yes when it cannot ask', async () => {
    await write({ command: 'no-such-program-here' });
    const { code, out, err } = await run();
    assert.deepEqual([code, out], [2, '']);
    assert.match(
      err,
      /Can't ask for confirmation here\. Pass --yes to start this program\./,
    );
  });

  it('asks a URL with the headers of its entry, and names them first', async () => {
    const server = await AddressServer.start(working);
    try {
      await write({
        url: `${server.origin}/mcp?key=${canary}`,
        headers: { 'X-Team': canary },
        auth: canary,
      });
      const { code, out, err } = await run(['--yes']);
      assert.equal(code, 0);
      assert.match(out, /^✓ 1 tool in \d+\.\d s\n {2}search\n$/);
      assert.equal(
        err,
        [
          'The server at this address is asked for its tools:',
          `  ${server.origin}/mcp?key=••••••`,
          'with the headers X-Team, authorization',
          '',
        ].join('\n'),
      );
    } finally {
      await server.stop();
    }
  });

  it('explains why a server does not work, and shows its last output', async () => {
    await write(local('exits', { env: { API_KEY: canary } }));
    const { code, out, err } = await run(['--yes']);
    assert.deepEqual([code, out], [1, '']);
    assert.match(
      err,
      /Error: “it” ended with exit code 3 before it answered\. What it printed last may say why\.\nIt printed last:\n {2}Usage: server --root PATH\n {2}Error: the key •••••• is wrong\n$/,
    );
  });

  it('prints JSON for success and failure with --json', async () => {
    await write(local('good'));
    const answer = JSON.parse((await run(['--yes', '--json'])).out) as Record<
      string,
      unknown
    >;
    assert(Number(answer.milliseconds) > 0);
    assert.deepEqual(answer, {
      file: terminal.file,
      name: 'it',
      works: true,
      milliseconds: answer.milliseconds,
      tools: [
        { name: 'read_it', description: 'Reads a file', readOnly: true },
        { name: 'delete_it', title: 'Delete it', destructive: true },
      ],
      serverName: 'test server',
      serverVersion: '1.2.3',
    });
    await write({ command: join(terminal.home, 'none') });
    assert.partialDeepStrictEqual(
      JSON.parse((await run(['--yes', '--json'])).out),
      {
        name: 'it',
        works: false,
        failure: {
          reason: 'programNotFound',
          program: join(terminal.home, 'none'),
          lookedIn: [],
          message: `“it” cannot be started: there is no file ${join(terminal.home, 'none')}. Install it, or correct the command.`,
        },
      },
    );
  });

  it('masks a secret in the name of a tool', async () => {
    const env = { API_KEY: canary, OTHER_KEY: `${canary}2` };
    await write(local('repeatsKeysInNames', { env }));
    const { code, out } = await run(['--yes']);
    assert.equal(code, 0);
    assert.match(out, /\n {2}••••••_search\n {2}••••••_search\n$/);
    const json = (await run(['--yes', '--json'])).out;
    const { tools } = JSON.parse(json) as { tools: readonly object[] };
    assert.deepEqual(tools, [
      { name: '••••••_search' },
      { name: '••••••_search' },
    ]);
  });

  it('reports a cancelled check when the user interrupts it', async () => {
    const started = join(terminal.home, 'started');
    const script =
      "require('fs').writeFileSync(process.argv[1], ''); process.stdin.resume();";
    await write({ command: process.execPath, args: ['-e', script, started] });
    const interrupt = new AbortController();
    const running = run(['--yes'], { interrupt: interrupt.signal });
    await until(() => existsSync(started));
    interrupt.abort();
    const { code, err } = await running;
    assert.equal(code, 1);
    assert.match(
      err,
      /The check of “it” was canceled\. Nothing is left running\.\n$/,
    );
  });

  it('reports an unknown server and an invalid entry', async () => {
    await write({ enabled: true });
    assert.match(
      (await run(['--yes'])).err,
      /it has neither a command nor a URL\./,
    );
    const { code, err } = await terminal.mcp(
      'check',
      '--run',
      'other',
      '--yes',
    );
    assert.equal(code, 1);
    assert.match(err, /other/);
  });

  it('requires a name, and rejects files with it and --yes without it', async () => {
    for (const args of [['--run'], ['--run', 'it', 'mcp.json'], ['--yes']])
      assert.equal(
        (await terminal.mcp('check', ...args)).code,
        2,
        args.join(' '),
      );
  });
});
