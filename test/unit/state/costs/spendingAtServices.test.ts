import assert from 'node:assert/strict';
import {
  type Conversation,
  keyOf,
} from '../../../../src/service/model/entities.ts';
import { FollowedConversation } from '../../../../src/state/conversation/followedConversation.ts';
import { HurriedClock } from '../../../support/hurriedClock.ts';
import {
  type FollowDesk,
  followDesk,
  until,
} from '../conversation/followSupport.ts';

describe('what a window notes of the costs at its services', function () {
  this.timeout(120_000);
  let desk: FollowDesk;

  beforeEach(async () => {
    // The ledger compares its clock with that of the service.
    const clock = new HurriedClock(50);
    desk = await followDesk({ clock }, clock);
    await desk.service.conversations.refresh();
  });

  afterEach(async () => {
    await desk.stop();
  });

  const today = () => desk.switchboard.demoSpending.today;

  /** Follows it until the events tell a cost, and returns that. */
  async function followToCost(conversation: Conversation): Promise<number> {
    const followed = desk.service.conversations.follow(
      conversation,
      FollowedConversation,
    );
    followed.setVisible(true);
    const cost = () => followed.snapshot.conversation.cost ?? 0;
    await until(
      followed,
      () => followed.snapshot.connection.how === 'live' && cost() > 0,
    );
    await until(
      followed,
      () => followed.snapshot.conversation.execution === 'finished',
    );
    followed.release();
    return cost();
  }

  it('counts nothing of the conversations that were there before', () => {
    const rows = [...desk.service.conversations.rows.values()];
    assert.ok(rows.some(({ cost = 0 }) => cost > 0));
    assert.equal(today(), 0);
    assert.deepEqual(desk.switchboard.spending.days, []);
  });

  it('counts the costs that events tell before the list does, and each once', async () => {
    const conversation = await desk.begin('Fix the build');
    const cost = await followToCost(conversation);
    assert.equal(today(), cost);
    await desk.service.conversations.refresh();
    assert.equal(today(), cost);
  });

  it('counts a followed conversation that the list does not have', async () => {
    const conversation = await desk.begin('Fix the build');
    const before = today();
    desk.service.conversations.reset();
    const cost = await followToCost(conversation);
    assert.ok(!desk.service.conversations.rows.has(keyOf(conversation)));
    assert.ok(cost > before);
    assert.equal(today(), cost);
  });

  it('keeps a cost that the service has forgotten, in the list and on the page', async () => {
    const { conversations, address } = desk.service;
    const [row] = [...conversations.rows.values()].filter(({ cost }) => cost);
    const cost = (row?.cost ?? 0) + 1;
    assert.ok(row);
    desk.switchboard.demoSpending.note(address, [{ ...row, cost }]);
    await conversations.refresh();
    assert.equal(conversations.rows.get(keyOf(row))?.cost, cost);
    const followed = conversations.follow(row, FollowedConversation);
    assert.equal(followed.snapshot.conversation.cost, cost);
    followed.release();
  });

  it('counts a fork from its own first cost', async () => {
    const conversation = await desk.begin('Fix the build');
    const cost = await followToCost(conversation);
    await desk.ask('POST', `api/conversations/${conversation.id}/fork`, {
      title: 'Again',
    });
    await desk.service.conversations.refresh();
    const fork = [...desk.service.conversations.rows.values()].find(
      ({ title }) => title === 'Again',
    );
    assert.notEqual(fork?.forkedFrom, undefined);
    assert.equal(today(), cost);
  });
});
