import assert from 'node:assert/strict';
import {
  closeSync,
  mkdirSync,
  openSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import type { Disk } from '../../../src/files/disk.ts';
import { updateConfig } from '../../../src/files/update.ts';
import { Refusal } from '../../../src/mcp/text/refusal.ts';
import { systemError, watchedDisk } from '../../support/files/faultyDisk.ts';
import {
  contentOf,
  counting,
  namesIn,
  parsed,
  scratchFolder,
} from '../../support/files/scratch.ts';

describe('a late write by a program without a lock', () => {
  const folder = scratchFolder();
  const file = () => folder.path('mcp.json');

  beforeEach(() => writeFile(file(), '{"theirs":1}'));

  /** After the file was compared with what was read, before it is replaced. */
  function atLast(action: () => void): Disk {
    let done = false;
    return watchedDisk((call) => {
      if (call !== 'renameSync' || done) return;
      done = true;
      action();
    });
  }

  async function assertCounts(counts: object): Promise<void> {
    assert.deepEqual(parsed(await contentOf(file())), counts);
    assert.deepEqual(await namesIn(folder.path()), ['mcp.json']);
  }

  it('becomes the base of our change', async () => {
    const disk = atLast(() => {
      writeFileSync(file(), '{"theirs":2}');
    });
    const { before, after } = await updateConfig(file(), counting('ours'), {
      disk,
    });
    assert.deepEqual(
      [before, after],
      ['{"theirs":2}', '{"theirs":2,"ours":1}'],
    );
    await assertCounts({ theirs: 2, ours: 1 });
  });

  it('delays our change until it is complete', async () => {
    let handle = 0;
    let looks = 0;
    const disk = watchedDisk((call) => {
      if (call === 'renameSync') handle ||= openSync(file(), 'w');
      // The first looks find nothing in it, the third finds half of it, and
      // then comes the rest.
      if (call === 'file.read' && ++looks === 3)
        writeSync(handle, '{"theirs":');
    });
    const change = (text: string) => {
      if (text === '{"theirs":') writeSync(handle, '2}');
      return counting('ours')(text);
    };
    await updateConfig(file(), change, { disk });
    closeSync(handle);
    await assertCounts({ theirs: 2, ours: 1 });
  });

  it('loses to our change if it never becomes complete', async () => {
    for (const bytes of ['', '{"theirs":', Buffer.from([0xff])]) {
      await writeFile(file(), '{"theirs":1}');
      const disk = atLast(() => {
        writeFileSync(file(), bytes);
      });
      await updateConfig(file(), counting('ours'), { disk });
      await assertCounts({ theirs: 1, ours: 1 });
    }
  });

  it('loses to our change if it is too large for a configuration', async () => {
    const disk = atLast(() => {
      truncateSync(file(), 2 ** 40);
    });
    await updateConfig(file(), counting('ours'), { disk });
    await assertCounts({ theirs: 1, ours: 1 });
  });

  it('comes back byte for byte if it is not UTF-8 text, and our change fails', async () => {
    const bytes = Buffer.from('{"theirs":"caf\xe9"}', 'latin1');
    const disk = atLast(() => {
      writeFileSync(file(), bytes);
    });
    await assert.rejects(
      updateConfig(file(), counting('ours'), { disk }),
      /is not UTF-8 text/,
    );
    assert.deepEqual(await readFile(file()), bytes);
    assert.deepEqual(await namesIn(folder.path()), ['mcp.json']);
  });

  it('stays if our change is refused because of it', async () => {
    const disk = atLast(() => {
      writeFileSync(file(), '{"theirs":2,"ours":5}');
    });
    const change = (text: string) => {
      if (text.includes('ours'))
        throw new Refusal('nameTaken', 'There is one.');
      return counting('ours')(text);
    };
    await assert.rejects(updateConfig(file(), change, { disk }), {
      kind: 'nameTaken',
    });
    await assertCounts({ theirs: 2, ours: 5 });
  });

  it('gives way to an even later write', async () => {
    let renamed = 0;
    const disk = watchedDisk((call) => {
      if (call === 'renameSync' && renamed++ === 0)
        writeFileSync(file(), '{"theirs":2}');
      // The first call after renaming.
      if (call === 'open' && renamed === 1) {
        renamed++;
        writeFileSync(file(), '{"theirs":3}');
      }
    });
    await updateConfig(file(), counting('ours'), { disk });
    await assertCounts({ theirs: 3, ours: 1 });
  });

  it('gives way to a later removal of the file, or a folder in its place', async () => {
    for (const makesFolder of [false, true]) {
      await writeFile(file(), '{"theirs":1}');
      let renamed = 0;
      const disk = watchedDisk((call) => {
        if (call === 'renameSync' && renamed++ === 0)
          writeFileSync(file(), '{"theirs":2}');
        // The first call after renaming.
        if (call !== 'open' || renamed !== 1) return;
        renamed++;
        rmSync(file());
        if (makesFolder) mkdirSync(file());
      });
      const change = updateConfig(file(), counting('ours'), { disk });
      if (!makesFolder) {
        await change;
        await assertCounts({ ours: 1 });
      } else {
        await assert.rejects(change, {
          name: 'UserError',
          message: `The configuration file ${file()} could not be written: it is a folder. Choose a file.`,
        });
      }
    }
  });

  it('needs no check on Windows, where an open file cannot be replaced', async () => {
    const opened: unknown[] = [];
    const disk = watchedDisk((call, [path]) => {
      if (call === 'open') opened.push(path);
    });
    await updateConfig(file(), counting('ours'), { disk, platform: 'win32' });
    assert.ok(opened.length > 0 && !opened.includes(file()), opened.join());
    await assertCounts({ theirs: 1, ours: 1 });
  });

  it('causes no error if the check for it fails', async () => {
    const disk = watchedDisk((call) => {
      if (call === 'file.read') throw systemError('EIO', 'read');
    });
    await updateConfig(file(), counting('ours'), { disk });
    await assertCounts({ theirs: 1, ours: 1 });
  });
});
