import assert from 'node:assert/strict';
import { killWriters } from '../../unit/files/killing.ts';
import { scratchFolder } from '../../unit/files/scratch.ts';

describe('killing a process that changes the configuration', () => {
  const folder = scratchFolder();

  it('leaves a whole text, 1,000 times, and nothing that the next change does not sweep', async function () {
    this.timeout(1_800_000);
    const littered = await killWriters(folder.path('mcp.json'), 1_000);
    assert.ok(littered > 100, `Only ${littered} were killed in the middle of writing.`);
  });
});
