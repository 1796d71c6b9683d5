import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { updateConfig } from '../../../src/files/update.ts';
import { until } from '../eventually.ts';
import {
  childEnvironment,
  contentOf,
  ended,
  namesIn,
  parsed,
} from './scratch.ts';

/** The text for a number, large enough that a kill can interrupt its write. */
export function textOf(n: number): string {
  return JSON.stringify({ n, filler: `${n} `.repeat(20_000) });
}

export function nextText(text: string): string {
  return textOf(Number(parsed(text).n) + 1);
}

/**
 * Kills processes while they change the file: at random moments, or as soon as
 * they write beside it. Checks that the file is complete and no older than
 * before, and that the next change succeeds and cleans up. Resolves to how many
 * processes left temporary files.
 */
export async function killWriters(
  file: string,
  times: number,
): Promise<number> {
  await writeFile(file, textOf(0), { mode: 0o600 });
  const waiting = [start(file), start(file)];
  let littered = 0;
  let n = 0;
  try {
    for (let i = 0; i < times; i++) {
      const writer = await waiting.shift();
      assert.ok(writer);
      waiting.push(start(file));
      writer.stdin.write('\n');
      await once(writer.stdout, 'data');
      if (i % 2 === 0) await pause(Math.random() * 25);
      else
        await until(
          async () => (await readdir(dirname(file))).length > 1,
          undefined,
          0,
        );
      writer.kill('SIGKILL');
      assert.equal(await ended(writer), null);

      const text = await contentOf(file);
      const found = Number(parsed(text).n);
      assert.ok(
        text === textOf(found),
        `The text for ${found} is not complete.`,
      );
      assert.ok(found >= n, `${found} came after ${n}.`);
      if ((await readdir(dirname(file))).length > 1) littered++;
      await updateConfig(file, nextText);
      n = found + 1;
      assert.ok((await contentOf(file)) === textOf(n));
      assert.deepEqual(await namesIn(dirname(file)), ['mcp.json']);
    }
  } finally {
    for (const writer of await Promise.all(waiting)) {
      writer.kill('SIGKILL');
      await ended(writer);
    }
  }
  return littered;
}

/** Starts a process and waits until it is ready to write. */
async function start(file: string) {
  const writer = spawn(
    process.execPath,
    [join(import.meta.dirname, 'killed.ts'), file],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: childEnvironment,
    },
  );
  await once(writer.stdout, 'data');
  return writer;
}
