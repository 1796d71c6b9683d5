import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {
  chmod,
  chown,
  link,
  lstat,
  mkdir,
  readlink,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { Refusal } from '../../../src/mcp/text/refusal.ts';
import { blockingDisk, type Disk } from '../../../src/files/disk.ts';
import { lossText } from '../../../src/files/losses.ts';
import { readConfig } from '../../../src/files/read.ts';
import { createConfigFile, updateConfig } from '../../../src/files/update.ts';
import {
  failingDisk,
  systemError,
  watchedDisk,
} from '../../support/files/faultyDisk.ts';
import {
  contentOf,
  counting,
  modeOf,
  namesIn,
  parsed,
  scratchFolder,
} from '../../support/files/scratch.ts';
import { itOnPosix } from '../../support/posix.ts';

const posix = process.platform !== 'win32';

describe('changing the configuration', () => {
  const folder = scratchFolder();
  const file = () => folder.path('mcp.json');

  const refusal = (why: string) => ({
    name: 'UserError',
    message: `The configuration file ${file()} could not be written: ${why}`,
  });

  /** Something that happens once, right before the first of these calls. */
  function inBetween(call: string, action: () => void): Disk {
    let done = false;
    return watchedDisk((name) => {
      if (name !== call || done) return;
      done = true;
      action();
    });
  }

  it('creates a private file in a private folder, whatever the umask', async () => {
    const mask = process.umask(0o277);
    try {
      const path = folder.path('.agent/mcp.json');
      assert.deepEqual(await updateConfig(path, (text) => `${text}{}`), {
        before: undefined,
        after: '{}',
        openToOthers: false,
        losses: [],
      });
      assert.equal(await contentOf(path), '{}');
      if (posix) {
        assert.equal(await modeOf(path), 0o600);
        assert.equal(await modeOf(folder.path('.agent')), 0o700);
      }
      assert.deepEqual(await namesIn(folder.path('.agent')), ['mcp.json']);
    } finally {
      process.umask(mask);
    }
  });

  it('returns everything that comes with the new text', async () => {
    const { after } = await updateConfig(file(), (text) => ({
      text: `${text}{}`,
      more: 1,
    }));
    assert.deepEqual(after, { text: '{}', more: 1 });
    assert.equal(await contentOf(file()), '{}');
  });

  it('reports whether others can read the file, with or without a change', async () => {
    for (const [mode, open] of [
      [0o600, false],
      [0o644, true],
    ] as const) {
      await writeFile(file(), '{}');
      await chmod(file(), mode);
      for (const change of [
        (text: string) => text,
        (text: string) => `${text}\n`,
      ]) {
        assert.equal(
          (await updateConfig(file(), change)).openToOthers,
          open && posix,
        );
      }
    }
  });

  it('reads the file once, and again only to replace it', async () => {
    const reads: string[] = [];
    const disk = watchedDisk((call, [path]) => {
      if (path === file() && /^(?:readFile|readFileSync|open)$/.test(call))
        reads.push(call);
    });
    await writeFile(file(), '{}');
    await updateConfig(file(), (text) => text, { disk });
    assert.deepEqual(reads.splice(0), ['readFile']);
    await updateConfig(file(), counting('a'), { disk });
    assert.deepEqual(reads, [
      'readFile',
      ...(posix ? ['open'] : []),
      'readFileSync',
    ]);
  });

  it('creates a file in an existing folder, and keeps the mode of the folder', async () => {
    await mkdir(folder.path('.agent'));
    await chmod(folder.path('.agent'), 0o755);
    await updateConfig(folder.path('.agent/mcp.json'), () => '{}');
    if (posix) assert.equal(await modeOf(folder.path('.agent')), 0o755);
  });

  it('creates no folder for a change that changes nothing or is refused', async () => {
    const path = folder.path('.agent/mcp.json');
    assert.deepEqual(await updateConfig(path, (text) => text), {
      before: undefined,
      after: '',
      openToOthers: false,
      losses: [],
    });
    const refused = new Refusal('noSuchServer', 'There is no server "a".');
    await assert.rejects(
      updateConfig(path, () => {
        throw refused;
      }),
      refused,
    );
    await updateConfig(file(), (text) => text);
    assert.deepEqual(await namesIn(folder.path()), []);
  });

  it('keeps the mode of a folder that another program creates first', async () => {
    const disk = inBetween('mkdir', () => {
      mkdirSync(folder.path('.agent'), { mode: 0o755 });
    });
    await updateConfig(folder.path('.agent/mcp.json'), () => '{}', { disk });
    if (posix) assert.equal(await modeOf(folder.path('.agent')), 0o755);
  });

  it('passes the text with its byte order mark to the change, and writes the result', async () => {
    await writeFile(file(), '\uFEFF{"ä": 1}\r\n');
    const { before, after } = await updateConfig(file(), (text) =>
      text.replace('1', '2'),
    );
    assert.equal(before, '\uFEFF{"ä": 1}\r\n');
    assert.equal(after, '\uFEFF{"ä": 2}\r\n');
    assert.equal(await contentOf(file()), after);
  });

  it('writes nothing if the text stays the same', async () => {
    await writeFile(file(), '{}');
    const { ino, mtimeMs } = await stat(file());
    const { before, after } = await updateConfig(file(), (text) => text);
    assert.deepEqual([before, after], ['{}', '{}']);
    const now = await stat(file());
    assert.deepEqual([now.ino, now.mtimeMs], [ino, mtimeMs]);
    assert.deepEqual(await namesIn(folder.path()), ['mcp.json']);
  });

  it('rethrows a refusal or an unexpected error, and writes nothing', async () => {
    await writeFile(file(), '{}');
    for (const error of [
      new Refusal('nameTaken', 'There is one.'),
      new TypeError('a defect'),
    ]) {
      let calls = 0;
      await assert.rejects(
        updateConfig(file(), () => {
          calls++;
          throw error;
        }),
        error,
      );
      assert.equal(calls, 1);
      assert.equal(await contentOf(file()), '{}');
      assert.deepEqual(await namesIn(folder.path()), ['mcp.json']);
    }
  });

  it('keeps its temporary files private at any moment', async () => {
    const mask = process.umask(0);
    try {
      const modes = new Set<string>();
      const disk = watchedDisk(() => {
        for (const name of readdirSync(folder.path())) {
          if (name !== 'mcp.json')
            modes.add((statSync(folder.path(name)).mode & 0o777).toString(8));
        }
      });
      await updateConfig(file(), () => '{}', { disk });
      await updateConfig(file(), () => '{"a":1}', { disk });
      if (posix) assert.deepEqual([...modes], ['600']);
    } finally {
      process.umask(mask);
    }
  });

  it('flushes the new file before renaming it, and the folder afterwards', async () => {
    await writeFile(file(), '{}', { mode: 0o600 });
    const calls: string[] = [];
    const disk = watchedDisk((call, [path]) => {
      if (call === 'open')
        calls.push(path === folder.path() ? 'open the folder' : 'open');
      if (['file.writeFile', 'file.sync', 'renameSync'].includes(call))
        calls.push(call);
    });
    await updateConfig(file(), () => '{"a":1}', { disk });
    const renamed = calls.indexOf('renameSync');
    assert.deepEqual(calls.slice(renamed - 2), [
      'file.writeFile',
      'file.sync',
      'renameSync',
      'open the folder',
      'file.sync',
    ]);
  });

  it('creates every missing folder for its owner only', async () => {
    const mask = process.umask(0);
    try {
      await updateConfig(folder.path('a/b/c/mcp.json'), () => '{}');
    } finally {
      process.umask(mask);
    }
    if (!posix) return;
    for (const made of ['a', 'a/b', 'a/b/c'])
      assert.equal(await modeOf(folder.path(made)), 0o700, made);
  });

  it('reports separated hard links only when a write separates them', async () => {
    await writeFile(file(), '{}', { mode: 0o600 });
    await link(file(), folder.path('other.json'));
    assert.deepEqual((await updateConfig(file(), (text) => text)).losses, []);
    assert.deepEqual((await updateConfig(file(), () => '{"a":1}')).losses, [
      'hardLinks',
    ]);
    assert.match(
      lossText('hardLinks'),
      /^The file had other names .* use symbolic links\.$/,
    );
    assert.equal(await contentOf(folder.path('other.json')), '{}');
    assert.deepEqual((await updateConfig(file(), () => '{"a":2}')).losses, []);
  });

  it('reports what was lost even if the change is then made again', async () => {
    await writeFile(file(), '{"theirs":1}', { mode: 0o600 });
    await link(file(), folder.path('other.json'));
    const disk = inBetween('renameSync', () => {
      writeFileSync(file(), '{"theirs":2}');
    });
    const { after, losses } = await updateConfig(file(), counting('ours'), {
      disk,
    });
    assert.deepEqual([after, losses], ['{"theirs":2,"ours":1}', ['hardLinks']]);
  });

  itOnPosix('does not wait for a pipe that replaces the file', async () => {
    for (const call of ['access', 'open', 'file.sync', 'lstatSync']) {
      await writeFile(file(), '{}');
      let replaced = false;
      const disk = watchedDisk((name, [path]) => {
        if (
          replaced ||
          name !== call ||
          (path !== undefined && path !== file())
        )
          return;
        replaced = true;
        rmSync(file());
        execFileSync('mkfifo', [file()]);
      });
      await assert.rejects(
        updateConfig(file(), counting('ours'), { disk }),
        refusal('it is a device or a pipe. Choose a file.'),
        call,
      );
      rmSync(file());
    }
  });

  it('keeps the mode of the file', async () => {
    for (const mode of [0o600, 0o640, 0o644, 0o664, 0o755]) {
      await writeFile(file(), '{}');
      await chmod(file(), mode);
      await updateConfig(file(), (text) => `${text}\n`);
      if (posix) assert.equal(await modeOf(file()), mode);
    }
  });

  it('keeps the owner, or refuses if it cannot', async () => {
    await writeFile(file(), '{}');
    const own = await stat(file());
    if (process.getuid?.() === 0) {
      for (const [uid, gid] of [
        [12_345, own.gid],
        [own.uid, 23_456],
        [12_345, 23_456],
      ] as const) {
        await chown(file(), uid, gid);
        await updateConfig(file(), (text) => `${text}\n`);
        const now = await stat(file());
        assert.deepEqual([now.uid, now.gid], [uid, gid]);
      }
    }
    // For all others: a file whose owner is not the owner of a new file.
    const disk = watchedDisk((call) => {
      if (call === 'file.chown') throw systemError('EPERM', 'chown');
    });
    const foreign = foreignStats(disk);
    const before = await contentOf(file());
    await assert.rejects(
      updateConfig(file(), () => '{"b":1}', { disk: foreign }),
      refusal(
        'it belongs to another user or group, and replacing it would change that. Make it yours, or change it as its owner.',
      ),
    );
    assert.equal(await contentOf(file()), before);
    assert.deepEqual(await namesIn(folder.path()), ['mcp.json']);
  });

  it('sets no owner that the file already has', async () => {
    await writeFile(file(), '{}');
    await updateConfig(file(), () => '{"a":1}', {
      disk: failingDisk('EPERM', ['file.chown']),
    });
    assert.equal(await contentOf(file()), '{"a":1}');
  });

  it('says why the check before replacing the file failed', async () => {
    await writeFile(file(), '{}');
    await assert.rejects(
      updateConfig(file(), () => '{"a":1}', {
        disk: failingDisk('EIO', ['lstatSync'], 1),
      }),
      refusal('the disk reports an error. Check the disk and try again.'),
    );
    assert.equal(await contentOf(file()), '{}');
  });

  if (process.platform === 'linux') {
    it('closes every file, with or without threads', async () => {
      for (const on of [
        {},
        { disk: blockingDisk },
        { disk: failingDisk('ENOTSUP', ['link']) },
      ]) {
        await updateConfig(file(), counting('ours'), on);
        await updateConfig(file(), counting('ours'), on);
        await readConfig(file(), on);
      }
      const open = readdirSync('/proc/self/fd').map((name) => {
        try {
          return readlinkSync(`/proc/self/fd/${name}`);
        } catch {
          return '';
        }
      });
      assert.deepEqual(
        open.filter((path) => path.startsWith(folder.path())),
        [],
      );
    });
  }

  /** The disk, but each existing file belongs to another group. */
  function foreignStats(disk: Disk): Disk {
    return new Proxy(disk, {
      get: (target, key) => {
        if (key !== 'readFile') return Reflect.get(target, key) as unknown;
        return async (path: string, most: number) => {
          const read = await target.readFile(path, most);
          read.stats.gid++;
          return read;
        };
      },
    });
  }

  it('refuses a read-only file, although it could be replaced', async () => {
    await writeFile(file(), '{}');
    await assert.rejects(
      updateConfig(file(), () => '{"a":1}', {
        disk: failingDisk('EACCES', ['access']),
      }),
      refusal(
        'permission is denied. Check the permissions of the file and of its folder.',
      ),
    );
    assert.equal(await contentOf(file()), '{}');
  });

  it('keeps a link, and replaces its target within the folder of the target', async () => {
    await mkdir(folder.path('dotfiles'));
    await writeFile(folder.path('dotfiles/servers.json'), '{}');
    await symlink('dotfiles/servers.json', folder.path('link.json'));
    await symlink('link.json', file());
    const folders = new Set<string>();
    const disk = watchedDisk((call, [path]) => {
      if (call === 'open')
        folders.add(
          String(path).includes('/dotfiles')
            ? 'beside the target'
            : String(path),
        );
    });
    await updateConfig(file(), () => '{"a":1}', { disk });
    if (posix) assert.deepEqual([...folders], ['beside the target']);
    assert.equal(await readlink(file()), 'link.json');
    assert.equal(
      await contentOf(folder.path('dotfiles/servers.json')),
      '{"a":1}',
    );
    assert.equal(
      (await lstat(folder.path('dotfiles/servers.json'))).isFile(),
      true,
    );
    assert.deepEqual(await namesIn(folder.path('dotfiles')), ['servers.json']);
    assert.deepEqual(await namesIn(folder.path()), [
      'dotfiles',
      'link.json',
      'mcp.json',
    ]);
  });

  it('creates a file in a linked folder', async () => {
    await mkdir(folder.path('dotfiles'));
    await symlink('dotfiles', folder.path('.agent'));
    await updateConfig(folder.path('.agent/mcp.json'), () => '{}');
    assert.equal(await contentOf(folder.path('dotfiles/mcp.json')), '{}');
    assert.equal(await readlink(folder.path('.agent')), 'dotfiles');
  });

  it('refuses a broken link', async () => {
    await symlink('nothing.json', file());
    await assert.rejects(
      updateConfig(file(), () => '{}'),
      refusal(
        'it is a link to a file that does not exist. Create that file, or remove the link.',
      ),
    );
    assert.deepEqual(await namesIn(folder.path()), ['mcp.json']);
  });

  it('refuses a folder, bytes that are not UTF-8, and more than 16 MB', async () => {
    await mkdir(file());
    await assert.rejects(
      updateConfig(file(), () => '{}'),
      refusal('it is a folder. Choose a file.'),
    );
    rmSync(file(), { recursive: true });
    await writeFile(file(), Buffer.from([0x7b, 0xff, 0x7d]));
    await assert.rejects(
      updateConfig(file(), () => '{}'),
      refusal('it is not UTF-8 text. Save it as UTF-8 in the editor.'),
    );
    await truncate(file(), 16 * 1024 * 1024 + 1);
    await assert.rejects(
      updateConfig(file(), () => '{}'),
      refusal('it is larger than 16 MB. Choose another file.'),
    );
    await writeFile(file(), '{}');
    await updateConfig(file(), () => ' '.repeat(16 * 1024 * 1024));
    await updateConfig(file(), () => '{}');
    await assert.rejects(
      updateConfig(file(), () => ' '.repeat(16 * 1024 * 1024 + 1)),
      refusal('it is larger than 16 MB. Choose another file.'),
    );
    assert.equal(await contentOf(file()), '{}');
  });

  it('waits for the rest of a half-written file', async () => {
    for (const half of ['', '{"a":']) {
      await writeFile(file(), half);
      let calls = 0;
      const { before } = await updateConfig(file(), (text) => {
        if (++calls === 2) writeFileSync(file(), '{"a":1}');
        return counting('ours')(text);
      });
      assert.equal(before, '{"a":1}');
      assert.deepEqual(parsed(await contentOf(file())), { a: 1, ours: 1 });
    }
  });

  it('accepts an empty file, and refuses invalid syntax, if they last', async () => {
    await writeFile(file(), '');
    const { before, after } = await updateConfig(file(), counting('ours'));
    assert.deepEqual([before, after], ['', '{"ours":1}']);
    await writeFile(file(), '{"a":');
    await assert.rejects(updateConfig(file(), counting('ours')), {
      kind: 'syntax',
    });
    assert.equal(await contentOf(file()), '{"a":');
    assert.deepEqual(await namesIn(folder.path()), ['mcp.json']);
  });

  it('repeats the change on top of a write by a program without a lock', async () => {
    await writeFile(file(), '{"theirs":1}');
    const others: Record<string, () => void> = {
      'written in place': () => {
        writeFileSync(file(), '{"theirs":2}');
      },
      'made by somebody else': () => {
        rmSync(file());
        writeFileSync(file(), '{"theirs":2}');
      },
    };
    for (const [how, action] of Object.entries(others)) {
      await writeFile(file(), '{"theirs":1}');
      const { before } = await updateConfig(file(), counting('ours'), {
        disk: inBetween('file.sync', action),
      });
      assert.equal(before, '{"theirs":2}', how);
      assert.deepEqual(
        parsed(await contentOf(file())),
        { theirs: 2, ours: 1 },
        how,
      );
      assert.deepEqual(await namesIn(folder.path()), ['mcp.json']);
    }
  });

  it('repeats the change if the file appears, disappears or is replaced by the same text', async () => {
    const came = inBetween('file.sync', () => {
      writeFileSync(file(), '{"theirs":2}');
    });
    await updateConfig(file(), counting('ours'), { disk: came });
    assert.deepEqual(parsed(await contentOf(file())), { theirs: 2, ours: 1 });

    const went = inBetween('file.sync', () => {
      rmSync(file());
    });
    const { before } = await updateConfig(file(), counting('ours'), {
      disk: went,
    });
    assert.equal(before, undefined);
    assert.deepEqual(parsed(await contentOf(file())), { ours: 1 });

    let calls = 0;
    const replaced = inBetween('file.sync', () => {
      writeFileSync(folder.path('other'), '{"ours":1}');
      rmSync(file());
      writeFileSync(file(), '{"ours":1}', { mode: 0o640 });
      rmSync(folder.path('other'));
    });
    const change = (text: string) => {
      calls++;
      return counting('ours')(text);
    };
    await updateConfig(file(), change, { disk: replaced });
    assert.equal(calls, 2);
    if (posix) assert.equal(await modeOf(file()), 0o640);
  });

  it('repeats the change if the file disappears at any moment', async () => {
    // A program that removes the file before it writes a new one can come in
    // between at each look.
    for (const call of [
      'readFile',
      'access',
      'open',
      'file.sync',
      'lstatSync',
      'readFileSync',
    ]) {
      await writeFile(file(), '{"theirs":1}');
      let gone = false;
      const disk = watchedDisk((name, [path]) => {
        if (gone || name !== call || (path !== undefined && path !== file()))
          return;
        gone = true;
        rmSync(file());
      });
      const { before } = await updateConfig(file(), counting('ours'), { disk });
      assert.ok(gone, call);
      assert.equal(before, undefined, call);
      assert.deepEqual(parsed(await contentOf(file())), { ours: 1 }, call);
      assert.deepEqual(await namesIn(folder.path()), ['mcp.json'], call);
    }
  });

  it('does not overwrite a folder or a link that replaces the file', async () => {
    await writeFile(file(), '{}');
    const folderInstead = inBetween('file.sync', () => {
      rmSync(file());
      mkdirSync(file());
    });
    await assert.rejects(
      updateConfig(file(), counting('ours'), { disk: folderInstead }),
      refusal('it is a folder. Choose a file.'),
    );
    rmSync(file(), { recursive: true });
    await writeFile(file(), '{}');
    await writeFile(folder.path('real.json'), '{"theirs":1}');
    const linkInstead = inBetween('file.sync', () => {
      rmSync(file());
      symlinkSync('real.json', file());
    });
    await assert.rejects(
      updateConfig(file(), counting('ours'), { disk: linkInstead }),
      refusal(
        'another program keeps writing to it. Try again when that program is done.',
      ),
    );
    assert.equal(await readlink(file()), 'real.json');
    assert.equal(await contentOf(folder.path('real.json')), '{"theirs":1}');
  });

  it('gives up if another program never stops writing the file', async () => {
    await writeFile(file(), '{"theirs":0}');
    let theirs = 0;
    const disk = watchedDisk((call) => {
      if (call === 'file.sync') writeFileSync(file(), `{"theirs":${++theirs}}`);
    });
    await assert.rejects(
      updateConfig(file(), counting('ours'), { disk }),
      refusal(
        'another program keeps writing to it. Try again when that program is done.',
      ),
    );
    assert.equal(await contentOf(file()), `{"theirs":${theirs}}`);
    assert.deepEqual(await namesIn(folder.path()), ['mcp.json']);
  });

  it('keeps a file that appears right before it would be created', async () => {
    const disk = inBetween('file.sync', () => {
      writeFileSync(file(), '{"theirs":1}');
    });
    assert.equal(await createConfigFile(file(), { disk }), 'existed');
    assert.equal(await contentOf(file()), '{"theirs":1}');
  });

  it('retries only on Windows while another program uses the file, and then says so', async () => {
    await writeFile(file(), '{}');
    for (const code of ['EPERM', 'EACCES', 'EBUSY']) {
      await writeFile(file(), '{}');
      const busyTwice = failingDisk(code, ['renameSync'], 2);
      await updateConfig(file(), () => '{"a":1}', {
        platform: 'win32',
        disk: busyTwice,
      });
      assert.equal(await contentOf(file()), '{"a":1}', code);
    }
    await assert.rejects(
      updateConfig(file(), () => '{"b":1}', {
        platform: 'win32',
        disk: failingDisk('EBUSY', ['renameSync']),
      }),
      refusal(
        'another program is using it. Close that program, or unmount the file, and try again.',
      ),
    );
    assert.equal(await contentOf(file()), '{"a":1}');
    await assert.rejects(
      updateConfig(file(), () => '{"b":1}', {
        platform: 'linux',
        disk: failingDisk('EBUSY', ['renameSync'], 1),
      }),
      refusal(
        'another program is using it. Close that program, or unmount the file, and try again.',
      ),
    );
    assert.deepEqual(await namesIn(folder.path()), ['mcp.json']);
  });
});
