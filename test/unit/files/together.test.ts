import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { link, unlink, writeFile } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { readConfig } from '../../../src/files/read.ts';
import { countDone } from '../../support/done.ts';
import {
  contentOf,
  deadProcess,
  lockText,
  namesIn,
  parsed,
  scratchFolder,
} from '../../support/files/scratch.ts';
import { allOf, updateTogether } from '../../support/files/together.ts';

describe('a configuration that several processes change', () => {
  const folder = scratchFolder();
  const file = () => folder.path('mcp.json');

  it('loses none of 8 x 50 updates, and leaves no other files', async function () {
    this.timeout(120_000);
    await updateTogether(file(), 8, 50);
    assert.deepEqual(parsed(await contentOf(file())), allOf(8, 50));
    assert.deepEqual(await namesIn(folder.path()), ['mcp.json']);
    countDone(8 * 50, 'updates of 8 processes');
  });

  it('loses none of 6 x 30 updates in separate containers with clocks 40 seconds apart', async function () {
    this.timeout(120_000);
    await updateTogether(file(), 6, 30, 'apart');
    assert.deepEqual(parsed(await contentOf(file())), allOf(6, 30));
    assert.deepEqual(await namesIn(folder.path()), ['mcp.json']);
    countDone(
      6 * 30,
      'updates of processes with clocks 40 seconds apart, which cannot look each other up',
    );
  });

  it('loses no update while processes take over the locks of dead ones', async function () {
    this.timeout(180_000);
    await writeFile(file(), '{}', { mode: 0o600 });
    const pid = await deadProcess();
    let running = true;
    const isRunning = () => running;
    const updates = updateTogether(file(), 8, 50).finally(() => {
      running = false;
    });
    let planted = 0;
    while (isRunning()) {
      const lock = folder.path(`dead${planted}`);
      await writeFile(lock, lockText(pid, randomBytes(8).toString('hex')));
      // Whenever nobody holds the lock, there is one of a dead process.
      while (isRunning() && !(await succeeds(link(lock, `${file()}.lock`))))
        await nextTurn();
      await unlink(lock);
      planted++;
      // With dead locks all the time, there would be no time to update.
      const text = await contentOf(file());
      while (isRunning() && (await contentOf(file())) === text)
        await nextTurn();
    }
    await updates;
    assert.deepEqual(parsed(await contentOf(file())), allOf(8, 50));
    assert.ok(planted > 20, `${planted} locks planted`);
    await updateTogether(file(), 1, 1);
    assert.deepEqual(await namesIn(folder.path()), ['mcp.json']);
  });

  it('reads as a complete text at any moment', async function () {
    this.timeout(180_000);
    await writeFile(file(), '{}', { mode: 0o600 });
    let running = true;
    const isRunning = () => running;
    const updates = updateTogether(file(), 2, 100).finally(() => {
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
