import { done } from '../../support/done.ts';
import { updateBeside } from '../../support/files/beside.ts';
import { scratchFolder } from '../../support/files/scratch.ts';
import { inWords, times } from '../times.ts';

describe('a program beside us that writes the configuration all the time, without a lock', () => {
  const folder = scratchFolder();
  const least = times(20_000);

  it(`loses none of its writes through ${inWords(least)} of ours, and the file is never half a text`, async function () {
    this.timeout(1_800_000);
    const { updates, overtaken, writes } = await updateBeside(folder.path('mcp.json'), least);
    done(updates, 'updates of ours');
    done(overtaken, 'of them made again on a newer text');
    done(writes, 'writes of the other program');
  });
});
