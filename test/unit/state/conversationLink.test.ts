import assert from 'node:assert/strict';
import {
  startMisbehavingDemo,
  type MisbehavingDemo,
} from '../../support/demo/faults/misbehavingDemo.ts';
import {
  conversationLink,
  linkedConversation,
} from '../../../src/state/conversationLink.ts';
import { sameId } from '../../../src/service/model/entities.ts';
import { Switchboard } from '../../../src/state/switchboard.ts';
import { SteppedClock } from '../../support/steppedClock.ts';
import { clientOf, key, MemoryStore } from './support.ts';

describe('a link to a conversation', () => {
  let demo: MisbehavingDemo;
  let switchboard: Switchboard;
  const { signal } = new AbortController();

  beforeEach(async () => {
    const clock = new SteppedClock();
    demo = await startMisbehavingDemo({ key, clock });
    switchboard = new Switchboard({
      store: new MemoryStore(),
      clock,
      pageSize: () => 5,
    });
    switchboard.connect({
      client: clientOf(demo, clock),
      address: demo.url,
      name: 'Demo',
      demo: true,
    });
  });

  afterEach(async () => {
    switchboard.dispose();
    await demo.stop();
  });

  const follow = (link: string) => {
    const { pathname, search } = new URL(link);
    return linkedConversation(
      switchboard,
      { path: pathname, query: search.slice(1) },
      signal,
    );
  };

  async function listed() {
    await switchboard.refresh();
    return [...switchboard.conversations.rows.values()][0] ?? assert.fail();
  }

  it('uses the scheme of the editor, and finds a listed conversation without a request', async () => {
    const conversation = await listed();
    const link = conversationLink(conversation, 'vscode');
    assert.ok(
      link.startsWith(
        'vscode://agent-switchboard.agent-switchboard/conversation?service=http',
      ),
    );
    const before = demo.requestCount;
    assert.equal(await follow(link), conversation);
    assert.equal(demo.requestCount, before);
  });

  it('finds a conversation that is not listed with GET requests only', async () => {
    const link = conversationLink(await listed(), 'vscode');
    const own = switchboard;
    const clock = new SteppedClock();
    switchboard = new Switchboard({
      store: new MemoryStore(),
      clock,
      pageSize: () => 5,
    });
    switchboard.connect({
      client: clientOf(demo, clock),
      address: demo.url,
      name: 'Demo',
      demo: true,
    });
    const before = demo.requests.length;
    const { id } = await follow(link);
    own.dispose();
    assert.ok(sameId(new URL(link).searchParams.get('id') ?? '', id));
    assert.ok(
      demo.requests.slice(before).every(({ method }) => method === 'GET'),
    );
  });

  it('explains a link to a service that is not connected, without a request', async () => {
    const link = conversationLink(
      { ...(await listed()), service: 'https://x.example.com/a)[b](' },
      'vscode',
    );
    const before = demo.requestCount;
    await assert.rejects(
      follow(link),
      /at x\.example\.com, which is not one of your services\. Connect/,
    );
    assert.equal(demo.requestCount, before);
  });

  it('explains a link that leads nowhere', async () => {
    const conversation = await listed();
    await assert.rejects(
      follow(
        conversationLink({ ...conversation, id: 'f'.repeat(32) }, 'vscode'),
      ),
      {
        message:
          'Demo does not have the conversation of this link. It may have been deleted.',
      },
    );
    for (const link of [
      'vscode://x/conversation',
      'vscode://x/conversation?id=1',
      'vscode://x/accept?id=1',
    ]) {
      await assert.rejects(follow(link), /opens nothing in Agent Switchboard/);
    }
  });
});
