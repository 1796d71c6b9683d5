import assert from 'node:assert/strict';
import { Desk, interval, whileAnotherPolls } from './desk.ts';
import { until } from '../support/eventually.ts';

const conversations = '/api/conversations/search';

describe('the window that polls for all windows on this machine', () => {
  let desk: Desk;

  beforeEach(async () => {
    desk = await Desk.setUp({ refreshInterval: interval });
  });

  afterEach(async () => {
    await desk.configure({ notifications: 'off' });
    await until(() => !desk.lookout.isLooking);
    await desk.clear();
  });

  async function looked(): Promise<void> {
    const { conversations } = desk.service;
    await until(() => conversations.asOf !== undefined && !conversations.isRefreshing);
  }

  it('polls only conversations, at a slow pace, while no view is open', async () => {
    const demo = await desk.connect({ interface: 'agentServer' });
    await desk.lookout.decide();
    assert.equal(desk.lookout.isLooking, true);
    await looked();
    const { requestCount } = demo;
    await whileAnotherPolls(3);
    assert.equal(
      demo.requestCount,
      requestCount,
      'although the views would be refreshed every half a second',
    );
    assert.ok(demo.requests.every(({ path }) => path.startsWith('/api/conversations')));
    assert.equal(desk.service.sandboxes.asOf, undefined);
    // Whoever opens the views sees what is so now.
    await desk.open();
    await until(() => desk.service.sandboxes.asOf);
    await until(() => demo.requests.filter(({ path }) => path === conversations).length > 2);
  });

  it('polls only while notifications and automatic refresh are on', async () => {
    const demo = await desk.connect({ interface: 'agentServer' });
    for (const settings of [{ notifications: 'off' }, { refreshInterval: 0 }] as const) {
      await desk.lookout.decide();
      assert.equal(desk.lookout.isLooking, true);
      await desk.configure(settings);
      await until(() => !desk.lookout.isLooking);
      await looked();
      const { requestCount } = demo;
      await desk.lookout.decide();
      assert.equal(desk.lookout.isLooking, false);
      await whileAnotherPolls(2);
      assert.equal(demo.requestCount, requestCount);
      await desk.configure({ notifications: undefined, refreshInterval: interval });
    }
  });

  it('does not poll without a service or for the demo service', async () => {
    await desk.lookout.decide();
    assert.equal(desk.lookout.isLooking, false);
    await desk.run('switchboard.startDemo');
    await desk.lookout.decide();
    assert.equal(desk.lookout.isLooking, false);
  });
});
