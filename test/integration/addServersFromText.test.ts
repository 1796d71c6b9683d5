import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { commands, env, TabInputTextDiff, window, workspace } from 'vscode';
import { Answers, type Asked, escape, goBack } from './addServerAnswers.ts';
import { Desk } from './desk.ts';
import { until } from '../support/eventually.ts';

let count = 0;

describe('Add MCP Server from Text', () => {
  let desk: Desk;
  let answers: Answers;
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = join(homedir(), `.text-${++count}`);
    path = join(folder, 'mcp.json');
    await mkdir(folder);
    desk = await Desk.setUp({ refreshInterval: 0, 'mcp.file': path });
    answers = new Answers();
  });

  afterEach(async () => {
    // So that the next test has nothing to continue.
    await env.clipboard.writeText('');
    answers.responses.length = 0;
    answers.responses.push({ ifOffered: 'Start Over' }, escape);
    await desk.run('switchboard.mcp.addFromText');
    answers.leave();
    await commands.executeCommand('workbench.action.closeAllEditors');
    await desk.clear();
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs the command with this text on the clipboard. */
  async function add(
    copied: string,
    ...responses: Answers['responses']
  ): Promise<void> {
    await env.clipboard.writeText(copied);
    answers.responses.push(...responses);
    await desk.run('switchboard.mcp.addFromText');
  }

  const text = () => readFile(path, 'utf8');
  const servers = async () =>
    (JSON.parse(await text()) as { mcpServers: Record<string, unknown> })
      .mcpServers;
  const heard = () => desk.person.heard.join('\n');
  const say = (...values: Answers['responses']) => values;
  const chosen = (...labels: string[]) => ({ chosen: labels });

  /** Everything that was shown or logged. */
  function everything(): string {
    return (
      answers.everything() +
      JSON.stringify([desk.person.heard, desk.person.offered, desk.log])
    );
  }

  const commandLine = `$ switchboard mcp add search --transport http \\
    --header "Authorization: Bearer canary-token" \\
    https://example.com/mcp?key=canary-query`;

  it('adds a server from a multi-line command on the clipboard', async () => {
    await add(commandLine, chosen('search'), 'Add');
    assert.deepEqual(await servers(), {
      search: {
        url: 'https://example.com/mcp?key=canary-query',
        transport: 'http',
        headers: { Authorization: 'Bearer canary-token' },
      },
    });
    const [first] = answers.asked;
    assert.ok(first);
    assert.match(first.placeholder, /^The clipboard has an MCP server\./);
    assert.deepEqual(
      first.details[0],
      'http · https://example.com/mcp?key=••••••',
    );
    assert.deepEqual([first.step, first.totalSteps], [1, 2]);
    assert.match(heard(), /^Added “search”\. This takes effect/);
    assert.doesNotMatch(everything(), /canary/);
  });

  it('adds several servers in one change that a single Undo reverts', async () => {
    const before = '{ "mcpServers": {} }';
    await writeFile(path, before);
    const json = {
      servers: {
        a: { command: 'one' },
        b: { url: 'https://b.example', type: 'sse' },
        c: { command: 'x' },
      },
    };
    await add(JSON.stringify(json, null, 2), chosen('a', 'b'), 'Add');
    assert.deepEqual(await servers(), {
      a: { command: 'one', args: [], env: {} },
      b: { url: 'https://b.example', transport: 'sse' },
    });
    assert.match(heard(), /Added 2 MCP servers\./);
    desk.person.presses.add('Undo');
    await add(
      '{"mcpServers": {"d": {"command": "x"}, "e": {"command": "x"}}}',
      chosen('d', 'e'),
      'Add',
    );
    await until(async () => Object.keys(await servers()).join() === 'a,b');
  });

  it('asks for text if the clipboard has no server, and reads the clipboard again on request', async () => {
    await add(
      'nothing of ours',
      'Read the Clipboard',
      async (asked: Asked) => {
        assert.match(
          asked.placeholder,
          /^No MCP server was found in this text\./,
        );
        assert.deepEqual(asked.items, ['Read the Clipboard']);
        await env.clipboard.writeText(
          '{"mcpServers": {"a": {"command": "one"}}}',
        );
      },
      'Read the Clipboard',
      chosen('a'),
      'Add',
    );
    assert.deepEqual(Object.keys(await servers()), ['a']);
  });

  it('takes what is pasted or typed into the question, and shows as you type what it recognizes', async () => {
    const rows: string[] = [];
    const listen = (asked: Asked) => rows.push(asked.items.join());
    await add(
      '',
      { typed: 'nothing of ours' },
      listen,
      'No MCP server recognized yet',
      (asked: Asked) => {
        assert.equal(asked.value, 'nothing of ours');
      },
      { typed: 'claude mcp add a -- npx one' },
      listen,
      'Recognized: a',
      (asked: Asked) => {
        assert.match(asked.placeholder, /^The text has an MCP server\./);
      },
      chosen('a'),
      'Add',
    );
    assert.deepEqual(rows, [
      'No MCP server recognized yet,Read the Clipboard',
      'Recognized: a,Read the Clipboard',
    ]);
    assert.deepEqual(await servers(), {
      a: { command: 'npx', args: ['one'], env: {} },
    });
  });

  it('uses typed text instead of the clipboard on request', async () => {
    await add(
      commandLine,
      { button: 'Use Another Text' },
      { typed: '{"a": {"command": "one"}}' },
      'Recognized: a',
      chosen('a'),
      'Add',
    );
    assert.deepEqual(Object.keys(await servers()), ['a']);
  });

  it('asks for each placeholder, hides secret input, and keeps placeholders left empty', async () => {
    const json = `{"mcpServers": {"a": {"command": "npx", "args": ["--dir", "/path/to/files"],
      "env": {"API_KEY": "YOUR_API_KEY", "OTHER": "<token>"}}}}`;
    await add(json, chosen('a'), '/home/me', 'canary-key', '', 'Add');
    assert.deepEqual(await servers(), {
      a: {
        command: 'npx',
        args: ['--dir', '/home/me'],
        env: { API_KEY: 'canary-key', OTHER: '<token>' },
      },
    });
    assert.equal(answers.about('/path/to/files').hidden, false);
    assert.equal(
      answers.about('Value for YOUR_API_KEY in the variable API_KEY of “a”')
        .hidden,
      true,
    );
    assert.equal(answers.about('<token>').totalSteps, 5);
    assert.match(
      heard(),
      /Added “a”\. One value still needs to be filled in\./,
    );
    assert.doesNotMatch(everything(), /canary/);
  });

  it('masks your answers in the preview, even in arguments', async () => {
    let sides: readonly string[] = [];
    await add(
      'mcp add a --transport stdio npx -- server YOUR_KEY',
      chosen('a'),
      'canary key',
      async () => {
        sides = await preview();
      },
      'Add',
    );
    assert.deepEqual(await servers(), {
      a: { command: 'npx', args: ['server', 'canary key'], env: {} },
    });
    assert.match(sides[1] ?? '', /"server",\s+"••••••"/);
    assert.doesNotMatch(everything() + sides.join(), /canary/);
  });

  it('asks for a missing name and suggests a free one', async () => {
    await writeFile(path, '{"mcpServers": {"fetch": {"command": "x"}}}');
    await add(
      '{"command": "uvx", "args": ["mcp-server-fetch"]}',
      chosen('fetch (suggested)'),
      (asked: Asked) => {
        assert.equal(asked.value, 'fetch-2');
      },
      'fetch',
      (asked: Asked) => {
        assert.match(
          asked.message,
          /^There is already a server with this name/,
        );
      },
      'web',
      'Add',
    );
    assert.deepEqual(Object.keys(await servers()), ['fetch', 'web']);
  });

  it('offers a plain command line as a guess and asks for its name', async () => {
    await add(
      '$ npx -y weather-mcp',
      chosen('weather (suggested)'),
      'weather',
      'Add',
    );
    assert.deepEqual(await servers(), {
      weather: { command: 'npx', args: ['-y', 'weather-mcp'], env: {} },
    });
    const [first] = answers.asked;
    assert.equal(
      first?.placeholder,
      'This may be an MCP server, but the text does not say so. Choose what to add.',
    );
    assert.equal(first.details[0], 'a guess · stdio · npx -y weather-mcp');
  });

  it('reads YAML from the clipboard', async () => {
    await add(
      'mcpServers:\n  weather:\n    command: uvx\n    args: [weather-mcp]\n',
      chosen('weather'),
      'Add',
    );
    assert.deepEqual(await servers(), {
      weather: { command: 'uvx', args: ['weather-mcp'], env: {} },
    });
  });

  it('renames, replaces or skips a server whose name is taken', async () => {
    await writeFile(
      path,
      '{"mcpServers": {"a": {"command": "old"}, "b": {"command": "old", "env": {"K": "canary-old"}}, "c": {"command": "old"}}}',
    );
    const json = {
      mcpServers: {
        a: { command: 'new' },
        b: { command: 'new', env: { K: 'canary-new' } },
        c: { command: 'new' },
        d: { command: 'new' },
      },
    };
    let sides: readonly string[] = [];
    await add(
      JSON.stringify(json),
      chosen('a', 'b', 'c', 'd'),
      'Rename',
      (asked: Asked) => {
        assert.deepEqual(
          [asked.value, asked.step, asked.totalSteps],
          ['a-2', 3, 6],
        );
      },
      'a-2',
      'Replace',
      'Skip',
      async () => {
        sides = await preview();
      },
      'Add',
    );
    assert.deepEqual(Object.entries(await servers()), [
      ['a', { command: 'old' }],
      ['b', { command: 'new', args: [], env: { K: 'canary-new' } }],
      ['c', { command: 'old' }],
      ['a-2', { command: 'new', args: [], env: {} }],
      ['d', { command: 'new', args: [], env: {} }],
    ]);
    // The diff shows that the secret changes, but neither value.
    assert.match(sides[0] ?? '', /"K": "••••••"/);
    assert.match(sides[1] ?? '', /"K": "•••••• \(changed\)"/);
    assert.doesNotMatch(everything() + sides.join(), /canary/);
  });

  it('asks to rename or skip a server whose name appears twice in the text', async () => {
    await add(
      'mcp add a --transport stdio one\nmcp add a --transport stdio two',
      chosen('a'),
      (asked: Asked) => {
        assert.deepEqual(asked.items, ['Rename', 'Skip']);
      },
      'Rename',
      'b',
      'Add',
    );
    assert.deepEqual(await servers(), {
      a: { command: 'one', args: [], env: {} },
      b: { command: 'two', args: [], env: {} },
    });
  });

  it('reports which keys it left out and which servers it did not understand', async () => {
    await add(
      '{"mcpServers": {"a": {"command": "one", "cwd": "/work", "autoApprove": ["x"]}, "b": {"args": []}}}',
      chosen('a'),
      'Add',
    );
    assert.match(heard(), /Some of this was not understood\. .*"b"/);
    assert.match(heard(), /Added “a”\..*"autoApprove" is left out/s);
    assert.match(
      answers.asked[0]?.details[1] ?? '',
      /"autoApprove" is left out/,
    );
    assert.deepEqual(await servers(), {
      a: { command: 'one', args: [], env: {}, cwd: '/work' },
    });
  });

  it('adds nothing if you skip every server', async () => {
    const before = '{"mcpServers": {"a": {"command": "old"}}}';
    await writeFile(path, before);
    await add('{"mcpServers": {"a": {"command": "new"}}}', chosen('a'), 'Skip');
    assert.equal(await text(), before);
    assert.match(heard(), /nothing was added/);
  });

  it('keeps all answers on Escape and continues from them', async () => {
    const json =
      '{"mcpServers": {"a": {"command": "x", "env": {"K": "YOUR_KEY", "L": "<token>"}}}}';
    await add(json, chosen('a'), 'canary-one', { typed: 'canary-two' }, escape);
    await add(
      'something else',
      'Continue Where You Left Off',
      (asked: Asked) => {
        assert.deepEqual(
          [asked.value, asked.step, asked.totalSteps],
          ['canary-two', 3, 4],
        );
      },
      goBack,
      (asked: Asked) => {
        assert.equal(asked.value, 'canary-one');
      },
      ...say('canary-one', 'canary-two', 'Cancel'),
    );
    await add('', 'Continue Where You Left Off', 'Back', 'canary-2', 'Add');
    assert.deepEqual(await servers(), {
      a: { command: 'x', args: [], env: { K: 'canary-one', L: 'canary-2' } },
    });
    assert.doesNotMatch(everything(), /canary/);
  });

  it('asks again about a name that was taken in the meantime', async () => {
    await add(
      '{"mcpServers": {"a": {"command": "new"}}}',
      chosen('a'),
      () => writeFile(path, '{"mcpServers": {"a": {"command": "theirs"}}}'),
      'Add',
      chosen('a'),
      'Replace',
      'Add',
    );
    assert.deepEqual(await servers(), {
      a: { command: 'new', args: [], env: {} },
    });
    assert.match(
      heard(),
      /Nothing was added\. .*there is already a server "a".*\nReplaced “a”\./,
    );
  });

  it('moves servers from the root into "mcpServers" when you accept', async () => {
    await writeFile(path, '{"old": {"command": "x"}}');
    desk.person.presses.add('Put Them into "mcpServers"');
    await add('{"mcpServers": {"a": {"command": "new"}}}', chosen('a'), 'Add');
    assert.deepEqual(Object.keys(await servers()), ['old', 'a']);
  });

  it('warns before adding a server that sends a secret unencrypted to another machine', async () => {
    const line =
      'mcp add a --transport http --header "X-Key: canary" http://a.example/mcp';
    await add(line, chosen('a'), chosen('a'));
    assert.match(
      heard(),
      /would be sent to http:\/\/a\.example\/mcp without encryption/,
    );
    desk.person.presses.add('Use It Anyway');
    // Nothing was answered yet, so there is nothing to continue.
    await add(line, chosen('a'), 'Add');
    assert.deepEqual(Object.keys(await servers()), ['a']);
    assert.doesNotMatch(everything(), /canary/);
  });

  it('reports a broken file before the first question', async () => {
    await writeFile(path, '{"mcpServers": [');
    await add(commandLine, chosen('search'));
    assert.equal(answers.asked.length, 0);
    assert.match(
      heard(),
      /^Nothing can be added to the configuration file until it is valid\./,
    );
  });

  /** Both sides of the diff on screen. */
  async function preview(): Promise<readonly string[]> {
    const input = await until(() => {
      const inputs = window.tabGroups.all.flatMap(({ tabs }) =>
        tabs.map((tab) => tab.input),
      );
      return inputs.find((each) => each instanceof TabInputTextDiff);
    });
    const documents = [input.original, input.modified].map((uri) =>
      workspace.openTextDocument(uri),
    );
    return (await Promise.all(documents)).map((document) => document.getText());
  }
});
