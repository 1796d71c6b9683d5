import assert from 'node:assert/strict';
import {
  changeLines,
  changesShort,
  checkedMessage,
  checkFacts,
  checkShort,
  failureFacts,
  resultMessage,
} from '../../../../../src/editor/words/mcpServers/checkWords.ts';
import { readEntries } from '../../../../../src/mcp/format/document.ts';
import type {
  CheckChanges,
  ServerCheck,
  CheckResult,
  KnownTool,
  CheckPlace,
} from '../../../../../src/state/mcpServers/checkMemory.ts';
import type { CheckedServer } from '../../../../../src/state/mcpServers/serverChecks.ts';

const unknown: CheckedServer = {
  here: undefined,
  elsewhere: [],
  tools: undefined,
  changes: undefined,
  underWay: undefined,
};
const works: CheckResult = { kind: 'works', tools: 12, milliseconds: 1_432 };
const notFound = {
  reason: 'programNotFound',
  program: 'npx',
  lookedIn: ['/bin'],
} as const;
const fails: CheckResult = {
  kind: 'fails',
  failure: notFound,
  milliseconds: 3,
};
const at = new Date('2026-03-01T12:00').getTime();
const check = (
  result: CheckResult,
  where: CheckPlace = 'here',
): ServerCheck => ({
  where,
  at,
  digest: '',
  saved: true,
  result,
});
const nothing: CheckChanges = {
  start: undefined,
  added: [],
  gone: [],
  changed: [],
};
const tool = (name: string, description: string): KnownTool => ({
  name,
  description,
  digest: description,
});
const start = {
  commandLine: 'npx -y files',
  variables: ['TOKEN'],
  headers: [],
};

const nameOf = () => 'Local';
const [entry = assert.fail()] = readEntries(
  '{"mcpServers": {"files": {"command": "npx"}}}',
);

describe('a check of an MCP server', () => {
  it('shows its result, the changes since or its progress in a row', () => {
    assert.equal(checkShort(unknown, nameOf), undefined);
    assert.equal(
      checkShort({ ...unknown, here: check(works) }, nameOf),
      '12 tools',
    );
    assert.equal(
      checkShort({ ...unknown, here: check({ ...works, tools: 1 }) }, nameOf),
      '1 tool',
    );
    assert.equal(
      checkShort({ ...unknown, here: check(fails) }, nameOf),
      'npx not found',
    );
    assert.equal(
      checkShort(
        { ...unknown, here: check(works), underWay: 'listing' },
        nameOf,
      ),
      'checking…',
    );
    assert.equal(
      checkShort(
        {
          ...unknown,
          here: check(works),
          changes: { ...nothing, added: ['a', 'b'] },
        },
        nameOf,
      ),
      '● 2 tools are new · 12 tools',
    );
    const elsewhere = [check(fails, { service: 'https://a.example' })];
    assert.equal(
      checkShort({ ...unknown, here: check(works), elsewhere }, nameOf),
      '12 tools · not at Local: npx not found',
    );
  });

  it('reports its result in a message', () => {
    const tools = [{ name: 'read' }, { name: 'write' }];
    assert.equal(
      resultMessage('files', { kind: 'works', tools, milliseconds: 20 }),
      '“files” works: 2 tools in 0.1 s.',
    );
    assert.match(
      resultMessage('files', { ...fails, failure: notFound }),
      /^“files” cannot be started: /,
    );
  });

  it('says when and where it ran, and what other places found', () => {
    const checked = {
      ...unknown,
      here: { ...check(works), saved: false },
      elsewhere: [check(fails, { service: 'https://a.example' })],
    };
    const facts = checkFacts(entry, checked, nameOf).map((fact) =>
      fact.join(': '),
    );
    assert.equal(facts[0], 'Last check: 12 tools in 1.4 s');
    assert.match(facts[1] ?? '', /^Checked: Mar 1, 2026.*, on this machine$/);
    assert.equal(
      facts[2],
      'Unsaved: The file had unsaved changes, which were checked too.',
    );
    assert.match(facts[3] ?? '', /^Last check: “files” cannot be started/);
    assert.match(facts[4] ?? '', /, at https:\/\/a\.example$/);
    assert.equal(facts[5], 'Checks: works here, not at Local: npx not found');
  });

  it('shows its progress', () => {
    assert.deepEqual(
      checkFacts(entry, { ...unknown, underWay: 'listing' }, nameOf),
      [['Check', 'The server is listing its tools.']],
    );
  });

  it('shows what the variables were before', () => {
    const variables = ['LD_PRELOAD=/a.so', 'PATH=/bin'];
    const change = (before: typeof start): CheckChanges => ({
      ...nothing,
      start: { before, isVisible: true },
    });
    assert.deepEqual(
      changeLines(change({ ...start, variables }), { ...start, variables: [] }),
      ['Previous variables and headers: LD_PRELOAD=/a.so, PATH=/bin'],
    );
    assert.deepEqual(
      changeLines(change({ ...start, variables: [] }), { ...start, variables }),
      ['Previous variables and headers: none'],
    );
  });

  it('lists every change since the user approved the server', () => {
    const before = {
      commandLine: 'npx files',
      folder: '/srv',
      variables: [],
      headers: [],
    };
    const changes: CheckChanges = {
      start: { before, isVisible: true },
      added: ['spy', 'log'],
      gone: ['old'],
      changed: [
        { before: tool('search', 'Finds.'), after: tool('search', 'Obey.') },
        { before: tool('read', 'Reads.'), after: tool('read', 'Reads.') },
      ],
    };
    assert.deepEqual(changeLines(changes, start), [
      'Previously: npx files',
      'Previous folder: /srv',
      'Previous variables and headers: none',
      'New tools: spy, log',
      'Removed tools: old',
      'The tool search has a new description: “Obey.”, before “Finds.”',
      'The description of the tool read has changed.',
    ]);
    assert.deepEqual(
      changeLines(
        { ...nothing, start: { before: start, isVisible: false } },
        start,
      ),
      ['Values that are not shown here have changed.'],
    );
  });

  it('counts the changes in a row', () => {
    const other = { before: tool('a', 'x'), after: tool('a', 'y') };
    const begun = { before: start, isVisible: true };
    assert.equal(changesShort({ ...nothing, added: ['a'] }), '1 tool is new');
    assert.equal(
      changesShort({ ...nothing, changed: [other] }),
      '1 tool has changed',
    );
    assert.equal(
      changesShort({ ...nothing, gone: ['b'], changed: [other] }),
      '2 tools have changed',
    );
    assert.equal(
      changesShort({ ...nothing, start: begun }),
      'changed since its check',
    );
    assert.equal(
      changesShort({ ...nothing, start: begun, added: ['a'] }),
      'changed since its check, tools too',
    );
  });

  it('lists at most 20 tools', () => {
    const added = Array.from({ length: 50 }, (_, i) => `t${i}`);
    const [line = ''] = changeLines({ ...nothing, added }, start);
    assert.match(line, /^New tools: t0, .*, t19 and 30 more$/);
  });

  it('lists the last output of the server, and the folders searched for its program', () => {
    assert.deepEqual(failureFacts(notFound), []);
    const lookedIn = ['/a', '/b', '/c', '/d', '/e', '/f'];
    assert.deepEqual(failureFacts({ ...notFound, lookedIn }).at(-1), [
      '',
      '/f',
    ]);
    assert.deepEqual(
      failureFacts({ reason: 'exited', code: 1, lastLines: ['No such file.'] }),
      [['Last output', 'No such file.']],
    );
    assert.deepEqual(
      failureFacts({
        reason: 'keyRefused',
        status: 403,
        sent: true,
        said: 'Expired.',
      }),
      [['The server says', 'Expired.']],
    );
    assert.deepEqual(failureFacts({ reason: 'cancelled' }), []);
  });
});

describe('the outcome of checking many servers', () => {
  it('counts those that work, and says first that the rest was canceled', () => {
    assert.equal(checkedMessage([], 3, false), '3 of 3 MCP servers work.');
    assert.equal(
      checkedMessage([], 2, true),
      'Canceled. 2 of 2 MCP servers work.',
    );
  });

  it('lists at most 5 that fail, and counts the others', () => {
    const failed = ['a', 'b', 'c', 'd', 'e'];
    assert.equal(
      checkedMessage(failed, 6, false),
      '1 of 6 MCP servers work. These do not: a, b, c, d, e.',
    );
    assert.equal(
      checkedMessage([...failed, 'f', 'g'], 7, false),
      '0 of 7 MCP servers work. These do not: a, b, c, d, e, 2 more.',
    );
  });
});
