import assert from 'node:assert/strict';
import type { TreeRow, RowTree } from '../../src/editor/ui/rowTree.ts';
import { longAgo, timeUntilChanged } from '../support/threeChanges.ts';
import { SteppedClock } from '../support/steppedClock.ts';
import { Desk } from './desk.ts';
import { untilSettled } from './support.ts';

const conversations = 1_000;
const seed = 1;

describe('the list of conversations', () => {
  let desk: Desk;

  beforeEach(async () => {
    desk = await Desk.setUp({ refreshInterval: 0 });
  });

  afterEach(async () => {
    await desk.clear();
  });

  it('redraws only the few changed rows of 1,000', async () => {
    // One request per page. With two, the test would spend most of its time on
    // the pace kept for a service.
    await desk.configure({ 'conversations.pageSize': 99 });
    const clock = new SteppedClock(longAgo);
    await desk.look({ seed, conversations, clock }, { interface: 'v1' });
    // The order does not depend on the states of agents.
    await desk.switchboard.arrange({ sorting: 'created' });
    const { conversations: list } = desk.switchboard;
    const { conversations: tree } = desk.trees;
    while (list.more) await desk.run('switchboard.conversations.loadMore');
    assert.equal(list.rows.size, conversations);
    const rows = [...list.rows.values()];
    const announced: string[] = [];
    const announces = Object.values(desk.trees).map((each: RowTree<TreeRow>) =>
      each.onDidChangeTreeData((changed) => {
        const all = Array.isArray(changed) ? changed : [changed];
        announced.push(...all.map((row) => row?.rowId ?? 'everything'));
      }),
    );

    await untilSettled(() => tree.drawn);
    const before = tree.drawn;
    await desk.run('switchboard.conversations.refresh');
    assert.equal(announced.length, 0, 'an unchanged poll');
    clock.advance(timeUntilChanged(3, { seed, conversations }));
    await desk.run('switchboard.conversations.refresh');
    await untilSettled(() => tree.drawn);
    const changed = [...list.rows]
      .filter(([, row], index) => row !== rows[index])
      .map(([key]) => key);
    // Three records are different, and events tell more of some agents than
    // their records.
    assert.ok(
      changed.length >= 3 && changed.length < 10,
      String(changed.length),
    );
    assert.ok(!announced.includes('everything'), announced.join(', '));
    // Rows of conversations are below their sandboxes too.
    const ofConversations = announced.filter((id) =>
      id.startsWith('conversation:'),
    );
    for (const id of ofConversations)
      assert.ok(
        changed.some((key) => id.endsWith(key)),
        id,
      );
    const ids = ofConversations.filter((id) =>
      changed.some((key) => id === `conversation:${key}`),
    );
    assert.equal(new Set(ids).size, changed.length);
    const drawn = tree.drawn - before;
    assert.ok(drawn >= changed.length && drawn <= ids.length, String(drawn));
    for (const each of announces) each.dispose();
  }).timeout(60_000);
});
