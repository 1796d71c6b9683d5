import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canary, secretive, Terminal } from './support.ts';
import { watchedDisk } from '../../support/files/faultyDisk.ts';
import { programFile } from '../../support/programFile.ts';

const refusedText = 'This file is invalid, so agents load none of its servers.';

describe('switchboard mcp check', () => {
  let terminal: Terminal;

  beforeEach(async () => {
    terminal = await Terminal.open();
  });

  afterEach(async () => {
    await terminal.close();
  });

  /** Writes a file, and returns its path. */
  async function file(
    name: string,
    text: string | Uint8Array,
  ): Promise<string> {
    const path = join(terminal.home, name);
    await writeFile(path, text);
    return path;
  }

  interface Checked {
    readonly file: string;
    readonly accepted: boolean;
    readonly problems: readonly Readonly<
      Record<'severity' | 'code' | 'message', string>
    >[];
  }

  async function json(...args: string[]): Promise<readonly Checked[]> {
    return JSON.parse(
      (await terminal.mcp('check', ...args, '--json')).out,
    ) as Checked[];
  }

  /** The codes of the problems in a text. */
  async function codesIn(text: string | Uint8Array): Promise<string[]> {
    return (await json(await file('a.json', text))).flatMap(({ problems }) =>
      problems.map(({ code }) => code),
    );
  }

  it('reports no problems in a sound file', async () => {
    for (const text of ['{"mcpServers": {}}', programFile]) {
      await terminal.write(text);
      assert.deepEqual(await terminal.mcp('check'), {
        code: 0,
        out: `No problems in ${terminal.file}.\n`,
        err: '',
      });
      assert.deepEqual(await json(), [
        { file: terminal.file, accepted: true, problems: [] },
      ]);
    }
  });

  it('lists problems in columns, with places that terminals open, and counts them', async () => {
    await terminal.write(`{
  "inputs": [],
  "mcpServers": {
    "a": { "command": "x", "args": "y" },
    "b": { "url": "https://h", "disabled": true },
  }
}`);
    const { code, out, err } = await terminal.mcp('check');
    assert.deepEqual([code, err], [1, '']);
    const rows = out
      .split('\n')
      .map((row) => row.replace(terminal.file, 'FILE'));
    assert.deepEqual(
      rows
        .slice(0, 4)
        .map((row) => row.slice(0, 'FILE:2:3   note     "'.length)),
      [
        'FILE:2:3   note     "',
        'FILE:4:36  error    "',
        'FILE:5:32  warning  "',
        'FILE:5:50  error    A',
      ],
    );
    assert.deepEqual(rows.slice(4), [
      '',
      `2 errors, 1 warning, 1 note in FILE. ${refusedText}`,
      '',
    ]);
  });

  it('puts the end of an unfinished text where list and get put it, at the last visible character', async () => {
    await terminal.write('{"mcpServers": {"a": {"command": "x"}}\n\n');
    assert.match(
      (await terminal.mcp('check')).out,
      /mcp\.json:1:38 {2}error {2}The text ends here/,
    );
    for (const args of [['list'], ['get', 'a'], ['enable', 'a']])
      assert.match(
        (await terminal.mcp(...args)).err,
        /: Line 1, column 38: the text ends here/,
        args[0],
      );
  });

  it('prints a JSON list of files and their problems with --json', async () => {
    const refused = await file(
      'refused.json',
      '{"mcpServers": {\n  "a": {"command": 1}}}',
    );
    const warned = await file(
      'warned.json',
      '{"mcpServers": {"": {"command": "x"}}}',
    );
    const { code, out } = await terminal.mcp(
      'check',
      '--json',
      refused,
      warned,
    );
    assert.equal(code, 1);
    const [first, second] = JSON.parse(out) as Checked[];
    assert.deepEqual(first, {
      file: refused,
      accepted: false,
      problems: [
        {
          severity: 'error',
          code: 'badValue',
          message: '"command" must be a string.',
          line: 2,
          column: 20,
        },
      ],
    });
    assert.deepEqual(
      [
        second?.file,
        second?.accepted,
        second?.problems.map(({ severity, code }) => [severity, code]),
      ],
      [warned, true, [['warning', 'emptyName']]],
    );
  });

  it('checks the given files, including --file, or else the configured one', async () => {
    await terminal.write('{"mcpServers": {}}');
    const [a, b] = [await file('a.json', '{}'), await file('-b.json', '{}')];
    const files = async (...args: string[]) =>
      (await json(...args)).map((each) => each.file);
    assert.deepEqual(await files(), [terminal.file]);
    assert.deepEqual(await files('a.json', '~/a.json'), [a, a]);
    assert.deepEqual(await files('--file', a), [a]);
    assert.deepEqual(await files(a, '--file', terminal.file), [
      terminal.file,
      a,
    ]);
    assert.deepEqual(
      (await terminal.mcp('check', '--json', '--', '-b.json')).code,
      0,
    );
    assert.ok((await terminal.mcp('check', '--', '-b.json')).out.includes(b));
    const unusable = { SWITCHBOARD_MCP_FILE: 'relative.json' };
    assert.equal(
      (await terminal.run(['mcp', 'check', a], { env: unusable })).code,
      0,
    );
    assert.equal(
      (await terminal.run(['mcp', 'check'], { env: unusable })).code,
      1,
    );
  });

  it('counts the refused files', async () => {
    const sound = await file('sound.json', '{"mcpServers": {}}');
    const warned = await file(
      'warned.json',
      '{"servers": {"a": {"command": "x"}}}',
    );
    const empty = await file('empty.json', '');
    const cut = await file('cut.json', '{"mcpServers": {');
    const sum = async (...files: string[]) =>
      (await terminal.mcp('check', ...files)).out.trimEnd().split('\n').at(-1);
    assert.equal(await sum(sound, sound), 'No problems in 2 files.');
    assert.equal(await sum(sound, warned), '1 warning in 1 of 2 files.');
    assert.equal(
      await sum(sound, warned, empty),
      '1 error, 1 warning in 2 of 3 files. 1 file is invalid, so agents load none of its servers.',
    );
    assert.equal(
      await sum(empty, cut),
      '2 errors in 2 of 2 files. 2 files are invalid, so agents load none of their servers.',
    );
  });

  it('explains why a file cannot be read, and continues with the others', async () => {
    const binary = await file('binary.json', new Uint8Array([0xff]));
    const folder = join(terminal.home, 'folder');
    await mkdir(folder);
    const warned = await file(
      'warned.json',
      '{"servers": {"a": {"command": "x"}}}',
    );
    const missing = join(terminal.home, 'missing.json');
    const { code, out, err } = await terminal.mcp(
      'check',
      binary,
      folder,
      missing,
      warned,
    );
    assert.deepEqual([code, err], [1, '']);
    const [one, two, three, four, , last] = out.split('\n');
    assert.match(
      one ?? '',
      /binary\.json:1:1 +error .* it is not UTF-8 text\./,
    );
    assert.match(two ?? '', /folder:1:1 +error .* it is a folder\./);
    assert.match(
      three ?? '',
      /missing\.json:1:1 +error +This file does not exist\.$/,
    );
    assert.match(
      four ?? '',
      /warned\.json:1:2 +warning +"servers" is ignored here\./,
    );
    assert.equal(last, '3 errors, 1 warning in 4 of 4 files.');
    const [unreadable] = await json(missing);
    assert.deepEqual(unreadable, {
      file: missing,
      accepted: false,
      problems: [
        {
          severity: 'error',
          code: 'unreadable',
          message: 'This file does not exist.',
          line: 1,
          column: 1,
        },
      ],
    });
  });

  it('explains what is wrong with the file of another program', async () => {
    const found = async (text: string) => {
      const { code, out } = await terminal.mcp(
        'check',
        await file('a.json', text),
      );
      return [
        code,
        out
          .split('\n', 1)[0]
          ?.replace(/^.*\.json:/, '')
          .replace(/ +/g, ' '),
      ];
    };
    const servers = '{"a": {"command": "x"}}';
    assert.deepEqual(await found(`{"servers": ${servers}}`), [
      0,
      '1:2 warning "servers" is ignored here. Rename it to "mcpServers".',
    ]);
    assert.deepEqual(await found(`{"mcp": {"servers": ${servers}}}`), [
      0,
      '1:2 warning "mcp" is ignored here. Move its servers into "mcpServers".',
    ]);
    const paste = 'Paste it with "Add MCP Server from Text" in VS Code.';
    for (const [place, text] of [
      ['2:1', '# mine\n[mcp_servers.a]\ncommand = "x"\n'],
      ['3:3', '\r\n\r\n  [[servers]] # one\r\n'],
      ['1:1', 'model = "x"\n[mcp_servers.a]\n'],
      ['1:1', '\uFEFFshttp_servers = [{}]'],
      ['1:1', '[mcp_servers."a b"]\n'],
    ] as const) {
      assert.deepEqual(
        await found(text),
        [1, `${place} error This is TOML, not JSON. ${paste}`],
        text,
      );
    }
    for (const [place, text] of [
      ['1:1', 'mcpServers:\n  a:\n    command: npx\n'],
      ['1:1', '---\nname: x\n'],
      ['2:1', '# mine\n- command: npx\n'],
      ['1:1', 'extensions: {}\r\n'],
    ] as const) {
      assert.deepEqual(
        await found(text),
        [1, `${place} error This is YAML, not JSON. ${paste}`],
        text,
      );
    }
  });

  it('never mistakes broken JSON for TOML or YAML', async () => {
    for (const text of [
      '{"mcpServers": {"a": {"command": "x"}}',
      '"mcpServers": {"a": {"command": "x"}}',
      '// mine\n{"mcpServers": {,}}',
      '["a", "b"',
      '[\n{"a": 1},',
      "{'mcpServers': {}}",
      '# mine',
      'no configuration',
    ]) {
      const [checked] = await json(await file('a.json', text));
      const codes = checked?.problems.map(({ code }) => code);
      assert.deepEqual(codes, ['syntax'], text);
      assert.doesNotMatch(JSON.stringify(checked), /TOML|YAML/, text);
    }
  });

  it('ignores the variables, commands and permissions of this machine', async () => {
    const server = {
      command: '/no/such/program',
      env: { A: '${NO_SUCH_VARIABLE}' },
    };
    assert.deepEqual(
      await codesIn(JSON.stringify({ mcpServers: { server } })),
      [],
    );
  });

  it('reads all broken files before it retries any of them', async () => {
    const files = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        file(`${index}.json`, '{"mcpServers": {'),
      ),
    );
    const reads: string[] = [];
    const disk = watchedDisk((call, [path]) => {
      if (call === 'readFile') reads.push(String(path));
    });
    assert.equal(
      (await terminal.run(['mcp', 'check', ...files], { disk })).code,
      1,
    );
    assert.ok(reads.length > 50);
    assert.equal(new Set(reads.slice(0, 50)).size, 50);
  });

  it('colors severities on a terminal, and shows no secrets or control characters', async () => {
    await terminal.write('{"mcpServers": {"a": {}, "": {"command": "x"}}}');
    const shown = await terminal.run(['mcp', 'check'], { columns: 80 });
    assert.match(shown.out, /\u001b\[31merror {2}\u001b\[39m/);
    assert.match(shown.out, /\u001b\[33mwarning\u001b\[39m/);
    assert.doesNotMatch((await terminal.mcp('check')).out, /\u001b/);
    await terminal.write(
      JSON.stringify({
        ...secretive,
        'servers\u001b[31m': {},
        mcp: { servers: {} },
      }),
    );
    for (const args of [[], ['--json']]) {
      const { out } = await terminal.mcp('check', ...args);
      assert.doesNotMatch(out, new RegExp(`${canary}|\\u001b`));
    }
    const odd = await file(
      'a\u001b[31m.json',
      '{"mcpServers": {"\u202E\\u001b": {}}}',
    );
    assert.doesNotMatch(
      (await terminal.mcp('check', odd)).out,
      /[\u001b\u202E]/,
    );
  });
});

describe('a file with its servers under another key', () => {
  let terminal: Terminal;

  beforeEach(async () => {
    terminal = await Terminal.open();
    await terminal.write('{\n  "servers": {"a": {"command": "x"}}\n}\n');
  });

  afterEach(async () => {
    await terminal.close();
  });

  const message = '"servers" is ignored here. Rename it to "mcpServers".';

  it('makes the list name that key and the fix, instead of saying that there are no servers', async () => {
    assert.deepEqual(await terminal.mcp('list'), {
      code: 0,
      out: `Agents get no MCP servers from ${terminal.file}. ${message}
To see all that is wrong with the file:
  switchboard mcp check ${terminal.file}
`,
      err: '',
    });
    const { out } = await terminal.mcp('list', '--json');
    assert.deepEqual(JSON.parse(out), {
      file: terminal.file,
      servers: [],
      warnings: [{ kind: 'otherContainer', message, line: 2, column: 3 }],
    });
  });

  it('still causes a warning after a server was added', async () => {
    const warning = `Warning: ${terminal.file}, line 2: "servers" is ignored here. Move its servers into "mcpServers".\n`;
    const { code, out, err } = await terminal.mcp(
      'add',
      'b',
      '--transport',
      'http',
      'https://h',
    );
    assert.equal(code, 0);
    assert.match(out, /^Added b /);
    assert.equal(err, warning);
    const listed = await terminal.mcp('list');
    assert.match(listed.out, /^b {5}✓ enabled/m);
    assert.equal(listed.err, warning);
  });

  it('counts as a file without servers if its key only looks similar', async () => {
    for (const text of [
      '{"servers": []}',
      '{"extensions": "x", "mcp": {"enabled": true}}',
    ]) {
      await terminal.write(text);
      const { out, err } = await terminal.mcp('list');
      assert.match(out, /^There are no MCP servers in /, text);
      assert.equal(err, '');
    }
  });

  it('makes the list name the real format if it is TOML', async () => {
    await terminal.write('# mine\n[mcp_servers.a]\ncommand = "x"\n');
    const { code, err } = await terminal.mcp('list');
    assert.equal(code, 1);
    assert.equal(
      err,
      `Error: ${terminal.file}: Line 2, column 1: This is TOML, not JSON. Paste it with "Add MCP Server from Text" in VS Code. ${refusedText}\n`,
    );
  });
});
