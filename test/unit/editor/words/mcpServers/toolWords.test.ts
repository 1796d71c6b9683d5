import assert from 'node:assert/strict';
import {
  agreementQuestion,
  changeLines,
} from '../../../../../src/editor/words/mcpServers/checkWords.ts';
import {
  agentsSee,
  nameForAgents,
  toolDescription,
  toolFacts,
  toolLabel,
} from '../../../../../src/editor/words/mcpServers/toolWords.ts';
import { readEntries } from '../../../../../src/mcp/format/document.ts';
import {
  changesSince,
  type KnownTool,
  serverTools,
} from '../../../../../src/state/mcpServers/checkMemory.ts';

function entryOf(fields: object, name = 'files') {
  const [entry] = readEntries(
    JSON.stringify({ mcpServers: { [name]: fields } }),
  );
  assert(entry);
  return entry;
}

const known: readonly KnownTool[] = [
  {
    name: 'read',
    description: 'Reads.',
    title: 'Read a File',
    readOnly: true,
    digest: '',
  },
  {
    name: 'delete',
    description: 'Deletes.\nAll.',
    destructive: true,
    digest: '',
  },
  { name: 'move', digest: '' },
];

describe('the tool list of an MCP server', () => {
  const tools = {
    delete: { enabled: false },
    old: { enabled: false },
    move: { name: 'rename' },
  };
  const entry = entryOf({ command: 'x', tools });
  const found = serverTools(entry, known);
  const [read, deletes, move, old] = found;
  assert(read && deletes && move && old);

  it('lists the tools of the last check, then those that only the file names', () => {
    assert.deepEqual(
      found.map(({ name, on, isGone }) => [name, on, isGone]),
      [
        ['read', true, false],
        ['delete', false, false],
        ['move', true, false],
        ['old', false, true],
      ],
    );
    assert.deepEqual(
      serverTools(entry, undefined).map(({ name, isGone }) => [name, isGone]),
      [
        ['delete', false],
        ['old', false],
        ['move', false],
      ],
    );
  });

  it('describes a tool in the words of its server', () => {
    assert.equal(toolDescription(read), 'read-only · Reads.');
    assert.equal(toolDescription(deletes), 'destructive · Deletes. All.');
    assert.equal(toolDescription(move), '');
    assert.equal(toolDescription(old), 'the server no longer has it');
    assert.equal(
      toolDescription({ ...old, isGone: false }),
      'named in the file',
    );
  });

  it('reads the server and the state of a tool to a screen reader', () => {
    assert.equal(
      toolLabel(entry, read),
      'Tool read of files, on, read-only · Reads.',
    );
    const disabled = entryOf({ command: 'x', enabled: false });
    assert.equal(
      toolLabel(disabled, read),
      'Tool read of files, on, its server is disabled, read-only · Reads.',
    );
  });

  it('shows the name that agents see, or why they see none', () => {
    assert.equal(agentsSee(entry, read, 1), 'read');
    assert.equal(agentsSee(entry, read, 2), 'files_read');
    assert.equal(agentsSee(entry, move, 2), 'files_rename');
    assert.equal(nameForAgents(entry, deletes, 2), 'files_delete');
    assert.equal(agentsSee(entry, deletes, 2), 'not available (off)');
    assert.equal(agentsSee(entry, old, 2), 'nothing');
    assert.equal(agentsSee(entry, read, 2, true), 'nothing');
    const disabled = entryOf({ command: 'x', enabled: false });
    assert.equal(
      agentsSee(disabled, read, 2),
      'not available (its server is disabled)',
    );
  });

  it('shows a tool by its masked name, and knows it by its exact one', () => {
    const tool = {
      name: 'canary_search',
      shownName: '••••••_search',
      digest: '',
    };
    const file = entryOf({
      command: 'x',
      tools: { canary_search: { enabled: false } },
    });
    const [off] = serverTools(file, [tool]);
    const [on] = serverTools(entry, [tool]);
    assert(on && off);
    assert.deepEqual(
      [off.name, off.on, off.isGone],
      ['canary_search', false, false],
    );
    assert.equal(toolLabel(file, off), 'Tool ••••••_search of files, off');
    assert.equal(agentsSee(entry, on, 2), 'files_••••••_search');
    const renamed = entryOf({
      command: 'x',
      tools: { canary_search: { name: 'find' } },
    });
    assert.equal(agentsSee(renamed, on, 2), 'files_find');
    const agreed = { digest: '', start: { variables: [], headers: [] } };
    const changed = { ...tool, description: 'New.', digest: 'new' };
    const linesOf = (before: readonly KnownTool[], now: readonly KnownTool[]) =>
      changeLines(
        changesSince({ ...agreed, tools: before }, { ...agreed, tools: now }) ??
          assert.fail(),
        agreed.start,
      );
    const lines = [
      ...linesOf([], [tool]),
      ...linesOf([tool], []),
      ...linesOf([tool], [changed]),
      ...linesOf([tool], [{ ...tool, digest: 'new' }]),
    ];
    assert.equal(lines[0], 'New tools: ••••••_search');
    assert.doesNotMatch(lines.join(), /canary/);
  });

  it('shows the description, hints, name for agents and problems in a tooltip', () => {
    assert.deepEqual(toolFacts(entry, read, 2), [
      ['Title', 'Read a File'],
      ['Description', 'Reads.'],
      ['The server says', 'read-only'],
      ['Agents see', 'files_read'],
    ]);
    assert.deepEqual(toolFacts(entry, old, 2)[0], [
      'Problem',
      'The file names it, but the server no longer has it.',
    ]);
  });
});

describe('the question before a check', () => {
  const local = entryOf({
    command: 'npx',
    args: ['--token', 'canary-1'],
    env: { KEY: 'canary-2' },
    cwd: '/srv',
  });
  const remote = entryOf(
    {
      url: 'https://a.example/mcp?key=canary-3',
      headers: { 'X-Key': 'canary-4' },
      auth: 'canary-5',
    },
    'issues',
  );

  it('shows the command and its variables, without secrets', () => {
    const { question, lines } = agreementQuestion(
      [{ entry: local, changes: undefined }],
      true,
    );
    assert.equal(question, 'Check “files”?');
    assert.deepEqual(lines, [
      'This command runs once on this machine to list its tools:',
      '',
      'npx --token ••••••',
      '',
      'Folder: /srv',
      'With these variables, which can change what runs:',
      'KEY=••••••',
      '',
      'You are asked again only if it changes.',
    ]);
  });

  it('shows all variables with their values', () => {
    const entry = entryOf({
      command: 'node',
      args: ['a.mjs'],
      env: {
        NODE_OPTIONS: '--require ./pre.js',
        KEY: 'canary-1',
        LD_PRELOAD: '/tmp/a.so',
      },
    });
    const { lines } = agreementQuestion([{ entry, changes: undefined }], true);
    assert.deepEqual(lines.slice(4), [
      'With these variables, which can change what runs:',
      "NODE_OPTIONS='--require ./pre.js'",
      'KEY=••••••',
      'LD_PRELOAD=/tmp/a.so',
      '',
      'You are asked again only if it changes.',
    ]);
  });

  it('shows every server to check, and that the file is not saved', () => {
    const asked = [local, remote].map((entry) => ({
      entry,
      changes: undefined,
    }));
    const { question, lines } = agreementQuestion(asked, false);
    assert.equal(question, 'Check 2 MCP servers?');
    assert.deepEqual(lines.slice(6), [
      '“issues” is asked for its tools at this address:',
      'https://a.example/mcp?key=••••••',
      'Headers: X-Key, authorization',
      '',
      'The file has unsaved changes. What is in the editor is checked.',
      'You are asked again only for those that change.',
    ]);
    assert.doesNotMatch(lines.join(), /canary/);
  });

  it('refuses a server that it cannot show whole', () => {
    const ask = (fields: object) => () =>
      agreementQuestion(
        [local, entryOf(fields)].map((entry) => ({
          entry,
          changes: undefined,
        })),
        true,
      );
    assert.throws(
      ask({ command: 'bash', args: ['-c', 'TOKEN=$(echo x; evil) npx'] }),
      /“files” was not checked: a masked part of it could run something/,
    );
    assert.throws(
      ask({ command: 'npx', cwd: `/${'x'.repeat(4_000)}` }),
      /“files” was not checked: it is too long to be shown/,
    );
    assert.doesNotThrow(ask({ enabled: true }));
  });

  it('shows a long folder whole', () => {
    const cwd = `/${'x'.repeat(3_000)}`;
    const entry = entryOf({ command: 'npx', cwd });
    const { lines } = agreementQuestion([{ entry, changes: undefined }], true);
    assert.ok(lines.includes(`Folder: ${cwd}`));
  });

  it('marks what has changed since the user agreed', () => {
    const changes = { start: undefined, added: ['spy'], gone: [], changed: [] };
    const { lines } = agreementQuestion([{ entry: local, changes }], true);
    assert.ok(lines.includes('● New tools: spy'));
  });
});
