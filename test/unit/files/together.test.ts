import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { link, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readConfig } from '../../../src/files/read.ts';
import {
  childEnvironment,
  contentOf,
  deadProcess,
  ended,
  namesIn,
  parsed,
  scratchFolder,
} from './scratch.ts';

const updater = join(import.meta.dirname, 'updater.ts');

describe('several processes that change the configuration', () => {
  const folder = scratchFolder();
  const file = () => folder.path('mcp.json');

  /** Each process counts under its own name. */
  async function updateTogether(processes: number, times: number): Promise<void> {
    const children = Array.from({ length: processes }, (_, i) =>
      spawn(process.execPath, [updater, file(), `p${i}`, String(times)], {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: childEnvironment,
      }),
    );
    assert.deepEqual(
      await Promise.all(children.map(ended)),
      children.map(() => 0),
    );
  }

  const allOf = (processes: number, times: number) =>
    Object.fromEntries(Array.from({ length: processes }, (_, i) => [`p${i}`, times]));

  it('lose no update of 8 x 250, and leave nothing but the file', async function () {
    this.timeout(120_000);
    await updateTogether(8, 250);
    assert.deepEqual(parsed(await contentOf(file())), allOf(8, 250));
    assert.deepEqual(await namesIn(folder.path()), ['mcp.json']);
  });

  it('take over the locks of dead processes one at a time, so that no update is lost', async function () {
    this.timeout(60_000);
    await writeFile(file(), '{}');
    const pid = await deadProcess();
    let running = true;
    const isRunning = () => running;
    const updates = updateTogether(8, 50).finally(() => {
      running = false;
    });
    let planted = 0;
    while (isRunning()) {
      const lock = folder.path(`dead${planted}`);
      await writeFile(lock, `${pid} ${hostname()} ${randomBytes(8).toString('hex')}\n`);
      // As soon as nobody has the lock, it is that of a dead process.
      while (isRunning() && !(await succeeds(link(lock, `${file()}.lock`)))) await nextTurn();
      await unlink(lock);
      planted++;
      // Dead locks at every moment would leave no time to update.
      const text = await contentOf(file());
      while (isRunning() && (await contentOf(file())) === text) await nextTurn();
    }
    await updates;
    assert.deepEqual(parsed(await contentOf(file())), allOf(8, 50));
    assert.ok(planted > 20, `${planted} locks planted`);
    await updateTogether(1, 1);
    assert.deepEqual(await namesIn(folder.path()), ['mcp.json']);
  });

  it('are read as whole texts at any moment', async function () {
    this.timeout(60_000);
    await writeFile(file(), '{}');
    let running = true;
    const isRunning = () => running;
    const updates = updateTogether(2, 100).finally(() => {
      running = false;
    });
    let reads = 0;
    while (isRunning()) {
      const read = await readConfig(file());
      assert.ok(read);
      parsed(read.text);
      reads++;
    }
    await updates;
    assert.ok(reads > 10, `${reads} reads`);
  });
});

const succeeds = (promise: Promise<unknown>) =>
  promise.then(
    () => true,
    () => false,
  );
