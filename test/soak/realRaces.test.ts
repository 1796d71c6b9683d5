import assert from 'node:assert/strict';
import { systemClock } from '../../src/base/clock.ts';
import { startService } from '../real/services.ts';
import { done } from '../support/done.ts';
import { Races, windowsInWords } from './races.ts';
import { inWords, times } from './times.ts';

/** One after the other in a conversation, and so many conversations at once. */
const rounds = 25;
const together = 2;

describe('what people do while an agent goes on', () => {
  const races = times(200);

  it(`runs nothing that they have not accepted, in ${inWords(races)} races with a real Agent Server`, async () => {
    const { url, key, home } = await startService('agentServer');
    const served = {
      url,
      key,
      folder: home,
      isModelBroad: false,
      clock: systemClock,
      windowClock: systemClock,
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
    done(races, 'races with a real Agent Server');
    done(accepted, 'actions that ran because they were accepted');
    done(
      inTheWindow,
      `that began to wait between the last read and the handling: ${windowsInWords(all.outcome)}`,
    );
  });
});
