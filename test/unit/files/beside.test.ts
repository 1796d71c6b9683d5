import { updateBeside } from '../../support/files/beside.ts';
import { scratchFolder } from '../../support/files/scratch.ts';

describe('a program beside us that writes the configuration all the time, without a lock', () => {
  const folder = scratchFolder();

  it('loses none of its writes through 200 of ours, and the file is never half a text', async function () {
    this.timeout(120_000);
    await updateBeside(folder.path('mcp.json'), 200);
  });
});
