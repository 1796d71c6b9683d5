import assert from 'node:assert/strict';
import { keyOf } from '../../../../src/service/model/entities.ts';
import { RemovedWorktrees } from '../../../../src/state/conversation/removedWorktrees.ts';
import { Switchboard } from '../../../../src/state/switchboard.ts';
import { SteppedClock } from '../../../support/steppedClock.ts';
import { conversation, MemoryStore } from '../support.ts';

describe('the memory of removed worktrees', () => {
  const [one, two] = [conversation({ id: '1' }), conversation({ id: '2' })];
  const removed = {
    repository: '/srv/shop/.git',
    folder: '/tmp/conversation-worktrees/1/shop',
    branch: 'openhands/1',
    isDetached: false,
    hasFiles: true,
  };

  it('survives a restart, and forgets a worktree for all that shared it', async () => {
    const store = new MemoryStore();
    const memory = new RemovedWorktrees(store);
    const elsewhere = { ...removed, folder: '/tmp/other' };
    const three = conversation({ id: '3' });
    await memory.remember(keyOf(one), removed);
    await memory.remember(keyOf(two), removed);
    await memory.remember(keyOf(three), elsewhere);
    const later = new RemovedWorktrees(store);
    assert.deepEqual(later.get(keyOf(one)), removed);
    const changed: string[] = [];
    later.onChange((key) => changed.push(key));
    await later.forget(removed);
    assert.deepEqual(changed.sort(), [keyOf(one), keyOf(two)].sort());
    assert.equal(memory.get(keyOf(one)), undefined);
    assert.equal(memory.get(keyOf(two)), undefined);
    assert.deepEqual(memory.get(keyOf(three)), elsewhere);
  });

  it('ignores what it cannot read', async () => {
    for (const stored of [null, 'x', {}, { ...removed, branch: 1 }]) {
      const store = new MemoryStore();
      await store.update('removedWorktrees', [[keyOf(one), stored]]);
      assert.equal(new RemovedWorktrees(store).get(keyOf(one)), undefined);
    }
  });

  it('tells how an agent gets its folder back, and nothing of others', async () => {
    const switchboard = new Switchboard({
      store: new MemoryStore(),
      globalStore: new MemoryStore(),
      clock: new SteppedClock(),
      pageSize: () => 20,
    });
    await switchboard.removedWorktrees.remember(keyOf(one), removed);
    assert.match(
      switchboard.whyNoFolder(one) ?? '',
      /Unarchive Conversation" to make it again/,
    );
    assert.equal(switchboard.whyNoFolder(two), undefined);
    const { signal } = new AbortController();
    await assert.rejects(
      switchboard.changes.load(one, 'start', { signal }),
      /Unarchive Conversation" to make it again/,
    );
  });
});
