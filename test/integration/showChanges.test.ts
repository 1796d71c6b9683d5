import assert from 'node:assert/strict';
import {
  commands,
  TabInputTextDiff,
  type TreeItem,
  TreeItemCheckboxState,
  TreeItemCollapsibleState,
  type Uri,
  window,
  workspace,
} from 'vscode';
import { changesUri } from '../../src/editor/changes/changesUri.ts';
import { boxStates } from '../../src/editor/manifest.ts';
import type { ServiceInterface } from '../../src/service/abilities/agentService.ts';
import type { MisbehavingDemo } from '../support/demo/faults/misbehavingDemo.ts';
import { titleOf } from '../../src/editor/words/conversations/conversationWords.ts';
import { type Conversation, keyOf } from '../../src/service/model/entities.ts';
import { until } from '../support/eventually.ts';
import { SteppedClock } from '../support/steppedClock.ts';
import { Desk } from './desk.ts';
import { type Anything, replace } from './person.ts';

describe('the diff of a conversation', () => {
  let desk: Desk;
  let demo: MisbehavingDemo;

  beforeEach(async () => {
    desk = await Desk.setUp({
      refreshInterval: 0,
      notifications: 'off',
      'conversations.pageSize': 60,
    });
  });

  afterEach(async () => {
    await desk.clear();
  });

  /**
   * The first conversation whose agent has changed something, not in a worktree
   * of its own.
   */
  async function changed(kind: ServiceInterface): Promise<Conversation> {
    demo = await desk.look({ interface: kind, clock: new SteppedClock() });
    const { signal } = new AbortController();
    for (const conversation of desk.switchboard.conversations.rows.values()) {
      const load = desk.switchboard.changes.load(conversation, 'start', {
        signal,
      });
      const found = await load.catch(() => undefined);
      const isWorktree = conversation.folder?.includes('worktrees');
      if (found && found.files.length > 0 && !isWorktree) return conversation;
    }
    return assert.fail();
  }

  const file = (path: string, after: string) => ({
    path,
    before: Buffer.from('before\n'),
    after: Buffer.from(after),
  });

  const show = (conversation: Conversation) =>
    desk.run('switchboard.conversations.showChanges', keyOf(conversation));
  const labels = () =>
    window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));

  it('says in its title that a folder of the machine is not the conversation’s alone', async () => {
    const conversation = await changed('agentServer');
    await show(conversation);
    const title = `Changes in the folder of “${titleOf(conversation)}”`;
    await until(() => labels().some((label) => label.startsWith(title)));
    assert.deepEqual(desk.person.heard, []);
  });

  it('keeps the changes of two conversations apart that have the same title', async () => {
    const conversation = await changed('agentServer');
    const { signal } = new AbortController();
    const { conversations } = desk.switchboard;
    const twin =
      [...conversations.rows.values()].find(
        (row) => row.id !== conversation.id,
      ) ?? assert.fail();
    demo.misbehave({ changedFiles: [file('a.ts', 'a\n')] });
    const service = desk.switchboard.service(demo.url) ?? assert.fail();
    await service.conversations.rename(twin, titleOf(conversation), signal);
    for (const { id } of [conversation, twin]) {
      await show(
        conversations.rows.get(keyOf({ service: demo.url, id })) ??
          assert.fail(),
      );
      await until(() =>
        labels().some((label) => label.includes(` · ${id.slice(0, 8)}”`)),
      );
    }
  });

  it('lists files below the row, each in its folder and without a word for what a letter says', async () => {
    const conversation = await changed('agentServer');
    const text = Buffer.from('text\n');
    demo.misbehave({
      changedFiles: [
        { path: 'README.md', before: text, after: Buffer.from('more text\n') },
        { path: 'src/added.ts', before: undefined, after: text },
      ],
    });
    const tree = desk.trees.conversations;
    const row = tree.rowOf(conversation) ?? assert.fail();
    await tree.expand(row);
    const items = tree.getChildren(row).map((child) => tree.getTreeItem(child));
    const look = ({
      label,
      description,
      collapsibleState,
      resourceUri,
    }: TreeItem) => [label, description, collapsibleState, resourceUri?.query];
    assert.deepEqual(items.map(look), [
      ['README.md', '+1 −1', TreeItemCollapsibleState.None, 'updated'],
      ['added.ts', '+1 −0 · src', TreeItemCollapsibleState.None, 'added'],
    ]);
    assert.deepEqual(
      items.map(({ tooltip }) => tooltip),
      ['README.md\nchanged', 'src/added.ts\nadded'],
    );
    demo.misbehave({ changedFiles: [] });
    await tree.expand(row);
    assert.deepEqual(
      tree.getChildren(row).map((child) => tree.getTreeItem(child).label),
      ['No changes yet'],
    );
  });

  describe('with a review', () => {
    let conversation: Conversation;
    const { signal } = new AbortController();

    async function expand(): Promise<void> {
      await desk.trees.conversations.expand(rowOf());
    }

    const rowOf = () =>
      desk.trees.conversations.rowOf(conversation) ?? assert.fail();
    const items = () => {
      const tree = desk.trees.conversations;
      return tree.getChildren(rowOf()).map((child) => tree.getTreeItem(child));
    };
    const boxes = () =>
      items().map(({ label, checkboxState }) => [
        label,
        typeof checkboxState === 'object' &&
          checkboxState.state === TreeItemCheckboxState.Checked,
      ]);
    const description = () =>
      String(desk.trees.conversations.getTreeItem(rowOf()).description);
    const idOf = (path: string) => `${keyOf(conversation)} ${path}`;

    beforeEach(async () => {
      conversation = await changed('agentServer');
      demo.misbehave({
        changedFiles: [file('a.ts', 'a\n'), file('b.ts', 'b\n')],
      });
      await expand();
    });

    it('marks files by their check boxes, and counts those that are left', async () => {
      assert.deepEqual(boxes(), [
        ['a.ts', false],
        ['b.ts', false],
      ]);
      assert.match(description(), /2 files/);
      await desk.run(
        'switchboard.conversations.markReviewed',
        boxStates.on,
        idOf('a.ts'),
      );
      assert.deepEqual(boxes(), [
        ['a.ts', true],
        ['b.ts', false],
      ]);
      assert.match(description(), /1 of 2 to review/);
      // The box of another window may say so already.
      await desk.run(
        'switchboard.conversations.markReviewed',
        boxStates.on,
        idOf('a.ts'),
      );
      await desk.run(
        'switchboard.conversations.markReviewed',
        boxStates.on,
        idOf('b.ts'),
      );
      assert.match(description(), /· reviewed/);
      await desk.run(
        'switchboard.conversations.markReviewed',
        boxStates.off,
        idOf('b.ts'),
      );
      assert.match(description(), /1 of 2 to review/);
      await desk.run(
        'switchboard.conversations.markReviewed',
        boxStates.off,
        idOf('a.ts'),
      );
      assert.match(description(), /2 files/);
    });

    it('shows what is left, then offers all, and restores marks on Undo', async () => {
      await desk.run('switchboard.conversations.markReviewed', idOf('a.ts'));
      await show(conversation);
      await until(() =>
        labels().some((label) => /^To review in .* \(1 file\)$/.test(label)),
      );
      desk.person.presses.add('Undo');
      await desk.run(
        'switchboard.conversations.markAllReviewed',
        keyOf(conversation),
      );
      assert.deepEqual(desk.person.heard, [
        `Marked 1 file of “${titleOf(conversation)}” as reviewed.`,
      ]);
      await until(() => description().includes('1 of 2 to review'));
      desk.person.presses.delete('Undo');
      await desk.run(
        'switchboard.conversations.markAllReviewed',
        keyOf(conversation),
      );
      desk.person.presses.add('Show All Changes');
      await show(conversation);
      await until(() =>
        labels().some((label) => /^Changes in .* \(2 files\)$/.test(label)),
      );
    });

    it('shows a file that has changed again since its mark, and all of it on request', async () => {
      await desk.run(
        'switchboard.conversations.markAllReviewed',
        keyOf(conversation),
      );
      demo.misbehave({
        changedFiles: [file('a.ts', 'a\nmore\n'), file('b.ts', 'b\n')],
      });
      await expand();
      assert.deepEqual(
        items().map(({ label, description }) => [label, description]),
        [
          ['a.ts', '+2 −1 · changed again'],
          ['b.ts', '+1 −1'],
        ],
      );
      await desk.run('switchboard.conversations.openChangedFile', idOf('a.ts'));
      const sides = async () => {
        const { input } = window.tabGroups.activeTabGroup.activeTab ?? {};
        if (!(input instanceof TabInputTextDiff)) return undefined;
        const documents = [input.original, input.modified].map((uri) =>
          workspace.openTextDocument(uri),
        );
        return (await Promise.all(documents)).map((document) =>
          document.getText(),
        );
      };
      assert.deepEqual(await sides(), ['a\n', 'a\nmore\n']);
      await desk.run('switchboard.conversations.showWholeChange');
      assert.deepEqual(await sides(), ['before\n', 'a\nmore\n']);
      await desk.skip(5);
      await desk.run('switchboard.conversations.markReviewed');
      assert.match(description(), /· reviewed/);
    });

    it('refuses to mark a document that is no longer what the agent has', async () => {
      await desk.run('switchboard.conversations.openChangedFile', idOf('a.ts'));
      demo.misbehave({ changedFiles: [file('a.ts', 'b\n')] });
      await desk.switchboard.changes.load(conversation, 'start', { signal });
      await desk.run('switchboard.conversations.markReviewed');
      assert.deepEqual(desk.person.heard, [
        'Not marked, because it has just changed, or because the service does not report its content: a.ts. Look at it again.',
      ]);
    });

    describe('in a diff that shows only a part', () => {
      const question = [
        'Mark the whole change?',
        'This diff shows only part of the changes since the conversation began. Marking covers all of them.',
      ];
      const open = async (since: 'start' | 'lastCommit'): Promise<Uri> => {
        const address = {
          key: keyOf(conversation),
          since,
          path: 'a.ts',
          inWords: false,
        };
        const [before, after] = [
          changesUri({ ...address, side: 'before' }),
          changesUri({ ...address, side: 'after' }),
        ];
        await commands.executeCommand('vscode.diff', before, after);
        return after;
      };

      for (const [way, mark, toReview] of [
        [
          'Mark as Reviewed',
          () => desk.run('switchboard.conversations.markReviewed'),
          /1 of 2 to review/,
        ],
        [
          'Mark All as Reviewed',
          () => desk.run('switchboard.conversations.markAllReviewed'),
          /· reviewed/,
        ],
      ] as const)
        it(`asks before ${way} covers the whole change`, async () => {
          await open('lastCommit');
          await mark();
          assert.deepEqual(desk.person.heard, question);
          assert.match(description(), /2 files/);
          desk.person.presses.add('Mark Whole Change');
          await mark();
          assert.match(description(), toReview);
        });

      it('asks also from the menu of the title', async () => {
        const after = await open('lastCommit');
        await commands.executeCommand(
          'switchboard.conversations.markAllReviewed',
          after,
          { groupId: 0 },
        );
        assert.deepEqual(desk.person.heard, question);
        assert.match(description(), /2 files/);
      });

      it('asks also for several files beside each other', async () => {
        desk.person.answers.push('Since Its Last Commit');
        await desk.run(
          'switchboard.conversations.showChangesSince',
          keyOf(conversation),
        );
        await until(() =>
          labels().some((label) => label.startsWith('Uncommitted changes in')),
        );
        await desk.run('switchboard.conversations.markAllReviewed');
        assert.deepEqual(desk.person.heard, question);
        assert.match(description(), /2 files/);
      });

      it('does not ask where all of it is shown', async () => {
        await open('start');
        await desk.run('switchboard.conversations.markReviewed');
        assert.deepEqual(desk.person.heard, []);
        assert.match(description(), /1 of 2 to review/);
      });
    });

    it('marks after a review was sent only what was shown before', async () => {
      const rows = [...desk.switchboard.conversations.rows.values()];
      // Only an agent at rest takes a message.
      conversation =
        rows.find(({ execution }) => execution === 'finished') ?? assert.fail();
      await expand();
      const progress = await desk.switchboard.progress();
      const readAll = async () => {
        for (const path of ['a.ts', 'b.ts'])
          await progress.readSides(conversation, 'start', path, { signal });
      };
      await readAll();
      const place = {
        key: keyOf(conversation),
        since: 'start',
        side: 'after',
        path: 'b.ts',
        lines: undefined,
        quote: '',
      } as const;
      await desk.switchboard.reviews.add(place, 'Why?');
      const isOffer = (buttons: readonly unknown[]) =>
        buttons.includes('Mark All as Reviewed');
      const inform = window.showInformationMessage.bind(window) as Anything;
      const restore = replace(
        window,
        'showInformationMessage',
        async (message, ...buttons) => {
          if (!isOffer(buttons)) return await inform(message, ...buttons);
          demo.misbehave({
            changedFiles: [file('a.ts', 'later\n'), file('b.ts', 'b\n')],
          });
          await desk.switchboard.changes.load(conversation, 'start', {
            signal,
          });
          await readAll();
          return 'Mark All as Reviewed';
        },
      );
      try {
        desk.person.answers.push('Why?');
        await desk.skipUntilDone(
          desk.run('switchboard.conversations.sendReview', keyOf(conversation)),
        );
        await until(() =>
          desk.person.heard.some((message) =>
            message.includes('service does not report its content: a.ts.'),
          ),
        );
      } finally {
        restore();
      }
      const reviews = progress.snapshot(keyOf(conversation))?.reviewed;
      assert.deepEqual(
        reviews?.map(({ file: { path }, state }) => [path, state]),
        [
          ['a.ts', 'new'],
          ['b.ts', 'reviewed'],
        ],
      );
    });

    it('forgets its marks with the conversation', async () => {
      await desk.run(
        'switchboard.conversations.markAllReviewed',
        keyOf(conversation),
      );
      const progress = await desk.switchboard.progress();
      assert.equal(
        await progress.scopeOf(conversation, { signal }),
        'reviewed',
      );
      desk.person.presses.add('Delete');
      await desk.run('switchboard.conversations.delete', keyOf(conversation));
      assert.equal(await progress.scopeOf(conversation, { signal }), 'start');
    });
  });

  it('says once that the service leaves out modes and last line breaks', async () => {
    const conversation = await changed('v1');
    demo.misbehave({ errorStatus: 404, only: /\/file\/(archive|download)/ });
    await show(conversation);
    await show(conversation);
    assert.deepEqual(desk.person.heard, [
      'The service reports neither the modes of these files nor how some of them end: the last line break may be missing here.',
    ]);
  });
});
