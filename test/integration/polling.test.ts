import assert from 'node:assert/strict';
import { window } from 'vscode';
import type { MisbehavingDemo } from '../../src/demo/faults/misbehavingDemo.ts';
import { Desk, interval, whileAnotherPolls } from './desk.ts';
import { until } from '../support/eventually.ts';
import { Traffic } from './traffic.ts';

const conversations = '/api/conversations';
const joined = '/api/v1/app-conversations';
const sandboxes = '/api/v1/sandboxes/search';

describe('polling', () => {
  let desk: Desk;
  let traffic: Traffic;

  beforeEach(async () => {
    desk = await Desk.setUp({ refreshInterval: interval });
    traffic = new Traffic();
  });

  afterEach(async () => {
    traffic.stop();
    await desk.clear();
  });

  /** Resolves when this many lists of conversations were requested and answered. */
  async function asked(times: number): Promise<void> {
    await until(() => traffic.to(conversations).length >= times);
    await quiet();
  }

  async function quiet(): Promise<void> {
    await until(() => traffic.exchanges.every(({ end }) => end !== undefined));
    await desk.loaded();
  }

  /** How often a list was asked for: what agents do is read beside it. */
  function lists({ requests }: MisbehavingDemo): number {
    return requests.filter(({ path }) => !path.includes('/events/')).length;
  }

  function gaps(): number[] {
    const begins = traffic.to(conversations).map(({ begin }) => begin);
    return begins.slice(1).map((begin, index) => begin - (begins[index] ?? 0));
  }

  it('requests only the lists, once per interval', async () => {
    const demo = await desk.look();
    await asked(3);
    const times = traffic.to(conversations).length;
    assert.equal(traffic.to(joined).length, times);
    assert.equal(traffic.to(sandboxes).length, times);
    assert.equal(lists(demo), 3 * times);
    const others = traffic.exchanges.filter(({ path }) => !path.includes('/events/'));
    assert.equal(others.length, 3 * times);
    assert.ok(
      gaps().every((gap) => gap >= 490),
      `gaps of ${gaps().join(', ')} ms`,
    );
  });

  it('sends no request while its views are closed, and refreshes at once when they reopen', async () => {
    const demo = await desk.look();
    await desk.close();
    await quiet();
    const before = lists(demo);
    const { requestCount } = demo;
    await whileAnotherPolls(2);
    assert.equal(demo.requestCount, requestCount);
    await desk.configure({ refreshInterval: 3_600 });
    await desk.open();
    await until(() => lists(demo) === before + 3);
  });

  it('requests only the first rows while the window has no focus', async () => {
    const state = Object.getOwnPropertyDescriptor(window, 'state') ?? {};
    Object.defineProperty(window, 'state', { ...state, get: () => ({ focused: false, active: false }) });
    try {
      const demo = await desk.look();
      await whileAnotherPolls(2);
      assert.equal(lists(demo), 3);
    } finally {
      Object.defineProperty(window, 'state', state);
    }
  });

  it('never sends two requests for the same list at once, even to a slow service', async () => {
    await desk.look({ misbehaviour: { slowHeaders: 300 } });
    await Promise.all([
      desk.run('switchboard.conversations.refresh'),
      desk.run('switchboard.sandboxes.refresh'),
      desk.run('switchboard.conversations.refresh'),
    ]);
    await asked(2);
    assert.equal(traffic.mostAtOnce(conversations), 1);
    assert.equal(traffic.mostAtOnce(joined), 1);
    assert.equal(traffic.mostAtOnce(sandboxes), 1);
  });

  it('loads the first rows and then refreshes only on request if the interval is 0', async () => {
    await desk.configure({ refreshInterval: 0 });
    const demo = await desk.look();
    await desk.close();
    await desk.open();
    await whileAnotherPolls(2);
    assert.equal(lists(demo), 3);
    await desk.run('switchboard.conversations.refresh');
    assert.equal(lists(demo), 6);
    await desk.configure({ refreshInterval: interval });
    await asked(4);
  });

  it('backs off from a failing service, keeps its rows and shows their age, and recovers automatically', async () => {
    const demo = await desk.look();
    const rows = [...desk.switchboard.conversations.rows.keys()];
    demo.misbehave({ errorStatus: 500 });
    const first = traffic.to(conversations).length;
    await asked(first + 2);
    assert.match(desk.rows()[0] ?? '', / · as of \d\d:\d\d$/);
    assert.deepEqual([...desk.switchboard.conversations.rows.keys()], rows);
    demo.misbehave({});
    await asked(first + 3);
    const [once = 0, twice = 0] = gaps().slice(-2);
    assert.ok(once >= 750, `asked again after ${once} ms`);
    assert.ok(twice >= 1_500, `asked again after ${twice} ms`);
    await until(() => desk.switchboard.conversations.error === undefined);
    assert.doesNotMatch(desk.rows()[0] ?? '', /as of/);
  });

  it('shows the first rows automatically when a failing service recovers', async () => {
    const demo = await desk.connect({ misbehaviour: { errorStatus: 500 } });
    await desk.open();
    await until(() => desk.switchboard.conversations.error);
    assert.equal(desk.rows().length, 1);
    demo.misbehave({});
    await desk.loaded();
    assert.equal(desk.switchboard.conversations.rows.size, 20);
  });

  it('waits for the Retry-After time of an overloaded service and shows no message', async () => {
    await desk.configure({ refreshInterval: 0 });
    const demo = await desk.look();
    demo.misbehave({ rateLimit: { retryAfter: '1', times: 1 }, only: conversations });
    await desk.run('switchboard.conversations.refresh');
    const [gap = 0] = gaps().slice(-1);
    assert.ok(gap >= 990, `asked again after ${gap} ms`);
    assert.equal(desk.switchboard.conversations.error, undefined);
    assert.deepEqual(desk.person.heard, []);
  });

  for (const [name, misbehaviour] of [
    ['stops accepting the key', { unauthorized: true }],
    ['denies access', { forbidden: true }],
  ] as const) {
    it(`pauses when the service ${name}, reports it once, and continues after a manual refresh`, async () => {
      const demo = await desk.look();
      const rows = [...desk.switchboard.conversations.rows.keys()];
      demo.misbehave(misbehaviour);
      await until(() => desk.service.refused);
      await quiet();
      const before = demo.requestCount;
      await whileAnotherPolls(2);
      assert.equal(demo.requestCount, before);
      assert.equal(desk.person.heard.filter((message) => message.startsWith('Could not list')).length, 1);
      assert.deepEqual([...desk.switchboard.conversations.rows.keys()], rows);
      demo.misbehave({});
      await desk.run('switchboard.conversations.refresh');
      assert.equal(desk.service.refused, undefined);
      // Polling continues.
      await asked(traffic.to(conversations).length + 1);
    });
  }
});
