import { startMisbehavingDemo } from '../support/demo/faults/misbehavingDemo.ts';
import { HurriedClock } from '../support/hurriedClock.ts';
import { race } from './races.ts';
import { inWords, times } from './times.ts';

/** One after the other in a conversation, and so many conversations at once. */
const rounds = 50;
const together = 8;
const hurry = 30;

describe('a race between two windows and an agent', () => {
  const races = times(10_000);

  it(`runs no action that was shown but not accepted in ${inWords(races)} races with the demo service`, async () => {
    const clock = new HurriedClock(hurry);
    const demo = await startMisbehavingDemo({
      interface: 'agentServer',
      clock,
      key: 'k',
    });
    try {
      const served = {
        url: demo.url,
        key: demo.key,
        folder: '/srv/agent/shop',
        isModelBroad: true,
        clock,
        windowClock: new HurriedClock(500),
      };
      await race(served, {
        races,
        rounds,
        together,
        hurry,
        against: 'the demo service',
      });
    } finally {
      await demo.stop();
    }
  });
});
