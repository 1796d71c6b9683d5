import assert from 'node:assert/strict';
import { Poller } from '../../../../src/state/lists/poller.ts';
import { SteppedClock } from '../../../support/steppedClock.ts';
import { settle } from '../support.ts';

type Outcome = 'steady' | 'inTransition' | 'failed';

const minute = 60_000;

describe('a poller', () => {
  let clock: SteppedClock;
  let interval: number;
  let random: number;
  let isRetriedSoon: boolean;
  /** Times of the requests, since the beginning. */
  let asked: number[];
  /** Time that requests have waited for their turn. */
  let waited: number;
  /** Answers what has been asked for. */
  let answers: ((outcome: Outcome) => void)[];
  let atOnce: Outcome | undefined;
  let poller: Poller;

  beforeEach(() => {
    clock = new SteppedClock(0);
    interval = 30_000;
    random = 0.5;
    isRetriedSoon = false;
    asked = [];
    waited = 0;
    answers = [];
    atOnce = 'steady';
    poller = new Poller({
      ask: () => {
        asked.push(clock.now());
        return atOnce === undefined
          ? new Promise((resolve) => answers.push(resolve))
          : Promise.resolve(atOnce);
      },
      interval: () => interval,
      waited: () => waited,
      isRetriedSoon: () => isRetriedSoon,
      clock,
      random: () => random,
    });
  });

  async function advance(milliseconds: number): Promise<void> {
    await settle();
    const end = clock.now() + milliseconds;
    while (clock.now() < end) {
      clock.advance(Math.min(500, end - clock.now()));
      await settle();
    }
  }

  async function answer(outcome: Outcome): Promise<void> {
    answers.shift()?.(outcome);
    await settle();
  }

  /** The pauses between the askings. */
  const pauses = () =>
    asked.slice(1).map((time, index) => time - (asked[index] ?? 0));

  it('polls at once when it becomes active, and then at the interval', async () => {
    await advance(minute);
    assert.deepEqual(asked, []);
    poller.active = true;
    assert.equal(asked.length, 1);
    await advance(2 * minute);
    assert.deepEqual(asked, [60_000, 90_000, 120_000, 150_000, 180_000]);
  });

  it('stops when it becomes inactive, and leaves no timer', async () => {
    poller.active = true;
    await settle();
    assert.equal(clock.pending, 1);
    poller.active = false;
    assert.equal(clock.pending, 0);
    await advance(10 * minute);
    assert.equal(asked.length, 1);
    poller.active = true;
    assert.equal(asked.length, 2);
    await settle();
    poller.stop();
    assert.equal(clock.pending, 0);
  });

  it('does not poll again when it is activated twice', async () => {
    poller.active = true;
    await settle();
    poller.active = true;
    await advance(1_000);
    assert.equal(asked.length, 1);
    assert.equal(clock.pending, 1);
  });

  it('polls every 3 s while something is in transition', async () => {
    atOnce = 'inTransition';
    poller.active = true;
    await settle();
    await advance(9_000);
    assert.deepEqual(asked, [0, 3_000, 6_000, 9_000]);
    atOnce = 'steady';
    await advance(63_000);
    assert.deepEqual(asked.slice(4), [12_000, 42_000, 72_000]);
  });

  it('keeps a shorter interval while something is in transition', async () => {
    interval = 1_000;
    atOnce = 'inTransition';
    poller.active = true;
    await settle();
    await advance(3_000);
    assert.deepEqual(asked, [0, 1_000, 2_000, 3_000]);
  });

  it('pauses longer for a slow service while something is in transition', async () => {
    atOnce = undefined;
    poller.active = true;
    await advance(2_000);
    await answer('inTransition');
    await advance(8_000);
    assert.deepEqual(asked, [0, 10_000]);
    await advance(20_000);
    await answer('inTransition');
    await advance(80_000);
    assert.deepEqual(asked, [0, 10_000, 110_000]);
  });

  it('pauses for four times the duration of a reply if that is longer than the interval', async () => {
    atOnce = undefined;
    poller.active = true;
    await advance(7_500);
    await answer('steady');
    await advance(30_000);
    assert.deepEqual(asked, [0, 37_500]);
    await advance(10_000);
    await answer('steady');
    await advance(39_500);
    assert.equal(asked.length, 2);
    await advance(500);
    assert.deepEqual(asked, [0, 37_500, 87_500]);
  });

  it('does not count time in the queue as the duration of a reply', async () => {
    atOnce = undefined;
    poller.active = true;
    waited = 1_000;
    for (let i = 0; i < 2; i++) {
      await advance(20_000);
      waited += 18_000;
      await answer('steady');
      await advance(30_000);
    }
    assert.deepEqual(pauses(), [50_000, 50_000]);
  });

  it('pauses for at most 5 minutes, even if the machine has slept', async () => {
    atOnce = undefined;
    poller.active = true;
    await advance(8 * 60 * minute);
    await answer('steady');
    await advance(5 * minute);
    assert.equal(asked.length, 2);
  });

  it('never sends two polls at the same time, however long a reply takes', async () => {
    atOnce = undefined;
    poller.active = true;
    await advance(10 * minute);
    poller.active = false;
    poller.active = true;
    poller.active = false;
    poller.active = true;
    await advance(10 * minute);
    assert.equal(asked.length, 1);
    await answer('steady');
    assert.equal(clock.pending, 1);
    await advance(5 * minute);
    assert.equal(asked.length, 2);
  });

  it('does not poll after a reply that arrives while it is inactive', async () => {
    atOnce = undefined;
    poller.active = true;
    poller.active = false;
    await answer('inTransition');
    assert.equal(clock.pending, 0);
    await advance(minute);
    assert.equal(asked.length, 1);
  });

  describe('a poller of a failing service', () => {
    beforeEach(() => {
      atOnce = 'failed';
    });

    it('polls less and less often after failures, down to every 5 minutes', async () => {
      random = 1;
      poller.active = true;
      await settle();
      await advance(30 * minute);
      assert.deepEqual(
        pauses().slice(0, 6),
        [60_000, 120_000, 240_000, 300_000, 300_000, 300_000],
      );
    });

    it('polls earlier by a random time after failures, but no sooner than at the interval', async () => {
      random = 0;
      poller.active = true;
      await settle();
      await advance(30 * minute);
      assert.deepEqual(
        pauses().slice(0, 5),
        [45_000, 90_000, 180_000, 225_000, 225_000],
      );
    });

    it('retries every 8 s while somebody looks at a service out of reach, with one request each', async () => {
      random = 1;
      isRetriedSoon = true;
      poller.active = true;
      await settle();
      await advance(4 * minute);
      assert.deepEqual(new Set(pauses()), new Set([8_000]));
      assert.equal(asked.length, 31);
      atOnce = 'steady';
      await advance(8_000);
      assert.equal(asked.length, 32);
      await advance(minute);
      assert.equal(asked.length, 34);
      atOnce = 'failed';
      isRetriedSoon = false;
      await advance(2 * minute);
      assert.deepEqual(pauses().slice(-2), [30_000, 60_000]);
    });

    it('never retries while somebody looks less often than at the interval', async () => {
      interval = 2_000;
      isRetriedSoon = true;
      poller.active = true;
      await advance(10_000);
      assert.deepEqual(new Set(pauses()), new Set([2_000]));
    });

    it('keeps an interval of 10 minutes after failures', async () => {
      interval = 10 * minute;
      random = 0;
      poller.active = true;
      await settle();
      await advance(60 * minute);
      assert.deepEqual(new Set(pauses()), new Set([10 * minute]));
    });

    it('polls at the interval again as soon as the service recovers', async () => {
      random = 1;
      poller.active = true;
      await settle();
      await advance(3 * minute);
      atOnce = 'steady';
      await advance(30 * minute);
      assert.deepEqual(
        pauses().slice(0, 5),
        [60_000, 120_000, 240_000, 30_000, 30_000],
      );
      atOnce = 'failed';
      await advance(5 * minute);
      assert.equal(pauses().at(-1), 120_000);
    });

    it('polls at once when it becomes active again, in spite of failures', async () => {
      poller.active = true;
      await advance(10 * minute);
      poller.active = false;
      const before = asked.length;
      poller.active = true;
      assert.equal(asked.length, before + 1);
    });
  });

  describe('a poller with an interval of 0', () => {
    beforeEach(() => {
      interval = 0;
    });

    it('never polls with an interval of 0, even when it becomes active again', async () => {
      poller.active = true;
      poller.now();
      await advance(60 * minute);
      poller.active = false;
      poller.active = true;
      await advance(60 * minute);
      assert.deepEqual(asked, []);
      assert.equal(clock.pending, 0);
    });

    it('starts polling as soon as an interval is set', async () => {
      poller.active = true;
      await advance(minute);
      interval = 10_000;
      poller.now();
      await advance(10_000);
      assert.deepEqual(asked, [60_000, 70_000]);
    });

    it('stops polling as soon as the interval is 0, even after failures', async () => {
      interval = 10_000;
      atOnce = 'failed';
      poller.active = true;
      await advance(minute);
      const before = asked.length;
      interval = 0;
      poller.now();
      await advance(60 * minute);
      assert.equal(asked.length, before);
      assert.equal(clock.pending, 0);
    });
  });

  describe('a poll on demand', () => {
    it('polls at once on demand and restarts the interval', async () => {
      poller.active = true;
      await advance(10_000);
      poller.now();
      await advance(30_000);
      assert.deepEqual(asked, [0, 10_000, 40_000]);
      assert.equal(clock.pending, 1);
    });

    it('polls on demand after the reply in flight, because that reply is too old', async () => {
      atOnce = undefined;
      poller.active = true;
      await advance(5_000);
      poller.now();
      poller.now();
      assert.equal(asked.length, 1);
      await answer('steady');
      await advance(1);
      assert.equal(asked.length, 2);
      await answer('steady');
      await advance(29_000);
      assert.equal(asked.length, 2);
    });

    it('does not poll on demand while it is inactive', async () => {
      poller.now();
      await advance(minute);
      assert.deepEqual(asked, []);
      poller.active = true;
      poller.stop();
      poller.now();
      await advance(minute);
      assert.equal(asked.length, 1);
    });
  });
});
