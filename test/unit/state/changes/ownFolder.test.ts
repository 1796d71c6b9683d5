import assert from 'node:assert/strict';
import type { Conversation } from '../../../../src/service/model/entities.ts';
import { hasOwnFolder } from '../../../../src/state/changes/ownFolder.ts';

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
      hasOwnFolder(one({ folder: worktree }), [
        one({ folder: worktree }),
        other({ folder: '/shop' }),
      ]),
    );
    assert.ok(hasOwnFolder(one({ folder: worktree.replaceAll('-', '') }), []));
    assert.ok(
      hasOwnFolder(one({ sandboxId: 'box-1' }), [
        other({ sandboxId: 'box-2' }),
      ]),
    );
    const elsewhere = other({
      sandboxId: 'box-1',
      service: 'http://localhost:3000',
    });
    assert.ok(hasOwnFolder(one({ sandboxId: 'box-1' }), [elsewhere]));
  });

  it('does not count as its own in a folder of the machine, or when a fork or another conversation works there', () => {
    assert.ok(!hasOwnFolder(one({ folder: '/srv/shop' }), []));
    assert.ok(
      !hasOwnFolder(one({ folder: worktree }), [other({ folder: worktree })]),
    );
    assert.ok(!hasOwnFolder(other({ folder: worktree }), []));
    assert.ok(
      !hasOwnFolder(one({ sandboxId: 'box-1' }), [
        other({ sandboxId: 'box-1' }),
      ]),
    );
  });
});
