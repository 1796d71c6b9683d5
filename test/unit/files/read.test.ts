import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { chmod, mkdir, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { blockingDisk } from '../../../src/files/disk.ts';
import { makePrivate } from '../../../src/files/update.ts';
import { readConfig } from '../../../src/files/read.ts';
import { Refusal } from '../../../src/mcp/refusal.ts';
import { failingDisk, systemError, watchedDisk } from '../../support/files/faultyDisk.ts';
import { modeOf, scratchFolder } from '../../support/files/scratch.ts';
import { itOnPosix } from '../../support/posix.ts';

describe('reading the configuration', () => {
  const folder = scratchFolder();
  const file = () => folder.path('mcp.json');

  const refusal = (why: RegExp) => ({
    name: 'UserError',
    message: new RegExp(`^The configuration file ${file()} could not be read: ${why.source}`),
  });

  it('brings nothing if there is no file, or no folder', async () => {
    assert.equal(await readConfig(file()), undefined);
    assert.equal(await readConfig(folder.path('none/mcp.json')), undefined);
  });

  it('brings the text with its byte order mark', async () => {
    await writeFile(file(), '\uFEFF{"a": "ä"}\r\n', { mode: 0o600 });
    const { mtimeMs: changedAt } = await stat(file());
    assert.partialDeepStrictEqual(await readConfig(file()), {
      text: '\uFEFF{"a": "ä"}\r\n',
      openToOthers: false,
      changedAt,
    });
  });

  it('brings nothing if the file appears while it is looked for', async () => {
    const disk = watchedDisk((call) => {
      if (call === 'lstat') writeFileSync(file(), '{}');
    });
    assert.equal(await readConfig(file(), { disk }), undefined);
    assert.equal((await readConfig(file()))?.text, '{}');
  });

  it('brings and refuses the same when it reads without threads', async () => {
    const read = () => readConfig(file(), { disk: blockingDisk });
    assert.equal(await read(), undefined);
    await symlink('real.json', file());
    await assert.rejects(read(), refusal(/it is a link to a file that does not exist\./));
    await writeFile(folder.path('real.json'), '{}');
    assert.equal((await read())?.text, '{}');
    await truncate(file(), 16 * 1024 * 1024 + 1);
    await assert.rejects(read(), refusal(/it is larger than 16 MB\./));
  });

  it('goes through links', async () => {
    await writeFile(folder.path('real.json'), '{}');
    await symlink('real.json', file());
    assert.equal((await readConfig(file()))?.text, '{}');
  });

  it('tells when others can read the file, on platforms where files have a mode', async () => {
    await writeFile(file(), '{}');
    for (const [mode, open] of [
      [0o600, false],
      [0o611, false],
      [0o640, true],
      [0o604, true],
    ] as const) {
      await chmod(file(), mode);
      assert.equal((await readConfig(file(), { platform: 'linux' }))?.openToOthers, open, mode.toString(8));
      assert.equal((await readConfig(file(), { platform: 'win32' }))?.openToOthers, false);
    }
  });

  it('refuses a folder', async () => {
    await mkdir(file());
    await assert.rejects(readConfig(file()), refusal(/it is a folder\. Choose a file\.$/));
  });

  it('refuses a pipe, and does not wait for it', async () => {
    if (process.platform !== 'win32') await promisify(execFile)('mkfifo', [file()]);
    await assert.rejects(
      readConfig(process.platform === 'win32' ? '\\\\.\\NUL' : file()),
      /it is a device or a pipe\. Choose a file\.$/,
    );
  });

  it('refuses a broken link', async () => {
    await symlink('nothing.json', file());
    await assert.rejects(
      readConfig(file()),
      refusal(/it is a link to a file that does not exist\. Create that file, or remove the link\.$/),
    );
  });

  it('refuses links that form a loop', async () => {
    await symlink('mcp.json', file());
    await assert.rejects(readConfig(file()), refusal(/its links form a loop\. Correct the links\.$/));
  });

  it('refuses bytes that are not UTF-8, and shows none of them', async () => {
    for (const bytes of [Buffer.from('{"key": "caf\xe9"}', 'latin1'), Buffer.from('\uFEFF{}', 'utf16le')]) {
      await writeFile(file(), bytes);
      await assert.rejects(
        readConfig(file()),
        refusal(/it is not UTF-8 text\. Save it as UTF-8 in the editor\.$/),
      );
    }
  });

  it('refuses more than 16 MB without reading them', async () => {
    await writeFile(file(), '');
    await truncate(file(), 16 * 1024 * 1024 + 1);
    const disk = watchedDisk((call) => {
      assert.notEqual(call, 'readFile');
    });
    await assert.rejects(readConfig(file(), { disk }), refusal(/it is larger than 16 MB\./));
  });

  it('says why the system does not let it read', async () => {
    await writeFile(file(), '{}');
    for (const [code, why] of [
      ['EACCES', /permission is denied\. Check the permissions of the file and of its folder\.$/],
      ['EIO', /the disk reports an error\. Check the disk and try again\.$/],
      ['EODD', /EODD: made to fail, readFile\. Try again, or choose another file\.$/],
    ] as const) {
      await assert.rejects(readConfig(file(), { disk: failingDisk(code, ['readFile']) }), refusal(why));
    }
  });

  it('passes on a defect that is not a failure of the system', async () => {
    const disk = watchedDisk(() => {
      throw new TypeError('a defect');
    });
    await assert.rejects(readConfig(file(), { disk }), { name: 'TypeError', message: 'a defect' });
  });

  it('brings the whole text when at first there is half of it', async () => {
    for (const half of ['', '{"mcpServers":{"a"']) {
      await writeFile(file(), half);
      let looks = 0;
      const disk = watchedDisk((call) => {
        if (call === 'readFile' && ++looks === 3) writeFileSync(file(), '{"mcpServers":{}}');
      });
      assert.equal((await readConfig(file(), { disk }))?.text, '{"mcpServers":{}}');
    }
  });

  it('brings what does not become whole as it is, after a moment', async () => {
    for (const text of ['', '{"mcpServers":{"a"']) {
      await writeFile(file(), text);
      const begin = Date.now();
      assert.equal((await readConfig(file()))?.text, text);
      assert.ok(Date.now() - begin >= 300);
    }
  });

  it('tells where the servers are, or why they cannot be found', async () => {
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

  itOnPosix('leaves it to its owner only, even through a link', async () => {
    await writeFile(folder.path('real.json'), '{}', { mode: 0o644 });
    await symlink('real.json', folder.path('mcp.json'));
    await makePrivate(folder.path('mcp.json'));
    assert.equal(await modeOf(folder.path('real.json')), 0o600);
    assert.equal((await readConfig(folder.path('mcp.json')))?.openToOthers, false);
  });

  it('says why it could not', async () => {
    const disk = watchedDisk((call) => {
      throw systemError('EPERM', call);
    });
    await assert.rejects(makePrivate(folder.path('mcp.json'), { disk, platform: 'linux' }), {
      name: 'UserError',
      message: `The configuration file ${folder.path('mcp.json')} could not be made private: the operation is not permitted. Check the owner and the permissions of the file and of its folder.`,
    });
  });

  it('is left to Windows, where a mode makes nothing private', async () => {
    await assert.rejects(makePrivate('C:\\mcp.json', { platform: 'win32' }), {
      name: 'UserError',
      message:
        'On Windows, the properties of a file say who can read it. Change the properties of C:\\mcp.json.',
    });
  });
});
