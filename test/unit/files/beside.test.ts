import { updateBeside } from '../../support/files/beside.ts';
import { scratchFolder } from '../../support/files/scratch.ts';

describe('a program that keeps writing the configuration without a lock', () => {
  const folder = scratchFolder();

  it('loses no write during 200 of ours, while the file stays complete', async function () {
    this.timeout(120_000);
    await updateBeside(folder.path('mcp.json'), 200);
  });
});
