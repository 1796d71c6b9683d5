import assert from 'node:assert/strict';
import {
  existsSync,
  linkSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import {
  mkdir,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { hostname } from 'node:os';
import type { Clock } from '../../../src/base/clock.ts';
import { systemClock } from '../../../src/base/clock.ts';
import type { Disk } from '../../../src/files/disk.ts';
import { lockFile } from '../../../src/files/lock.ts';
import {
  pidSpaceOf,
  thisMachine,
  type Machine,
} from '../../../src/files/machine.ts';
import { updateConfig } from '../../../src/files/update.ts';
import { Refusal } from '../../../src/mcp/text/refusal.ts';
import {
  agedDisk,
  failingDisk,
  systemError,
  watchedDisk,
} from '../../support/files/faultyDisk.ts';
import {
  contentOf,
  counting,
  deadProcess,
  lockText,
  makePipe,
  namesIn,
  parsed,
  scratchFolder,
} from '../../support/files/scratch.ts';
import { itOnPosix } from '../../support/posix.ts';

const token = '0123456789abcdef';
const elsewhere = 'elsewhere other-1';
const second = 1_000;
const hour = 3_600 * second;

/** The real clock, set forward, or back. */
const wrong = (milliseconds: number): Clock => ({
  ...systemClock,
  now: () => Date.now() + milliseconds,
});

/**
 * A clock on which the ten seconds are over at the sixth look, although nothing
 * has become old.
 */
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
  const update = (options: Partial<Machine> = {}) =>
    updateConfig(file(), counting('ours'), options);

  /**
   * A change that has to wait for the lock, on a clock that only the test
   * moves.
   */
  function updateThatWaits(on?: Disk) {
    const state = { time: 0, tries: 0, ended: false };
    const disk = watchedDisk((call, [, path]) => {
      if (call === 'link' && path === lock()) state.tries++;
    }, on);
    const change = update({
      disk,
      clock: { ...systemClock, now: () => state.time },
    }).finally(() => {
      state.ended = true;
    });
    return {
      change,
      /** Passes once the change has tried several times more, in vain. */
      assertWaits: async () => {
        const enough = state.tries + 4;
        while (state.tries < enough && !state.ended)
          await new Promise(setImmediate);
        assert.equal(state.ended, false);
      },
      pass: (milliseconds: number) => (state.time += milliseconds),
    };
  }

  async function assertUpdated(times = 1): Promise<void> {
    assert.deepEqual(parsed(await contentOf(file())), { ours: times });
    assert.deepEqual(await namesIn(folder.path()), ['mcp.json']);
  }

  it('says who holds it, and disappears on release', async () => {
    const held = await lockFile(file(), thisMachine);
    assert.equal(
      await contentOf(lock()),
      lockText(process.pid, held.claim.token),
    );
    assert.match(held.claim.token, /^[0-9a-f]{16}$/);
    assert.deepEqual(await namesIn(folder.path()), ['mcp.json.lock']);
    assert.equal(held.held(), true);
    await held.release();
    assert.equal(held.held(), false);
    assert.deepEqual(await namesIn(folder.path()), []);
  });

  it('lets 20 changes in one process follow each other', async () => {
    await Promise.all(Array.from({ length: 20 }, () => update()));
    await assertUpdated(20);
  });

  it('ends the wait of a change after 10 seconds, and the error says who holds it and what to do', async () => {
    await writeFile(lock(), lockText(process.pid, token));
    await assert.rejects(update({ clock: impatient() }), {
      name: 'UserError',
      message: `The configuration file ${file()} could not be written: it has been locked for 10 seconds, most recently by process ${process.pid} on ${hostname()}. Try again; if that does not help, end that process or remove ${lock()}.`,
    });
    assert.deepEqual(await namesIn(folder.path()), ['mcp.json.lock']);
    const { change, assertWaits, pass } = updateThatWaits();
    await assertWaits();
    pass(10 * second - 1);
    await assertWaits();
    pass(1);
    await assert.rejects(change, /locked for 10 seconds/);
  });

  it('makes a change wait for its holder, and use the file that the holder creates', async () => {
    await writeFile(lock(), lockText(process.pid, token));
    let tries = 0;
    const disk = watchedDisk((call, [, path]) => {
      if (call !== 'link' || path !== lock() || ++tries < 3) return;
      writeFileSync(file(), '{"theirs":1}');
      unlinkSync(lock());
    });
    const change = (text: string) => {
      if (text === '')
        throw new Refusal('noSuchServer', 'There is no server "a".');
      return counting('ours')(text);
    };
    await updateConfig(file(), change, { disk });
    assert.deepEqual(parsed(await contentOf(file())), { theirs: 1, ours: 1 });
  });

  it('never exists without content', async () => {
    await writeFile(lock(), lockText(process.pid, token));
    let tries = 0;
    const disk = watchedDisk((call, [path, second]) => {
      if (existsSync(lock())) assert.notEqual(readFileSync(lock(), 'utf8'), '');
      if (path !== lock() && second !== lock()) return;
      // It is released right after one of the tries to take it.
      if (call === 'link') tries++;
      else if (tries === 3) rmSync(lock(), { force: true });
    });
    await update({ disk });
    await assertUpdated();
  });

  it('makes a change wait if a process on another machine holds it', async () => {
    await writeFile(lock(), lockText(await deadProcess(), token, elsewhere));
    await assert.rejects(
      update({ clock: impatient() }),
      /process \d+ on elsewhere/,
    );
    assert.equal(
      await contentOf(lock()).then((text) => text.includes(token)),
      true,
    );
  });

  it('makes a change wait for another program that uses a folder as the lock', async () => {
    await mkdir(lock());
    await assert.rejects(
      update({ clock: impatient() }),
      /most recently by another program\. Try again/,
    );
    let tries = 0;
    const disk = watchedDisk((call, [, path]) => {
      if (call === 'link' && path === lock() && ++tries === 3)
        rmSync(lock(), { recursive: true });
    });
    await update({ disk });
    await assertUpdated();
  });

  it('falls back to "another program" in the error if it disappears at the last moment', async () => {
    await writeFile(lock(), lockText(process.pid, token));
    let over = false;
    const clock = impatient(() => (over = true));
    const disk = watchedDisk((call) => {
      if (call === 'readFile' && over) throw systemError('ENOENT', 'open');
    });
    await assert.rejects(update({ clock, disk }), /another program/);
  });

  it('passes to the next change if its process is dead', async () => {
    await writeFile(lock(), lockText(await deadProcess(), token));
    await update();
    await assertUpdated();
  });

  it('passes to the next change once it is older than 30 seconds, and not before', async () => {
    for (const place of [undefined, elsewhere]) {
      await rm(file(), { force: true });
      await writeFile(lock(), lockText(process.pid, token, place));
      const { change, assertWaits, pass } = updateThatWaits(
        agedDisk(22 * second, (path) => path === lock()),
      );
      await assertWaits();
      pass(7 * second);
      await assertWaits();
      pass(2 * second);
      await change;
      await assertUpdated();
    }
  });

  it('takes its age from the clock of the file system, not of the machine', async () => {
    await writeFile(lock(), lockText(1, token, elsewhere));
    const now = Date.now();
    for (const ahead of [40 * second, hour, -hour]) {
      const clock = impatient();
      const change = update({
        clock: { ...clock, now: () => clock.now() + ahead },
      });
      await assert.rejects(
        change,
        /locked for 10 seconds, most recently by process 1 on elsewhere/,
      );
    }
    // Otherwise the machine is too slow to tell.
    assert.ok(Date.now() - now < 20 * second);
    const disk = agedDisk(31 * second, (path) => path === lock());
    await update({ disk, clock: wrong(-hour) });
    await assertUpdated();
  });

  it('passes to the next change if its time is in the future', async () => {
    await writeFile(lock(), lockText(1, token, elsewhere));
    await update({ disk: agedDisk(-hour, (path) => path === lock()) });
    await assertUpdated();
  });

  it('makes a change wait for a process in another container, even if its ID is free here', async () => {
    await writeFile(lock(), lockText(17, token));
    const container = { pidSpace: () => 'another-1', runs: () => false };
    await assert.rejects(
      update({ ...container, clock: impatient() }),
      /most recently by process 17 on/,
    );
    await writeFile(lock(), lockText(17, token, `${hostname()} another-1`));
    await update(container);
    await assertUpdated();
  });

  it('passes to the next change if it stays empty or malformed for 6 seconds, but not for 4', async () => {
    const texts = [
      '',
      `${process.pid} host`,
      `1 host here ../../${token}\n`,
      '{"pid": 1}',
      `${lockText(process.pid, token)}more\n`,
      `pid ${lockText(process.pid, token)}`,
      'long'.repeat(1000),
    ];
    for (const text of texts) {
      await rm(file(), { force: true });
      await writeFile(lock(), text);
      const { change, assertWaits, pass } = updateThatWaits();
      await assertWaits();
      pass(4 * second);
      await assertWaits();
      pass(2 * second);
      await change;
      await assertUpdated();
    }
  });

  it('passes to the next change if it stays empty, even after a process died taking it over', async () => {
    await writeFile(lock(), '');
    const old = agedDisk(6 * second, (path) => path === lock());
    let stopped = false;
    const killed = watchedDisk((call, [path]) => {
      stopped ||= call === 'unlink' && path === lock();
      if (stopped) throw systemError('EIO', call);
    }, old);
    await assert.rejects(update({ disk: killed }), /the disk reports an error/);
    assert.ok((await namesIn(folder.path())).length > 2);
    const disk = agedDisk(hour + second, () => true);
    await update({ disk });
    await assertUpdated();
  });

  it('passes to the next change if it is a terabyte long', async () => {
    await writeFile(lock(), '');
    await truncate(lock(), 2 ** 40);
    await update({ disk: agedDisk(6 * second, (path) => path === lock()) });
    await assertUpdated();
  });

  itOnPosix(
    'makes a change wait without opening it if it is a pipe or a device',
    async () => {
      for (const make of [
        () => makePipe(lock()),
        () => symlink('/dev/zero', lock()),
      ]) {
        await make();
        await assert.rejects(
          update({ clock: impatient() }),
          /most recently by another program\. Try again/,
        );
        await rm(lock());
      }
      const held = await lockFile(file(), thisMachine);
      await rm(lock());
      await makePipe(lock());
      assert.equal(held.held(), false);
      await held.release();
      assert.deepEqual(await namesIn(folder.path()), ['mcp.json.lock']);
    },
  );

  it('stays with another process that takes it over first', async () => {
    await writeFile(lock(), lockText(await deadProcess(), token));
    const right = `${lock()}.${token}`;
    let others = '';
    let tries = 0;
    const disk = watchedDisk((call, [, path]) => {
      if (call === 'link' && path === lock() && others !== '') tries++;
      // Another process is done with the dead lock just before this one gets
      // the right to remove it.
      if (call !== 'link' || path !== right || others !== '') return;
      others = lockText(process.pid, 'fedcba9876543210');
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

  it('passes to the next change if another process removes the dead lock first', async () => {
    await writeFile(lock(), lockText(await deadProcess(), token));
    const disk = watchedDisk((call, [, path]) => {
      if (call === 'link' && path === `${lock()}.${token}`) unlinkSync(lock());
    });
    await update({ disk });
    await assertUpdated();
  });

  it('stays while another process is taking it over', async () => {
    await writeFile(lock(), lockText(await deadProcess(), token));
    await writeFile(
      `${lock()}.${token}`,
      lockText(process.pid, 'fedcba9876543210'),
    );
    await assert.rejects(
      update({ clock: impatient() }),
      /locked for 10 seconds/,
    );
    await rm(`${lock()}.${token}`);
    await update();
    await assertUpdated();
  });

  it('passes to the next change even if earlier processes died taking it over', async () => {
    const pid = await deadProcess();
    const rights = [token, 'aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb'] as const;
    await writeFile(lock(), lockText(pid, rights[0]));
    await writeFile(`${lock()}.${rights[0]}`, lockText(pid, rights[1]));
    await writeFile(
      `${lock()}.${rights[0]}.${rights[1]}`,
      lockText(pid, rights[2]),
    );
    await update();
    await assertUpdated();
  });

  it('works without hard links', async () => {
    const disk = failingDisk('ENOTSUP', ['link']);
    await Promise.all(Array.from({ length: 5 }, () => update({ disk })));
    await writeFile(lock(), lockText(await deadProcess(), token));
    await update({ disk });
    await assertUpdated(6);
  });

  it('counts as held if it was created although the call failed, as on network drives', async () => {
    const disk = watchedDisk((call, [from, to]) => {
      if (call !== 'link') return;
      linkSync(String(from), String(to));
      throw systemError('EEXIST', 'link');
    });
    await update({ disk });
    await assertUpdated();
  });

  it('makes a change wait on Windows while the previous lock is being removed', async () => {
    const linksNot = (calls: readonly string[]) => {
      const left = new Set(calls);
      return watchedDisk((call, [path, second]) => {
        if (path !== lock() && second !== lock()) return;
        if (left.delete(call)) throw systemError('EPERM', call);
      });
    };
    await writeFile(lock(), lockText(await deadProcess(), token));
    await update({
      platform: 'win32',
      disk: linksNot(['link', 'open', 'readFile']),
    });
    await assertUpdated();
  });

  it('prevents a write by a process that lost it, and stays with its new holder', async () => {
    await writeFile(file(), '{"theirs":1}');
    for (const others of [lockText(1, token, elsewhere), undefined]) {
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

  it('cannot be created on a full disk, and the error says why', async () => {
    const disk = watchedDisk((call, [path, second]) => {
      const makes =
        (call === 'link' && second === lock()) ||
        (call === 'open' && path === lock());
      if (makes) throw systemError('ENOSPC', call);
    });
    await assert.rejects(update({ disk, clock: impatient() }), {
      name: 'UserError',
      message: `The configuration file ${file()} could not be written: the disk is full. Free some space and try again.`,
    });
    assert.deepEqual(await namesIn(folder.path()), []);
  });

  it('fails a change if it cannot be read, and the error says why', async () => {
    await writeFile(lock(), lockText(process.pid, token));
    for (const failing of ['readFile', 'readFileSync']) {
      const disk = watchedDisk((call, [path]) => {
        if (call === failing && path === lock()) throw systemError('EIO', call);
      });
      const change = update({ disk, clock: impatient() });
      await assert.rejects(
        change,
        /could not be written: the disk reports an error\. Check the disk/,
      );
      await rm(lock(), { force: true });
    }
  });

  it('stays if it cannot be removed, and passes to a later change', async () => {
    await update({ disk: failingDisk('EPERM', ['unlink']) });
    assert.deepEqual(parsed(await contentOf(file())), { ours: 1 });
    assert.ok((await namesIn(folder.path())).includes('mcp.json.lock'));
    await update({ disk: agedDisk(hour + second, () => true) });
    await assertUpdated(2);
  });

  it('causes no wait if it is already gone on release', async () => {
    const disk = watchedDisk((call, [path]) => {
      if (call === 'unlink') unlinkSync(String(path));
    });
    const after: Clock['after'] = (milliseconds) =>
      assert.fail(`It waits for ${milliseconds} ms.`);
    await update({ disk, clock: { ...systemClock, after } });
    await assertUpdated();
  });

  it('works on a machine without a name', async () => {
    await writeFile(
      lock(),
      lockText(await deadProcess(), token, ` ${thisMachine.pidSpace()}`),
    );
    await update({ name: '' });
    await assertUpdated();
  });

  it('disappears even if the first tries to remove it fail', async () => {
    let waits = 0;
    const after: Clock['after'] = (...given) => {
      waits++;
      return systemClock.after(...given);
    };
    const disk = watchedDisk((call) => {
      if (call === 'unlink' && waits < 3) throw systemError('EBUSY', call);
    });
    await update({ disk, clock: { ...systemClock, after } });
    await assertUpdated();
  });
});

describe('a leftover file of a killed process', () => {
  const folder = scratchFolder();
  const file = () => folder.path('mcp.json');
  const update = (options: Partial<Machine> = {}) =>
    updateConfig(file(), counting('ours'), options);

  it('disappears at the next write, unlike all other files', async () => {
    const dead = await deadProcess();
    const here = thisMachine.pidSpace();
    const kept = [
      `.mcp.json.${here}.${process.pid}.${token}.tmp`,
      `.mcp.json.lock.${here}.${process.pid}.${token}.tmp`,
      // A process that cannot be looked up here may still be waiting for the
      // lock.
      `.mcp.json.lock.other-1.${dead}.${token}.tmp`,
      `.mcp.json.${here}.${dead}.tmp`,
      `.mcp.json.${here}.${dead}.${token}.tmp.old`,
      `.other.json.${here}.${dead}.${token}.tmp`,
      `mcp.json.lock.${token}`,
    ];
    const others = [
      'her.json.lock.aaaaaaaaaaaaaaaa',
      'mcp.json.lock.old',
      'mcp.json.lock.aaaaaaaaaaaaaaaa.old',
      'mcp.json.lock.old.aaaaaaaaaaaaaaaa',
      'mcp.json.locked',
      `.mcp.json.my own.${here}.${dead}.${token}.tmp`,
    ];
    const swept = [
      `.mcp.json.${here}.${dead}.${token}.tmp`,
      `.mcp.json.lock.${here}.${dead}.${token}.tmp`,
      'mcp.json.lock.aaaaaaaaaaaaaaaa',
      'mcp.json.lock.aaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbb',
    ];
    for (const name of kept)
      await writeFile(folder.path(name), lockText(process.pid, token));
    for (const name of [...others, ...swept])
      await writeFile(folder.path(name), lockText(dead, 'bbbbbbbbbbbbbbbb'));
    await update();
    assert.deepEqual(
      await namesIn(folder.path()),
      [...kept, ...others, 'mcp.json'].sort(),
    );
  });

  it('disappears after an hour if its process ID is in use or cannot be looked up', async () => {
    const names = [thisMachine.pidSpace(), 'other-1'].map(
      (space) => `.mcp.json.${space}.${process.pid}.${token}.tmp`,
    );
    for (const name of names) {
      await writeFile(folder.path(name), '');
      await utimes(folder.path(name), 0, 0);
    }
    await update({ clock: wrong(2 * hour) });
    assert.deepEqual(
      await namesIn(folder.path()),
      [...names, 'mcp.json'].sort(),
    );
    await update({
      disk: agedDisk(hour + second, (path) => path.endsWith('.tmp')),
    });
    assert.deepEqual(await namesIn(folder.path()), ['mcp.json']);
  });

  itOnPosix('causes no wait if it is a pipe or a device', async () => {
    const right = 'mcp.json.lock.aaaaaaaaaaaaaaaa';
    await makePipe(folder.path(right));
    await makePipe(
      folder.path(
        `.mcp.json.${thisMachine.pidSpace()}.${process.pid}.${token}.tmp`,
      ),
    );
    await symlink('/dev/zero', folder.path(`${right}.bbbbbbbbbbbbbbbb`));
    const before = await namesIn(folder.path());
    await update();
    assert.deepEqual(
      await namesIn(folder.path()),
      [...before, 'mcp.json'].sort(),
    );
  });

  it('does not prevent a write if it cannot be removed', async () => {
    const dead = await deadProcess();
    await writeFile(
      folder.path(
        `.mcp.json.${thisMachine.pidSpace()}.${process.pid}.${token}.tmp`,
      ),
      '',
    );
    await writeFile(
      folder.path('mcp.json.lock.aaaaaaaaaaaaaaaa'),
      lockText(dead, token),
    );
    const disk = watchedDisk((call, [path]) => {
      const own =
        String(path).includes(`${process.pid}.${token}`) ||
        String(path).endsWith('aaaaaaaaaaaaaaaa');
      if (own) throw systemError('EIO', call);
    });
    await update({ disk });
    assert.deepEqual(parsed(await contentOf(file())), { ours: 1 });
    await update({ disk: failingDisk('EACCES', ['readdir']) });
    assert.deepEqual(parsed(await contentOf(file())), { ours: 2 });
  });

  it('stays if nothing is written', async () => {
    await update();
    const disk = failingDisk('EIO', ['readdir', 'unlink of litter']);
    const litter = `.mcp.json.${thisMachine.pidSpace()}.${await deadProcess()}.${token}.tmp`;
    await writeFile(folder.path(litter), '');
    await updateConfig(file(), (text) => text, { disk });
    assert.deepEqual(await namesIn(folder.path()), [litter, 'mcp.json']);
  });
});

describe('the check for a running process', () => {
  it('reports this process, process 1 and an invalid ID as running, but not a dead process', async () => {
    assert.equal(thisMachine.runs(process.pid), true);
    assert.equal(thisMachine.runs(await deadProcess()), false);
    assert.equal(thisMachine.runs(1), true);
    assert.equal(thisMachine.runs(Number('9'.repeat(30))), true);
  });
});

describe('the process ID space', () => {
  const folder = scratchFolder();

  it('consists of the boot and the namespace on Linux, and of the machine elsewhere', async () => {
    await mkdir(folder.path('self/ns'), { recursive: true });
    await mkdir(folder.path('sys/kernel/random'), { recursive: true });
    await writeFile(
      folder.path('sys/kernel/random/boot_id'),
      'f00dcafe-1111-2222-3333-444444444444\n',
    );
    assert.equal(
      pidSpaceOf(folder.path()),
      `${process.platform}-${hostname()}`.replace(/[^\w-]/g, '-').slice(0, 40),
    );
    await symlink('pid:[4026531836]', folder.path('self/ns/pid'));
    assert.equal(pidSpaceOf(folder.path()), 'f00dcafe-4026531836');
    if (process.platform === 'linux')
      assert.match(thisMachine.pidSpace(), /^[0-9a-f]{8}-\d+$/);
    assert.match(thisMachine.pidSpace(), /^[\w-]+$/);
  });
});
