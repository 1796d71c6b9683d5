import assert from 'node:assert/strict';
import { type TreeItem, TreeItemCollapsibleState, window } from 'vscode';
import type { ServiceInterface } from '../../src/service/agentService.ts';
import type { MisbehavingDemo } from '../support/demo/faults/misbehavingDemo.ts';
import { titleOf } from '../../src/editor/words/conversations/conversationWords.ts';
import { type Conversation, keyOf } from '../../src/service/entities.ts';
import { until } from '../support/eventually.ts';
import { SteppedClock } from '../support/steppedClock.ts';
import { Desk } from './desk.ts';

describe('the diff of a conversation', () => {
  let desk: Desk;
  let demo: MisbehavingDemo;

  beforeEach(async () => {
    desk = await Desk.setUp({ refreshInterval: 0, notifications: 'off', 'conversations.pageSize': 60 });
  });

  afterEach(async () => {
    await desk.clear();
  });

  /** The first conversation whose agent has changed something, not in a worktree of its own. */
  async function changed(kind: ServiceInterface): Promise<Conversation> {
    demo = await desk.look({ interface: kind, clock: new SteppedClock() });
    const { signal } = new AbortController();
    for (const conversation of desk.switchboard.conversations.rows.values()) {
      const load = desk.switchboard.changes.load(conversation, 'start', { signal });
      const found = await load.catch(() => undefined);
      const isWorktree = conversation.folder?.includes('worktrees');
      if (found && found.files.length > 0 && !isWorktree) return conversation;
    }
    return assert.fail();
  }

  const show = (conversation: Conversation) =>
    desk.run('switchboard.conversations.showChanges', keyOf(conversation));
  const labels = () => window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));

  it('says in its title that a folder of the machine is not the conversation’s alone', async () => {
    const conversation = await changed('agentServer');
    await show(conversation);
    const title = `Changes in this folder since the last commit before “${titleOf(conversation)}”`;
    await until(() => labels().some((label) => label.startsWith(title)));
    assert.deepEqual(desk.person.heard, []);
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
    const look = ({ label, description, collapsibleState, resourceUri }: TreeItem) => [
      label,
      description,
      collapsibleState,
      resourceUri?.query,
    ];
    assert.deepEqual(items.map(look), [
      ['README.md', '', TreeItemCollapsibleState.None, 'updated'],
      ['added.ts', 'src', TreeItemCollapsibleState.None, 'added'],
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
