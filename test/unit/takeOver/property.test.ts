import fc from 'fast-check';
import { takesOverAsGitMerges } from './randomChanges.ts';

describe('applying random changes to randomly changed files', () => {
  // Each starts dozens of processes. The soak does many.
  it('matches a Git merge or touches nothing, and undoes to the same bytes', async () => {
    await fc.assert(takesOverAsGitMerges(), { numRuns: 5 });
  });
});
