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
    // A new file for each test, because the editor caches what it has read for
    // a while.
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
    await commands.executeCommand(
      'workbench.action.revertAndCloseActiveEditor',
    );
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
    (JSON.parse(await text()) as { mcpServers: Record<string, unknown> })
      .mcpServers;

  /** Both sides of the diff on screen. */
  async function preview(): Promise<readonly [before: string, after: string]> {
    const input = await until(() => {
      const tab = window.tabGroups.all
        .flatMap(({ tabs }) => tabs)
        .find((each) => isDiff(each.input));
      return tab?.input instanceof TabInputTextDiff ? tab.input : undefined;
    });
    const [before, after] = await Promise.all(
      [input.original, input.modified].map((uri) =>
        workspace.openTextDocument(uri),
      ),
    );
    // Without the comment above the file.
    const body = (shown = '') => shown.replace(/^(?:\/\/ .*\n)+\n+/, '');
    return [body(before?.getText()), body(after?.getText())];
  }

  const isDiff = (input: unknown) =>
    input instanceof TabInputTextDiff &&
    input.modified.scheme === 'switchboard-preview';

  /** Everything that was shown or logged. */
  function everything(): string {
    return (
      answers.everything() +
      JSON.stringify([desk.person.heard, desk.person.offered, desk.log])
    );
  }

  const local = ['npx -y files-mcp', 'Add'];

  it('adds a local program from its command alone, named after it', async () => {
    await add(
      `npx -y @scope/server-files "/srv/my files" --token canary-arg`,
      'Add',
    );
    assert.deepEqual(await servers(), {
      files: {
        command: 'npx',
        args: [
          '-y',
          '@scope/server-files',
          '/srv/my files',
          '--token',
          'canary-arg',
        ],
        env: {},
      },
    });
    assert.match(desk.person.heard.join(), /Added “files”\. This takes effect/);
    assert.match(
      answers.about('Command or URL').message,
      /^Command “npx” with 5 arguments: “-y”, “@scope\/server-files”, “\/srv\/my files”, “--token”, “••••••”\.$/,
    );
    assert.doesNotMatch(everything(), /canary/);
  });

  it('lets you change the name and add variables before the server is added', async () => {
    await add(
      'npx -y server',
      'Name',
      'my files',
      'Variables',
      'Add Variable',
      'API_KEY',
      'canary-env',
      'Add Another Variable',
      'MODE',
      'fast',
      'Done',
      'Add',
    );
    assert.deepEqual(await servers(), {
      'my files': {
        command: 'npx',
        args: ['-y', 'server'],
        env: { API_KEY: 'canary-env', MODE: 'fast' },
      },
    });
    assert.doesNotMatch(everything(), /canary/);
  });

  it('takes the transport from the URL, and lets you change it and set headers and a sign-in', async () => {
    for (const [name, url, written, choose] of [
      ['search', 'https://search.example/mcp?key=canary-query', 'http', []],
      ['old', 'https://old.example/sse', 'sse', []],
      ['other', 'https://other.example/mcp', 'sse', ['Transport']],
    ] as const) {
      await add(
        url,
        ...choose,
        'Headers',
        'Add Header',
        'X-Key',
        'canary-header',
        'Done',
      );
      await add(
        'Continue Where You Left Off',
        'Sign-In',
        'Authorization Header',
        'Bearer canary-token',
      );
      await add('Continue Where You Left Off', 'State', 'Add');
      assert.deepEqual((await servers())[name], {
        url,
        transport: written,
        headers: {
          'X-Key': 'canary-header',
          Authorization: 'Bearer canary-token',
        },
        enabled: false,
      });
      assert.match(
        desk.person.heard.join(),
        new RegExp(`Added “${name}”, disabled\\.`),
      );
    }
    assert.doesNotMatch(everything(), /canary/);
  });

  it('adds a server with OAuth', async () => {
    await add('https://notes.example/mcp', 'Sign-In', 'OAuth', 'Add');
    assert.deepEqual(await servers(), {
      notes: {
        url: 'https://notes.example/mcp',
        transport: 'http',
        auth: 'oauth',
      },
    });
  });

  it('takes JSON that is pasted instead of a command', async () => {
    await add(
      { typed: '{"mcpServers": ' },
      (asked: { message: string }) => {
        assert.match(asked.message, /^Line 1, column 14: the text ends here/);
      },
      '{"mcpServers": {"a": {"command": "one"}, "b": {"url": "https://b.example"}}}',
      { chosen: ['a', 'b'] },
      'Add',
    );
    assert.deepEqual(Object.keys(await servers()), ['a', 'b']);
    assert.equal(answers.about('Command or URL').message, 'Recognized: a, b');
    // It is done, so there is nothing to continue.
    answers.asked.length = 0;
    await add(escape);
    assert.match(answers.asked[0]?.prompt ?? '', /^Command or URL/);
  });

  it('counts no steps, because most of its questions are asked only on request', async () => {
    await add('npx', 'Name', 'a', escape);
    assert.ok(
      answers.asked.every(
        ({ step, totalSteps }) =>
          step === undefined && totalSteps === undefined,
      ),
    );
    assert.ok(answers.asked.every(({ title }) => title === 'Add MCP Server'));
  });

  it('goes back to the command from the preview, and to the preview from a question', async () => {
    await add(
      'https://a.example/mcp',
      'Headers',
      goBack,
      goBack,
      (asked: { value: string; hasBack: boolean }) => {
        assert.deepEqual(
          [asked.value, asked.hasBack],
          ['https://a.example/mcp', false],
        );
      },
      'npx b-mcp',
      'Add',
    );
    assert.deepEqual(await servers(), {
      b: { command: 'npx', args: ['b-mcp'], env: {} },
    });
  });

  it('explains an invalid name as you type and suggests a free one', async () => {
    await writeFile(
      path,
      '{"mcpServers": {"a": {"command": "x"}, "a-2": {"command": "x"}}}',
    );
    const said: string[] = [];
    const listen = (asked: { message: string }) => said.push(asked.message);
    await add(
      'npx x',
      'Name',
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
    await add(
      { typed: 'npx "open' },
      listen,
      'FOO=1 npx',
      listen,
      '',
      listen,
      'ftp://a',
      listen,
      'https://',
      listen,
    );
    assert.deepEqual(said, [
      'The quote " at character 5 is not closed.',
      'Begin with the command. You can add variables in the next step.',
      'Type the command that starts the server, or its URL.',
      'MCP servers are reached over https:// or http://.',
      'This is not a valid URL.',
    ]);
  });

  it('hides header values, checks header names, and changes or removes earlier headers', async () => {
    await add(
      ...['https://a.example', 'Headers', 'Add Header'],
      ...['X Bad', 'X-Key: v', 'Authorization', 'X-Key', 'canary-one'],
      ...['Add Another Header', 'x-key'],
      (asked: { message: string }) => {
        assert.match(asked.message, /There is already a header with this name/);
      },
      ...[
        'X-Other',
        'canary-two',
        'X-Other',
        'Remove',
        'X-Key',
        'Change Value',
        'canary-three',
        'Done',
      ],
      'Add',
    );
    assert.deepEqual(await servers(), {
      a: {
        url: 'https://a.example',
        transport: 'http',
        headers: { 'X-Key': 'canary-three' },
      },
    });
    assert.ok(
      answers.asked
        .filter(({ prompt }) => prompt.startsWith('Value of'))
        .every((each) => each.hidden),
    );
    assert.ok(!everything().includes('canary'));
  });

  it('previews the exact change to the file with secrets masked on both sides', async () => {
    const before =
      '{\n  // canary: Bearer canary-comment-1\n  "mcpServers": {\n    "old": {"command": "x", "env": {"K": "canary-old"}}\n  }\n}\n';
    await writeFile(path, before);
    let sides: readonly [string, string] = ['', ''];
    await add(
      ...[
        'https://u:canary-url@a.example/?k=canary-query',
        'Headers',
        'Add Header',
        'X-Key',
        'canary-new',
      ],
      'Done',
      async () => {
        sides = await preview();
        assert.equal(await text(), before);
      },
      'Add',
    );
    const hide = (shown: string) =>
      shown.replace(/canary[\w-]*/g, '••••••').replace(/u:••••••@/, '••••••@');
    assert.equal(
      sides[0],
      hide(before).replace('// ••••••: Bearer', '// canary: Bearer'),
    );
    assert.equal(
      sides[1],
      hide(await text()).replace('// ••••••: Bearer', '// canary: Bearer'),
    );
    assert.equal(
      answers.about('preview').placeholder,
      'Add “a”? Secrets are masked in the preview.',
    );
    assert.ok(!everything().includes('canary-'));
    await until(
      () =>
        !window.tabGroups.all.some(({ tabs }) =>
          tabs.some(({ input }) => isDiff(input)),
        ),
    );
  });

  it('restores every byte of the file on Undo', async () => {
    const before = '{ "mcpServers" : {}  }';
    await writeFile(path, before);
    desk.person.presses.add('Undo');
    await add(...local);
    await until(async () => (await text()) === before);
  });

  it('leaves a file without servers on Undo if there was none', async () => {
    desk.person.presses.add('Undo');
    await add(...local);
    const empty = '{\n  "mcpServers": {}\n}\n';
    await until(async () => (await text()) === empty);
  });

  it('keeps all answers on Escape, including unsubmitted text', async () => {
    await add(
      'https://a.example',
      'Headers',
      'Add Header',
      'X-Key',
      { typed: 'canary' },
      escape,
    );
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
      'canary',
      'Done',
      escape,
    );
    assert.match(
      answers.asked
        .find(({ items }) => items.includes('Start Over'))
        ?.details.join() ?? '',
      /a · HTTP/,
    );
    await add('Continue Where You Left Off', 'Add');
    assert.deepEqual(await servers(), {
      a: {
        url: 'https://a.example',
        transport: 'http',
        headers: { 'X-Key': 'canary' },
      },
    });
    // It is done, so there is nothing to continue.
    answers.asked.length = 0;
    await add(escape);
    assert.match(answers.asked[0]?.prompt ?? '', /^Command or URL/);
    assert.ok(!everything().includes('canary'));
  });

  it('discards earlier answers on Start Over', async () => {
    await add({ typed: 'npx other' }, escape);
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
      ...['files-2', 'Add'],
    );
    assert.deepEqual(Object.keys(await servers()), ['files', 'files-2']);
    assert.match(
      desk.person.heard.join('\n'),
      /Nothing was added\. .*there is already a server "files"/,
    );
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
    assert.match(
      desk.person.heard.join('\n'),
      /has changed\. Here is an updated preview/,
    );
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
    assert.match(
      desk.person.heard.join('\n'),
      /are at the root.*is kept for next time\.$/m,
    );
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
      /^Nothing can be added to the configuration file until it is valid\. Line 2/,
    );
    const editor = await until(() => window.activeTextEditor);
    assert.equal(editor.document.fileName, path);
  });

  it('reports a file that became unreadable and keeps your answers', async () => {
    await add(
      ...local.slice(0, -1),
      () => writeFile(path, '{"mcpServers": '),
      'Add',
    );
    assert.match(
      desk.person.heard.join('\n'),
      /Nothing was added\. Line 1.*is kept for next time\.$/m,
    );
    await writeFile(path, '{}');
    await add('Continue Where You Left Off', 'Add');
    assert.deepEqual(Object.keys(await servers()), ['files']);
  });

  it('warns before adding a server that sends a secret unencrypted to another machine', async () => {
    const oauth = ['Sign-In', 'OAuth'];
    await add(
      'http://a.example/mcp',
      ...oauth,
      'http://127.0.0.1:1/mcp',
      'Name',
      'a',
      'Add',
    );
    assert.match(
      desk.person.heard.join('\n'),
      /would be sent to http:\/\/a\.example\/mcp without encryption/,
    );
    assert.deepEqual(await servers(), {
      a: { url: 'http://127.0.0.1:1/mcp', transport: 'http', auth: 'oauth' },
    });
    desk.person.presses.add('Use It Anyway');
    await add('http://b.example/mcp', ...oauth, 'Add');
    assert.deepEqual(Object.keys(await servers()), ['a', 'b']);
  });

  it('changes the file of an open editor without unsaved changes', async () => {
    await writeFile(path, '{"mcpServers": {}}');
    await window.showTextDocument(Uri.file(path));
    await add(...local);
    assert.deepEqual(Object.keys(await servers()), ['files']);
    assert.equal(
      workspace.textDocuments.find(({ fileName }) => fileName === path)
        ?.isDirty,
      false,
    );
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
