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

describe('what running conversations have', () => {
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

  it('is what the file had when they were seen to start', () => {
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

  it('is up to date again after a restart', () => {
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
    it(`is still what they started with in a conversation ${trouble} and goes on`, () => {
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

  it('is up to date again when a sandbox that had failed runs again', () => {
    activeServers.setFile(path, file({ a }));
    conversationsAre({ id: 'one', status: 'error' });
    assert.equal(activeServers.running.length, 0);
    later();
    activeServers.setFile(path, file({ b }));
    conversationsAre({ id: 'one' });
    assert.deepEqual(known(), [['one', ['b'], []]]);
  });

  it('is that of their creation, where no start was seen', () => {
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

  it('is not known of those that started before the file was looked at', () => {
    activeServers.setFile(path, file({ a }));
    conversationsAre({ id: 'older', createdAt: clock.now() - 1 }, { id: 'undated' });
    assert.deepEqual(known(), [['older', undefined, undefined]]);
    assert.equal(activeServers.pending, undefined);
  });

  it('has nothing pending when a change has been taken back', () => {
    activeServers.setFile(path, file({ a }));
    conversationsAre({ id: 'one', createdAt: clock.now() });
    later();
    activeServers.setFile(path, file({}));
    assert.equal(activeServers.pending?.length, 1);
    later();
    activeServers.setFile(path, file({ a }));
    assert.deepEqual(activeServers.pending, []);
  });

  it('is remembered when the window is closed and opened again, as digests', () => {
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

  it('is not mixed up with that of another file', () => {
    activeServers.setFile(path, file({ a }));
    later();
    conversationsAre({ id: 'one', createdAt: clock.now() });
    activeServers.setFile('/other.json', file({ b }), clock.now() + 1);
    assert.deepEqual(known(), [['one', undefined, undefined]]);
  });

  describe('is told', () => {
    let told: number;
    const one = { id: 'one', title: 'One', createdAt: 1 };

    beforeEach(() => {
      activeServers.setFile(path, file({ a }));
      conversationsAre(one);
      told = 0;
      activeServers.onChange(() => told++);
    });

    it('when the file is different, or another conversation runs, or one by another title', () => {
      activeServers.setFile(path, file({ b }));
      conversationsAre(one, { id: 'two', createdAt: 2 });
      conversationsAre({ ...one, title: 'Uno' }, { id: 'two', createdAt: 2 });
      conversationsAre({ ...one, title: 'Uno' });
      assert.equal(told, 4);
    });

    it('not when conversations only work, or others stop', () => {
      conversationsAre({ ...one, updatedAt: 5, execution: 'running' });
      conversationsAre(one, { id: 'two', status: 'stopped' });
      activeServers.setConversations(new Map());
      conversationsAre();
      assert.equal(told, 1);
    });
  });

  it('is worked out once for all conversations that started with the same file, until the file is different', () => {
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

  it('has nothing to do with how a conversation is called', () => {
    activeServers.setFile(path, file({ a }));
    conversationsAre({ id: 'constructor', createdAt: clock.now() });
    assert.deepEqual(known(), [['constructor', ['a'], []]]);
    assert.equal(activeServers.running[0]?.seen, false);
  });
});
