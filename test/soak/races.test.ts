import assert from 'node:assert/strict';
import { startDemo } from '../../src/demo/demoService.ts';
import { done } from '../support/done.ts';
import { HurriedClock } from '../support/hurriedClock.ts';
import { Races, windowsInWords } from './races.ts';
import { inWords, times } from './times.ts';

/** One after the other in a conversation, and so many conversations at once. */
const rounds = 50;
const together = 8;
const hurry = 30;

describe('what people do while an agent goes on', () => {
  const races = times(10_000);

  it(`runs nothing that they have not accepted, in ${inWords(races)} races with the demo service`, async () => {
    const clock = new HurriedClock(hurry);
    const demo = await startDemo({ interface: 'agentServer', clock, key: 'k' });
    try {
      const served = {
        url: demo.url,
        key: demo.key,
        folder: '/srv/agent/shop',
        isModelBroad: true,
        clock,
        windowClock: new HurriedClock(500),
      };
      const all = new Races(served, 17);
      let left = Math.ceil(races / rounds);
      const work = async () => {
        while (left-- > 0) await all.run(Math.min(rounds, races));
      };
      await Promise.all(Array.from({ length: together }, work));
      const { ran, accepted, inTheWindow, unaccepted } = all.outcome;
      assert.deepEqual(unaccepted, []);
      assert.ok(accepted > races / 20, `${accepted} of ${ran} were accepted`);
      done(races, 'races with the demo service');
      done(accepted, 'actions that ran because they were accepted');
      done(
        inTheWindow,
        `that began to wait between the last read and the handling: ${windowsInWords(all.outcome, hurry)}`,
      );
    } finally {
      await demo.stop();
    }
  });
});
