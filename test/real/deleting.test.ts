/**
 * Deleting conversations of a real Agent Server, which takes their worktrees
 * with everything in them.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Conversation } from '../../src/service/model/entities.ts';
import type { ConnectedService } from '../../src/state/connectedService.ts';
import {
  contentsCommand,
  keepCommand,
  readContents,
  type WorktreeContents,
  worktreeOf,
} from '../../src/state/conversation/worktree.ts';
import {
  commit,
  type Content,
  git,
  snapshot,
  write,
} from '../support/repositories.ts';
import { windowAt } from './client.ts';
import { type RealService, realService } from './services.ts';
import { until } from './until.ts';

const uncommitted: Readonly<Record<string, Content>> = {
  'main.txt': 'changed\r\n',
  'new/ü.txt': 'new\n',
  'new/bytes.bin': Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
  'run.sh': { run: '#!/bin/sh\n' },
  link: { link: 'nowhere' },
};

describe('deleting a conversation of a real Agent Server', function () {
  this.timeout(300_000);
  const { signal } = new AbortController();
  let real: RealService;
  let service: ConnectedService;
  let clone: string;

  before(async () => {
    real = await realService('agentServer');
    ({ service } = windowAt(real, 'agentServer'));
    await service.refresh();
  });

  beforeEach(async () => {
    clone = join(await mkdtemp(join(real.home, 'deleting-')), 'shop');
    git(real.home, 'init', '-q', '-b', 'main', clone);
    commit(clone, { 'main.txt': 'main\n', '.gitignore': 'built\n' }, 'First');
    write(clone, { 'mine.txt': 'of the person\n' });
  });

  /** Begins a conversation in a worktree, in which the agent makes a file. */
  async function begin(): Promise<{
    conversation: Conversation;
    folder: string;
  }> {
    const { creation } = await service.client.recognise();
    const message =
      'call: terminal {"command": "echo built > built; echo agent > by-agent.txt"}';
    const created = await creation?.create({
      message,
      folder: clone,
      worktree: true,
      worktreeStart: 'HEAD',
    });
    assert.ok(created?.kind === 'conversation');
    const { conversation } = created;
    service.conversations.insertFirst(conversation);
    await isAtRest(conversation);
    return { conversation, folder: conversation.folder ?? assert.fail() };
  }

  async function isAtRest({ id }: Conversation): Promise<void> {
    const { conversations } = await service.client.recognise();
    await until(async () =>
      (await conversations.find(id))?.execution === 'finished'
        ? true
        : undefined,
    );
  }

  async function contentsOf(
    conversation: Conversation,
  ): Promise<WorktreeContents> {
    const steering = await service.steering();
    const output = await steering.worktrees.runGit(
      conversation,
      contentsCommand,
      signal,
    );
    return readContents(output) ?? assert.fail(output);
  }

  const branches = () =>
    git(clone, 'branch', '--format=%(refname:short)')
      .toString()
      .trim()
      .split('\n');

  it('loses exactly the files and commits that the question names', async () => {
    const { conversation, folder } = await begin();
    const neighbour = await begin();
    write(folder, uncommitted);
    git(folder, 'checkout', '-q', '--detach');
    const lost = commit(folder, { 'lost.txt': 'lost\n' }, 'On no branch');
    write(folder, { 'main.txt': 'changed again\n', 'never.txt': 'never\n' });
    const contents = await contentsOf(conversation);
    assert.deepEqual(contents.files, {
      count: 2,
      names: ['main.txt', 'never.txt'],
    });
    assert.deepEqual(contents.commits, {
      count: 1,
      names: [`${lost.slice(0, 7)} On no branch`],
    });
    const cloneBefore = snapshot(clone);
    const neighbourBefore = snapshot(neighbour.folder);
    const branchesBefore = branches();

    await service.conversations.remove(conversation, signal);
    assert.ok(!existsSync(folder));
    assert.ok(!existsSync(worktreeOf(conversation) ?? ''));
    assert.equal(git(clone, 'branch', '--contains', lost).toString(), '');
    assert.deepEqual(branches(), branchesBefore);
    assert.deepEqual(snapshot(clone), cloneBefore);
    assert.deepEqual(snapshot(neighbour.folder), neighbourBefore);
    assert.ok('by-agent.txt' in neighbourBefore);
  });

  for (const isDetached of [false, true]) {
    it(`keeps every byte on ${isDetached ? 'a new branch of a worktree without one' : 'the branch of the worktree'}`, async () => {
      const { conversation, folder } = await begin();
      if (isDetached) git(folder, 'checkout', '-q', '--detach');
      const earlier = commit(folder, { 'earlier.txt': 'earlier\n' });
      write(folder, uncommitted);
      const { built, ...files } = snapshot(folder);
      assert.equal(built?.split(' ').at(-1), 'built\n');
      const steering = await service.steering();
      const output = await steering.worktrees.runGit(
        conversation,
        keepCommand(Date.now()),
        signal,
      );
      const branch = output.trim();
      assert.match(branch, isDetached ? /^kept-/ : /^openhands\//);
      const contents = await contentsOf(conversation);
      assert.deepEqual([contents.files.count, contents.commits.count], [0, 0]);

      await service.conversations.remove(conversation, signal);
      assert.ok(!existsSync(folder));
      const again = join(real.home, `again-${conversation.id}`);
      git(clone, 'worktree', 'add', '-q', again, branch);
      assert.deepEqual(snapshot(again), files);
      assert.equal(
        git(again, 'rev-parse', 'HEAD~1').toString().trim(),
        earlier,
      );
    });
  }

  it('leaves the worktree to a fork, and takes it with the last fork', async () => {
    const { conversation, folder } = await begin();
    write(folder, uncommitted);
    const steering = await service.steering();
    const fork = await steering.fork(conversation, 'Fork', undefined, signal);
    const [neighbour] = await steering.worktrees.neighbours(
      conversation,
      signal,
    );
    assert.equal(neighbour?.id, fork.id);
    const before = snapshot(folder);
    await service.conversations.remove(conversation, signal);
    assert.deepEqual(snapshot(folder), before);

    assert.deepEqual(await steering.worktrees.neighbours(fork, signal), []);
    assert.equal(
      (await contentsOf(fork)).files.count,
      Object.keys(uncommitted).length + 1,
    );
    await service.conversations.remove(fork, signal);
    assert.ok(!existsSync(folder));
  });
});
