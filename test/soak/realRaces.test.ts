import { systemClock } from '../../src/base/clock.ts';
import { startService } from '../real/services.ts';
import { race } from './races.ts';
import { inWords, times } from './times.ts';

/** One after the other in a conversation, and so many conversations at once. */
const rounds = 25;
const together = 2;

describe('a race between two windows and an agent', () => {
  const races = times(200);

  it(`runs no action that was shown but not accepted in ${inWords(races)} races with a real Agent Server`, async () => {
    const { url, key, home } = await startService('agentServer');
    const served = {
      url,
      key,
      folder: home,
      isModelBroad: false,
      clock: systemClock,
      windowClock: systemClock,
    };
    await race(served, { races, rounds, together, against: 'a real Agent Server' });
  });
});
