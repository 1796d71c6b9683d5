import assert from 'node:assert/strict';
import { window } from 'vscode';
import type { MisbehavingDemo } from '../support/demo/faults/misbehavingDemo.ts';
import { SteppedClock } from '../support/steppedClock.ts';
import { Desk } from './desk.ts';
import { until } from '../support/eventually.ts';
import { Traffic } from './traffic.ts';

const conversations = '/api/conversations';
const joined = '/api/v1/app-conversations';
const sandboxes = '/api/v1/sandboxes/search';
/** The default refresh interval in seconds. */
const interval = 30;

describe('polling', () => {
  let desk: Desk;
  let traffic: Traffic;

  beforeEach(async () => {
    desk = await Desk.setUp({ notifications: 'off' });
    traffic = new Traffic();
  });

  afterEach(async () => {
    traffic.stop();
    await desk.clear();
  });

  /** Opens the side bar with a service in which nothing is about to change. */
  async function look(): Promise<MisbehavingDemo> {
    const clock = new SteppedClock();
    const demo = await desk.serve({ clock });
    clock.advance(10 * 60_000);
    await desk.connectTo({ url: demo.url });
    await desk.open();
    await quiet();
    return demo;
  }

  /**
   * Resolves when this many lists of conversations were requested and answered.
   */
  async function asked(times: number): Promise<void> {
    await until(() => traffic.to(conversations).length >= times);
    await quiet();
  }

  /**
   * Resolves when all that was requested has been answered, and the next poll
   * is scheduled.
   */
  async function quiet(): Promise<void> {
    await traffic.answered();
    await desk.loaded();
    await desk.skip(0);
  }

  /**
   * Asserts that the next poll comes between these seconds after the last one.
   */
  async function pollsAfter(least: number, most: number): Promise<void> {
    await quiet();
    const times = traffic.to(conversations).length;
    await desk.skip(least - 1);
    // Time that is skipped while a service answers counts as its slowness.
    for (
      let left = most - least + 1;
      left > 0 && traffic.to(conversations).length === times;
      left--
    )
      await desk.skip(1);
    await asked(times + 1);
    const gap = gaps()[times - 1] ?? 0;
    assert.ok(gap >= least * 1_000, `polled again after ${gap} ms`);
  }

  /** Lets ten minutes pass, in steps in which each poll can be answered. */
  async function tenMinutes(): Promise<void> {
    for (let minute = 0; minute < 10; minute++) {
      await desk.skip(60);
      await traffic.answered();
    }
  }

  /**
   * The number of requests for a list: the states of agents are read beside it.
   */
  function lists({ requests }: MisbehavingDemo): number {
    return requests.filter(({ path }) => !path.includes('/events/')).length;
  }

  function gaps(): number[] {
    const begins = traffic.to(conversations).map(({ begin }) => begin);
    return begins.slice(1).map((begin, index) => begin - (begins[index] ?? 0));
  }

  it('requests only the lists, once per interval', async () => {
    const demo = await look();
    await pollsAfter(interval, interval);
    await pollsAfter(interval, interval);
    const times = traffic.to(conversations).length;
    assert.equal(traffic.to(joined).length, times);
    assert.equal(traffic.to(sandboxes).length, times);
    assert.equal(lists(demo), 3 * times);
    const others = traffic.exchanges.filter(
      ({ path }) => !path.includes('/events/'),
    );
    assert.equal(others.length, 3 * times);
    assert.equal(times, 3);
  });

  it('sends no request while its views are closed, and refreshes at once when they reopen', async () => {
    const demo = await look();
    await desk.close();
    await quiet();
    const before = lists(demo);
    const { requestCount } = demo;
    await tenMinutes();
    assert.equal(demo.requestCount, requestCount);
    await desk.open();
    await until(() => lists(demo) === before + 3);
  });

  it('requests only the first rows while the window has no focus', async () => {
    const state = Object.getOwnPropertyDescriptor(window, 'state') ?? {};
    Object.defineProperty(window, 'state', {
      ...state,
      get: () => ({ focused: false, active: false }),
    });
    try {
      const demo = await look();
      await tenMinutes();
      assert.equal(lists(demo), 3);
    } finally {
      Object.defineProperty(window, 'state', state);
    }
  });

  it('never sends two requests for the same list at once, even to a slow service', async () => {
    const demo = await look();
    demo.misbehave({ held: true });
    await desk.skip(interval);
    await until(() => traffic.exchanges.some(({ end }) => end === undefined));
    const refreshes = Promise.all([
      desk.run('switchboard.conversations.refresh'),
      desk.run('switchboard.sandboxes.refresh'),
      desk.run('switchboard.conversations.refresh'),
    ]);
    demo.misbehave({});
    await refreshes;
    await quiet();
    assert.ok(traffic.to(conversations).length >= 2);
    assert.equal(traffic.mostAtOnce(conversations), 1);
    assert.equal(traffic.mostAtOnce(joined), 1);
    assert.equal(traffic.mostAtOnce(sandboxes), 1);
  });

  it('loads the first rows and then refreshes only on request if the interval is 0', async () => {
    await desk.configure({ refreshInterval: 0 });
    const demo = await look();
    await desk.close();
    await desk.open();
    await tenMinutes();
    assert.equal(lists(demo), 3);
    await desk.run('switchboard.conversations.refresh');
    assert.equal(lists(demo), 6);
    await desk.configure({ refreshInterval: undefined });
    await asked(3);
    await pollsAfter(interval, interval);
  });

  it('backs off from a failing service, keeps its rows and shows their age, and recovers automatically', async () => {
    const demo = await look();
    const rows = [...desk.switchboard.conversations.rows.keys()];
    demo.misbehave({ errorStatus: 500 });
    await pollsAfter(interval, interval);
    await pollsAfter(0.75 * 2 * interval, 2 * interval);
    assert.match(desk.rows()[0] ?? '', / · as of \d\d:\d\d$/);
    assert.deepEqual([...desk.switchboard.conversations.rows.keys()], rows);
    demo.misbehave({});
    await pollsAfter(0.75 * 4 * interval, 4 * interval);
    await until(() => desk.switchboard.conversations.error === undefined);
    assert.doesNotMatch(desk.rows()[0] ?? '', /as of/);
    await pollsAfter(interval, interval);
  });

  it('shows the first rows automatically when a failing service recovers', async () => {
    const demo = await desk.connect({ misbehaviour: { errorStatus: 500 } });
    await desk.open();
    await until(() => desk.switchboard.conversations.error);
    assert.equal(desk.rows().length, 1);
    demo.misbehave({});
    await until(async () => {
      await traffic.answered();
      await desk.skip(interval);
      return desk.switchboard.conversations.rows.size === 20;
    });
  });

  it('waits for the Retry-After time of an overloaded service and shows no message', async () => {
    await desk.configure({ refreshInterval: 0 });
    const demo = await look();
    demo.misbehave({
      rateLimit: { retryAfter: '5', times: 1 },
      only: conversations,
    });
    const times = traffic.to(conversations).length;
    const refreshing = desk.run('switchboard.conversations.refresh');
    await until(() => traffic.to(conversations)[times]?.end !== undefined);
    await desk.skip(6);
    await refreshing;
    const [gap = 0] = gaps().slice(-1);
    assert.ok(gap >= 5_000, `asked again after ${gap} ms`);
    assert.equal(desk.switchboard.conversations.error, undefined);
    assert.deepEqual(desk.person.heard, []);
  });

  for (const [name, misbehaviour] of [
    ['stops accepting the key', { unauthorized: true }],
    ['denies access', { forbidden: true }],
  ] as const) {
    it(`pauses when the service ${name}, reports it once, and continues after a manual refresh`, async () => {
      const demo = await look();
      const rows = [...desk.switchboard.conversations.rows.keys()];
      demo.misbehave(misbehaviour);
      await desk.skip(interval);
      await until(() => desk.service.refused);
      await quiet();
      const before = demo.requestCount;
      await tenMinutes();
      assert.equal(demo.requestCount, before);
      assert.equal(
        desk.person.heard.filter((message) =>
          message.startsWith('Could not list'),
        ).length,
        1,
      );
      assert.deepEqual([...desk.switchboard.conversations.rows.keys()], rows);
      demo.misbehave({});
      await desk.run('switchboard.conversations.refresh');
      assert.equal(desk.service.refused, undefined);
      await pollsAfter(interval, interval);
    });
  }
});
