import assert from 'node:assert/strict';
import { noLog } from '../../../../src/base/log.ts';
import { Lookout } from '../../../../src/editor/background/lookout.ts';
import { SteppedClock } from '../../../support/steppedClock.ts';

/** Everything that was asked of the claim, and who has it. */
class ClaimStub {
  readonly asked: string[] = [];
  owner = 'us';
  failure: Error | undefined;

  take(isSeen: boolean): Promise<boolean> {
    this.asked.push(`take ${isSeen ? 'seen' : 'unseen'}`);
    return this.failure ? Promise.reject(this.failure) : Promise.resolve(this.owner === 'us');
  }

  release(): Promise<void> {
    this.asked.push('release');
    return Promise.resolve();
  }
}

describe('the lookout of a window', () => {
  let clock: SteppedClock;
  let claim: ClaimStub;
  let lookout: Lookout;
  let told: boolean[];
  let wanted: boolean;
  let there: boolean;

  beforeEach(() => {
    clock = new SteppedClock();
    claim = new ClaimStub();
    wanted = there = true;
    told = [];
    lookout = new Lookout({
      claim: () => Promise.resolve(claim),
      clock,
      log: noLog,
      isWanted: () => wanted,
      isSeen: () => false,
      isThere: () => Promise.resolve(there),
    });
    lookout.onChange(() => told.push(lookout.isLooking));
  });

  async function pass(milliseconds: number): Promise<void> {
    clock.advance(milliseconds);
    await new Promise((resolve) => setImmediate(resolve));
  }

  it('looks while it holds the claim, and renews it every 10 s', async () => {
    await lookout.decide();
    for (let i = 0; i < 3; i++) await pass(10_000);
    assert.deepEqual(claim.asked, Array(4).fill('take unseen'));
    assert.deepEqual(told, [true]);
  });

  it('stops looking when another window takes the claim', async () => {
    await lookout.decide();
    claim.owner = 'them';
    await pass(10_000);
    assert.deepEqual(told, [true, false]);
    assert.equal(clock.pending, 0);
  });

  it('releases the claim when no longer wanted, and takes it again when wanted', async () => {
    await lookout.decide();
    wanted = false;
    await lookout.decide();
    assert.deepEqual(claim.asked, ['take unseen', 'release']);
    assert.deepEqual(told, [true, false]);
    await lookout.decide();
    assert.equal(claim.asked.length, 2, 'it has nothing to leave');
    wanted = true;
    await lookout.decide();
    assert.deepEqual(told, [true, false, true]);
  });

  it('releases the claim when closed, and never takes it again', async () => {
    await lookout.decide();
    await lookout.end();
    await lookout.decide();
    assert.deepEqual(claim.asked, ['take unseen', 'release']);
    assert.equal(clock.pending, 0);
  });

  it('releases the claim when its window is gone but its extensions still run', async () => {
    await lookout.decide();
    there = false;
    await pass(10_000);
    await lookout.decide();
    assert.deepEqual(claim.asked, ['take unseen', 'release']);
    assert.deepEqual(told, [true, false]);
  });

  it('stops looking while the claim cannot be read', async () => {
    await lookout.decide();
    claim.failure = new Error('EIO');
    await pass(10_000);
    assert.deepEqual(told, [true, false]);
    claim.failure = undefined;
    await lookout.decide();
    assert.deepEqual(told, [true, false, true]);
  });
});
