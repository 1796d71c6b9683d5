import { updateBeside } from '../../unit/files/beside.ts';
import { scratchFolder } from '../../unit/files/scratch.ts';

describe('a program beside us that writes the configuration all the time, without a lock', () => {
  const folder = scratchFolder();

  it('loses none of its writes through 20,000 of ours, and the file is never half a text', async function () {
    this.timeout(600_000);
    await updateBeside(folder.path('mcp.json'), 20_000);
  });
});
