import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { commands, TabInputTextDiff, Uri, window, workspace } from 'vscode';
import { Answers, escape, goBack } from './addServerAnswers.ts';
import { Desk } from './desk.ts';
import { until } from '../support/eventually.ts';

let count = 0;

describe('Add MCP Server', () => {
  let desk: Desk;
  let answers: Answers;
  let folder: string;
  let path: string;

  beforeEach(async () => {
    // A new file for each test, because the editor caches what it has read for a while.
    folder = join(homedir(), `.add-${++count}`);
    path = join(folder, 'mcp.json');
    await mkdir(folder);
    desk = await Desk.setUp({ refreshInterval: 0, 'mcp.file': path });
    answers = new Answers();
  });

  afterEach(async () => {
    // So that the next test has nothing to continue.
    answers.responses.length = 0;
    answers.responses.push({ ifOffered: 'Start Over' }, escape);
    await add();
    answers.leave();
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await commands.executeCommand('workbench.action.closeAllEditors');
    await desk.clear();
    await rm(folder, { recursive: true, force: true });
  });

  async function add(...responses: Answers['responses']): Promise<void> {
    answers.responses.push(...responses);
    await desk.run('switchboard.mcp.add');
  }

  const text = () => readFile(path, 'utf8');
  const servers = async () =>
    (JSON.parse(await text()) as { mcpServers: Record<string, unknown> }).mcpServers;

  /** Both sides of the diff on screen. */
  async function preview(): Promise<readonly [before: string, after: string]> {
    const input = await until(() => {
      const tab = window.tabGroups.all.flatMap(({ tabs }) => tabs).find((each) => isDiff(each.input));
      return tab?.input instanceof TabInputTextDiff ? tab.input : undefined;
    });
    const [before, after] = await Promise.all(
      [input.original, input.modified].map((uri) => workspace.openTextDocument(uri)),
    );
    // Without the comment above the file.
    const body = (shown = '') => shown.replace(/^(?:\/\/ .*\n)+\n+/, '');
    return [body(before?.getText()), body(after?.getText())];
  }

  const isDiff = (input: unknown) =>
    input instanceof TabInputTextDiff && input.modified.scheme === 'switchboard-preview';

  /** Everything that was shown or logged. */
  function everything(): string {
    return answers.everything() + JSON.stringify([desk.person.heard, desk.person.offered, desk.log]);
  }

  const local = ['Local Program', 'files', 'npx -y server', 'No Variables', 'Enabled', 'Add'];

  it('adds a local program, splitting its command like a shell and asking for each variable', async () => {
    await add(
      'Local Program',
      'my files',
      `npx -y server "/srv/my files" --token canary-arg`,
      'Add Variable',
      'API_KEY',
      'canary-env',
      'Add Another Variable',
      'MODE',
      'fast',
      'Done',
      'Enabled',
      'Add',
    );
    assert.deepEqual(await servers(), {
      'my files': {
        command: 'npx',
        args: ['-y', 'server', '/srv/my files', '--token', 'canary-arg'],
        env: { API_KEY: 'canary-env', MODE: 'fast' },
      },
    });
    assert.match(desk.person.heard.join(), /Added “my files”\. It takes effect/);
    assert.match(
      answers.about('Command that starts').message,
      /^Command “npx” with 5 arguments: “-y”, “server”, “\/srv\/my files”, “--token”, “••••••”\.$/,
    );
    assert.doesNotMatch(everything(), /canary/);
  });

  for (const [transport, written] of [
    ['HTTP', 'http'],
    ['Server-Sent Events', 'sse'],
  ] as const) {
    it(`adds a ${transport} server, asking for each header and how to sign in`, async () => {
      await add(
        transport,
        'search',
        'https://example.com/mcp?key=canary-query',
        'Add Header',
        'X-Key',
        'canary-header',
        'Done',
        'Authorization Header',
        'Bearer canary-token',
        'Disabled',
        'Add',
      );
      assert.deepEqual(await servers(), {
        search: {
          url: 'https://example.com/mcp?key=canary-query',
          transport: written,
          headers: { 'X-Key': 'canary-header', Authorization: 'Bearer canary-token' },
          enabled: false,
        },
      });
      assert.match(desk.person.heard.join(), /Added “search”, disabled\./);
      assert.doesNotMatch(everything(), /canary/);
    });
  }

  it('adds a server with OAuth', async () => {
    await add('HTTP', 'notes', 'https://example.com/mcp', 'No Headers', 'OAuth', 'Enabled', 'Add');
    assert.deepEqual(await servers(), {
      notes: { url: 'https://example.com/mcp', transport: 'http', auth: 'oauth' },
    });
  });

  it('shows the step number and the number of steps', async () => {
    const steps = () => [
      ...new Set(answers.asked.map(({ step, totalSteps }) => [step, totalSteps].join('/'))),
    ];
    await add('Local Program', 'a', 'npx', 'No Variables', 'Enabled', 'Cancel');
    assert.deepEqual(steps(), ['1/', '2/6', '3/6', '4/6', '5/6', '6/6']);
    answers.asked.length = 0;
    await add(
      'Start Over',
      'HTTP',
      'a',
      'https://a.example',
      'No Headers',
      'Authorization Header',
      'Bearer x',
    );
    assert.deepEqual(steps(), ['/', '1/', '2/7', '3/7', '4/7', '5/7', '6/8', '7/8']);
    assert.ok(answers.asked.every(({ title }) => title === 'Add MCP Server'));
  });

  it('goes back to earlier questions and keeps their answers', async () => {
    await add(
      ...['HTTP', 'a', 'https://a.example/mcp', 'No Headers', 'None', 'Enabled'],
      'Back',
      goBack,
      goBack,
      goBack,
      (asked: { value: string }) => {
        assert.equal(asked.value, 'https://a.example/mcp');
      },
      goBack,
      (asked: { value: string }) => {
        assert.equal(asked.value, 'a');
      },
      goBack,
      (asked: { hasBack: boolean }) => {
        assert.equal(asked.hasBack, false);
      },
      ...['Local Program', 'a', 'npx', 'No Variables', 'Enabled', 'Add'],
    );
    assert.deepEqual(await servers(), { a: { command: 'npx', args: [], env: {} } });
  });

  it('explains an invalid name as you type and suggests a free one', async () => {
    await writeFile(path, '{"mcpServers": {"a": {"command": "x"}, "a-2": {"command": "x"}}}');
    const said: string[] = [];
    const listen = (asked: { message: string }) => said.push(asked.message);
    await add(
      'Local Program',
      { typed: ' ' },
      listen,
      { typed: 'a' },
      listen,
      'a',
      listen,
      'a\u200Bb',
      listen,
    );
    assert.deepEqual(said, [
      'Type a name for the server.',
      'There is already a server with this name. “a-3” is free.',
      'There is already a server with this name. “a-3” is free.',
      'The name has invisible characters or several spaces in a row. Remove them.',
    ]);
  });

  it('explains an invalid command or URL as you type', async () => {
    const said: string[] = [];
    const listen = (asked: { message: string }) => said.push(asked.message);
    await add('Local Program', 'a', { typed: 'npx "open' }, listen, 'FOO=1 npx', listen, '', listen, escape);
    await add('Start Over', 'HTTP', 'a', 'example.com', listen, 'ftp://a', listen, 'https://', listen);
    assert.deepEqual(said, [
      'The quote " at character 5 is not closed.',
      'Begin with the command. Variables are asked for in the next step.',
      'Type the command that starts the server, with its arguments.',
      'A URL begins with https://, or http:// on this machine.',
      'MCP servers are reached over https:// or http://.',
      'This is not a valid URL.',
    ]);
  });

  it('hides header values, checks header names, and changes or removes earlier headers', async () => {
    await add(
      ...['HTTP', 'a', 'https://a.example', 'Add Header'],
      ...['X Bad', 'X-Key: v', 'Authorization', 'X-Key', 'canary-one'],
      ...['Add Another Header', 'x-key'],
      (asked: { message: string }) => {
        assert.match(asked.message, /There is already a header with this name/);
      },
      ...['X-Other', 'canary-two', 'X-Other', 'Remove', 'X-Key', 'Change Value', 'canary-three', 'Done'],
      ...['None', 'Enabled', 'Add'],
    );
    assert.deepEqual(await servers(), {
      a: { url: 'https://a.example', transport: 'http', headers: { 'X-Key': 'canary-three' } },
    });
    assert.ok(
      answers.asked.filter(({ prompt }) => prompt.startsWith('Value of')).every((each) => each.hidden),
    );
    assert.ok(!everything().includes('canary'));
  });

  it('previews the exact change to the file with secrets masked on both sides', async () => {
    const before =
      '{\n  // canary: Bearer canary-comment-1\n  "mcpServers": {\n    "old": {"command": "x", "env": {"K": "canary-old"}}\n  }\n}\n';
    await writeFile(path, before);
    let sides: readonly [string, string] = ['', ''];
    await add(
      ...['HTTP', 'a', 'https://u:canary-url@a.example/?k=canary-query', 'Add Header', 'X-Key', 'canary-new'],
      ...['Done', 'None', 'Enabled'],
      async () => {
        sides = await preview();
        assert.equal(await text(), before);
      },
      'Add',
    );
    const hide = (shown: string) => shown.replace(/canary[\w-]*/g, '••••••').replace(/u:••••••@/, '••••••@');
    assert.equal(sides[0], hide(before).replace('// ••••••: Bearer', '// canary: Bearer'));
    assert.equal(sides[1], hide(await text()).replace('// ••••••: Bearer', '// canary: Bearer'));
    assert.equal(answers.about('preview').placeholder, 'Add “a”? Secrets are masked in the preview.');
    assert.ok(!everything().includes('canary-'));
    await until(() => !window.tabGroups.all.some(({ tabs }) => tabs.some(({ input }) => isDiff(input))));
  });

  it('restores every byte of the file on Undo', async () => {
    const before = '{ "mcpServers" : {}  }';
    await writeFile(path, before);
    desk.person.presses.add('Undo');
    await add(...local);
    await until(async () => (await text()) === before);
  });

  it('keeps all answers on Escape, including unsubmitted text', async () => {
    await add('HTTP', 'a', 'https://a.example', 'Add Header', 'X-Key', { typed: 'canary' }, escape);
    await add(
      'Continue Where You Left Off',
      'Add Header',
      (asked: { value: string }) => {
        assert.equal(asked.value, 'X-Key');
      },
      'X-Key',
      (asked: { value: string; hidden: boolean }) => {
        assert.deepEqual([asked.value, asked.hidden], ['canary', true]);
      },
      ...['canary', 'Done', 'None', 'Enabled', 'Cancel'],
    );
    assert.match(
      answers.asked.find(({ items }) => items.includes('Start Over'))?.details.join() ?? '',
      /a · HTTP/,
    );
    await add('Continue Where You Left Off', 'Add');
    assert.deepEqual(await servers(), {
      a: { url: 'https://a.example', transport: 'http', headers: { 'X-Key': 'canary' } },
    });
    // It is done, so there is nothing to continue.
    answers.asked.length = 0;
    await add(escape);
    assert.equal(answers.asked[0]?.step, 1);
    assert.ok(!everything().includes('canary'));
  });

  it('discards earlier answers on Start Over', async () => {
    await add('HTTP', 'a', escape);
    await add('Start Over', ...local);
    assert.deepEqual(Object.keys(await servers()), ['files']);
  });

  it('asks for another name if the chosen one was taken in the meantime', async () => {
    await add(
      ...local.slice(0, -1),
      () => writeFile(path, '{"mcpServers": {"files": {"command": "theirs"}}}'),
      // The preview is shown again for the changed file, and adding is refused.
      'Add',
      (asked: { value: string }) => {
        assert.equal(asked.value, 'files');
      },
      ...['files-2', 'npx -y server', 'No Variables', 'Enabled', 'Add'],
    );
    assert.deepEqual(Object.keys(await servers()), ['files', 'files-2']);
    assert.match(desk.person.heard.join('\n'), /Nothing was added\. .*there is already a server "files"/);
  });

  it('updates the preview if the file has changed since it was shown', async () => {
    await add(
      ...local.slice(0, -1),
      () => writeFile(path, '{"mcpServers": {"other": {"command": "theirs"}}}'),
      'Add',
      async () => {
        assert.match((await preview())[0], /theirs/);
      },
      'Add',
    );
    assert.deepEqual(Object.keys(await servers()), ['other', 'files']);
    assert.match(desk.person.heard.join('\n'), /has changed\. Here is an updated preview/);
  });

  it('moves servers from the root into "mcpServers" when you accept', async () => {
    await writeFile(path, '{"old": {"command": "x"}}');
    desk.person.presses.add('Put Them into "mcpServers"');
    await add(...local);
    assert.deepEqual(Object.keys(await servers()), ['old', 'files']);
    desk.person.presses.clear();
    desk.person.presses.add('Undo');
  });

  it('leaves servers at the root if you decline, and keeps your answers', async () => {
    const before = '{"old": {"command": "x"}}';
    await writeFile(path, before);
    await add(...local.slice(0, -1));
    assert.equal(await text(), before);
    assert.match(desk.person.heard.join('\n'), /are at the root.*is kept for next time\.$/m);
    await writeFile(path, '{}');
    await add('Continue Where You Left Off', 'Add');
    assert.deepEqual(Object.keys(await servers()), ['files']);
  });

  it('reports a broken file before the first question and opens it', async () => {
    await writeFile(path, '{"mcpServers": {\n  "a" "b"}}');
    desk.person.presses.add('Open Configuration File');
    await add();
    assert.equal(answers.asked.length, 0);
    assert.match(
      desk.person.heard.join(),
      /^Nothing can be added to the configuration file as it is\. Line 2/,
    );
    const editor = await until(() => window.activeTextEditor);
    assert.equal(editor.document.fileName, path);
  });

  it('reports a file that became unreadable and keeps your answers', async () => {
    await add(...local.slice(0, -1), () => writeFile(path, '{"mcpServers": '), 'Add');
    assert.match(desk.person.heard.join('\n'), /Nothing was added\. Line 1.*is kept for next time\.$/m);
    await writeFile(path, '{}');
    await add('Continue Where You Left Off', 'Add');
    assert.deepEqual(Object.keys(await servers()), ['files']);
  });

  it('warns before adding a server that sends a secret unencrypted to another machine', async () => {
    const remote = ['http://a.example/mcp', 'No Headers', 'OAuth', 'Enabled'];
    await add('HTTP', 'a', ...remote, 'http://127.0.0.1:1/mcp', ...remote.slice(1), 'Add');
    assert.match(
      desk.person.heard.join('\n'),
      /would be sent to http:\/\/a\.example\/mcp without encryption/,
    );
    assert.deepEqual(await servers(), {
      a: { url: 'http://127.0.0.1:1/mcp', transport: 'http', auth: 'oauth' },
    });
    desk.person.presses.add('Use It Anyway');
    await add('HTTP', 'b', ...remote, 'Add');
    assert.deepEqual(Object.keys(await servers()), ['a', 'b']);
  });

  it('changes and saves an open editor without unsaved changes', async () => {
    await writeFile(path, '{"mcpServers": {}}');
    await window.showTextDocument(Uri.file(path));
    await add(...local);
    assert.deepEqual(Object.keys(await servers()), ['files']);
    assert.equal(workspace.textDocuments.find(({ fileName }) => fileName === path)?.isDirty, false);
  });

  it('changes an editor with unsaved changes but does not save it, and says so', async () => {
    const before = '{"mcpServers": {}}';
    await writeFile(path, before);
    const editor = await window.showTextDocument(Uri.file(path));
    await editor.edit((edit) => {
      edit.insert(editor.document.positionAt(0), ' ');
    });
    await add(...local);
    assert.equal(await text(), before);
    assert.match(editor.document.getText(), /"files"/);
    assert.match(desk.person.heard.join('\n'), /The file has unsaved changes/);
  });
});
