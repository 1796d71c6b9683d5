import assert from 'node:assert/strict';
import { readEntries } from '../../src/mcp/format/document.ts';
import { editText } from '../../src/mcp/edit/editText.ts';
import { findProblems } from '../../src/mcp/problems/findProblems.ts';
import { Secret } from '../../src/base/secret.ts';
import { type Meaning, meaningsOf, ourMeaning } from './meaning.ts';
import { Program } from './program.ts';

/** Commands of the program, each with the servers that it leaves behind. */
const story = [
  [
    'add',
    'files',
    '--transport',
    'stdio',
    '--env',
    'API_KEY=abc=1',
    'npx',
    '--',
    '-y',
    '@a/files',
    '/srv',
  ],
  ['add', 'bare', '--transport', 'stdio', 'uvx'],
  [
    'add',
    'web',
    '--transport',
    'http',
    '--header',
    'Authorization: Bearer t',
    'https://h.example/mcp',
  ],
  ['add', 'old', '--transport', 'sse', '--disabled', 'https://h.example/sse'],
  [
    'add',
    'login',
    '--transport',
    'http',
    '--auth',
    'oauth',
    'https://login.example/mcp',
  ],
  ['disable', 'files'],
  ['enable', 'old'],
  ['enable', 'files'],
  ['disable', 'login'],
  ['remove', 'bare'],
] as const;

describe('a file that the real program wrote', () => {
  let program: Program;

  beforeEach(async () => {
    program = await Program.open();
  });

  afterEach(async () => {
    await program.close();
  });

  const run = async (...args: readonly string[]) => {
    const { code, output } = await program.mcp(...args);
    assert.equal(code, 0, output);
    return await program.text();
  };

  it('means the same to us, and has no problem, whatever command wrote it', async () => {
    for (const command of story) {
      const text = await run(...command);
      assert.deepEqual(
        asWeRead(text),
        meaningsOf(await program.servers()),
        text,
      );
      assert.deepEqual(findProblems(text), [], text);
    }
  });

  it('keeps its style when we change it, and the program reads and changes it afterwards', async () => {
    for (const command of story) await run(...command);
    const written = await program.text();
    const before = meaningsOf(await program.servers());

    const server = {
      transport: 'stdio',
      command: 'npx',
      args: ['new'],
      env: new Map([['K', new Secret('v')]]),
    } as const;
    const added = editText(written, { do: 'add', name: 'new', server }).text;
    const disabled = editText(added, { do: 'disable', name: 'web' }).text;
    const removed = editText(disabled, { do: 'remove', name: 'old' }).text;
    const { files, login, web } = before;
    assert.ok(web);
    const wanted = {
      files,
      login,
      web: { ...web, enabled: false },
      new: ourMeaning(server, true),
    };
    assert.deepEqual(meaningsOf(await program.servers(removed)), wanted);
    // Only lines of the servers that were changed differ.
    const lines = new Set(written.split('\n'));
    const fresh = removed.split('\n').filter((line) => !lines.has(line));
    assert.ok(
      fresh.every((line) => line.startsWith('    ')),
      fresh.join('\n'),
    );
    assert.ok(!removed.endsWith('\n'));
    assert.deepEqual(findProblems(removed), []);

    const again = await run('disable', 'new');
    assert.deepEqual(asWeRead(again).new, {
      ...ourMeaning(server, true),
      enabled: false,
    });
    assert.deepEqual(findProblems(again), []);
  });

  it('gets its bytes back when a change is undone', async () => {
    for (const command of story) await run(...command);
    const text = await program.text();
    const off = editText(text, { do: 'disable', name: 'web' }).text;
    assert.equal(editText(off, { do: 'enable', name: 'web' }).text, text);
    const server = {
      transport: 'sse',
      url: 'https://h/sse',
      headers: new Map(),
    } as const;
    const added = editText(text, { do: 'add', name: 'new', server }).text;
    assert.equal(editText(added, { do: 'remove', name: 'new' }).text, text);
  });

  it('says the same to a command in a process of its own', async () => {
    await program.start([
      'mcp',
      'add',
      'files',
      '--transport',
      'stdio',
      'npx',
      '--',
      '-y',
      'a',
    ]);
    const text = await program.text();
    await program.mcp('remove', 'files');
    await program.mcp(
      'add',
      'files',
      '--transport',
      'stdio',
      'npx',
      '--',
      '-y',
      'a',
    );
    assert.equal(await program.text(), text);
    const { code, output } = await program.start(['mcp', 'list']);
    assert.equal(code, 0);
    assert.match(output, /files \[✓ enabled\]/);
  });
});

function asWeRead(text: string): Record<string, Meaning> {
  const entries = readEntries(text).map(
    ({ name, server, enabled }): [string, Meaning] => {
      assert.ok(server, name);
      return [name, ourMeaning(server, enabled)];
    },
  );
  return Object.fromEntries(entries);
}
