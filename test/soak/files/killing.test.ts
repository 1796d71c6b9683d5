import assert from 'node:assert/strict';
import { countDone } from '../../support/done.ts';
import { killWriters } from '../../support/files/killing.ts';
import { scratchFolder } from '../../support/files/scratch.ts';
import { inWords, times } from '../times.ts';

describe('a killed process that was changing the configuration', () => {
  const folder = scratchFolder();
  const kills = times(1_000);

  it(`leaves a complete file and only leftovers that the next change removes, ${inWords(kills)} times`, async function () {
    this.timeout(1_800_000);
    const littered = await killWriters(folder.path('mcp.json'), kills);
    assert.ok(
      littered > kills / 10,
      `Only ${littered} were killed in the middle of writing.`,
    );
    countDone(kills, 'processes killed with SIGKILL');
    countDone(littered, 'of them in the middle of an update');
  });
});
