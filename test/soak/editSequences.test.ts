import fc from 'fast-check';
import { editText } from '../../src/mcp/edit/editText.ts';
import { countDone } from '../support/done.ts';
import { editSequences } from '../support/editSequences.ts';
import { inWords, times } from './times.ts';

describe('a sequence of changes', () => {
  const sequences = times(100_000);

  it(`loses no byte in ${inWords(sequences)} unusual texts`, () => {
    fc.assert(editSequences(editText), { numRuns: sequences });
    countDone(sequences, 'random sequences of changes');
  });
});
