import assert from 'node:assert/strict';
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
    await desk.configure({ 'conversations.pageSize': 99, 'service.api': 'v1' });
    const clock = new SteppedClock(longAgo);
    await desk.look({ seed, conversations, clock });
    const { conversations: list } = desk.switchboard;
    const { conversations: tree } = desk.trees;
    while (list.more) await desk.run('switchboard.conversations.loadMore');
    assert.equal(list.rows.size, conversations);
    const rows = [...list.rows.values()];

    await settled(() => tree.drawn);
    const before = tree.drawn;
    clock.advance(timeUntilChanged(3, { seed, conversations }));
    await desk.run('switchboard.conversations.refresh');
    assert.equal([...list.rows.values()].filter((row, index) => row !== rows[index]).length, 3);
    await settled(() => tree.drawn);
    assert.equal(tree.drawn - before, 3);
  }).timeout(60_000);
});
