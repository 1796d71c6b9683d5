import assert from 'node:assert/strict';
import { atMost } from '../../../src/base/clock.ts';
import { SteppedClock } from '../../support/steppedClock.ts';

describe('waiting for some work, but not for long', () => {
  let clock: SteppedClock;

  beforeEach(() => {
    clock = new SteppedClock();
  });

  it('ends with the work, and leaves no timer behind', async () => {
    await atMost(clock, 1_000, Promise.resolve());
    assert.equal(clock.pending, 0);
    await assert.rejects(atMost(clock, 1_000, Promise.reject(new Error('It failed.'))), /It failed/);
    assert.equal(clock.pending, 0);
  });

  it('ends after the delay, whatever becomes of the work', async () => {
    const waiting = atMost(clock, 1_000, new Promise(() => undefined));
    clock.advance(999);
    assert.equal(clock.pending, 1);
    clock.advance(1);
    await waiting;
  });
});
