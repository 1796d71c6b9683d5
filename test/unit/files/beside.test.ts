import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { readConfig } from '../../../src/files/read.ts';
import { updateConfig } from '../../../src/files/update.ts';
import { contentOf, counting, ended, namesIn, parsed, scratchFolder } from './scratch.ts';

describe('a program beside us that writes the configuration without a lock and without a pause', () => {
  const folder = scratchFolder();

  it('loses none of its writes through ours, and the file is never half a text', async function () {
    this.timeout(120_000);
    const file = folder.path('mcp.json');
    await writeFile(file, '{}');
    const other = spawn(process.execPath, [join(import.meta.dirname, 'overwriter.ts'), file], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const output = textOf(other.stdout);
    let updates = 0;
    let again = 0;
    try {
      // Until it has been overtaken often enough.
      while (updates < 200 || again < 20) {
        let calls = 0;
        const { before, after } = await updateConfig(file, (text) => {
          calls++;
          return counting('ours')(text);
        });
        // Each is made on a whole text.
        const { theirs, ours } = parsed(String(before));
        assert.deepEqual(parsed(after), {
          ...(theirs === undefined ? {} : { theirs }),
          ours: Number(ours ?? 0) + 1,
        });
        updates++;
        again += calls - 1;
      }
    } finally {
      other.stdin.end();
    }
    assert.equal(await ended(other), 0);
    const { writes, lost } = JSON.parse(await output) as { writes: number; lost: number };
    assert.ok(writes > 20, `${writes} writes`);
    assert.equal(lost, 0, `of ${writes} writes beside ${updates} updates`);
    parsed(await contentOf(file));
    assert.equal((await readConfig(file))?.text, await contentOf(file));
    assert.deepEqual(await namesIn(folder.path()), ['mcp.json']);
    if (process.env.SWITCHBOARD_TEST_TELL) console.log({ writes, updates, again });
  });
});
