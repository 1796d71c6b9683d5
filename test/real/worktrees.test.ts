/**
 * Worktrees at a real Agent Server: removed with archiving and made again, and
 * cleaned up.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Conversation } from '../../src/service/model/entities.ts';
import type { ConnectedService } from '../../src/state/connectedService.ts';
import {
  type AgentWorktree,
  cleanUpProtectionOf,
  defaultWorktreeRoot,
  keepAndRemove,
  ownersOf,
  protectionOf,
  readRemoval,
  readWorktrees,
  readWorktreesCommand,
  type ReadWorktree,
  removeCommand,
  restoreCommand,
  restoredFiles,
} from '../../src/state/conversation/worktreeRemoval.ts';
import { commit, git, snapshot, write } from '../support/repositories.ts';
import { windowAt } from './client.ts';
import { type RealService, realService } from './services.ts';
import { until } from './until.ts';

describe('worktrees of a real Agent Server', function () {
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
    clone = join(await mkdtemp(join(real.home, 'worktrees-')), "it's a shop");
    git(real.home, 'init', '-q', '-b', 'main', clone);
    commit(clone, { 'main.txt': 'main\n', '.gitignore': 'built\n' }, 'First');
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

  async function run(command: string): Promise<string> {
    return await (
      await service.steering()
    ).worktrees.runGitAtService(command, signal);
  }

  async function readIn(folder: string): Promise<ReadWorktree> {
    const output = await run(
      readWorktreesCommand({ folders: [dirname(folder)] }),
    );
    const [worktree] = readWorktrees(output);
    assert.ok(worktree?.state, output);
    return { ...worktree, state: worktree.state };
  }

  const status = (folder: string) =>
    git(folder, 'status', '--porcelain').toString();

  /** Asks for all worktrees, as the command does. */
  async function readAll(): Promise<readonly AgentWorktree[]> {
    return readWorktrees(
      await run(readWorktreesCommand({ roots: [defaultWorktreeRoot] })),
    );
  }

  async function all(): Promise<readonly Conversation[]> {
    return await (await service.steering()).worktrees.allConversations(signal);
  }

  async function remove(
    conversation: Conversation,
    worktree: AgentWorktree,
    command: string,
  ): Promise<ReturnType<typeof readRemoval>> {
    const steering = await service.steering();
    const output = await steering.worktrees.remove(
      [conversation],
      command,
      (conversations) => protectionOf(worktree, conversations) === undefined,
      signal,
    );
    return readRemoval(output ?? '');
  }

  it('removes one with archiving, reads the conversation without a folder, and makes it again', async () => {
    const { conversation, folder } = await begin();
    write(folder, { 'main.txt': 'staged\n' });
    git(folder, 'add', 'main.txt');
    write(folder, { 'main.txt': 'changed\n', 'new/ü.txt': 'new\n' });
    const { built, ...files } = snapshot(folder);
    assert.ok(built);
    const before = status(folder);
    for (const isRestarted of [false, true]) {
      const worktree = await readIn(folder);
      assert.equal(worktree.state.files.count, 3);
      const { command, removed } = keepAndRemove(worktree, Date.now());
      assert.equal(await remove(conversation, worktree, command), 'removed');
      assert.ok(!existsSync(folder));
      assert.equal(removed.branch, `openhands/${conversation.id}`);
      if (isRestarted) await real.restart();
      const { conversations, agents } = await service.client.recognise();
      assert.ok(await conversations.find(conversation.id));
      const { items } =
        (await agents
          ?.events(conversation.id)
          .fetch(undefined, { size: 20 })) ?? assert.fail();
      assert.ok(items.length > 3);
      // The service makes an empty repository when it loads the conversation.
      assert.equal(existsSync(folder), isRestarted);
      assert.ok(restoredFiles(await run(restoreCommand(removed))));
      assert.deepEqual(snapshot(folder), files);
      assert.equal(status(folder), before);
    }
  });

  it('leaves an open terminal of the agent without a folder until that changes to it again', async () => {
    const { conversation, folder } = await begin();
    const worktree = await readIn(folder);
    const { command, removed } = keepAndRemove(worktree, Date.now());
    await remove(conversation, worktree, command);
    await run(restoreCommand(removed));
    const steering = await service.steering();
    for (const [git, result] of [
      ['git status', /Unable to read current working directory/],
      ['cd $PWD && git status', /On branch openhands/],
    ] as const) {
      const asked = JSON.stringify({
        command: git.replace('$PWD', '\"$PWD\"'),
      });
      await steering.send(
        conversation,
        { text: `call: terminal ${asked}` },
        signal,
      );
      await isAtRest(conversation);
      const { body } = await real.ask(
        `/api/conversations/${conversation.id}/events/search?limit=10&sort_order=TIMESTAMP_DESC`,
      );
      assert.match(JSON.stringify(body), result);
    }
  });

  it('removes none while an agent works there', async () => {
    const { conversation, folder } = await begin();
    const worktree = await readIn(folder);
    const steering = await service.steering();
    await steering.send(
      conversation,
      { text: 'call: terminal {"command": "sleep 5"}' },
      signal,
    );
    const { command } = keepAndRemove(worktree, Date.now());
    assert.equal(await remove(conversation, worktree, command), undefined);
    assert.ok(existsSync(folder));
    await isAtRest(conversation);
  });

  it('cleans up with exactly the losses it names, also when the conversation is gone', async () => {
    const kept = await begin();
    const merged = await begin();
    commit(merged.folder, { 'merged.txt': 'merged\n' });
    git(
      clone,
      'merge',
      '-q',
      '--ff-only',
      `openhands/${merged.conversation.id}`,
    );
    const unmerged = await begin();
    commit(unmerged.folder, { 'only.txt': 'only\n' }, 'Only here');
    const gone = join(defaultWorktreeRoot, randomUUID(), 'shop');
    git(clone, 'worktree', 'add', '-q', '-b', 'openhands/gone', gone, 'main');
    write(gone, { 'lost.txt': 'lost\n' });
    const worktrees = await readAll();
    const conversations = await all();
    const at = (folder: string) =>
      worktrees.find((worktree) => worktree.folder === folder) ??
      assert.fail(folder);
    assert.deepEqual(ownersOf(at(gone), conversations), []);
    assert.deepEqual(
      ownersOf(at(kept.folder), conversations).map(({ id }) => id),
      [kept.conversation.id],
    );
    assert.equal(
      cleanUpProtectionOf(at(unmerged.folder), conversations),
      'unmerged',
    );
    assert.match(
      at(unmerged.folder).state?.commits.names[0] ?? '',
      / Only here$/,
    );
    const before = snapshot(kept.folder);
    for (const [folder, lost] of [
      [gone, ['lost.txt']],
      [merged.folder, []],
    ] as const) {
      const worktree = at(folder);
      const { state } = worktree;
      assert.ok(state);
      assert.equal(cleanUpProtectionOf(worktree, conversations), undefined);
      assert.deepEqual(state.files.names, lost);
      assert.equal(state.isMerged, true);
      const output = await run(removeCommand({ folder, state }, true));
      assert.equal(readRemoval(output), 'removedWithBranch');
      assert.ok(!existsSync(dirname(folder)));
    }
    assert.deepEqual(snapshot(kept.folder), before);
    const branches = git(clone, 'branch', '--format=%(refname:short)');
    assert.deepEqual(
      branches.toString().trim().split('\n').sort(),
      [
        'main',
        `openhands/${kept.conversation.id}`,
        `openhands/${unmerged.conversation.id}`,
      ].sort(),
    );
  });

  it('reads 50 of them within 5 s, and blocks no click', async () => {
    const root = await mkdtemp(join(real.home, 'many-'));
    const files = (count: number, below: string) =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `${below}/${index % 20}/${index}.txt`,
          `${index}\n`.repeat(50),
        ]),
      );
    commit(clone, files(500, 'src'), 'Many files');
    for (let index = 0; index < 50; index++) {
      const folder = join(root, randomUUID(), 'shop');
      git(clone, 'worktree', 'add', '-q', '-b', `x${index}`, folder);
      write(folder, { ...files(200, 'built'), 'new.txt': 'new\n' });
    }
    const command = readWorktreesCommand({ roots: [root] });
    // Meanwhile, the service has closed connections that were idle.
    await all();
    const start = performance.now();
    const reading = run(command).then((output) => ({
      output,
      ms: performance.now() - start,
    }));
    const { conversations } = await service.client.recognise();
    const asked = performance.now();
    await conversations.list({}, { signal }).next();
    const clickMs = performance.now() - asked;
    const { output, ms } = await reading;
    const worktrees = readWorktrees(output);
    assert.equal(worktrees.length, 50);
    for (const { state } of worktrees) {
      assert.deepEqual(state?.files, { count: 1, names: ['new.txt'] });
      assert.deepEqual(state.ignored, { count: 1, names: ['built/'] });
      assert.ok((state.kilobytes ?? 0) > 500);
    }
    assert.ok(ms < 5_000, `${ms} ms`);
    assert.ok(clickMs < 1_000, `${clickMs} ms`);
    rmSync(root, { recursive: true });
  });
});
