import assert from 'node:assert/strict';
import { readEntries } from '../../../../src/mcp/format/document.ts';
import type { Conversation } from '../../../../src/service/entities.ts';
import { ActiveServers } from '../../../../src/state/mcpServers/activeServers.ts';
import { SteppedClock } from '../../../support/steppedClock.ts';
import { conversation, MemoryStore } from '../support.ts';

const file = (servers: object) => readEntries(JSON.stringify({ mcpServers: servers }));
const a = { command: 'a', env: { TOKEN: 'canary' } };
const b = { command: 'b' };
const path = '/mcp.json';

describe('the record of active MCP servers', () => {
  let clock: SteppedClock;
  let store: MemoryStore;
  let activeServers: ActiveServers;

  const conversationsAre = (...all: readonly Partial<Conversation>[]) => {
    activeServers.setConversations(new Map(all.map((each) => [each.id ?? '', conversation(each)])));
  };
  const known = () =>
    activeServers.running.map((start) => {
      const used = activeServers.usedBy(start);
      const pending = used?.pending.map(({ name, kind }) => `${name} ${kind}`);
      return [start.conversation.id, used?.active, pending];
    });
  const later = () => {
    clock.advance(1000);
  };

  beforeEach(() => {
    clock = new SteppedClock();
    store = new MemoryStore();
    activeServers = new ActiveServers(store, clock);
  });

  it('records the servers in the file when a conversation starts, and lists later changes as pending', () => {
    activeServers.setFile(path, file({ a }));
    conversationsAre({ id: 'one', status: 'stopped' });
    later();
    conversationsAre({ id: 'one', status: 'starting' });
    later();
    assert.deepEqual(known(), [['one', ['a'], []]]);
    assert.deepEqual(activeServers.pending, []);
    activeServers.setFile(path, file({ a: { ...a, args: ['x'] }, b }));
    assert.deepEqual(known(), [['one', ['a'], ['a changed', 'b added']]]);
    assert.deepEqual(activeServers.pending, [
      { name: 'a', kind: 'changed', fields: ['args'] },
      { name: 'b', kind: 'added' },
    ]);
  });

  it('records no servers for a conversation that starts while the file is refused', () => {
    activeServers.setFile(path, file({ a }));
    const before = { id: 'before', createdAt: clock.now() };
    conversationsAre(before);
    later();
    activeServers.setFile(path, file({ a }), clock.now(), { isRefused: true });
    later();
    conversationsAre(before, { id: 'refused', createdAt: clock.now() });
    assert.deepEqual(known(), [
      ['refused', [], []],
      ['before', ['a'], ['a removed']],
    ]);
    later();
    activeServers.setFile(path, file({ a }));
    assert.deepEqual(known(), [
      ['refused', [], ['a added']],
      ['before', ['a'], []],
    ]);
  });

  it('updates the active servers when a conversation restarts', () => {
    activeServers.setFile(path, file({ a }));
    conversationsAre({ id: 'one', createdAt: clock.now() });
    later();
    activeServers.setFile(path, file({ b }));
    conversationsAre({ id: 'one', status: 'stopped' });
    assert.equal(activeServers.running.length, 0);
    assert.equal(activeServers.pending, undefined);
    later();
    conversationsAre({ id: 'one' });
    assert.deepEqual(known(), [['one', ['b'], []]]);
    assert.equal(activeServers.running[0]?.seen, true);
  });

  for (const [trouble, change] of Object.entries({
    'whose agent fails': { execution: 'error' },
    'whose agent gets stuck': { execution: 'stuck' },
    'whose language model fails': { runtime: 'modelServerError' },
  } as const)) {
    it(`keeps the active servers of a conversation ${trouble} and then continues`, () => {
      activeServers.setFile(path, file({ a }));
      conversationsAre({ id: 'one', createdAt: clock.now() });
      later();
      activeServers.setFile(path, file({ a, b }));
      conversationsAre({ id: 'one', createdAt: clock.now() - 1000, ...change });
      assert.deepEqual(known(), [['one', ['a'], ['b added']]]);
      later();
      conversationsAre({ id: 'one', createdAt: clock.now() - 2000, execution: 'running' });
      assert.deepEqual(known(), [['one', ['a'], ['b added']]]);
      assert.equal(activeServers.running[0]?.seen, false);
    });
  }

  it('updates the active servers when a failed sandbox runs again', () => {
    activeServers.setFile(path, file({ a }));
    conversationsAre({ id: 'one', status: 'error' });
    assert.equal(activeServers.running.length, 0);
    later();
    activeServers.setFile(path, file({ b }));
    conversationsAre({ id: 'one' });
    assert.deepEqual(known(), [['one', ['b'], []]]);
  });

  it('uses the servers in the file at the creation of a conversation when no start was seen', () => {
    activeServers.setFile(path, file({ a }), clock.now() - 5000);
    later();
    activeServers.setFile(path, file({ b }));
    later();
    conversationsAre({ id: 'new', createdAt: clock.now() }, { id: 'old', createdAt: clock.now() - 3000 });
    assert.deepEqual(known(), [
      ['new', ['b'], []],
      ['old', ['a'], ['b added', 'a removed']],
    ]);
    assert.deepEqual(
      activeServers.running.map(({ seen }) => seen),
      [false, false],
    );
  });

  it('leaves the servers unknown for a conversation created before the file was first read', () => {
    activeServers.setFile(path, file({ a }));
    conversationsAre({ id: 'older', createdAt: clock.now() - 1 }, { id: 'undated' });
    assert.deepEqual(known(), [['older', undefined, undefined]]);
    assert.equal(activeServers.pending, undefined);
  });

  it('reports no pending changes after the file is reverted', () => {
    activeServers.setFile(path, file({ a }));
    conversationsAre({ id: 'one', createdAt: clock.now() });
    later();
    activeServers.setFile(path, file({}));
    assert.equal(activeServers.pending?.length, 1);
    later();
    activeServers.setFile(path, file({ a }));
    assert.deepEqual(activeServers.pending, []);
  });

  it('remembers the active servers in the next window without storing secrets', () => {
    activeServers.setFile(path, file({ a }));
    conversationsAre({ id: 'one', status: 'stopped' });
    later();
    conversationsAre({ id: 'one' });
    assert.doesNotMatch(JSON.stringify(store.get('activeServers')), /canary/);
    activeServers = new ActiveServers(store, clock);
    later();
    activeServers.setFile(path, file({ a, b }));
    conversationsAre({ id: 'one' });
    assert.deepEqual(known(), [['one', ['a'], ['b added']]]);
    assert.equal(activeServers.running[0]?.seen, true);
  });

  it('leaves the servers unknown when another file replaces the one at the start', () => {
    activeServers.setFile(path, file({ a }));
    later();
    conversationsAre({ id: 'one', createdAt: clock.now() });
    activeServers.setFile('/other.json', file({ b }), clock.now() + 1);
    assert.deepEqual(known(), [['one', undefined, undefined]]);
  });

  describe('the change event', () => {
    let told: number;
    const one = { id: 'one', title: 'One', createdAt: 1 };

    beforeEach(() => {
      activeServers.setFile(path, file({ a }));
      conversationsAre(one);
      told = 0;
      activeServers.onChange(() => told++);
    });

    it('fires a change event when the file, the running conversations or their titles change', () => {
      activeServers.setFile(path, file({ b }));
      conversationsAre(one, { id: 'two', createdAt: 2 });
      conversationsAre({ ...one, title: 'Uno' }, { id: 'two', createdAt: 2 });
      conversationsAre({ ...one, title: 'Uno' });
      assert.equal(told, 4);
    });

    it('fires no change event when an agent works or a stopped conversation appears', () => {
      conversationsAre({ ...one, updatedAt: 5, execution: 'running' });
      conversationsAre(one, { id: 'two', status: 'stopped' });
      activeServers.setConversations(new Map());
      conversationsAre();
      assert.equal(told, 1);
    });
  });

  it('computes changes once for all conversations that started with the same file, until the file changes', () => {
    activeServers.setFile(path, file({ a }));
    conversationsAre({ id: 'one', createdAt: clock.now() }, { id: 'two', createdAt: clock.now() });
    later();
    activeServers.setFile(path, file({ b }));
    const [one, two] = activeServers.running.map((start) => activeServers.usedBy(start));
    assert.ok(one);
    assert.equal(two, one);
    assert.equal(activeServers.pending, one.pending);
    activeServers.setFile(path, file({ a, b }));
    assert.notEqual(activeServers.pending, one.pending);
  });

  it('counts the changes that are pending at every service, each server once', () => {
    activeServers.setFile(path, file({ a }));
    const [home, work] = ['https://home.example.com', 'https://work.example.com'];
    const old = { id: 'old', service: home, createdAt: clock.now() };
    conversationsAre(old);
    later();
    activeServers.setFile(path, file({ a, b }));
    const recent = { id: 'recent', service: work, createdAt: clock.now() };
    conversationsAre(old, recent);
    const pending = () => activeServers.pending?.map(({ name, kind }) => `${name} ${kind}`);
    assert.deepEqual(pending(), ['b added']);
    later();
    activeServers.setFile(path, file({ a: b, b: a }));
    assert.deepEqual(pending(), ['a changed', 'b changed']);
    conversationsAre({ ...recent, id: 'newest', createdAt: clock.now() });
    assert.deepEqual(pending(), []);
  });

  it('finds the servers of a conversation with the ID "constructor"', () => {
    activeServers.setFile(path, file({ a }));
    conversationsAre({ id: 'constructor', createdAt: clock.now() });
    assert.deepEqual(known(), [['constructor', ['a'], []]]);
    assert.equal(activeServers.running[0]?.seen, false);
  });
});
