import { countDone } from '../../support/done.ts';
import { updateBeside } from '../../support/files/beside.ts';
import { scratchFolder } from '../../support/files/scratch.ts';
import { inWords, times } from '../times.ts';

describe('a program that keeps writing the configuration without a lock', () => {
  const folder = scratchFolder();
  const least = times(20_000);

  it(`loses no write during ${inWords(least)} of our updates, and always finds a complete file`, async function () {
    this.timeout(1_800_000);
    const { updates, overtaken, writes } = await updateBeside(
      folder.path('mcp.json'),
      least,
    );
    countDone(updates, 'updates of ours');
    countDone(overtaken, 'of them redone on a newer text');
    countDone(writes, 'writes of the other program');
  });
});
