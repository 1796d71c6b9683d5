import assert from 'node:assert/strict';
import { Cancellation } from '../../../../src/base/cancellation.ts';
import { UserError } from '../../../../src/base/errors.ts';
import type { ServiceClient } from '../../../../src/service/client.ts';
import { AgentWorktrees } from '../../../../src/state/steering/agentWorktrees.ts';
import type { AgentRequests } from '../../../../src/state/steering/agentRequests.ts';
import { conversation } from '../support.ts';

describe('a command in the worktrees of a service', () => {
  let cancelling: AbortController;
  let service: object;
  let worktrees: AgentWorktrees;
  /** The number of rows that cannot be read, for each page. */
  let skippedOnPages: readonly number[];
  let lists: number;
  let afterList: () => void;
  const row = conversation({ folder: '/worktrees/1/shop' });
  const runsNothing = () => assert.fail('Something ran.');

  beforeEach(() => {
    cancelling = new AbortController();
    skippedOnPages = [0];
    lists = 0;
    afterList = () => undefined;
    const conversations = {
      find: () => Promise.resolve(row),
      list: async function* () {
        for (const skipped of skippedOnPages)
          yield await Promise.resolve({ items: [row], skipped });
        lists++;
        afterList();
      },
    };
    service = { conversations };
    const client = { recognise: () => Promise.resolve(service) };
    const requests: Partial<AgentRequests> = {
      inTurn: (_, signal, act) => act(signal),
      atAgent: runsNothing,
    };
    worktrees = new AgentWorktrees(
      client as unknown as ServiceClient,
      new Cancellation(),
      requests as AgentRequests,
    );
  });

  const cancel = () => {
    cancelling.abort(new UserError('Canceled.'));
  };

  it('resets nothing when the user cancels right before it', async () => {
    afterList = () => {
      if (lists === 2) cancel();
    };
    await assert.rejects(
      worktrees.resetFiles(row, 'git reset', cancelling.signal),
      /Canceled/,
    );
    assert.equal(lists, 2);
  });

  it('removes nothing when the user cancels right before it', async () => {
    service = { ...service, creation: { folders: { runGit: runsNothing } } };
    const canRemove = () => {
      cancel();
      return true;
    };
    await assert.rejects(
      worktrees.remove([row], 'git remove', canRemove, cancelling.signal),
      /Canceled/,
    );
  });

  it('says that agents in sandboxes have no worktrees to clean up', async () => {
    for (const creation of [undefined, {}]) {
      service = { ...service, creation };
      await assert.rejects(
        worktrees.runGitAtService('git worktree list', cancelling.signal),
        /^UserError: The agents of this service work in sandboxes, so there are no worktrees/,
      );
    }
  });

  it('says how many conversations cannot be read, which may use a worktree', async () => {
    skippedOnPages = [2, 0, 1];
    await assert.rejects(
      worktrees.allConversations(cancelling.signal),
      /^UserError: .+ because 3 of the conversations cannot be read\.$/,
    );
    skippedOnPages = [0, 0];
    assert.equal(
      (await worktrees.allConversations(cancelling.signal)).length,
      2,
    );
  });
});
