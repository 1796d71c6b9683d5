import assert from 'node:assert/strict';
import type { Row, RowTree } from '../../src/editor/views/rowTree.ts';
import { longAgo, timeUntilChanged } from '../support/threeChanges.ts';
import { SteppedClock } from '../support/steppedClock.ts';
import { Desk } from './desk.ts';
import { settled } from './support.ts';

const conversations = 1_000;
const seed = 1;

describe('the rows of the conversations', () => {
  let desk: Desk;

  beforeEach(async () => {
    desk = await Desk.setUp({ refreshInterval: 0 });
  });

  afterEach(async () => {
    await desk.clear();
  });

  it('are redrawn only if they changed: 3 of 1,000', async () => {
    // One request per page. With two, the test would spend most of its time on the pace kept for a service.
    await desk.configure({ 'conversations.pageSize': 99 });
    const clock = new SteppedClock(longAgo);
    await desk.look({ seed, conversations, clock }, { interface: 'v1' });
    const { conversations: list } = desk.switchboard;
    const { conversations: tree } = desk.trees;
    while (list.more) await desk.run('switchboard.conversations.loadMore');
    assert.equal(list.rows.size, conversations);
    const rows = [...list.rows.values()];
    const announced: string[] = [];
    const announces = Object.values(desk.trees).map((each: RowTree<Row>) =>
      each.onDidChangeTreeData((changed) => {
        const all = Array.isArray(changed) ? changed : [changed];
        announced.push(all.map((row) => row?.rowId ?? 'everything').join(' '));
      }),
    );

    await settled(() => tree.drawn);
    const before = tree.drawn;
    await desk.run('switchboard.conversations.refresh');
    assert.equal(announced.join(), '', 'an unchanged poll');
    clock.advance(timeUntilChanged(3, { seed, conversations }));
    await desk.run('switchboard.conversations.refresh');
    const changed = [...list.rows].filter(([, row], index) => row !== rows[index]).map(([key]) => key);
    assert.equal(changed.length, 3);
    const ofConversations = announced.filter((ids) =>
      changed.some((key) => ids.includes(`conversation:${key}`)),
    );
    assert.deepEqual(ofConversations, [changed.map((key) => `conversation:${key}`).join(' ')]);
    assert.ok(!announced.includes('everything'), announced.join(', '));
    await settled(() => tree.drawn);
    assert.equal(tree.drawn - before, 3);
    for (const each of announces) each.dispose();
  }).timeout(60_000);
});
