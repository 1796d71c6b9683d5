import assert from 'node:assert/strict';
import { needsPolling } from '../../../../src/editor/mcpJson/networkFolder.ts';

describe('the folder of a configuration file', () => {
  const typeOf = (folder: string) =>
    folder.startsWith('/nfs')
      ? Promise.resolve(0x6969)
      : folder.startsWith('/signed')
        ? Promise.resolve(0xff534d42 | 0)
        : folder.startsWith('/gone')
          ? Promise.reject(new Error('ENOENT'))
          : Promise.resolve(0xef53);
  const polls = (platform: NodeJS.Platform, ...folders: string[]) =>
    needsPolling(folders, { platform, typeOf });

  it('needs polling when any folder of the file is on a network drive', async () => {
    assert.equal(
      await polls('linux', '/local/a/.agent', '/nfs/dotfiles'),
      true,
    );
    assert.equal(await polls('linux', '/signed/share'), true);
    assert.equal(await polls('win32', '\\\\server\\share\\.agent'), true);
    assert.equal(await polls('darwin', '/Volumes/share/.agent'), true);
  });

  it('needs no polling on any other drive', async () => {
    assert.equal(await polls('linux', '/local/a/.agent', '/gone'), false);
    assert.equal(await polls('win32', 'C:\\Users\\a\\.agent'), false);
    assert.equal(await polls('darwin', '/local/a/.agent'), false);
  });
});
