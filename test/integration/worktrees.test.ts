import assert from 'node:assert/strict';
import { CancellationTokenSource, window } from 'vscode';
import { projectOf } from '../../src/demo/agentServer/folders.ts';
import { type Conversation, keyOf } from '../../src/service/model/entities.ts';
import type { MisbehavingDemo } from '../support/demo/faults/misbehavingDemo.ts';
import { requestCounts } from '../support/requestCounts.ts';
import { until } from '../support/eventually.ts';
import { Desk } from './desk.ts';
import { type Anything, replace } from './person.ts';

describe('a worktree of an agent', () => {
  let desk: Desk;
  let demo: MisbehavingDemo;
  const { signal } = new AbortController();
  const restore: (() => void)[] = [];

  beforeEach(async () => {
    desk = await Desk.setUp({
      refreshInterval: 0,
      notifications: 'off',
      'conversations.pageSize': 60,
    });
    demo = await desk.look({ interface: 'agentServer' });
  });

  afterEach(async () => {
    for (const undo of restore.splice(0)) undo();
    await desk.clear();
  });

  /** Answers messages of a kind, and lets the person hear them. */
  function answer(
    kind: 'showInformationMessage' | 'showWarningMessage',
    choose: (message: string) => unknown,
  ): void {
    const original = window[kind] as Anything;
    restore.push(
      replace(window, kind, async (...args) => {
        const chosen = await choose(String(args[0]));
        const usual = await original(...args);
        return chosen ?? usual;
      }),
    );
  }

  async function begin(title: string, file?: string): Promise<Conversation> {
    const edit = JSON.stringify({
      command: 'create',
      path: file,
      file_text: 'x',
    });
    const conversation = await desk.createFinished({
      message:
        file === undefined
          ? 'say: Done.'
          : `call: file_editor ${edit}\nsay: Done.`,
      folder: projectOf('northwind/ledger'),
      worktree: true,
    });
    await desk.service.conversations.rename(conversation, title, signal);
    await desk.service.refresh();
    return desk.switchboard.conversation(keyOf(conversation)) ?? assert.fail();
  }

  const heard = () => desk.person.heard.join('\n');
  const commands = () =>
    demo.requests.filter(
      ({ path }) => path === '/api/bash/execute_bash_command',
    ).length;
  const isRemoved = (conversation: Conversation) =>
    desk.switchboard.removedWorktrees.get(keyOf(conversation)) !== undefined;
  const archive = (conversation: Conversation) =>
    desk.run('switchboard.conversations.archive', keyOf(conversation));
  const marking = {
    'GET /api/conversations/*': 2,
    'PATCH /api/conversations/*': 1,
  };
  const bash = 'POST /api/bash/execute_bash_command';
  const search = 'GET /api/conversations/search';

  describe('of an archived conversation', () => {
    it('asks for nothing unless the button is pressed', async () => {
      const conversation = await begin('Kept', 'kept.txt');
      assert.deepEqual(
        await requestCounts(demo, () => archive(conversation)),
        marking,
      );
      await until(() => desk.person.heard.length === 1);
    });

    it('stays when the question is canceled, after one reading', async () => {
      const conversation = await begin('Kept', 'kept.txt');
      desk.person.presses.add('Remove Its Worktree…');
      const counts = await requestCounts(demo, async () => {
        await archive(conversation);
        await until(() => heard().includes('Remove the worktree of “Kept”?'));
      });
      assert.deepEqual(counts, { ...marking, [bash]: 1, [search]: 1 });
      assert.match(
        heard(),
        /Committed to branch “openhands\/.+” first: 1 uncommitted file \(kept\.txt\)\./,
      );
      assert.match(
        heard(),
        /These are lost: 1 ignored file or folder \(node_modules\/\)\./,
      );
      assert.match(heard(), /git worktree remove --force "\$dir"/);
      assert.ok(!isRemoved(conversation));
    });

    it('goes on request, refuses messages, and returns with Unarchive', async () => {
      const conversation = await begin('Kept', 'kept.txt');
      desk.person.presses.add('Remove Its Worktree…');
      desk.person.presses.add('Remove Worktree');
      await archive(conversation);
      await until(() => heard().includes('The worktree of “Kept” was removed'));
      assert.ok(isRemoved(conversation));
      assert.equal(commands(), 2);
      const steering = await desk.service.steering();
      for (const act of [
        () => steering.send(conversation, { text: 'Go on' }, signal),
        () => steering.resume(conversation, signal),
      ])
        await assert.rejects(
          act,
          /The worktree of this conversation was removed/,
        );
      for (const command of [
        'switchboard.conversations.showChanges',
        'switchboard.conversations.markAllReviewed',
        'switchboard.conversations.fork',
      ] as const) {
        desk.person.heard.length = 0;
        const asked = await requestCounts(demo, () =>
          desk.run(command, keyOf(conversation)),
        );
        assert.deepEqual(asked, {});
        assert.match(heard(), /The worktree of this conversation was removed/);
      }
      const counts = await requestCounts(demo, () =>
        desk.run('switchboard.conversations.unarchive', keyOf(conversation)),
      );
      assert.deepEqual(counts, { ...marking, [bash]: 1 });
      await until(() => heard().includes('was made again at /tmp'));
      assert.ok(!isRemoved(conversation));
      await steering.send(conversation, { text: 'Go on' }, signal);
    });

    it('returns with Undo, which also unarchives', async () => {
      const conversation = await begin('Kept', 'kept.txt');
      desk.person.presses.add('Remove Worktree');
      answer('showInformationMessage', (message) => {
        if (message.includes('was archived')) return 'Remove Its Worktree…';
        return message.includes('was removed') ? 'Undo' : undefined;
      });
      await archive(conversation);
      await until(() => heard().includes('was made again at'));
      await until(
        () =>
          desk.switchboard.conversation(keyOf(conversation))?.isArchived !==
          true,
      );
      assert.ok(!isRemoved(conversation));
    });

    it('unarchives, and says why the worktree could not return', async () => {
      const conversation = await begin('Kept');
      await desk.switchboard.removedWorktrees.remember(keyOf(conversation), {
        repository: '/srv/ledger/.git',
        folder: conversation.folder ?? '',
        branch: 'openhands/x',
        isDetached: false,
        hasFiles: false,
      });
      await archive(conversation);
      await desk.run(
        'switchboard.conversations.unarchive',
        keyOf(conversation),
      );
      await until(() => heard().includes('fatal: not a worktree'));
      assert.ok(isRemoved(conversation));
      assert.ok(
        !desk.switchboard.conversation(keyOf(conversation))?.isArchived,
      );
    });

    it('lets the agent continue without a worktree that cannot return', async () => {
      const conversation = await begin('Kept');
      await desk.switchboard.removedWorktrees.remember(keyOf(conversation), {
        repository: '/srv/ledger/.git',
        folder: conversation.folder ?? '',
        branch: 'openhands/x',
        isDetached: false,
        hasFiles: false,
      });
      await archive(conversation);
      desk.person.presses.add('Continue Without It');
      await desk.run(
        'switchboard.conversations.unarchive',
        keyOf(conversation),
      );
      await until(() => !isRemoved(conversation));
    });

    it('returns once for two conversations that share it', async () => {
      const conversation = await begin('Kept');
      const fork = await (
        await desk.service.steering()
      ).fork(conversation, 'Fork', undefined, signal);
      await desk.service.refresh();
      desk.person.presses.add('Read Worktrees');
      desk.person.presses.add('Remove');
      desk.person.answers.push('Fork, Kept');
      await desk.run('switchboard.cleanUpWorktrees');
      await until(() => isRemoved(conversation));
      const keys = [conversation, fork].map(keyOf);
      const counts = await requestCounts(demo, () =>
        desk.run('switchboard.conversations.unarchive', ...keys),
      );
      assert.equal(counts[bash], 1);
      assert.ok(!isRemoved(conversation));
    });

    it('offers nothing for a fork, whose worktree is not its own', async () => {
      const conversation = await begin('Kept', 'kept.txt');
      await (
        await desk.service.steering()
      ).fork(conversation, 'Fork', undefined, signal);
      desk.person.presses.add('Remove Its Worktree…');
      await archive(conversation);
      await until(() => heard().includes('was archived'));
      assert.equal(commands(), 0);
    });
  });

  describe('to clean up', () => {
    const cleanUp = () => desk.run('switchboard.cleanUpWorktrees');

    it('shows the command first, and runs nothing without an answer', async () => {
      await begin('Merged', 'lost.txt');
      const counts = await requestCounts(demo, cleanUp);
      assert.deepEqual(counts, { [search]: 1 });
      assert.match(heard(), /It changes nothing\.\nThis runs at the service:/);
      assert.match(heard(), /all '\/tmp\/conversation-worktrees'\/\*\/\*/);
    });

    it('lists what would be lost, also of a conversation that is gone, and protects the rest', async () => {
      await begin('Merged', 'lost.txt');
      const pinned = await begin('Pinned');
      await desk.run('switchboard.conversations.pin', keyOf(pinned));
      desk.person.presses.add('Read Worktrees');
      const counts = await requestCounts(demo, cleanUp);
      assert.deepEqual(counts, { [search]: 2, [bash]: 1 });
      const [labels = []] = desk.person.offered;
      const border = labels.indexOf('Protected');
      assert.ok(labels.indexOf('Merged') < border);
      assert.ok(labels.indexOf('Conversation is gone') < border);
      assert.ok(labels.indexOf('Pinned') > border);
      const details = desk.person.details.join('\n');
      assert.match(
        details,
        /^Merged: 1 uncommitted file \(lost\.txt\) and 1 ignored file or folder \(node_modules\/\)$/m,
      );
      assert.match(details, /^Conversation is gone: .+notes\/spike\.md/m);
      assert.match(details, /^Pinned: Its conversation is pinned\.$/m);
      assert.equal(commands(), 1);
    });

    it('removes those that are chosen but no protected one, with merged branches on request', async () => {
      const merged = await begin('Merged', 'lost.txt');
      const other = await begin('Other');
      const pinned = await begin('Pinned');
      await desk.run('switchboard.conversations.pin', keyOf(pinned));
      desk.person.presses.add('Read Worktrees');
      desk.person.presses.add('Remove with Merged Branches');
      desk.person.answers.push('Merged\nConversation is gone\nPinned');
      await cleanUp();
      await until(() => heard().includes('2 worktrees were removed.'));
      assert.match(heard(), /Remove 2 worktrees\? This cannot be undone\./);
      assert.match(heard(), /“Merged” \(.+\): 1 uncommitted file .+lost\.txt/);
      assert.match(heard(), /These branches are merged: “openhands\//);
      assert.equal(commands(), 3);
      desk.person.forget();
      desk.person.presses.add('Read Worktrees');
      await cleanUp();
      const [labels = []] = desk.person.offered;
      assert.ok(labels.includes('Other') && labels.includes('Pinned'));
      assert.ok(!labels.includes('Merged'));
      assert.ok(!isRemoved(merged) && !isRemoved(other), 'the branch is gone');
    });

    it('leaves a worktree whose agent works by now, and says so', async () => {
      const merged = await begin('Merged');
      await begin('Other');
      desk.person.presses.add('Read Worktrees');
      desk.person.answers.push('Merged\nOther');
      const steering = await desk.service.steering();
      answer('showWarningMessage', async (message) => {
        if (!message.startsWith('Remove 2 worktrees')) return undefined;
        const text = 'call: terminal {"command": "sleep 600"}';
        await steering.send(merged, { text }, signal);
        return 'Remove';
      });
      await cleanUp();
      await until(() => heard().includes('1 worktree was removed.'));
      assert.match(
        heard(),
        /Merged: It was left, because it has changed since\./,
      );
      assert.equal(commands(), 2);
    });

    it('lets Unarchive make a worktree again when the answer to its removal was lost', async () => {
      const conversation = await begin('Merged');
      desk.person.presses.add('Read Worktrees');
      desk.person.answers.push('Merged');
      answer('showWarningMessage', (message) => {
        if (!message.startsWith('Remove 1 worktree')) return undefined;
        demo.misbehave({ resetBody: true, only: /execute_bash_command/ });
        return 'Remove';
      });
      await cleanUp();
      await until(() => heard().includes('0 worktrees were removed. Merged: '));
      assert.ok(isRemoved(conversation));
      demo.misbehave({});
      await desk.run(
        'switchboard.conversations.unarchive',
        keyOf(conversation),
      );
      await until(() => heard().includes('was made again at /tmp'));
    });

    it('ends after the removal under way when it is canceled, and counts that', async () => {
      await begin('One');
      await begin('Two');
      desk.person.presses.add('Read Worktrees');
      desk.person.presses.add('Remove');
      desk.person.answers.push('One\nTwo');
      const canceled = new CancellationTokenSource();
      restore.push(
        replace(window, 'withProgress', async (options, work) => {
          const result = (work as Anything)(
            { report: () => undefined },
            canceled.token,
          );
          const { title } = options as { readonly title: string };
          if (title === 'Removing worktrees') canceled.cancel();
          return await result;
        }),
      );
      const cleaning = cleanUp();
      await until(() => commands() === 1);
      demo.misbehave({ slowHeaders: 1_000, only: /execute_bash_command/ });
      await cleaning;
      await until(() => heard().includes('1 worktree was removed.'));
      assert.equal(commands(), 2);
    });

    it('removes nothing when the list or the question is canceled', async () => {
      await begin('Merged', 'lost.txt');
      desk.person.presses.add('Read Worktrees');
      await cleanUp();
      desk.person.answers.push('Merged');
      await cleanUp();
      assert.match(heard(), /Remove 1 worktree\?/);
      assert.equal(commands(), 2);
    });

    it('needs a service whose agents work in folders', async () => {
      const other = await desk.serve({ interface: 'v1' });
      await desk.connectTo({ url: other.url });
      await desk.loaded();
      const { requestCount } = other;
      await cleanUp();
      await until(() => heard().includes('No connected service has worktrees'));
      assert.equal(other.requestCount, requestCount);
    });
  });
});
