import assert from 'node:assert/strict';
import { SkippingClock } from '../../support/skippingClock.ts';
import { SteppedClock } from '../../support/steppedClock.ts';

describe('a clock that skips time', () => {
  let real: SteppedClock;
  let clock: SkippingClock;
  let ran: (readonly [name: string, at: number])[];

  beforeEach(() => {
    real = new SteppedClock(0);
    clock = new SkippingClock(real);
    ran = [];
  });

  const runAfter = (milliseconds: number, name: string) =>
    clock.after(milliseconds, () => ran.push([name, clock.now()]));

  it('passes as real time does until something is skipped', () => {
    runAfter(10, 'a');
    real.advance(9);
    assert.deepEqual(ran, []);
    real.advance(1);
    assert.deepEqual(ran, [['a', 10]]);
    assert.equal(real.pending, 0);
  });

  it('runs what is due in the skipped time once, in order and each at its own time', async () => {
    runAfter(20, 'b');
    runAfter(10, 'a');
    runAfter(20, 'c');
    clock.after(15, () => runAfter(3, 'requested on the way'));
    await clock.skip(20);
    assert.deepEqual(ran, [
      ['a', 10],
      ['requested on the way', 18],
      ['b', 20],
      ['c', 20],
    ]);
    assert.equal(real.pending, 0);
    assert.equal(clock.now(), 20);
    real.advance(100);
    assert.equal(ran.length, 4);
  });

  it('lets what follows from a callback happen at its time', async () => {
    clock.after(10, () => void Promise.resolve().then(() => runAfter(5, 'a')));
    runAfter(20, 'b');
    await clock.skip(20);
    assert.deepEqual(ran, [
      ['a', 15],
      ['b', 20],
    ]);
  });

  it('runs the rest earlier by the time that was skipped', async () => {
    runAfter(100, 'rest');
    await clock.skip(70);
    real.advance(29);
    assert.deepEqual(ran, []);
    real.advance(1);
    assert.deepEqual(ran, [['rest', 100]]);
  });

  it('does not run what was cancelled', async () => {
    const cancels = [runAfter(10, 'a'), runAfter(100, 'b')];
    for (const cancel of cancels) cancel();
    await clock.skip(200);
    real.advance(200);
    assert.deepEqual(ran, []);
    assert.equal(real.pending, 0);
  });

  it('lets nothing but what is skipped pass while it stands still', async () => {
    runAfter(10, 'a');
    runAfter(20, 'b');
    await clock.standStill(async () => {
      real.advance(1_000);
      assert.deepEqual([ran, clock.now()], [[], 0]);
      await clock.skip(15);
    });
    assert.deepEqual([ran, clock.now()], [[['a', 10]], 15]);
    real.advance(5);
    assert.deepEqual(ran.slice(1), [['b', 20]]);
  });
});
