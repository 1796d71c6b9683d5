import fc from 'fast-check';
import { editText } from '../../src/mcp/edit.ts';
import { editSequences } from '../support/editSequences.ts';

describe('a sequence of changes', () => {
  it('loses no byte of any of 100,000 odd texts', () => {
    fc.assert(editSequences(editText), { numRuns: 100_000 });
  });
});
