import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { changeShared, readShared } from '../../../src/files/sharedFile.ts';
import {
  contentOf,
  namesIn,
  scratchFolder,
} from '../../support/files/scratch.ts';

describe('a file that windows share', () => {
  const folder = scratchFolder();
  const file = () => folder.path('inner', 'shared');

  it('reads as an untouched empty text while it does not exist', async () => {
    assert.deepEqual(await readShared(file()), { text: '', touched: 0 });
  });

  it('fails to be read for any other reason', async () => {
    await mkdir(file(), { recursive: true });
    await assert.rejects(readShared(file()), { code: 'EISDIR' });
  });

  it('gets the text that a change makes of the one before', async () => {
    await changeShared(file(), ({ text, touched }) => `${text}${touched}`);
    await changeShared(
      file(),
      ({ text, touched }) => `${text}, ${touched > 0}`,
    );
    assert.equal((await readShared(file())).text, '0, true');
  });

  it('stays as it is for a change without a text', async () => {
    await changeShared(file(), () => 'before');
    await changeShared(file(), () => undefined);
    assert.equal(await contentOf(file()), 'before');
  });

  it('stays as it is, with nothing beside it, if the lock is lost', async () => {
    await changeShared(file(), () => 'before');
    await changeShared(file(), () => {
      rmSync(`${file()}.lock`);
      return 'after';
    });
    assert.equal(await contentOf(file()), 'before');
    assert.deepEqual(await namesIn(folder.path('inner')), ['shared']);
  });
});
