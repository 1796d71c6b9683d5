import assert from 'node:assert/strict';
import { countDone } from '../../support/done.ts';
import {
  contentOf,
  namesIn,
  parsed,
  scratchFolder,
} from '../../support/files/scratch.ts';
import { allOf, updateTogether } from '../../support/files/together.ts';
import { inWords, times } from '../times.ts';

describe('a configuration file that several processes change at once', () => {
  const folder = scratchFolder();
  const each = times(2_500);

  it(`keeps all 8 x ${inWords(each)} updates and leaves no other file`, async function () {
    this.timeout(1_800_000);
    const file = folder.path('mcp.json');
    await updateTogether(file, 8, each);
    assert.deepEqual(parsed(await contentOf(file)), allOf(8, each));
    assert.deepEqual(await namesIn(folder.path()), ['mcp.json']);
    countDone(8 * each, 'updates of 8 processes');
  });
});
