import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countDone } from '../support/done.ts';
import {
  counts,
  takesOverAsGitMerges,
} from '../unit/takeOver/randomChanges.ts';
import { inWords, times } from './times.ts';

describe('Take Over Changes', () => {
  const runs = times(1_000);

  it(`matches a Git merge or changes nothing, and undoes every byte, in ${inWords(runs)} random repositories`, async () => {
    await fc.assert(takesOverAsGitMerges(), { numRuns: runs });
    assert.ok(counts.clean > 0 && counts.conflict > 0, JSON.stringify(counts));
    countDone(counts.clean, 'joined without a conflict');
    countDone(counts.conflict, 'with conflicts');
    countDone(counts.refused, 'refused, and left alone');
  });
});
