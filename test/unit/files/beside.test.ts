import { updateBeside } from '../../support/files/beside.ts';
import { scratchFolder } from '../../support/files/scratch.ts';

describe('another program that writes the configuration all the time, without a lock', () => {
  const folder = scratchFolder();

  it('loses none of its writes during 200 of ours, and the file is never half written', async function () {
    this.timeout(120_000);
    await updateBeside(folder.path('mcp.json'), 200);
  });
});
