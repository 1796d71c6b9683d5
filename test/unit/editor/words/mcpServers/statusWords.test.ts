import assert from 'node:assert/strict';
import { UserError } from '../../../../../src/base/errors.ts';
import { statusSections } from '../../../../../src/editor/words/mcpServers/statusWords.ts';
import { readEntries } from '../../../../../src/mcp/format/document.ts';
import { ActiveServers } from '../../../../../src/state/mcpServers/activeServers.ts';
import { ServerList } from '../../../../../src/state/mcpServers/serverList.ts';
import { SteppedClock } from '../../../../support/steppedClock.ts';
import { conversation, MemoryStore } from '../../../state/support.ts';

describe('the page of active servers and pending changes', () => {
  const clock = new SteppedClock();

  async function sections(text: string | undefined, saved = true) {
    const servers = new ServerList(() => Promise.resolve({ path: '/mcp.json', text, saved }));
    await servers.refresh();
    const activeServers = new ActiveServers(new MemoryStore(), clock);
    return { servers, activeServers, read: () => statusSections(servers, activeServers, clock.now()) };
  }

  it('lists the servers of a conversation that starts now', async () => {
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
      ['{', 'Line 1, column 1: the text ends here, and a name in double quotes is missing.'],
    ]) {
      const [next] = (await sections(text)).read();
      assert.equal(next?.text, 'This file is refused as it is, so agents get none of these servers.');
      assert.deepEqual(next.facts?.at(-1), ['Problem', reason]);
    }
  });

  it('shows the active, pending and unknown servers of each running conversation', async () => {
    const { activeServers, read } = await sections('{}');
    activeServers.setFile('/mcp.json', readEntries('{"mcpServers":{"a":{"command":"x"}}}'));
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
    assert.match(read()[2]?.text ?? '', /so their servers are unknown/);
    assert.deepEqual(
      facts(2).map((fact) => fact.slice(0, 8)),
      ['Started:'],
    );
    assert.equal(read()[1]?.title, 'New (started last)');
    activeServers.setFile('/mcp.json', readEntries('{"mcpServers":{"b":{"command":"x"}}}'));
    assert.deepEqual(facts(1).slice(1), ['Active: a', 'Pending: b: added', ': a: removed']);
  });

  it('groups conversations with the same servers and those with unknown servers', async () => {
    const { activeServers, read } = await sections('{}');
    activeServers.setFile('/mcp.json', readEntries('{"mcpServers":{"a":{"command":"x"}}}'));
    const titled = (title: string, age: number) =>
      [title, conversation({ id: title, title, createdAt: clock.now() - age })] as const;
    activeServers.setConversations(
      new Map([titled('A', 0), titled('B', 0), titled('C', 9_000), titled('D', 9_001), titled('E', 9_002)]),
    );
    const [, same, unknown, ...others] = read();
    assert.equal(same?.title, '2 conversations with the same servers');
    assert.deepEqual(same.facts?.slice(0, 2), [
      ['Active', 'a'],
      ['Pending', 'nothing'],
    ]);
    assert.match(same.facts[2]?.join('; ') ?? '', /^Started; A \(started last\): /);
    assert.equal(unknown?.title, '3 conversations with unknown servers');
    assert.deepEqual(
      unknown.facts?.map(([name, value]) => [name, value[0]]),
      [
        ['Started', 'C'],
        ['', 'D'],
        ['', 'E'],
      ],
    );
    assert.deepEqual(others, []);
    assert.equal(JSON.stringify(read()).split('servers are unknown').length, 2);
  });
});
