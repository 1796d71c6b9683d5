import assert from 'node:assert/strict';
import { atMost, sleep, systemClock } from '../../../src/base/clock.ts';
import { SteppedClock } from '../../support/steppedClock.ts';

describe('a wait with a time limit', () => {
  let clock: SteppedClock;

  beforeEach(() => {
    clock = new SteppedClock();
  });

  it('settles with the work and leaves no timer pending', async () => {
    await atMost(clock, 1_000, Promise.resolve());
    assert.equal(clock.pending, 0);
    await assert.rejects(
      atMost(clock, 1_000, Promise.reject(new Error('It failed.'))),
      /It failed/,
    );
    assert.equal(clock.pending, 0);
  });

  it('ends after the time limit while the work is still pending', async () => {
    const waiting = atMost(clock, 1_000, new Promise(() => undefined));
    clock.advance(999);
    assert.equal(clock.pending, 1);
    clock.advance(1);
    await waiting;
  });
});

describe('the clock of the system', () => {
  it('takes a delay that is longer than a timer can wait', async () => {
    let isCalled = false;
    const cancel = systemClock.after(2 ** 31, () => {
      isCalled = true;
    });
    await sleep(systemClock, 10);
    cancel();
    assert.equal(isCalled, false);
  });
});
