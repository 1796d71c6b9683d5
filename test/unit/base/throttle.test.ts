import assert from 'node:assert/strict';
import { Throttle } from '../../../src/base/throttle.ts';
import { SteppedClock } from '../../support/steppedClock.ts';

describe('what is done not too often', () => {
  let clock: SteppedClock;
  let done: number[];
  let throttle: Throttle;

  beforeEach(() => {
    clock = new SteppedClock(0);
    done = [];
    throttle = new Throttle(clock, 40, () => done.push(clock.now()));
  });

  it('is done at once after a while, and for all who ask soon after it together', () => {
    throttle.request();
    clock.advance(10);
    throttle.request();
    throttle.request();
    clock.advance(100);
    throttle.request();
    assert.deepEqual(done, [0, 40, 110]);
  });

  it('waits after it was done without having been requested', () => {
    throttle.done();
    clock.advance(10);
    throttle.request();
    clock.advance(30);
    assert.deepEqual(done, [40]);
  });

  it('is not done any more when that is cancelled, until it is requested again', () => {
    throttle.request();
    throttle.request();
    throttle.cancel();
    assert.equal(clock.pending, 0);
    clock.advance(100);
    throttle.request();
    assert.deepEqual(done, [0, 100]);
  });

  it('waits no longer than that where the clock of the machine was set back', () => {
    let now = 1_000_000;
    const moved = { now: () => now, after: clock.after.bind(clock) };
    const other = new Throttle(moved, 40, () => done.push(clock.now()));
    other.request();
    now = 0;
    other.request();
    clock.advance(40);
    assert.deepEqual(done, [0, 40]);
  });
});
