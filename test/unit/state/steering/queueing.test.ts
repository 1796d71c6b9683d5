import assert from 'node:assert/strict';
import { Cancellation } from '../../../../src/base/cancellation.ts';
import {
  type Conversation,
  keyOf,
} from '../../../../src/service/model/entities.ts';
import { Approvals } from '../../../../src/state/conversation/approvals.ts';
import { AgentLocations } from '../../../../src/state/conversation/agentLocations.ts';
import { AgentSteering } from '../../../../src/state/steering/agentSteering.ts';
import { HurriedClock } from '../../../support/hurriedClock.ts';
import {
  type Answering,
  saying,
  startAnswering,
} from '../../service/answering.ts';
import { connect, Lines } from '../../service/support.ts';

describe('a message for a conversation whose sandbox starts', () => {
  let server: Answering;
  const id = '5f0c0f6a9f4e4c0db7a7a3a0e3b1c2d4';
  const { signal } = new AbortController();

  beforeEach(async () => {
    server = await startAnswering();
  });

  afterEach(async () => {
    await server.stop();
  });

  async function sendWith(
    events: readonly unknown[],
    status = 'STARTING',
    approvals = new Approvals(),
  ) {
    server.give(({ method, url = '' }) => {
      if (method === 'POST') return saying({ queued: true, position: 1 });
      if (url.includes('/events/'))
        return saying({ items: events, next_page_id: null });
      const record = { id, sandbox_status: status, sandbox_id: 'box' };
      return saying(url.includes('/search') ? { items: [record] } : [record]);
    });
    const nothing = () => undefined;
    const client = connect(server, { interface: 'v1', log: new Lines() });
    const steering = new AgentSteering({
      client,
      clock: new HurriedClock(50),
      locations: new AgentLocations(client),
      conversations: {
        recordRead: nothing,
        approvalRead: nothing,
        insertFirst: nothing,
        edit: nothing,
      },
      approvals,
      work: new Cancellation(),
    });
    const conversation = { id, service: server.url } as Conversation;
    const sent = await steering.send(conversation, { text: 'Go on.' }, signal);
    const posts = server.asked.filter((request) => request.startsWith('POST'));
    return { sent, posts, steering, conversation };
  }

  it('joins the queue when nothing has happened in it yet', async () => {
    const { sent, posts } = await sendWith([]);
    assert.deepEqual(sent, { result: 'queued', position: 1 });
    assert.deepEqual(posts, [
      `POST /api/v1/conversations/${id}/pending-messages`,
    ]);
  });

  it('stays out of the queue when its agent must ask, which the service may have forgotten', async () => {
    const approvals = new Approvals();
    approvals.note(keyOf({ id, service: server.url }), {
      policy: 'always',
      analyzer: undefined,
    });
    const { sent, posts } = await sendWith([], 'STARTING', approvals);
    assert.deepEqual([sent, posts], [{ result: 'sandboxStarting' }, []]);
  });

  it('stays unsent when its sandbox is paused or gone, and says so', async () => {
    for (const [status, result] of [
      ['PAUSED', { result: 'sandboxPaused', sandboxId: 'box' }],
      ['MISSING', { result: 'archived' }],
    ] as const) {
      const { sent, posts, steering, conversation } = await sendWith(
        [],
        status,
      );
      assert.deepEqual([sent, posts], [result, []], status);
      assert.deepEqual(await steering.resume(conversation, signal), result);
    }
  });

  it('stays out of the queue when the conversation has events, of which one could wait', async () => {
    const { sent, posts } = await sendWith([
      {
        id: 'a',
        kind: 'MessageEvent',
        source: 'user',
        timestamp: '2026-01-01T12:00:00',
      },
    ]);
    assert.deepEqual(sent, { result: 'sandboxStarting' });
    assert.deepEqual(posts, []);
  });
});
