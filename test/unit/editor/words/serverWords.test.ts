import assert from 'node:assert/strict';
import {
  pendingWord,
  refusalReason,
  serverDescription,
  serverFacts,
  serverLabel,
  serverName,
  statusSections,
} from '../../../../src/editor/words/serverWords.ts';
import { UserError } from '../../../../src/base/errors.ts';
import { readDocument } from '../../../../src/mcp/document.ts';
import { ServerList } from '../../../../src/state/serverList.ts';
import { ActiveServers } from '../../../../src/state/activeServers.ts';
import { SteppedClock } from '../../../support/steppedClock.ts';
import { conversation, MemoryStore } from '../../state/support.ts';

function entryOf(fields: unknown, name = 'files') {
  const [entry] = readDocument(JSON.stringify({ mcpServers: { [name]: fields } })).entries;
  assert(entry);
  return entry;
}

const local = entryOf({
  command: 'npx',
  args: ['-y', '--token', 'canary-1'],
  env: { KEY: 'canary-2' },
  cwd: '/',
});
const remote = entryOf({
  url: 'https://user:canary-3@example.com/mcp?key=canary-4',
  headers: { Authorization: 'Bearer canary-5' },
  auth: 'canary-6',
  enabled: false,
});

describe('a server', () => {
  it('is described by its transport and its target, without secrets', () => {
    assert.equal(serverDescription(local, undefined), 'stdio · npx -y --token ••••••');
    assert.equal(serverDescription(remote, undefined), 'http · https://••••••@example.com/mcp?key=••••••');
    assert.equal(serverDescription(entryOf({ type: 'x' }), undefined), 'not a server');
    assert.equal(
      serverDescription(local, { name: 'files', kind: 'added' }),
      '● added, pending · stdio · npx -y --token ••••••',
    );
  });

  it('has a label with its name, state, target and pending change', () => {
    assert.equal(
      serverLabel(local, { name: 'files', kind: 'changed', fields: ['env'] }),
      'MCP server files, enabled, local program, npx -y --token ••••••, changed (env), pending',
    );
    assert.match(serverLabel(remote, undefined), /^MCP server files, disabled, HTTP, https:/);
    assert.match(
      serverLabel(entryOf(5), undefined, 'It is not a server.'),
      /not a server, problem: It is not a server\.$/,
    );
  });

  it('never shows a secret', () => {
    for (const entry of [local, remote]) {
      const all = [
        serverDescription(entry, undefined),
        serverLabel(entry, undefined),
        serverFacts(entry, undefined),
      ];
      assert.doesNotMatch(JSON.stringify(all), /canary/);
    }
  });

  it('has facts with everything that is known about it', () => {
    assert.deepEqual(serverFacts(local, { name: 'files', kind: 'disabled' }), [
      ['State', 'Enabled; disabled, pending until a conversation restarts'],
      ['Transport', 'Local program (stdio)'],
      ['Command', 'npx'],
      ['Arguments', '-y'],
      ['', '--token'],
      ['', '••••••'],
      ['Variables', 'KEY=••••••'],
      ['Other fields', 'cwd'],
    ]);
    assert.deepEqual(serverFacts(remote, undefined), [
      ['State', 'Disabled'],
      ['Transport', 'HTTP'],
      ['URL', 'https://••••••@example.com/mcp?key=••••••'],
      ['Headers', 'Authorization: ••••••'],
      ['Authentication', '••••••'],
    ]);
    assert.deepEqual(serverFacts(entryOf(5), undefined, 'It is not a server.'), [
      ['State', 'Enabled'],
      ['Problem', 'It is not a server.'],
    ]);
  });

  it('has as its first fact that the file is refused', () => {
    const position = { line: 3, column: 5, offset: 40 };
    assert.deepEqual(serverFacts(local, undefined, undefined, { message: 'Why.', position })[0], [
      'Refused',
      'This file is refused as it is, so agents get none of these servers. Line 3, column 5: Why.',
    ]);
    assert.equal(refusalReason({ message: 'Why.' }), 'Why.');
  });

  it('has no fields that a program left empty', () => {
    assert.deepEqual(serverFacts(entryOf({ command: 'x', cwd: null, type: null }), undefined), [
      ['State', 'Enabled'],
      ['Transport', 'Local program (stdio)'],
      ['Command', 'x'],
    ]);
  });

  it('has a name of visible text', () => {
    assert.equal(serverName(entryOf({}, '')), '(no name)');
    assert.equal(serverName(entryOf({}, 'a\u202Eb\n$(x)')), 'a b $(x)');
  });
});

describe('a pending change', () => {
  it('names the changed fields', () => {
    assert.deepEqual(
      [
        { name: 'a', kind: 'added' } as const,
        { name: 'a', kind: 'removed' } as const,
        { name: 'a', kind: 'disabled' } as const,
        { name: 'a', kind: 'enabled', fields: [] } as const,
        { name: 'a', kind: 'enabled', fields: ['env', 'args'] } as const,
        { name: 'a', kind: 'changed', fields: ['url'] } as const,
      ].map(pendingWord),
      [
        'added, pending',
        'removed, pending',
        'disabled, pending',
        'enabled, pending',
        'enabled and changed (env, args), pending',
        'changed (url), pending',
      ],
    );
  });
});

describe('the page of active servers and pending changes', () => {
  const clock = new SteppedClock();

  async function sections(text: string | undefined, saved = true) {
    const servers = new ServerList(() => Promise.resolve({ path: '/mcp.json', text, saved }));
    await servers.refresh();
    const activeServers = new ActiveServers(new MemoryStore(), clock);
    return { servers, activeServers, read: () => statusSections(servers, activeServers, clock.now()) };
  }

  it('says what a conversation uses that starts now', async () => {
    const text =
      '{"mcpServers":{"a":{"command":"x"},"b":{"command":"x","enabled":false},"c":{"url":"x"},"d":{"url":"y","enabled":0}}}';
    const [next, running] = (await sections(text)).read();
    assert.equal(next?.text, 'A conversation that starts now uses a, c.');
    assert.match(running?.text ?? '', /^No running conversations are known\./);
    assert.equal(
      (await sections(undefined)).read()[0]?.text,
      'A conversation that starts now uses no MCP servers.',
    );
    assert.match(JSON.stringify((await sections(text, false)).read()), /It has unsaved changes/);
    const unreadable = new ServerList(() => Promise.reject(new UserError('It is a folder.')));
    await unreadable.refresh();
    assert.equal(
      statusSections(unreadable, new ActiveServers(new MemoryStore(), clock), clock.now())[0]?.text,
      'Unknown, because the configuration file cannot be read. It is a folder.',
    );
  });

  it('says first that a file is refused, where and why', async () => {
    for (const [text, reason] of [
      [
        '{"mcpServers":{"a":{"command":"x"}}}//',
        'Line 1, column 37: A comment makes the program refuse the whole file. Remove it.',
      ],
      [
        '{"mcpServers":{"a":{}}}',
        'Line 1, column 16: "a" has neither a command nor a URL. Add "command" or "url".',
      ],
      ['{', 'Line 1, column 2: the text ends here, and a name in double quotes is missing.'],
    ]) {
      const [next] = (await sections(text)).read();
      assert.equal(next?.text, 'This file is refused as it is, so agents get none of these servers.');
      assert.deepEqual(next.facts?.at(-1), ['Problem', reason]);
    }
  });

  it('says what each running conversation uses, what is pending, and what is unknown', async () => {
    const { activeServers, read } = await sections('{}');
    activeServers.setFile('/mcp.json', readDocument('{"mcpServers":{"a":{"command":"x"}}}'));
    activeServers.setConversations(
      new Map([
        ['new', conversation({ id: 'new', title: 'New', createdAt: clock.now() })],
        ['old', conversation({ id: 'old', title: 'Old', createdAt: clock.now() - 1000 })],
      ]),
    );
    clock.advance(1000);
    const facts = (i: number) => read()[i]?.facts?.map(([name, value]) => `${name}: ${value}`) ?? [];
    assert.deepEqual(facts(1).slice(1), ['Active: a', 'Pending: nothing']);
    assert.match(facts(1)[0] ?? '', /when it was created; it may have restarted since$/);
    assert.match(facts(2)[1] ?? '', /^Active: Unknown/);
    assert.equal(read()[1]?.title, 'New (started last)');
    activeServers.setFile('/mcp.json', readDocument('{"mcpServers":{"b":{"command":"x"}}}'));
    assert.deepEqual(facts(1).slice(1), ['Active: a', 'Pending: b: added', ': a: removed']);
  });
});
