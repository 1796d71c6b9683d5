import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PollingWindows } from '../../../../src/editor/lookout/pollingWindows.ts';
import { until } from '../../../support/eventually.ts';
import { modeOf, scratchFolder } from '../../../support/files/scratch.ts';
import { itOnPosix } from '../../../support/posix.ts';
import { SteppedClock } from '../../../support/steppedClock.ts';

describe('a polling window', () => {
  const folder = scratchFolder();
  let clock: SteppedClock;
  let windows: PollingWindows[];

  beforeEach(() => {
    clock = new SteppedClock(Date.now());
    windows = Array.from({ length: 3 }, () => new PollingWindows(folder.path('polling'), clock));
  });

  afterEach(async () => {
    for (const window of windows) await window.end();
    assert.equal(clock.pending, 0);
  });

  /** Lets time pass until it is so. Windows that look at the same moment need not see each other yet. */
  async function passUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
    await until(async () => {
      if (await isSo()) return true;
      clock.advance(5_000);
      return false;
    });
  }

  async function count(...counts: readonly number[]): Promise<void> {
    await passUntil(() => windows.every(({ count }, index) => count === (counts[index] ?? count)));
  }

  it('counts all windows while they poll', async () => {
    const [one, two, three] = windows;
    assert.ok(one && two && three);
    assert.equal(one.count, 1);
    one.active = true;
    await count(1);
    two.active = three.active = true;
    clock.advance(5_000);
    await count(3, 3, 3);
    await two.end();
    clock.advance(5_000);
    await count(2, 3, 2);
    await three.end();
    clock.advance(5_000);
    await count(1);
    await one.end();
    assert.deepEqual(await readdir(folder.path('polling')), []);
  });

  it('does not count the file of a killed window, and removes it', async () => {
    const [one, killed] = windows;
    assert.ok(one && killed);
    one.active = killed.active = true;
    clock.advance(5_000);
    await count(2, 2);
    const own = new Set(await readdir(folder.path('polling')));
    await killed.end();
    await writeFile(folder.path('polling', 'killed'), '');
    assert.equal(own.size, 2);
    await count(1);
    await passUntil(async () => (await readdir(folder.path('polling'))).length === 1);
  });

  itOnPosix('keeps its folder and its file from other users, whatever the umask', async () => {
    const [one] = windows;
    assert.ok(one);
    const umask = process.umask(0);
    try {
      await mkdir(folder.path('polling'));
      one.active = true;
      await passUntil(async () => (await readdir(folder.path('polling')).catch(() => [])).length === 1);
    } finally {
      process.umask(umask);
    }
    const [name = ''] = await readdir(folder.path('polling'));
    assert.equal(await modeOf(folder.path('polling')), 0o700);
    assert.equal(await modeOf(folder.path('polling', name)), 0o600);
  });

  it('counts only itself when it cannot use the shared folder', async () => {
    await writeFile(folder.path('polling'), 'not a folder');
    for (const window of windows) window.active = true;
    clock.advance(5_000);
    for (const window of windows) await window.end();
    assert.deepEqual(
      windows.map(({ count }) => count),
      [1, 1, 1],
    );
    assert.deepEqual(await readdir(dirname(folder.path('polling'))), ['polling']);
  });
});
