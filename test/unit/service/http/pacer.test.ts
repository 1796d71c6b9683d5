import assert from 'node:assert/strict';
import {
  Pacer,
  pauseAfter,
  type Priority,
} from '../../../../src/service/http/pacer.ts';
import { SteppedClock } from '../../../support/steppedClock.ts';

const never = new AbortController().signal;
/** Lets promises that have been resolved go on. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('the request pacer', () => {
  let clock: SteppedClock;
  let pacer: Pacer;
  let started: string[];

  beforeEach(() => {
    clock = new SteppedClock();
    pacer = new Pacer(clock, 8);
    started = [];
  });

  function ask(
    name: string,
    priority: Priority = 'person',
    signal = never,
  ): void {
    void pacer.turn(priority, signal).then(
      () => started.push(name),
      () => started.push(`not ${name}`),
    );
  }

  it('starts at most 8 requests within any second, the others as soon as possible', async () => {
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

  it('starts user requests before polls', async () => {
    for (let i = 0; i < 8; i++) ask('first');
    for (let i = 0; i < 8; i++) ask('poll', 'poll');
    ask('person');
    clock.advance(1000);
    await settle();
    assert.deepEqual(started.slice(8, 10), ['person', 'poll']);
  });

  it('starts at most 90 requests within any minute', async () => {
    for (let i = 0; i < 100; i++) ask(String(i));
    clock.advance(59_999);
    await settle();
    assert.equal(started.length, 90);
    clock.advance(60_000);
    await settle();
    assert.equal(started.length, 100);
  });

  it('starts fewer than 60 polls per minute and leaves room for user requests', async () => {
    const polls = (count: number) => {
      for (let i = 0; i < count; i++) ask('poll', 'poll');
    };
    polls(200);
    clock.advance(59_999);
    await settle();
    assert.equal(started.length, 57);
    for (let i = 0; i < 8; i++) ask('person');
    await settle();
    assert.deepEqual(
      started.slice(57),
      Array.from({ length: 8 }, () => 'person'),
    );
  });

  it('reserves some requests for stopping an agent and starts those first', async () => {
    for (let i = 0; i < 90; i++) ask('person');
    clock.advance(12_000);
    await settle();
    assert.equal(started.length, 90);
    for (let i = 0; i < 8; i++) ask('person');
    for (let i = 0; i < 10; i++) ask('stop', 'stop');
    clock.advance(3_000);
    await settle();
    assert.deepEqual(
      started.slice(90),
      Array.from({ length: 9 }, () => 'stop'),
    );
    clock.advance(60_000);
    await settle();
    assert.deepEqual(started.slice(99, 101), ['stop', 'person']);
  });

  it('holds back only polls when the service has no quota', async () => {
    for (let i = 0; i < 100; i++) ask('person');
    clock.advance(20_000);
    await settle();
    assert.equal(started.length, 90);
    pacer.liftQuota();
    await settle();
    assert.equal(started.length, 100);
    for (let i = 0; i < 100; i++) ask('poll', 'poll');
    clock.advance(30_000);
    await settle();
    assert.equal(started.filter((one) => one === 'person').length, 100);
    assert.equal(started.filter((one) => one === 'poll').length, 38);
  });

  it('never delays user requests for polls', async () => {
    for (let i = 0; i < 21; i++) ask('poll', 'poll');
    clock.advance(5_000);
    await settle();
    assert.equal(started.length, 19);
    for (let i = 0; i < 9; i++) ask('person');
    clock.advance(1_000);
    await settle();
    assert.equal(started.length, 28);
    clock.advance(20_000);
    await settle();
    assert.equal(started.at(-1), 'poll');
    assert.equal(clock.pending, 0);
  });

  it('starts a poll at once when the user begins to wait for it', async () => {
    for (let i = 0; i < 19; i++) ask('poll', 'poll');
    clock.advance(5_000);
    const promotion = new AbortController();
    void pacer
      .turn('poll', never, promotion.signal)
      .then(() => started.push('promoted'));
    await settle();
    assert.equal(started.length, 19);
    promotion.abort();
    void pacer
      .turn('poll', never, promotion.signal)
      .then(() => started.push('promoted'));
    await settle();
    assert.deepEqual(started.slice(19, 21), ['promoted', 'promoted']);
    assert.equal(clock.pending, 0);
  });

  it('measures how long polls have waited for their turn', async () => {
    pacer = new Pacer(clock, 90);
    for (let i = 0; i < 19; i++) ask('poll', 'poll');
    clock.advance(5_000);
    assert.equal(pacer.pollsWaited, 0, 'none has waited');
    ask('late', 'poll');
    ask('later', 'poll');
    const end = new AbortController();
    ask('given up', 'poll', end.signal);
    clock.advance(4_000);
    assert.equal(
      pacer.pollsWaited,
      4_000,
      'of several that wait at once, the time counts once',
    );
    end.abort();
    clock.advance(11_000);
    await settle();
    assert.deepEqual(started.slice(19), ['not given up', 'late', 'later']);
    clock.advance(60_000);
    assert.equal(pacer.pollsWaited, 15_000);
    for (let i = 0; i < 91; i++) ask('person');
    clock.advance(30_000);
    assert.equal(pacer.pollsWaited, 15_000, 'a person is not a poll');
  });

  it('starts all requests at once without a limit', async () => {
    pacer = new Pacer(clock, Infinity);
    for (let i = 0; i < 500; i++) ask('x', 'poll');
    await settle();
    assert.equal(started.length, 500);
  });

  it('pauses 3 seconds instead of 1 between checks after 10 seconds', () => {
    const pauses = [0, 9_999, 10_000, 300_000].map((waited) =>
      pauseAfter(waited, 100),
    );
    assert.deepEqual(pauses, [1_000, 1_000, 3_000, 3_000]);
  });

  it('pauses four times as long as a check took, but at most 30 seconds', () => {
    const pauses = [250, 251, 2_000, 7_500, 60_000].map((took) =>
      pauseAfter(0, took),
    );
    assert.deepEqual(pauses, [1_000, 1_004, 8_000, 30_000, 30_000]);
  });

  it('leaves no timer when no request is waiting', () => {
    const controller = new AbortController();
    for (let i = 0; i < 8; i++) ask('first');
    ask('second', 'person', controller.signal);
    ask('third', 'poll', controller.signal);
    assert.equal(clock.pending, 1);
    controller.abort();
    assert.equal(clock.pending, 0);
  });

  it('forgets cancelled requests', async () => {
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
