import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { startService } from '../real/services.ts';
import { countDone } from '../support/done.ts';
import { assertFailedInterruptsOnly } from './failedInterrupts.ts';
import { type Outcome, race, raceInterrupted, type Served } from './races.ts';
import { inWords, times } from './times.ts';

/** One after the other in a conversation, and so many conversations at once. */
const rounds = 25;
const together = 2;

describe('a race between two windows and an agent', () => {
  const races = times(200);
  const interruptedRaces = times(400);

  async function serve(): Promise<Served> {
    const real = await startService('agentServer', { LOG_TO_FILE: 'true' });
    const { url, key, home } = real;
    return {
      url,
      key,
      log: () => readLog(join(home, 'logs')),
      folder: home,
      isModelBroad: false,
      clock: systemClock,
      windowClock: systemClock,
      choicesPath: join(home, 'choices.json'),
      restart: () => real.restart(),
    };
  }

  async function assertNoOtherFaults(
    served: Served,
    { failedInterrupts }: Outcome,
  ): Promise<void> {
    assertFailedInterruptsOnly((await served.log?.()) ?? '', failedInterrupts);
    const interrupts = failedInterrupts === 1 ? 'interrupt' : 'interrupts';
    countDone(
      failedInterrupts,
      `${interrupts} that the server itself answered with a 500, none sent again`,
    );
  }

  it(`runs no action that was shown but not accepted in ${inWords(races)} races with a real Agent Server`, async () => {
    const served = await serve();
    const plan = { races, rounds, together, against: 'a real Agent Server' };
    await assertNoOtherFaults(served, await race(served, plan));
  });

  it(`runs no action that was shown but not accepted in ${inWords(interruptedRaces)} races over restarts and forks`, async () => {
    const served = await serve();
    const plan = {
      races: interruptedRaces,
      rounds: 10,
      against: 'a real Agent Server',
    };
    await assertNoOtherFaults(served, await raceInterrupted(served, plan));
  });
});

/**
 * Today's file is `app.log`; the one of the day before has its date at the end
 * of its name.
 */
async function readLog(folder: string): Promise<string> {
  const names = (await readdir(folder)).sort().reverse();
  const texts = await Promise.all(
    names.map((name) => readFile(join(folder, name), 'utf8')),
  );
  return texts.join('');
}
