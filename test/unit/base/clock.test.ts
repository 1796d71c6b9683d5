import assert from 'node:assert/strict';
import { atMost } from '../../../src/base/clock.ts';
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
