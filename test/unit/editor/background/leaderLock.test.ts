import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { systemClock } from '../../../../src/base/clock.ts';
import { LeaderLock } from '../../../../src/editor/background/leaderLock.ts';
import {
  lockHolderIn,
  isLockFree,
  leaderCheckMs,
  leaderRenewalMs,
} from '../../../../src/editor/background/leaderLockText.ts';
import { thisMachine } from '../../../../src/files/machine.ts';
import { until } from '../../../support/eventually.ts';
import {
  childEnvironment,
  ended,
  scratchFolder,
} from '../../../support/files/scratch.ts';
import { SteppedClock } from '../../../support/steppedClock.ts';

const minute = 60_000;

describe('the leader lock', () => {
  const folder = scratchFolder();
  let path: string;
  let clock: SteppedClock;

  beforeEach(() => {
    path = folder.path('leader');
    clock = new SteppedClock(Date.now());
  });

  const window = () =>
    new LeaderLock(path, {
      ...thisMachine,
      clock: { ...systemClock, now: () => clock.now() },
    });

  it('belongs to only one of eight windows', async () => {
    const windows = Array.from({ length: 8 }, window);
    const taken = await Promise.all(windows.map((one) => one.acquire(false)));
    assert.equal(taken.filter(Boolean).length, 1);
    assert.deepEqual(
      await Promise.all(windows.map((one) => one.acquire(false))),
      taken,
    );
    assert.deepEqual(
      await readdir(dirname(path)),
      ['leader'],
      'nothing is left beside it',
    );
  });

  it('moves to another window only after its holder releases it', async () => {
    const [one, other] = [window(), window()];
    await one.acquire(false);
    await other.release();
    assert.equal(
      await other.acquire(false),
      false,
      'only the holder can release it',
    );
    await one.release();
    assert.equal(await other.acquire(false), true);
    assert.equal(await one.acquire(false), false);
  });

  it('stays with its window while renewed, and expires within a minute otherwise', async () => {
    const [one, other] = [window(), window()];
    await one.acquire(false);
    for (let passed = 0; passed < 2 * minute; passed += leaderRenewalMs) {
      clock.advance(leaderRenewalMs);
      assert.equal(await one.acquire(false), true);
      assert.equal(await other.acquire(false), false);
    }
    clock.advance(minute - leaderCheckMs);
    assert.equal(await other.acquire(false), true);
    assert.equal(
      await one.acquire(false),
      false,
      'a window that slept for too long loses it',
    );
  });

  it('moves to a window that the user sees, unless the user sees its holder', async () => {
    const [one, other] = [window(), window()];
    await one.acquire(false);
    assert.equal(await other.acquire(true), true);
    assert.equal(await one.acquire(false), false);
    assert.equal(
      await one.acquire(true),
      false,
      'while the user sees its holder',
    );
    await other.acquire(false);
    assert.equal(await one.acquire(true), true);
  });

  it('moves at once when the process of its holder has ended', async () => {
    const [one, other] = [window(), window()];
    await one.acquire(false);
    const text = await readFile(path, 'utf8');
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    await writeFile(
      path,
      text
        .replace(/^\d+/, String(child.pid))
        .replace(/[0-9a-f]{16}/, '0123456789abcdef'),
    );
    assert.equal(await other.acquire(false), true);
  });

  it('ignores an invalid lock file, and one dated in the future', async () => {
    for (const text of [
      '',
      'x',
      '{}',
      '1 2 3 4',
      '99999999999 a 0123456789abcdef seen\n',
      '\0'.repeat(200),
    ]) {
      await writeFile(path, text);
      assert.equal(lockHolderIn({ text }), undefined);
      assert.equal(await window().acquire(false), true, text);
    }
    const later = clock.now() / 1000 + 3_600;
    await utimes(path, later, later);
    assert.equal(await window().acquire(false), true, 'the clock was set back');
  });

  it('looks free in the file only when another window could take it', async () => {
    const read = async () => ({
      text: await readFile(path, 'utf8'),
      touched: clock.now(),
    });
    const one = window();
    await one.acquire(false);
    assert.equal(isLockFree(await read(), clock.now(), false), false);
    assert.equal(isLockFree(await read(), clock.now(), true), true);
    await one.acquire(true);
    assert.equal(isLockFree(await read(), clock.now(), true), false);
    assert.equal(isLockFree(await read(), clock.now() + minute, false), true);
  });

  it('moves to another window when its holder is killed, and never belongs to two', async function () {
    this.timeout(180_000);
    const windows = await Promise.all(
      Array.from({ length: 4 }, () => start(path)),
    );
    try {
      for (let left = windows.length; left > 0; left--) {
        const holder = await until(() => {
          const leading = windows.filter(({ leads }) => leads());
          assert.ok(leading.length <= 1);
          return leading[0];
        });
        assert.equal(
          lockHolderIn({ text: await readFile(path, 'utf8') })?.pid,
          holder.process.pid,
        );
        holder.process.kill('SIGKILL');
        await ended(holder.process);
        windows.splice(windows.indexOf(holder), 1);
      }
    } finally {
      for (const one of windows) one.process.kill('SIGKILL');
    }
  });
});

interface Started {
  readonly process: ChildProcess;
  readonly leads: () => boolean;
}

async function start(path: string): Promise<Started> {
  const child = spawn(
    process.execPath,
    [join(import.meta.dirname, 'contendForLock.ts'), path],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: childEnvironment,
    },
  );
  let said = '';
  child.stdout.on('data', (part: Buffer) => (said += part.toString()));
  await once(child.stdout, 'data');
  return { process: child, leads: () => said.trimEnd().endsWith('leads') };
}
