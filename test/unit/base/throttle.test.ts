import assert from 'node:assert/strict';
import { Throttle } from '../../../src/base/throttle.ts';
import { SteppedClock } from '../../support/steppedClock.ts';

describe('a throttled action', () => {
  let clock: SteppedClock;
  let done: number[];
  let throttle: Throttle;

  beforeEach(() => {
    clock = new SteppedClock(0);
    done = [];
    throttle = new Throttle(clock, 40, () => done.push(clock.now()));
  });

  it('runs at once when idle, and once for all requests within the interval', () => {
    throttle.request();
    clock.advance(10);
    throttle.request();
    throttle.request();
    clock.advance(100);
    throttle.request();
    assert.deepEqual(done, [0, 40, 110]);
  });

  it('waits for the interval after a run that was not requested', () => {
    throttle.done();
    clock.advance(10);
    throttle.request();
    clock.advance(30);
    assert.deepEqual(done, [40]);
  });

  it('skips a cancelled run and runs again on the next request', () => {
    throttle.request();
    throttle.request();
    throttle.cancel();
    assert.equal(clock.pending, 0);
    clock.advance(100);
    throttle.request();
    assert.deepEqual(done, [0, 100]);
  });

  it('waits no longer than the interval when the system clock is set back', () => {
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
