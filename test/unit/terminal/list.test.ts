import assert from 'node:assert/strict';
import { canary, secretive, Terminal } from './support.ts';
import { callCounts } from '../../support/callCounts.ts';
import { programFile } from '../../support/programFile.ts';
import { watchedDisk } from '../../support/files/faultyDisk.ts';

describe('switchboard mcp list', () => {
  let terminal: Terminal;

  beforeEach(async () => {
    terminal = await Terminal.open();
  });

  afterEach(async () => {
    await terminal.close();
  });

  it('suggests how to add a server when there are none', async () => {
    const { code, out, err } = await terminal.mcp('list');
    assert.equal(code, 0);
    assert.match(
      out,
      /^There are no MCP servers: .*mcp\.json does not exist yet\.\nAdd one with:\n/,
    );
    assert.equal(err, '');
    await terminal.write('{"mcpServers": {}}');
    assert.match(
      (await terminal.mcp('list')).out,
      /^There are no MCP servers in .*mcp\.json\.\nAdd one with:\n/,
    );
  });

  it('reads and parses the file once', async () => {
    await terminal.write('{"mcpServers": {"a": {"command": "x"}}}');
    let reads = 0;
    const disk = watchedDisk((call) => {
      if (call.startsWith('readFile')) reads++;
    });
    const counts = await callCounts(['readText'], () =>
      terminal.run(['mcp', 'list'], { disk }),
    );
    assert.deepEqual([reads, counts], [1, { readText: 1 }]);
  });

  it('prints a table without secrets', async () => {
    await terminal.write(JSON.stringify(secretive));
    const { code, out, err } = await terminal.mcp('list');
    assert.equal(code, 0);
    assert.equal(
      out,
      `NAME    STATE       TRANSPORT  TARGET
local   ✓ enabled   stdio      npx -y 'a server' --token •••••• '--url=https://••••••@h/?k=••••••#••••••'
remote  ○ disabled  sse        https://••••••@example.com/sse?key=••••••
signIn  ✓ enabled   http       https://example.com/mcp

3 servers, 2 enabled, in ${terminal.file}
`,
    );
    assert.equal(err, '');
  });

  it('shows the secrets of targets with --reveal', async () => {
    await terminal.write(JSON.stringify(secretive));
    const { out } = await terminal.mcp('list', '--reveal');
    assert.ok(out.includes(`--token ${canary}`));
    assert.ok(out.includes(`https://${canary}@example.com/sse?key=${canary}`));
  });

  it('shows exact targets with --reveal, however long', async () => {
    const args = ['a  b', 'x'.repeat(2000)];
    const url = 'https://h/?k=a  b\n';
    await terminal.write(
      JSON.stringify({
        mcpServers: { a: { command: 'npx', args }, b: { url } },
      }),
    );
    const { out } = await terminal.run(['mcp', 'list', '--reveal'], {
      columns: 80,
      env: { NO_COLOR: '1' },
    });
    const [, a, b] = out.split('\n');
    assert.equal(
      a,
      `a     ✓ enabled  stdio      npx 'a  b' ${'x'.repeat(2000)}`,
    );
    assert.equal(b, `b     ✓ enabled  http       $'https://h/?k=a  b\\n'`);
  });

  it('aligns columns by visible width, and prints no control characters', async () => {
    const names = [
      '服务器',
      '👍🏽',
      'é',
      'e\u0301',
      'a\u001b[31m\u202Eb\n\u009Bc',
      '',
    ];
    const servers = names.map((name) => [
      name,
      { url: 'https://h/\u001b]0;x\u0007' },
    ]);
    await terminal.write(
      JSON.stringify({ mcpServers: Object.fromEntries(servers) as unknown }),
    );
    const { out } = await terminal.mcp('list');
    assert.doesNotMatch(out, /[^\n\P{Cc}]|[\u202A-\u202E]/u);
    assert.deepEqual(
      out
        .split('\n')
        .slice(0, 7)
        .map((line) => line.split('http')[0]),
      [
        'NAME        STATE      TRANSPORT  TARGET',
        '服务器      ✓ enabled  ',
        '👍🏽          ✓ enabled  ',
        'é           ✓ enabled  ',
        'e\u0301           ✓ enabled  ',
        'a [31m b c  ✓ enabled  ',
        '""          ✓ enabled  ',
      ],
    );
  });

  it('uses color only on a terminal that has it, and without NO_COLOR', async () => {
    await terminal.write(JSON.stringify(secretive), 0o644);
    const colour = /\u001b\[\d+m/;
    const shown = async (columns?: number, env = {}) => {
      const { out, err } = await terminal.run(['mcp', 'list'], {
        env,
        ...(columns && { columns }),
      });
      return [colour.test(out), colour.test(err)];
    };
    const warns = process.platform !== 'win32';
    assert.deepEqual(await shown(80), [true, warns]);
    assert.deepEqual(await shown(80, { NO_COLOR: '' }), [true, warns]);
    assert.deepEqual(await shown(80, { NO_COLOR: '1' }), [false, false]);
    assert.deepEqual(await shown(80, { TERM: 'dumb' }), [false, false]);
    assert.deepEqual(await shown(), [false, false]);
  });

  it('cuts targets to fit the terminal unless it is too narrow', async () => {
    const server = { command: 'x'.repeat(100) };
    await terminal.write(JSON.stringify({ mcpServers: { a: server } }));
    const row = async (columns: number) =>
      (
        await terminal.run(['mcp', 'list'], { columns, env: { NO_COLOR: '1' } })
      ).out.split('\n')[1];
    assert.equal(
      await row(60),
      `a     ✓ enabled  stdio      ${'x'.repeat(31)}…`,
    );
    assert.equal((await row(40))?.length, 128);
    assert.equal((await row(200))?.length, 128);
  });

  it('gives the line and column of each of 10,000 warnings', async () => {
    const lines = Array.from(
      { length: 20_000 },
      (_, i) => `"${i >> 1}": {"command": "x"}`,
    );
    await terminal.write(`{"mcpServers": {\r\n${lines.join(',\r')}}}`);
    const { out } = await terminal.mcp('list', '--json');
    const { warnings } = JSON.parse(out) as {
      warnings: { line: number; column: number }[];
    };
    assert.deepEqual(
      warnings.map(({ line, column }) => [line, column]),
      Array.from({ length: 10_000 }, (_, i) => [2 * i + 2, 1]),
    );
  });

  it('says first that a file is refused, where and why', async () => {
    const start = 'This file is invalid, so agents load none of its servers.';
    await terminal.write(
      '{\n  "mcpServers": {\n    "a": {"command": "x"}, "b": {"command": "y", "args": "z"}}}',
    );
    const { code, out, err } = await terminal.mcp('list');
    assert.equal(code, 0);
    assert.equal(
      err,
      `Refused: ${terminal.file}, line 3, column 58: ${start} "args" must be a list of strings.\n`,
    );
    assert.match(out, /^b {5}✓ enabled {2}stdio {6}y$/m);
    assert.equal(terminal.all, err + out);
    await terminal.write(' \n');
    assert.match(
      (await terminal.mcp('list')).err,
      /^Refused: .*An empty file is refused\./,
    );
    await terminal.write('{"mcpServers": null}');
    const { code: failed, err: reason } = await terminal.mcp('list');
    assert.equal(failed, 1);
    assert.match(
      reason,
      /line 1, column 16: "mcpServers" is not a JSON object\. This file is invalid/i,
    );
  });

  it('prints no warnings for a file that the agent wrote', async () => {
    await terminal.write(programFile);
    const { code, out, err } = await terminal.mcp('list');
    assert.deepEqual([code, err], [0, '']);
    assert.match(out, /^files {3}○ disabled/m);
    assert.doesNotMatch(
      (await terminal.mcp('get', 'files')).out,
      /Other fields/,
    );
    assert.match(
      (await terminal.mcp('get', 'tagged')).out,
      /^Tools off {5}a\nOther fields {2}include_tags$/m,
    );
  });

  it('marks an entry without a command or a URL', async () => {
    await terminal.write(
      '{"mcpServers": {"a": {"serverUrl": "https://h"}, "b": 1}}',
    );
    const { code, out } = await terminal.mcp('list');
    assert.equal(code, 0);
    assert.match(
      out,
      /^a {5}✓ enabled {2}\? {10}\(neither a command nor a URL\)$/m,
    );
    assert.match(out, /^b {5}✓ enabled/m);
    assert.match(
      (await terminal.mcp('get', 'a')).out,
      /^Transport {5}\? \(neither a command nor a URL\)$/m,
    );
  });
});

describe('switchboard mcp get', () => {
  let terminal: Terminal;

  beforeEach(async () => {
    terminal = await Terminal.open();
    await terminal.write(JSON.stringify(secretive, null, 2));
  });

  afterEach(async () => {
    await terminal.close();
  });

  it('shows the details of a local server', async () => {
    assert.deepEqual(await terminal.mcp('get', 'local'), {
      code: 0,
      out: `local  ✓ enabled

Transport     stdio
Command       npx -y 'a server' --token •••••• '--url=https://••••••@h/?k=••••••#••••••'
Environment   API_TOKEN=••••••
              EMPTY=
Other fields  clientSecret, cwd
File          ${terminal.file}, line 3
`,
      err: '',
    });
  });

  it('shows the details of a remote server', async () => {
    assert.deepEqual(await terminal.mcp('get', 'remote'), {
      code: 0,
      out: `remote  ○ disabled

Transport  sse
URL        https://••••••@example.com/sse?key=••••••
Headers    Authorization: ••••••
Auth       ••••••
File       ${terminal.file}, line 19
`,
      err: '',
    });
    assert.match((await terminal.mcp('get', 'signIn')).out, /^Auth {7}oauth$/m);
  });

  it('shows the secrets of headers and variables with --reveal', async () => {
    const { out } = await terminal.run(['mcp', 'get', 'remote', '--reveal'], {
      columns: 80,
    });
    assert.ok(out.includes(`Authorization: Bearer ${canary}`));
    assert.match(
      (await terminal.mcp('get', 'local', '--reveal')).out,
      new RegExp(`API_TOKEN=${canary}`),
    );
  });

  it('shows exact values with --reveal, and escapes invisible characters for a shell', async () => {
    const env = {
      BLANKS: ' a  b ',
      PEM: '-----BEGIN KEY-----\na\\b\n-----END KEY-----\n',
      LONG: 'x'.repeat(11_000),
      ESCAPE: 'a\u001b[31m\u202E',
    };
    const servers = {
      local: { command: 'npx', args: ['a  b', ' '], env },
      remote: {
        url: 'https://h/?k=a  b',
        headers: { 'X-A': 'a  b' },
        auth: 'a  b\tc',
      },
    };
    await terminal.write(JSON.stringify({ mcpServers: servers }));
    const local = (await terminal.mcp('get', 'local', '--reveal')).out;
    assert.equal(
      local,
      `local  ✓ enabled

Transport    stdio
Command      npx 'a  b' ' '
Environment  BLANKS= a  b${' '}
             PEM=$'-----BEGIN KEY-----\\na\\\\b\\n-----END KEY-----\\n'
             LONG=${env.LONG}
             ESCAPE=$'a\\033[31m\\342\\200\\256'
File         ${terminal.file}, line 1
`,
    );
    const remote = (await terminal.mcp('get', 'remote', '--reveal')).out;
    assert.match(
      remote,
      /^URL {8}https:\/\/h\/\?k=a {2}b\nHeaders {4}X-A: a {2}b\nAuth {7}\$'a {2}b\\tc'$/m,
    );
  });

  it('suggests a similar name for an unknown server', async () => {
    assert.deepEqual(await terminal.mcp('get', 'lcoal'), {
      code: 1,
      out: '',
      err: 'Error: There is no server "lcoal". Did you mean "local"?\n',
    });
    assert.equal((await terminal.mcp('get', '__proto__')).code, 1);
  });
});
