import assert from 'node:assert/strict';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Clock } from '../../../src/base/clock.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { lockFile } from '../../../src/files/lock.ts';
import { thisMachine, type Machine } from '../../../src/files/machine.ts';
import { updateConfig } from '../../../src/files/update.ts';
import { failingDisk, systemError, watchedDisk } from '../../support/files/faultyDisk.ts';
import {
  contentOf,
  counting,
  deadProcess,
  namesIn,
  parsed,
  scratchFolder,
} from '../../support/files/scratch.ts';

const token = '0123456789abcdef';

/** The real clock, set forward. */
const later = (milliseconds: number): Clock => ({ ...systemClock, now: () => Date.now() + milliseconds });

/** A clock on which the ten seconds are over at the sixth look, although nothing has become old. */
function impatient(isOver: () => void = () => undefined): Clock {
  let looks = 0;
  const now = () => {
    if (++looks < 6) return Date.now() - 20_000;
    isOver();
    return Date.now() - 10_000;
  };
  return { ...systemClock, now };
}

describe('the lock of the configuration', () => {
  const folder = scratchFolder();
  const file = () => folder.path('mcp.json');
  const lock = () => folder.path('mcp.json.lock');
  const update = (options: Partial<Machine> = {}) => updateConfig(file(), counting('ours'), options);

  async function assertUpdated(times = 1): Promise<void> {
    assert.deepEqual(parsed(await contentOf(file())), { ours: times });
    assert.deepEqual(await namesIn(folder.path()), ['mcp.json']);
  }

  it('says who holds it, and is gone afterwards', async () => {
    const held = await lockFile(file(), thisMachine);
    assert.match(await contentOf(lock()), new RegExp(`^${process.pid} ${hostname()} [0-9a-f]{16}\n$`));
    assert.deepEqual(await namesIn(folder.path()), ['mcp.json.lock']);
    assert.equal(held.held(), true);
    await held.release();
    assert.equal(held.held(), false);
    assert.deepEqual(await namesIn(folder.path()), []);
  });

  it('lets changes in one process follow each other', async () => {
    await Promise.all(Array.from({ length: 20 }, () => update()));
    await assertUpdated(20);
  });

  it('has a limit of ten seconds to wait for it, and then the error says who holds it and what to do', async () => {
    await writeFile(lock(), `${process.pid} ${hostname()} ${token}\n`);
    await assert.rejects(update({ clock: impatient() }), {
      name: 'UserError',
      message: `The configuration file ${file()} could not be written: it has been locked for 10 seconds, most recently by process ${process.pid} on ${hostname()}. Try again; if that does not help, end that process or remove ${lock()}.`,
    });
    assert.deepEqual(await namesIn(folder.path()), ['mcp.json.lock']);
  });

  it('is waited for if a process on another machine holds it, which cannot be looked up here', async () => {
    await writeFile(lock(), `${await deadProcess()} elsewhere ${token}\n`);
    await assert.rejects(update({ clock: impatient() }), /process \d+ on elsewhere/);
    assert.equal(await contentOf(lock()).then((text) => text.includes(token)), true);
  });

  it('is waited for if another program uses a folder of that name as its lock', async () => {
    await mkdir(lock());
    await assert.rejects(update({ clock: impatient() }), /most recently by another program\. Try again/);
    setTimeout(() => void rm(lock(), { recursive: true }), 20);
    await update();
    await assertUpdated();
  });

  it('says who held it even if it disappears at the last moment', async () => {
    await writeFile(lock(), `${process.pid} ${hostname()} ${token}\n`);
    let over = false;
    const clock = impatient(() => (over = true));
    const disk = watchedDisk((call) => {
      if (call === 'readFile' && over) throw systemError('ENOENT', 'open');
    });
    await assert.rejects(update({ clock, disk }), /another program/);
  });

  it('is taken over from a dead process', async () => {
    await writeFile(lock(), `${await deadProcess()} ${hostname()} ${token}\n`);
    await update();
    await assertUpdated();
  });

  it('is taken over from anybody when it is older than half a minute', async () => {
    for (const holder of [`${process.pid} ${hostname()}`, '1 elsewhere']) {
      await rm(file(), { force: true });
      await writeFile(lock(), `${holder} ${token}\n`);
      await update({ clock: later(31_000) });
      await assertUpdated();
    }
  });

  it('is taken over when it stays empty for some seconds', async () => {
    for (const text of ['', `${process.pid} host`, `1 host ../../${token}\n`, '{"pid": 1}']) {
      await rm(file(), { force: true });
      await writeFile(lock(), text);
      await assert.rejects(update({ clock: impatient() }), /most recently by another program/, text);
      await update({ clock: later(6_000) });
      await assertUpdated();
    }
  });

  it('is not taken away from a process that took it over in between', async () => {
    await writeFile(lock(), `${await deadProcess()} ${hostname()} ${token}\n`);
    const right = `${lock()}.${token}`;
    let others = '';
    let tries = 0;
    const disk = watchedDisk((call, [, path]) => {
      if (call === 'link' && path === lock() && others !== '') tries++;
      // Another process is done with the dead lock just before this one gets the right to remove it.
      if (call !== 'link' || path !== right || others !== '') return;
      others = `${process.pid} ${hostname()} fedcba9876543210\n`;
      unlinkSync(lock());
      writeFileSync(lock(), others);
    });
    const change = update({ disk });
    while (tries < 3) await new Promise(setImmediate);
    assert.equal(await contentOf(lock()), others);
    await rm(lock());
    await change;
    await assertUpdated();
  });

  it('is not taken away while another process is about to', async () => {
    await writeFile(lock(), `${await deadProcess()} ${hostname()} ${token}\n`);
    await writeFile(`${lock()}.${token}`, `${process.pid} ${hostname()} fedcba9876543210\n`);
    await assert.rejects(update({ clock: impatient() }), /locked for 10 seconds/);
    await rm(`${lock()}.${token}`);
    await update();
    await assertUpdated();
  });

  it('is taken over although the last process to try was killed while doing so', async () => {
    const pid = await deadProcess();
    const rights = [token, 'aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb'];
    await writeFile(lock(), `${pid} ${hostname()} ${rights[0]}\n`);
    await writeFile(`${lock()}.${rights[0]}`, `${pid} ${hostname()} ${rights[1]}\n`);
    await writeFile(`${lock()}.${rights[0]}.${rights[1]}`, `${pid} ${hostname()} ${rights[2]}\n`);
    await update();
    await assertUpdated();
  });

  it('works without hard links', async () => {
    const disk = failingDisk('ENOTSUP', ['link']);
    await Promise.all(Array.from({ length: 5 }, () => update({ disk })));
    await writeFile(lock(), `${await deadProcess()} ${hostname()} ${token}\n`);
    await update({ disk });
    await assertUpdated(6);
  });

  it('is held if it was made although the call is reported as failed, as on network drives', async () => {
    const disk = watchedDisk((call, [from, to]) => {
      if (call !== 'link') return;
      linkSync(String(from), String(to));
      throw systemError('EEXIST', 'link');
    });
    await update({ disk });
    await assertUpdated();
  });

  it('is waited for on Windows while the previous one is being removed', async () => {
    const linksNot = (calls: readonly string[]) => {
      const left = new Set(calls);
      return watchedDisk((call, [path, second]) => {
        if (path !== lock() && second !== lock()) return;
        if (left.delete(call)) throw systemError('EPERM', call);
      });
    };
    await writeFile(lock(), `${await deadProcess()} ${hostname()} ${token}\n`);
    await update({ platform: 'win32', disk: linksNot(['link', 'open', 'readFile']) });
    await assertUpdated();
  });

  it('is not released by a process that lost it, which then writes nothing', async () => {
    await writeFile(file(), '{"theirs":1}');
    for (const others of [`1 elsewhere ${token}\n`, undefined]) {
      const disk = watchedDisk((call) => {
        if (call !== 'file.sync') return;
        unlinkSync(lock());
        if (others !== undefined) writeFileSync(lock(), others);
      });
      await assert.rejects(update({ disk }), {
        name: 'UserError',
        message: `The configuration file ${file()} could not be written: it took so long that another process took over. Try again.`,
      });
      assert.equal(await contentOf(file()), '{"theirs":1}');
      if (others !== undefined) {
        assert.equal(readFileSync(lock(), 'utf8'), others);
        await rm(lock());
      }
      assert.deepEqual(await namesIn(folder.path()), ['mcp.json']);
    }
  });

  it('cannot be taken in a folder that accepts no more files, and the error says why', async () => {
    const disk = watchedDisk((call, [path, second]) => {
      if (path === lock() || second === lock()) throw systemError('ENOSPC', call);
    });
    await assert.rejects(update({ disk }), {
      name: 'UserError',
      message: `The configuration file ${file()} could not be written: the disk is full. Free some space and try again.`,
    });
    assert.deepEqual(await namesIn(folder.path()), []);
  });

  it('stays if nothing can be removed, and is taken over later', async () => {
    await update({ disk: failingDisk('EPERM', ['unlink']) });
    assert.deepEqual(parsed(await contentOf(file())), { ours: 1 });
    assert.ok((await namesIn(folder.path())).includes('mcp.json.lock'));
    await update({ clock: later(3_601_000) });
    await assertUpdated(2);
  });

  it('can be gone when it is released', async () => {
    const disk = watchedDisk((call, [path]) => {
      if (call === 'unlink') unlinkSync(String(path));
    });
    await update({ disk });
    await assertUpdated();
  });

  it('works on a machine without a name', async () => {
    await writeFile(lock(), `${await deadProcess()}  ${token}\n`);
    await update({ name: '' });
    await assertUpdated();
  });

  it('is not in the way if it cannot be removed for a moment', async () => {
    await update({ disk: failingDisk('EBUSY', ['unlink'], 3) });
    await assertUpdated();
  });
});

describe('what killed processes left beside the configuration', () => {
  const folder = scratchFolder();
  const file = () => folder.path('mcp.json');
  const update = (options: Partial<Machine> = {}) => updateConfig(file(), counting('ours'), options);

  it('is removed at the next write, and nothing else', async () => {
    const dead = await deadProcess();
    const kept = [
      `.mcp.json.${process.pid}.${token}.tmp`,
      `.mcp.json.lock.${process.pid}.${token}.tmp`,
      `.mcp.json.${dead}.tmp`,
      `.mcp.json.${dead}.${token}.tmp.old`,
      `.other.json.${dead}.${token}.tmp`,
      'mcp.json.lock.old',
      `mcp.json.lock.${token}`,
      'mcp.json.locked',
    ];
    const swept = [
      `.mcp.json.${dead}.${token}.tmp`,
      `.mcp.json.lock.${dead}.${token}.tmp`,
      'mcp.json.lock.aaaaaaaaaaaaaaaa',
      'mcp.json.lock.aaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbb',
    ];
    for (const name of kept) await writeFile(folder.path(name), `${process.pid} ${hostname()} ${token}\n`);
    for (const name of swept) await writeFile(folder.path(name), `${dead} ${hostname()} bbbbbbbbbbbbbbbb\n`);
    await update();
    assert.deepEqual(await namesIn(folder.path()), [...kept, 'mcp.json'].sort());
  });

  it('is removed after an hour if another process has the same id by then', async () => {
    const name = `.mcp.json.${process.pid}.${token}.tmp`;
    await writeFile(folder.path(name), '');
    await utimes(folder.path(name), 0, 0);
    await update();
    assert.deepEqual(await namesIn(folder.path()), [name, 'mcp.json']);
    await update({ clock: later(3_601_000) });
    assert.deepEqual(await namesIn(folder.path()), ['mcp.json']);
  });

  it('does not prevent writing the configuration if it cannot be removed', async () => {
    const dead = await deadProcess();
    await writeFile(folder.path(`.mcp.json.${process.pid}.${token}.tmp`), '');
    await writeFile(folder.path('mcp.json.lock.aaaaaaaaaaaaaaaa'), `${dead} ${hostname()} ${token}\n`);
    const disk = watchedDisk((call, [path]) => {
      const own =
        String(path).includes(`${process.pid}.${token}`) || String(path).endsWith('aaaaaaaaaaaaaaaa');
      if (own) throw systemError('EIO', call);
    });
    await update({ disk });
    assert.deepEqual(parsed(await contentOf(file())), { ours: 1 });
    await update({ disk: failingDisk('EACCES', ['readdir']) });
    assert.deepEqual(parsed(await contentOf(file())), { ours: 2 });
  });

  it('is not looked for if nothing is written', async () => {
    await update();
    const disk = failingDisk('EIO', ['readdir', 'unlink of litter']);
    const litter = `.mcp.json.${await deadProcess()}.${token}.tmp`;
    await writeFile(folder.path(litter), '');
    await updateConfig(file(), (text) => text, { disk });
    assert.deepEqual(await namesIn(folder.path()), [litter, 'mcp.json']);
  });
});

describe('whether a process runs', () => {
  it('is known for this one, a dead one, and one of another user', async () => {
    assert.equal(thisMachine.runs(process.pid), true);
    assert.equal(thisMachine.runs(await deadProcess()), false);
    assert.equal(thisMachine.runs(1), true);
    assert.equal(thisMachine.runs(Number('9'.repeat(30))), true);
  });
});
