import assert from 'node:assert/strict';
import { Pacer, type Priority } from '../../../src/service/pacer.ts';
import { SteppedClock } from '../../support/steppedClock.ts';

const never = new AbortController().signal;
/** Lets promises that have been resolved go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the pace of requests', () => {
  let clock: SteppedClock;
  let pacer: Pacer;
  let started: string[];

  beforeEach(() => {
    clock = new SteppedClock();
    pacer = new Pacer(clock, 8);
    started = [];
  });

  function ask(name: string, priority: Priority = 'person', signal = never): void {
    void pacer.turn(priority, signal).then(
      () => started.push(name),
      () => started.push(`not ${name}`),
    );
  }

  it('lets eight start within any second, and the others as soon as that allows', async () => {
    for (let i = 0; i < 20; i++) ask(String(i));
    await settle();
    assert.equal(started.length, 8);
    clock.advance(999);
    await settle();
    assert.equal(started.length, 8);
    clock.advance(1);
    await settle();
    assert.equal(started.length, 16);
    clock.advance(1000);
    await settle();
    assert.deepEqual(
      started,
      Array.from({ length: 20 }, (_, i) => String(i)),
    );
  });

  it('lets what a person asked for go before what a poll wants', async () => {
    for (let i = 0; i < 8; i++) ask('first');
    for (let i = 0; i < 8; i++) ask('poll', 'poll');
    ask('person');
    clock.advance(1000);
    await settle();
    assert.deepEqual(started.slice(8, 10), ['person', 'poll']);
  });

  it('leaves no timer when nobody waits any more', () => {
    const controller = new AbortController();
    for (let i = 0; i < 8; i++) ask('first');
    ask('second', 'person', controller.signal);
    ask('third', 'poll', controller.signal);
    assert.equal(clock.pending, 1);
    controller.abort();
    assert.equal(clock.pending, 0);
  });

  it('forgets who no longer waits', async () => {
    for (let i = 0; i < 8; i++) ask('first');
    const controller = new AbortController();
    ask('cancelled', 'person', controller.signal);
    ask('last');
    controller.abort();
    clock.advance(1000);
    await settle();
    assert.deepEqual(started.slice(8), ['not cancelled', 'last']);
    clock.advance(10_000);
    assert.equal(clock.pending, 0);
  });
});
