import assert from 'node:assert/strict';
import {
  type DeletedWorktree,
  deletionQuestion,
} from '../../../../../src/editor/words/conversations/deletionWords.ts';
import type { WorktreeContents } from '../../../../../src/state/conversation/worktree.ts';
import { conversation } from '../../../state/support.ts';

describe('the question before conversations are deleted', () => {
  const first = conversation({ id: '1', title: 'Fix the build' });
  const second = conversation({ id: '2', title: 'Write the docs' });
  const none = { count: 0, names: [] };
  const worktree = (
    contents: Partial<WorktreeContents> | undefined,
    of = first,
  ): DeletedWorktree => ({
    conversation: of,
    contents: contents && {
      isWorktree: true,
      files: none,
      repositories: none,
      commits: none,
      ...contents,
    },
  });
  const oneFile = { files: { count: 1, names: ['a.txt'] } };
  const sevenFiles = {
    files: { count: 7, names: ['a', 'b', 'c', 'd', 'e'] },
    commits: { count: 1, names: ['Add b'] },
  };

  it('says which conversation it is, and that its words are lost for good', () => {
    const { text, detail } = deletionQuestion([first], []);
    assert.equal(
      text,
      'Delete “Fix the build”? Everything that was said and done in it is lost.',
    );
    assert.deepEqual(detail, ['This cannot be undone.']);
  });

  it('says how many conversations they are, and which', () => {
    const { text, detail } = deletionQuestion([first, second], []);
    assert.match(text, /^Delete 2 conversations\?/);
    assert.equal(detail[0], '“Fix the build”, “Write the docs”.');
  });

  it('says that a sandbox may be deleted', () => {
    const inSandbox = conversation({ sandboxId: 's' });
    assert.match(
      deletionQuestion([first, inSandbox], []).detail.at(-1) ?? '',
      /^A sandbox that runs nothing else may be deleted, too\./,
    );
  });

  for (const { contents, says, canKeep, canTakeOver } of [
    {
      contents: oneFile,
      says: 'with 1 uncommitted file (a.txt).',
      canKeep: true,
      canTakeOver: true,
    },
    {
      contents: sevenFiles,
      says: 'with 7 uncommitted files (a, b, c, d, e, …) and 1 commit that is on no branch (Add b).',
      canKeep: true,
      canTakeOver: true,
    },
    {
      contents: { ...oneFile, repositories: { count: 1, names: ['lib'] } },
      says: 'with 1 uncommitted file (a.txt) and 1 repository in it that no commit can keep (lib).',
      canKeep: false,
      canTakeOver: true,
    },
    {
      contents: {},
      says: '. Its commits stay on a branch; only ignored files are lost.',
      canKeep: false,
      canTakeOver: false,
    },
    {
      contents: undefined,
      says: 'with everything in it. It is unknown whether it has uncommitted files.',
      canKeep: false,
      canTakeOver: true,
    },
  ])
    it(`says that the worktree is deleted ${says}`, () => {
      const question = deletionQuestion([first], [worktree(contents)]);
      const [line = ''] = question.detail;
      assert.ok(line.startsWith('The worktree of “Fix the build” is deleted'));
      assert.ok(line.endsWith(says), line);
      assert.equal(question.canKeep.length === 1, canKeep);
      assert.equal(question.canTakeOver, canTakeOver);
    });

  it('says it for each worktree, and keeps only those with something to lose', () => {
    const worktrees = [worktree(oneFile), worktree({}, second)];
    const question = deletionQuestion([first, second], worktrees);
    assert.deepEqual(
      question.detail.map((line) => line.includes('The worktree of')),
      [false, true, true, false],
    );
    assert.deepEqual(question.canKeep, [worktrees[0]]);
    assert.equal(question.canTakeOver, false);
  });

  it('shows no line breaks from the names of files', () => {
    const files = { count: 1, names: ['a\nThis cannot be lost.txt'] };
    const [line = ''] = deletionQuestion([first], [worktree({ files })]).detail;
    assert.ok(!line.includes('\n'));
  });
});
