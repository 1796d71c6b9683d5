import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Conversation } from '../../../../src/service/entities.ts';
import { hasOwnFolder, worktreeReset } from '../../../../src/state/changes/ownFolder.ts';
import { commit, git, snapshot, write } from '../../../support/repositories.ts';

const id = '0f64a1c2-93b7-4d0e-8a51-6f2f3f0c9d11';
const worktree = `/tmp/conversation-worktrees/${id}/shop`;

const one = (given: Partial<Conversation>) =>
  ({
    id,
    service: 'http://localhost:8000',
    folder: undefined,
    sandboxId: undefined,
    ...given,
  }) as Conversation;
const other = (given: Partial<Conversation>) => one({ id: 'other', ...given });

describe('the folder of a conversation', () => {
  it('counts as its own when it is a worktree or a sandbox that no other conversation uses', () => {
    assert.ok(
      hasOwnFolder(one({ folder: worktree }), [one({ folder: worktree }), other({ folder: '/shop' })]),
    );
    assert.ok(hasOwnFolder(one({ folder: worktree.replaceAll('-', '') }), []));
    assert.ok(hasOwnFolder(one({ sandboxId: 'box-1' }), [other({ sandboxId: 'box-2' })]));
    const elsewhere = other({ sandboxId: 'box-1', service: 'http://localhost:3000' });
    assert.ok(hasOwnFolder(one({ sandboxId: 'box-1' }), [elsewhere]));
  });

  it('does not count as its own in a folder of the machine, or when a fork or another conversation works there', () => {
    assert.ok(!hasOwnFolder(one({ folder: '/srv/shop' }), []));
    assert.ok(!hasOwnFolder(one({ folder: worktree }), [other({ folder: worktree })]));
    assert.ok(!hasOwnFolder(other({ folder: worktree }), []));
    assert.ok(!hasOwnFolder(one({ sandboxId: 'box-1' }), [other({ sandboxId: 'box-1' })]));
  });
});

describe('the reset of a worktree', () => {
  const commits = [
    { sha: 'c'.repeat(40), subject: 'Third', author: undefined, at: 3_000 },
    { sha: 'b'.repeat(40), subject: 'Second', author: undefined, at: 2_000 },
    { sha: 'a'.repeat(40), subject: 'First', author: undefined, at: undefined },
  ];

  it('goes back to the last commit before a message, and nowhere when that is not known', () => {
    for (const [before, expected] of [
      [3_500, 'Third'],
      [2_999, 'Second'],
      [1_999, undefined],
      [undefined, undefined],
    ] as const)
      assert.equal(worktreeReset(commits, before, 0)?.commit.subject, expected);
  });

  it('keeps later commits on a branch and all other changes in a stash', () => {
    const folder = mkdtempSync(join(tmpdir(), 'switchboard-reset-'));
    git(folder, 'init', '-q');
    const sha = commit(folder, { 'a.txt': 'a\n', '.gitignore': 'built\n' });
    const before = snapshot(folder);
    const later = commit(folder, { 'a.txt': 'b\n', 'b.txt': 'b\n' });
    write(folder, { 'a.txt': 'c\n', 'new/c.txt': 'c\n', built: 'built\n' });
    const last = snapshot(folder);
    const reset = worktreeReset([{ sha, subject: '', author: undefined, at: 1 }], 1, 0) ?? assert.fail();
    execFileSync('bash', ['-c', reset.command], { cwd: folder, stdio: 'ignore' });
    assert.deepEqual(snapshot(folder), { ...before, built: last.built });
    const name = 'before-fork-1970-01-01T00-00-00';
    assert.equal(git(folder, 'rev-parse', name).toString().trim(), later);
    git(folder, 'reset', '-q', '--hard', name);
    git(folder, 'stash', 'pop', '-q');
    assert.deepEqual(snapshot(folder), last);
    rmSync(folder, { recursive: true });
  });
});
