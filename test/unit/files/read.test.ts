import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { once } from 'node:events';
import {
  chmod,
  mkdir,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { UserError } from '../../../src/base/errors.ts';
import {
  blockingDisk,
  disk,
  type OpenFile,
  readOpenFile,
} from '../../../src/files/disk.ts';
import { withFileErrors } from '../../../src/files/fileErrors.ts';
import { makePrivate } from '../../../src/files/update.ts';
import { readConfig, readUntilStable } from '../../../src/files/read.ts';
import { Refusal } from '../../../src/mcp/text/refusal.ts';
import {
  failingDisk,
  systemError,
  watchedDisk,
} from '../../support/files/faultyDisk.ts';
import {
  makePipe,
  modeOf,
  scratchFolder,
} from '../../support/files/scratch.ts';
import { SteppedClock } from '../../support/steppedClock.ts';
import { itOnPosix } from '../../support/posix.ts';

describe('reading the configuration', () => {
  const folder = scratchFolder();
  const file = () => folder.path('mcp.json');

  const refusal = (why: RegExp) => ({
    name: 'UserError',
    message: new RegExp(
      `^The configuration file ${file()} could not be read: ${why.source}`,
    ),
  });

  it('returns nothing if there is no file or no folder', async () => {
    assert.equal(await readConfig(file()), undefined);
    assert.equal(await readConfig(folder.path('none/mcp.json')), undefined);
  });

  it('returns the text with its byte order mark', async () => {
    await writeFile(file(), '\uFEFF{"a": "ä"}\r\n', { mode: 0o600 });
    assert.partialDeepStrictEqual(await readConfig(file()), {
      text: '\uFEFF{"a": "ä"}\r\n',
      openToOthers: false,
    });
  });

  it('returns nothing if the file appears during the read', async () => {
    const disk = watchedDisk((call) => {
      if (call === 'lstat') writeFileSync(file(), '{}');
    });
    assert.equal(await readConfig(file(), { disk }), undefined);
    assert.equal((await readConfig(file()))?.text, '{}');
  });

  it('returns and refuses the same without threads', async () => {
    const read = () => readConfig(file(), { disk: blockingDisk });
    assert.equal(await read(), undefined);
    await symlink('real.json', file());
    await assert.rejects(
      read(),
      refusal(/it is a link to a file that does not exist\./),
    );
    await writeFile(folder.path('real.json'), '{}');
    assert.equal((await read())?.text, '{}');
    await truncate(file(), 16 * 1024 * 1024 + 1);
    await assert.rejects(read(), refusal(/it is larger than 16 MB\./));
    await rm(file());
    await mkdir(file());
    await assert.rejects(read(), refusal(/it is a folder\./));
  });

  it('reads a complete file only once, whatever it says', async () => {
    for (const text of ['{}', '{"mcpServers":5}']) {
      await writeFile(file(), text);
      let reads = 0;
      const disk = watchedDisk((call) => {
        if (call === 'readFile') reads++;
      });
      await readConfig(file(), { disk });
      assert.equal(reads, 1, text);
    }
  });

  it('follows links', async () => {
    await writeFile(folder.path('real.json'), '{}');
    await symlink('real.json', file());
    assert.equal((await readConfig(file()))?.text, '{}');
  });

  it('reports if others can read the file, except on Windows', async () => {
    await writeFile(file(), '{}');
    for (const [mode, open] of [
      [0o600, false],
      [0o611, false],
      [0o640, true],
      [0o604, true],
    ] as const) {
      await chmod(file(), mode);
      assert.equal(
        (await readConfig(file(), { platform: 'linux' }))?.openToOthers,
        open,
        mode.toString(8),
      );
      assert.equal(
        (await readConfig(file(), { platform: 'win32' }))?.openToOthers,
        false,
      );
    }
  });

  it('refuses a folder', async () => {
    await mkdir(file());
    await assert.rejects(
      readConfig(file()),
      refusal(/it is a folder\. Choose a file\.$/),
    );
  });

  it('refuses a pipe without waiting for it', async () => {
    if (process.platform !== 'win32') await makePipe(file());
    await assert.rejects(
      readConfig(process.platform === 'win32' ? '\\\\.\\NUL' : file()),
      /it is a device or a pipe\. Choose a file\.$/,
    );
  });

  itOnPosix('refuses a socket, which cannot be opened', async () => {
    const server = createServer().listen(file());
    await once(server, 'listening');
    for (const on of [disk, blockingDisk]) {
      await assert.rejects(
        readConfig(file(), { disk: on }),
        refusal(/it is a device or a pipe\./),
      );
    }
    server.close();
  });

  it('returns the text of one moment even if the file changes during the read', async () => {
    await writeFile(file(), '{"n":9}');
    const open = await disk.open(file(), 'r');
    const overtaken = {
      stat: open.stat.bind(open),
      read: async (
        buffer: Buffer,
        offset: number,
        length: number,
        position: number,
      ) => {
        const read = await open.read(buffer, offset, length, position);
        writeFileSync(file(), '{"n":10}');
        return read;
      },
    } as OpenFile;
    const { bytes } = await readOpenFile(overtaken, 100);
    await open.close();
    assert.equal(bytes?.toString(), '{"n":9}');
  });

  itOnPosix(
    'opens neither a pipe nor a device, and does not wait for a pipe that is already open',
    async () => {
      const pipe = folder.path('pipe');
      await makePipe(pipe);
      for (const path of [pipe, '/dev/zero', folder.path()]) {
        assert.equal((await disk.readFile(path, 10)).bytes, undefined, path);
        assert.equal(disk.readFileSync(path, 10).bytes, undefined, path);
      }
      const open = await disk.open(pipe, 'r');
      assert.equal((await readOpenFile(open, 10)).bytes, undefined);
      await open.close();
    },
  );

  it('refuses a broken link', async () => {
    await symlink('nothing.json', file());
    await assert.rejects(
      readConfig(file()),
      refusal(
        /it is a link to a file that does not exist\. Create that file, or remove the link\.$/,
      ),
    );
  });

  it('refuses links that form a loop', async () => {
    await symlink('mcp.json', file());
    await assert.rejects(
      readConfig(file()),
      refusal(/its links form a loop\. Correct the links\.$/),
    );
  });

  it('refuses bytes that are not UTF-8, and shows none of them', async () => {
    for (const bytes of [
      Buffer.from('{"key": "caf\xe9"}', 'latin1'),
      Buffer.from('\uFEFF{}', 'utf16le'),
    ]) {
      await writeFile(file(), bytes);
      await assert.rejects(
        readConfig(file()),
        refusal(/it is not UTF-8 text\. Save it as UTF-8 in the editor\.$/),
      );
    }
  });

  it('refuses more than 16 MB, even a terabyte', async () => {
    await writeFile(file(), '');
    for (const size of [16 * 1024 * 1024 + 1, 2 ** 40]) {
      await truncate(file(), size);
      await assert.rejects(
        readConfig(file()),
        refusal(/it is larger than 16 MB\./),
      );
    }
  });

  it('returns all of a file that is longer than its reported size, up to the limit', async () => {
    await writeFile(file(), '0123456789');
    const open = await disk.open(file(), 'r');
    const stats = Object.assign(await open.stat(), { size: 3 });
    const growing = {
      stat: () => Promise.resolve(stats),
      read: open.read.bind(open),
    } as OpenFile;
    assert.equal(
      (await readOpenFile(growing, 10)).bytes?.toString(),
      '0123456789',
    );
    assert.equal((await readOpenFile(growing, 9)).bytes, undefined);
    await open.close();
    for (const [most, expected] of [
      [10, '0123456789'],
      [9, undefined],
    ] as const) {
      assert.equal(
        (await disk.readFile(file(), most)).bytes?.toString(),
        expected,
      );
      assert.equal(disk.readFileSync(file(), most).bytes?.toString(), expected);
    }
  });

  it('stops at the limit in a file that never ends', async () => {
    for (const size of [3, 900]) {
      await writeFile(file(), 'x'.repeat(size));
      const open = await disk.open(file(), 'r');
      let end = 0;
      const endless = {
        stat: open.stat.bind(open),
        read: (buffer: Buffer, _: number, length: number, position: number) => {
          end = position + length;
          return Promise.resolve({ bytesRead: length, buffer });
        },
      } as OpenFile;
      assert.equal((await readOpenFile(endless, 1000)).bytes, undefined);
      await open.close();
      assert.equal(end, 1001);
    }
  });

  it('says why the system refuses the read', async () => {
    await writeFile(file(), '{}');
    for (const [code, why] of [
      [
        'EACCES',
        /permission is denied\. Check the permissions of the file and of its folder\.$/,
      ],
      ['EIO', /the disk reports an error\. Check the disk and try again\.$/],
      [
        'EODD',
        /EODD: made to fail, readFile\. Try again, or choose another file\.$/,
      ],
    ] as const) {
      await assert.rejects(
        readConfig(file(), { disk: failingDisk(code, ['readFile']) }),
        refusal(why),
      );
    }
  });

  it('explains every disk failure with a remedy, and keeps the original error as the cause', async () => {
    await writeFile(file(), '{}');
    for (const code of [
      ...[
        'ENOSPC',
        'EDQUOT',
        'EROFS',
        'EACCES',
        'EPERM',
        'EAGAIN',
        'EBUSY',
        'ETXTBSY',
        'EXDEV',
        'EIO',
      ],
      ...[
        'ENOENT',
        'ENOTDIR',
        'EEXIST',
        'EISDIR',
        'ELOOP',
        'ENAMETOOLONG',
        'EMFILE',
        'ENFILE',
      ],
    ]) {
      const failing = systemError(code, 'open');
      const reading = withFileErrors(file(), 'read', () =>
        Promise.reject(failing),
      );
      const error: unknown = await reading.catch((error: unknown) => error);
      assert.ok(error instanceof UserError, code);
      assert.match(
        error.message,
        /could not be read: [a-z][^:]+\. [A-Z][^:]+\.$/,
        code,
      );
      assert.equal(error.cause, failing);
    }
  });

  it('rethrows an error that is not a system failure', async () => {
    for (const defect of [
      new TypeError('a defect'),
      Object.assign(new Error('odd'), { code: 'ERR_ODD' }),
    ]) {
      const disk = watchedDisk(() => {
        throw defect;
      });
      await assert.rejects(readConfig(file(), { disk }), defect);
    }
  });

  it('returns the whole text when the first reads find half of it', async () => {
    for (const half of ['', '{"mcpServers":{"a"']) {
      await writeFile(file(), half);
      let looks = 0;
      const disk = watchedDisk((call) => {
        if (call === 'readFile' && ++looks === 3)
          writeFileSync(file(), '{"mcpServers":{}}');
      });
      assert.equal(
        (await readConfig(file(), { disk }))?.text,
        '{"mcpServers":{}}',
      );
    }
  });

  it('returns the whole text even if each read takes longer than the wait', async () => {
    await writeFile(file(), '');
    let looks = 0;
    const disk = watchedDisk((call) => {
      if (call === 'readFile' && ++looks === 3) writeFileSync(file(), '{}');
    });
    const clock: Clock = {
      now: () => looks * 1_000,
      after: systemClock.after.bind(systemClock),
    };
    assert.equal((await readConfig(file(), { disk, clock }))?.text, '{}');
  });

  it('believes what it finds after 300 ms and five looks, whichever is later', async () => {
    for (const [slowness, expected] of [
      [1, 11],
      [10, 5],
    ] as const) {
      let [now, looks] = [0, 0];
      const clock: Clock = {
        now: () => now,
        after: (milliseconds, callback) => {
          now += slowness * milliseconds;
          queueMicrotask(callback);
          return () => undefined;
        },
      };
      const read = () => Promise.resolve(++looks);
      assert.equal(await readUntilStable(read, () => false, clock), expected);
    }
  });

  it('returns an incomplete text as it is after at least 300 ms', async () => {
    for (const text of ['', '{"mcpServers":{"a"']) {
      await writeFile(file(), text);
      const clock = new SteppedClock();
      const begin = clock.now();
      const read = clock.advanceUntil(readConfig(file(), { clock }), 1);
      assert.equal((await read)?.text, text);
      assert.ok(clock.now() - begin >= 300);
    }
  });

  it('returns the servers, or why they cannot be found', async () => {
    await writeFile(file(), '{"mcpServers":{"a":{}}}');
    const { found } = (await readConfig(file())) ?? {};
    assert.ok(found && 'servers' in found);
    assert.deepEqual(
      found.servers?.members.map(({ name }) => name),
      ['a'],
    );
    await writeFile(file(), '{"mcpServers":5}');
    const refusal = (await readConfig(file()))?.found;
    assert.ok(refusal instanceof Refusal && refusal.kind === 'wrongType');
  });
});

describe('making the configuration private', () => {
  const folder = scratchFolder();

  itOnPosix(
    'restricts the file to its owner, even through a link',
    async () => {
      await writeFile(folder.path('real.json'), '{}', { mode: 0o644 });
      await symlink('real.json', folder.path('mcp.json'));
      await makePrivate(folder.path('mcp.json'));
      assert.equal(await modeOf(folder.path('real.json')), 0o600);
      assert.equal(
        (await readConfig(folder.path('mcp.json')))?.openToOthers,
        false,
      );
    },
  );

  it('says why the file could not be made private', async () => {
    const disk = watchedDisk((call) => {
      throw systemError('EPERM', call);
    });
    await assert.rejects(
      makePrivate(folder.path('mcp.json'), { disk, platform: 'linux' }),
      {
        name: 'UserError',
        message: `The configuration file ${folder.path('mcp.json')} could not be made private: the operation is not permitted. Check the owner and the permissions of the file and of its folder.`,
      },
    );
  });

  it('refers to the file properties on Windows', async () => {
    await assert.rejects(makePrivate('C:\\mcp.json', { platform: 'win32' }), {
      name: 'UserError',
      message:
        'On Windows, the properties of a file say who can read it. Change the properties of C:\\mcp.json.',
    });
  });
});
