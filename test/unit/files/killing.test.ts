import assert from 'node:assert/strict';
import { killWriters } from '../../support/files/killing.ts';
import { scratchFolder } from '../../support/files/scratch.ts';

describe('killing a process that changes the configuration', () => {
  const folder = scratchFolder();

  it('leaves a complete file 20 times, and only litter that the next change removes', async function () {
    this.timeout(120_000);
    const littered = await killWriters(folder.path('mcp.json'), 20);
    assert.ok(littered > 0, 'None was killed in the middle of writing.');
  });
});
