import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { startService } from '../real/services.ts';
import { countDone } from '../support/done.ts';
import { assertFailedInterruptsOnly } from './failedInterrupts.ts';
import { race } from './races.ts';
import { inWords, times } from './times.ts';

/** One after the other in a conversation, and so many conversations at once. */
const rounds = 25;
const together = 2;

describe('a race between two windows and an agent', () => {
  const races = times(200);

  it(`runs no action that was shown but not accepted in ${inWords(races)} races with a real Agent Server`, async () => {
    // Read by the Agent Server, which then also logs to files in its home.
    process.env.LOG_TO_FILE = 'true';
    const { url, key, home } = await startService('agentServer').finally(() => {
      delete process.env.LOG_TO_FILE;
    });
    const log = () => readLog(join(home, 'logs'));
    const served = {
      url,
      key,
      log,
      folder: home,
      isModelBroad: false,
      clock: systemClock,
      windowClock: systemClock,
    };
    const plan = { races, rounds, together, against: 'a real Agent Server' };
    const { failedInterrupts } = await race(served, plan);
    assertFailedInterruptsOnly(await log(), failedInterrupts);
    const interrupts = failedInterrupts === 1 ? 'interrupt' : 'interrupts';
    countDone(failedInterrupts, `${interrupts} that the server itself answered with a 500, none sent again`);
  });
});

/** Today's file is `app.log`; the one of the day before has its date at the end of its name. */
async function readLog(folder: string): Promise<string> {
  const names = (await readdir(folder)).sort().reverse();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.join('');
}
