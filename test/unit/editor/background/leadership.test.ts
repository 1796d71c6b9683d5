import assert from 'node:assert/strict';
import { noLog } from '../../../../src/base/log.ts';
import { Leadership } from '../../../../src/editor/background/leadership.ts';
import { SteppedClock } from '../../../support/steppedClock.ts';

/** Records the calls, and grants the lock to its owner. */
class LockStub {
  readonly asked: string[] = [];
  owner = 'us';
  failure: Error | undefined;

  acquire(isSeen: boolean): Promise<boolean> {
    this.asked.push(`take ${isSeen ? 'seen' : 'unseen'}`);
    return this.failure
      ? Promise.reject(this.failure)
      : Promise.resolve(this.owner === 'us');
  }

  release(): Promise<void> {
    this.asked.push('release');
    return Promise.resolve();
  }
}

describe('the leadership of a window', () => {
  let clock: SteppedClock;
  let lock: LockStub;
  let leadership: Leadership;
  let changes: boolean[];
  let wanted: boolean;
  let there: boolean;

  beforeEach(() => {
    clock = new SteppedClock();
    lock = new LockStub();
    wanted = there = true;
    changes = [];
    leadership = new Leadership({
      lock: () => Promise.resolve(lock),
      clock,
      log: noLog,
      isWanted: () => wanted,
      isSeen: () => false,
      isThere: () => Promise.resolve(there),
    });
    leadership.onChange(() => changes.push(leadership.isLeader));
  });

  async function pass(milliseconds: number): Promise<void> {
    clock.advance(milliseconds);
    await new Promise((resolve) => setImmediate(resolve));
  }

  it('leads while it holds the lock, and renews it every 10 s', async () => {
    await leadership.update();
    for (let i = 0; i < 3; i++) await pass(10_000);
    assert.deepEqual(lock.asked, Array(4).fill('take unseen'));
    assert.deepEqual(changes, [true]);
  });

  it('stops leading when another window takes the lock', async () => {
    await leadership.update();
    lock.owner = 'them';
    await pass(10_000);
    assert.deepEqual(changes, [true, false]);
    assert.equal(clock.pending, 0);
  });

  it('releases the lock when no longer wanted, and takes it again when wanted', async () => {
    await leadership.update();
    wanted = false;
    await leadership.update();
    assert.deepEqual(lock.asked, ['take unseen', 'release']);
    assert.deepEqual(changes, [true, false]);
    await leadership.update();
    assert.equal(lock.asked.length, 2, 'it holds nothing to release');
    wanted = true;
    await leadership.update();
    assert.deepEqual(changes, [true, false, true]);
  });

  it('releases the lock when closed, and never takes it again', async () => {
    await leadership.update();
    await leadership.end();
    await leadership.update();
    assert.deepEqual(lock.asked, ['take unseen', 'release']);
    assert.equal(clock.pending, 0);
  });

  it('releases the lock when its window is gone but its extensions still run', async () => {
    await leadership.update();
    there = false;
    await pass(10_000);
    await leadership.update();
    assert.deepEqual(lock.asked, ['take unseen', 'release']);
    assert.deepEqual(changes, [true, false]);
  });

  it('stops leading while the lock cannot be read', async () => {
    await leadership.update();
    lock.failure = new Error('EIO');
    await pass(10_000);
    assert.deepEqual(changes, [true, false]);
    lock.failure = undefined;
    await leadership.update();
    assert.deepEqual(changes, [true, false, true]);
  });
});
