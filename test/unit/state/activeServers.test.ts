import assert from 'node:assert/strict';
import { readDocument } from '../../../src/mcp/document.ts';
import type { Conversation } from '../../../src/service/entities.ts';
import { ActiveServers } from '../../../src/state/activeServers.ts';
import { SteppedClock } from '../../support/steppedClock.ts';
import { conversation, MemoryStore } from './support.ts';

const file = (servers: object) => readDocument(JSON.stringify({ mcpServers: servers }));
const a = { command: 'a', env: { TOKEN: 'canary' } };
const b = { command: 'b' };
const path = '/mcp.json';

describe('the servers of running conversations', () => {
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

  it('are those of the file when they started', () => {
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

  it('are none for those that started while the file was refused', () => {
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

  it('are up to date again after a restart', () => {
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
    'whose agent has failed': { execution: 'error' },
    'whose agent is stuck': { execution: 'stuck' },
    'whose language model has failed': { runtime: 'modelServerError' },
  } as const)) {
    it(`stay the same in a conversation ${trouble} and goes on`, () => {
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

  it('are up to date again when a failed sandbox runs again', () => {
    activeServers.setFile(path, file({ a }));
    conversationsAre({ id: 'one', status: 'error' });
    assert.equal(activeServers.running.length, 0);
    later();
    activeServers.setFile(path, file({ b }));
    conversationsAre({ id: 'one' });
    assert.deepEqual(known(), [['one', ['b'], []]]);
  });

  it('are those of their creation, if no start was seen', () => {
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

  it('are unknown if they started before the file was read', () => {
    activeServers.setFile(path, file({ a }));
    conversationsAre({ id: 'older', createdAt: clock.now() - 1 }, { id: 'undated' });
    assert.deepEqual(known(), [['older', undefined, undefined]]);
    assert.equal(activeServers.pending, undefined);
  });

  it('have nothing pending after a change was reverted', () => {
    activeServers.setFile(path, file({ a }));
    conversationsAre({ id: 'one', createdAt: clock.now() });
    later();
    activeServers.setFile(path, file({}));
    assert.equal(activeServers.pending?.length, 1);
    later();
    activeServers.setFile(path, file({ a }));
    assert.deepEqual(activeServers.pending, []);
  });

  it('are remembered in the next window, as digests', () => {
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

  it('are not those of another file', () => {
    activeServers.setFile(path, file({ a }));
    later();
    conversationsAre({ id: 'one', createdAt: clock.now() });
    activeServers.setFile('/other.json', file({ b }), clock.now() + 1);
    assert.deepEqual(known(), [['one', undefined, undefined]]);
  });

  describe('are announced', () => {
    let told: number;
    const one = { id: 'one', title: 'One', createdAt: 1 };

    beforeEach(() => {
      activeServers.setFile(path, file({ a }));
      conversationsAre(one);
      told = 0;
      activeServers.onChange(() => told++);
    });

    it('when the file, the running conversations or their titles change', () => {
      activeServers.setFile(path, file({ b }));
      conversationsAre(one, { id: 'two', createdAt: 2 });
      conversationsAre({ ...one, title: 'Uno' }, { id: 'two', createdAt: 2 });
      conversationsAre({ ...one, title: 'Uno' });
      assert.equal(told, 4);
    });

    it('but not when agents work or other conversations stop', () => {
      conversationsAre({ ...one, updatedAt: 5, execution: 'running' });
      conversationsAre(one, { id: 'two', status: 'stopped' });
      activeServers.setConversations(new Map());
      conversationsAre();
      assert.equal(told, 1);
    });
  });

  it('are worked out once for all conversations that started with the same file, until the file changes', () => {
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

  it('are found for a conversation with any id', () => {
    activeServers.setFile(path, file({ a }));
    conversationsAre({ id: 'constructor', createdAt: clock.now() });
    assert.deepEqual(known(), [['constructor', ['a'], []]]);
    assert.equal(activeServers.running[0]?.seen, false);
  });
});
