import assert from 'node:assert/strict';
import {
  archiveLosses,
  cleanUpLosses,
  protectionText,
  worktreeDescription,
  worktreeLosses,
  worktreeName,
} from '../../../../../src/editor/words/conversations/worktreeWords.ts';
import type { Conversation } from '../../../../../src/service/model/entities.ts';
import type { WorktreeState } from '../../../../../src/state/conversation/worktreeRemoval.ts';
import { conversation } from '../../../state/support.ts';

describe('the text about a worktree', () => {
  const none = { count: 0, names: [] };
  const folder = '/tmp/conversation-worktrees/1/shop';
  const now = 1_700_000_000_000;
  const read = (fields: Partial<WorktreeState> = {}) => ({
    folder,
    state: {
      repository: '/srv/shop/.git',
      branch: 'openhands/1',
      state: 'a'.repeat(40),
      changedAt: now - 3 * 86_400_000,
      kilobytes: 12_288,
      obstacle: undefined,
      isMerged: false,
      files: none,
      ignored: none,
      commits: none,
      ...fields,
    },
  });
  const files = { count: 2, names: ['a.txt', 'b.txt'] };
  const ignored = { count: 6, names: ['1', '2', '3', '4', '5'] };
  const owner = conversation({ id: '1', title: 'Fix the build' });

  it('shows size, age and branch, as far as they are known', () => {
    const times = { createdAt: undefined, updatedAt: undefined };
    const describe = (
      fields: Partial<WorktreeState>,
      owners: readonly Conversation[] = [{ ...owner, ...times }],
    ) => worktreeDescription(read(fields), owners, now);
    assert.equal(describe({}), '12 MB · 3 d · openhands/1');
    assert.equal(
      describe({ isMerged: true, kilobytes: 900 }, []),
      '900 kB · 3 d · openhands/1 (merged)',
    );
    assert.equal(
      describe({ branch: undefined, kilobytes: 3_145_728 }),
      '3 GB · 3 d · No branch',
    );
    assert.equal(
      describe({ kilobytes: undefined, changedAt: undefined }),
      'Size unknown · openhands/1',
    );
    assert.equal(
      describe({}, [{ ...owner, updatedAt: now - 3_600_000 }]),
      '12 MB · 1 h · openhands/1',
    );
    assert.equal(
      worktreeDescription({ folder, state: undefined }, [], now),
      folder,
    );
  });

  it('shows the conversations, or says that they are gone', () => {
    const fork = conversation({ id: '2', title: 'Fork' });
    assert.equal(worktreeName([owner, fork]), 'Fix the build, Fork');
    assert.equal(worktreeName([]), 'Conversation is gone');
  });

  it('says what would be lost, or nothing', () => {
    assert.equal(worktreeLosses(read().state), 'Nothing would be lost');
    assert.equal(
      worktreeLosses(read({ files, ignored }).state),
      '2 uncommitted files (a.txt, b.txt) and 6 ignored files or folders (1, 2, 3, 4, 5, …)',
    );
    assert.deepEqual(
      cleanUpLosses([
        { worktree: read({ files }), owners: [owner] },
        { worktree: read(), owners: [] },
      ]),
      [
        `“Fix the build” (${folder}): 2 uncommitted files (a.txt, b.txt)`,
        `${folder}: Nothing would be lost`,
      ],
    );
  });

  it('says why one is protected, with the commits that are nowhere else', () => {
    const commits = { count: 2, names: ['abc One', 'def Two'] };
    assert.equal(
      protectionText('unmerged', read({ commits })),
      '2 commits are nowhere else: abc One, def Two',
    );
    assert.equal(
      protectionText('unmerged', read({ commits: { count: 1, names: ['a'] } })),
      '1 commit is nowhere else: a',
    );
    assert.equal(
      protectionText('pinned', read()),
      'Its conversation is pinned.',
    );
  });

  it('says before archiving what is committed where, and what is lost', () => {
    assert.deepEqual(
      archiveLosses(read({ files, ignored }), 'openhands/1', now).slice(0, 3),
      [
        `${folder} (12 MB · 3 d · openhands/1)`,
        'Committed to branch “openhands/1” first: 2 uncommitted files (a.txt, b.txt).',
        'These are lost: 6 ignored files or folders (1, 2, 3, 4, 5, …).',
      ],
    );
    assert.deepEqual(
      archiveLosses(read({ branch: undefined }), 'kept-x', now).slice(1, 4),
      [
        'The worktree is on no branch, so the branch “kept-x” is created.',
        'No file is uncommitted. The branch “kept-x” stays.',
        'No file is lost.',
      ],
    );
  });
});
