import fc from 'fast-check';
import { takesOverAsGitMerges } from './randomChanges.ts';

describe('taking over, with random files and changes on both sides', () => {
  // Each starts dozens of processes. The soak does many.
  it('is what a merge of Git is, or touches nothing; and undo gives the same bytes', async () => {
    await fc.assert(takesOverAsGitMerges(), { numRuns: 10 });
  });
});
