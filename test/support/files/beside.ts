import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { updateConfig } from '../../../src/files/update.ts';
import {
  childEnvironment,
  contentOf,
  counting,
  ended,
  namesIn,
  parsed,
} from './scratch.ts';

/**
 * Counts of our updates, those that were redone, and the writes of the other
 * program.
 */
interface Traffic {
  readonly updates: number;
  readonly overtaken: number;
  readonly writes: number;
}

/**
 * Updates a file at least `times` times while another program writes it without
 * a lock, until that program has written between our read and our write in a
 * tenth as many cases. Checks that we lose none of its writes, and that the
 * file is complete at each update and at the end.
 */
export async function updateBeside(
  file: string,
  times: number,
): Promise<Traffic> {
  await writeFile(file, '{}', { mode: 0o600 });
  const other = spawn(
    process.execPath,
    [join(import.meta.dirname, 'overwriter.ts'), file],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: childEnvironment,
    },
  );
  const output = textOf(other.stdout);
  let updates = 0;
  let overtaken = 0;
  try {
    while (updates < times || overtaken < times / 10) {
      let calls = 0;
      const { before, after } = await updateConfig(file, (text) => {
        calls++;
        return counting('ours')(text);
      });
      assert.equal(after, counting('ours')(String(before)));
      updates++;
      overtaken += calls - 1;
    }
  } finally {
    other.stdin.end();
  }
  assert.equal(await ended(other), 0);
  const { writes, lost } = JSON.parse(await output) as {
    writes: number;
    lost: number;
  };
  assert.ok(writes > times / 10, `${writes} writes`);
  assert.equal(
    lost,
    0,
    `${lost} of ${writes} writes lost during ${updates} updates`,
  );
  parsed(await contentOf(file));
  assert.deepEqual(await namesIn(dirname(file)), ['mcp.json']);
  return { updates, overtaken, writes };
}
