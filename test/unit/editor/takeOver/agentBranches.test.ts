import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { folderHere } from '../../../../src/editor/takeOver/agentBranches.ts';
import type { Conversation } from '../../../../src/service/model/entities.ts';
import type { ChangedFiles } from '../../../../src/service/abilities/fileChanges.ts';
import { LocalGit } from '../../../../src/takeOver/localGit.ts';
import { scratchFolder } from '../../../support/files/scratch.ts';
import { commit, git } from '../../../support/repositories.ts';

describe('the folder in which an agent works', () => {
  const { path } = scratchFolder();
  let head: string;
  let asked: string[];

  beforeEach(() => {
    mkdirSync(path('clone'));
    git(path('clone'), 'init', '-q');
    head = commit(path('clone'), { 'a.txt': 'a\n' });
    mkdirSync(path('plain'));
    asked = [];
  });

  const found = (
    root: string,
    patchHead: string | undefined,
    platform = process.platform,
  ) => {
    const conversation = { service: 'http://127.0.0.1:8000' } as Conversation;
    const patch = {
      bytes: Buffer.of(),
      base: undefined,
      head: patchHead,
      branch: undefined,
    };
    const gitIn = (folder: string) => {
      asked.push(folder);
      return new LocalGit('git', folder);
    };
    return folderHere(
      conversation,
      { root, files: [], patch } as unknown as ChangedFiles,
      gitIn,
      platform,
    );
  };

  it('opens only if Git has there the commit that the service names', async () => {
    assert.equal(await found(path('clone'), head), path('clone'));
    assert.equal(
      await found(
        path('clone'),
        head.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
      ),
      undefined,
    );
    assert.equal(await found(path('gone'), head), undefined);
  });

  it('stays closed, without a start of Git there, if the service names no commit', async () => {
    assert.equal(await found(path('plain'), undefined), undefined);
    assert.equal(await found(path('clone'), undefined), undefined);
    assert.deepEqual(asked, []);
  });

  it('touches no network path on Windows and no relative path', async () => {
    assert.equal(await found(`/${path('clone')}`, head, 'win32'), undefined);
    for (const root of [
      '\\\\server\\share',
      '//server/share',
      '\\\\?\\UNC\\server\\share',
      '/srv',
      'clone',
      '.',
    ])
      assert.equal(await found(root, head, 'win32'), undefined);
    assert.equal(
      await found(
        '.',
        git(process.cwd(), 'rev-parse', 'HEAD').toString().trim(),
      ),
      undefined,
    );
    assert.deepEqual(asked, []);
  });
});
