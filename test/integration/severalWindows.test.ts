import { MemoryStore } from '../unit/state/support.ts';
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands, type Disposable, env } from 'vscode';
import { waitForLeadership } from '../../src/editor/background/waitForLeadership.ts';
import { extensionId } from '../../src/editor/manifest.ts';
import { keyOf } from '../../src/service/model/entities.ts';
import { AskingAgents } from '../ui/askingAgents.ts';
import { Apart } from './apart.ts';
import { Desk } from './desk.ts';
import { logged } from './log.ts';
import { type Anything, replace } from './person.ts';
import { Traffic } from './traffic.ts';
import { until } from '../support/eventually.ts';
import { startRecipient } from '../support/recipient.ts';

const conversations = '/api/conversations/search';

/**
 * Skips the time in steps of a second, and waits for the answers to the
 * requests of each step.
 */
async function pass(
  desk: Desk,
  traffic: Traffic,
  seconds: number,
): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await desk.skip(1);
    await traffic.answered();
  }
}

describe('the window that polls for all windows on this machine', () => {
  let desk: Desk;
  let traffic: Traffic;

  beforeEach(async () => {
    desk = await Desk.setUp({ refreshInterval: 1 });
    traffic = new Traffic();
  });

  afterEach(async () => {
    traffic.stop();
    await desk.configure({ notifications: 'off' });
    await until(() => !desk.leadership.isLeader);
    await desk.clear();
  });

  /**
   * Resolves when the conversations were polled and the next poll is scheduled.
   */
  async function looked(): Promise<void> {
    const { conversations, automations } = desk.service;
    await until(
      () =>
        conversations.asOf !== undefined &&
        !conversations.isRefreshing &&
        automations.wasAsked,
    );
    await traffic.answered();
    await desk.skip(0);
  }

  it('polls only conversations, at a slow pace, while no view is open', async () => {
    const demo = await desk.connect({ interface: 'agentServer' });
    await desk.leadership.update();
    assert.equal(desk.leadership.isLeader, true);
    await looked();
    await until(() => demo.requests.at(-1)?.path === '/api/automation/v1');
    const { requestCount } = demo;
    await pass(desk, traffic, 25);
    assert.equal(
      demo.requestCount,
      requestCount,
      'although the views would be refreshed every second',
    );
    await pass(desk, traffic, 5);
    await until(() => demo.requestCount > requestCount);
    await looked();
    // Asks once for automations, which the service does not have.
    assert.deepEqual(
      demo.requests
        .map(({ path }) => path)
        .filter((path) => !path.startsWith('/api/conversations')),
      ['/api/automation/v1'],
    );
    assert.equal(desk.service.sandboxes.asOf, undefined);
    // Opening the views refreshes them.
    await desk.open();
    await until(() => desk.service.sandboxes.asOf);
    await until(
      () =>
        demo.requests.filter(({ path }) => path === conversations).length > 2,
    );
  });

  it('polls only while notifications and automatic refresh are on', async () => {
    const demo = await desk.connect({ interface: 'agentServer' });
    for (const settings of [
      { notifications: 'off' },
      { refreshInterval: 0 },
    ] as const) {
      await desk.leadership.update();
      assert.equal(desk.leadership.isLeader, true);
      await desk.configure(settings);
      await until(() => !desk.leadership.isLeader);
      await looked();
      const { requestCount } = demo;
      await desk.leadership.update();
      assert.equal(desk.leadership.isLeader, false);
      await pass(desk, traffic, 120);
      assert.equal(demo.requestCount, requestCount);
      await desk.configure({ notifications: undefined, refreshInterval: 1 });
    }
  });

  it('polls for approval rules while notifications are off', async () => {
    const demo = await desk.connect({
      interface: 'agentServer',
      conversations: 0,
    });
    const agents = new AskingAgents(demo);
    const id = await agents.create('Fix login');
    const conversation = keyOf({ service: demo.url, id });
    await desk.configure({
      notifications: 'off',
      'approval.accept': [{ command: 'npm run lint', conversation }],
    });
    await desk.leadership.update();
    assert.equal(desk.leadership.isLeader, true);
    await looked();
    const { length } = demo.executed;
    await agents.wantTo(id, 'npm run lint');
    await until(async () => {
      await pass(desk, traffic, 1);
      return demo.executed.length > length;
    });
    await desk.configure({ 'approval.accept': undefined });
    await until(() => !desk.leadership.isLeader);
  });

  it('does not poll without a service or for the demo service', async () => {
    await desk.leadership.update();
    assert.equal(desk.leadership.isLeader, false);
    await desk.run('switchboard.startDemo');
    await desk.leadership.update();
    assert.equal(desk.leadership.isLeader, false);
  });
});

/**
 * Holds back answers of the window to the separate instances. Returns a
 * function that lets them go.
 */
function breakConnection(): () => void {
  const execute = commands.executeCommand.bind(commands) as Anything;
  const reconnected = Promise.withResolvers<undefined>();
  const restore = replace(commands, 'executeCommand', async (...args) => {
    if (args[1] === 'switchboard.caughtUp') await reconnected.promise;
    return await execute(...args);
  });
  return () => {
    restore();
    reconnected.resolve(undefined);
  };
}

describe('a notification with several windows open', () => {
  let desk: Desk;
  let traffic: Traffic;
  let windows: Apart[] = [];
  let standing: Disposable[] = [];
  let storage: string;
  let ended: Apart | undefined;

  beforeEach(async () => {
    desk = await Desk.setUp();
    storage = await mkdtemp(join(tmpdir(), 'switchboard-windows-'));
    traffic = new Traffic();
  });

  afterEach(async () => {
    for (const each of standing) each.dispose();
    for (const window of windows) if (window !== ended) await window.end();
    for (const window of windows.toReversed()) window.restore();
    traffic.stop();
    await desk.clear();
    await rm(storage, { recursive: true });
  });

  /** Skips at most a minute until the condition holds. */
  async function withinAMinute(
    isSo: () => boolean | Promise<boolean>,
  ): Promise<void> {
    for (let second = 0; second < 60; second++) {
      if (await isSo()) return;
      await pass(desk, traffic, 1);
    }
    assert.ok(await isSo(), String(isSo));
  }

  /** The windows that lead. */
  async function leaders(): Promise<Apart[]> {
    const found = await Promise.all(
      windows.map(
        async ({ access }) =>
          access.isLoaded() && (await access.insight()).leadership.isLeader,
      ),
    );
    return windows.filter((window, index) => found[index] && window !== ended);
  }

  it('appears in one of three windows with closed side bars, and in another after that one closes', async () => {
    const demo = await desk.serve({
      interface: 'agentServer',
      conversations: 0,
    });
    const agents = new AskingAgents(demo);
    const id = await agents.create('Fix login');
    await desk.connectTo({ url: demo.url });
    windows = Array.from(
      { length: 3 },
      () => new Apart(new Map(), false, storage, false),
    );
    // Each window starts this itself, except in tests.
    standing = windows.map(({ access }) =>
      waitForLeadership(storage, new MemoryStore(), async () =>
        (await access.insight()).leadership.update(),
      ),
    );
    const begin = desk.clock.now();
    await withinAMinute(async () => (await leaders()).length > 0);
    // The first poll, after which nothing is new.
    await withinAMinute(() =>
      demo.requests.some(({ path }) => path.endsWith('/search')),
    );
    assert.equal((await leaders()).length, 1);

    desk.person.presses.add('Accept');
    await agents.wantTo(id, 'npm test');
    await withinAMinute(() => desk.person.heard.length > 0);
    await until(
      () =>
        demo.executed.filter(({ cause }) => cause.startsWith('POST '))
          .length === 1,
    );
    await pass(desk, traffic, 60);
    assert.deepEqual(desk.person.heard, [
      'An agent wants to run `npm test` in “Fix login”.',
    ]);

    const [first] = await leaders();
    assert.ok(first);
    standing[windows.indexOf(first)]?.dispose();
    await first.end();
    ended = first;
    const { requestCount } = demo;
    await withinAMinute(
      async () =>
        (await leaders()).length > 0 && demo.requestCount > requestCount,
    );
    await pass(desk, traffic, 1);
    await agents.wantTo(id, 'npm ci');
    await withinAMinute(() => desk.person.heard.length > 1);
    await pass(desk, traffic, 60);
    assert.deepEqual(desk.person.heard.slice(1), [
      'An agent wants to run `npm ci` in “Fix login”.',
    ]);
    assert.equal((await leaders()).length, 1);
    const minutes = (desk.clock.now() - begin) / 60_000;
    assert.ok(
      traffic.exchanges.length < 60 * minutes,
      `${traffic.exchanges.length} in ${minutes} minutes`,
    );
  });

  it('reaches the address in the settings once for each event, from one of three windows', async () => {
    const demo = await desk.serve({
      interface: 'agentServer',
      conversations: 0,
    });
    const recipient = await startRecipient();
    const forward = (
      path: string,
      includeAction: boolean,
      command?: readonly string[],
    ) =>
      desk.configure({
        notifications: 'off',
        onAttention: {
          command,
          url: `${recipient.origin}${path}`,
          includeAction,
          on: ['waiting'],
        },
      });
    await forward('/', false);
    const agents = new AskingAgents(demo);
    const id = await agents.create('Fix "login" $(touch x)');
    await desk.connectTo({ url: demo.url, name: 'Office' });
    windows = Array.from(
      { length: 3 },
      () => new Apart(new Map(), false, storage, false),
    );
    standing = windows.map(({ access }) =>
      waitForLeadership(storage, new MemoryStore(), async () =>
        (await access.insight()).leadership.update(),
      ),
    );
    await withinAMinute(() =>
      demo.requests.some(({ path }) => path.endsWith('/search')),
    );
    await traffic.answered();

    await agents.wantTo(id, 'npm test');
    await withinAMinute(() => recipient.requests.length > 0);
    await pass(desk, traffic, 60);
    const bodies = () =>
      recipient.requests.map(
        ({ body }) => JSON.parse(body) as Readonly<Record<string, string>>,
      );
    const query = new URLSearchParams({ service: demo.url, id });
    const link = `${env.uriScheme}://${extensionId}/conversation?${query.toString()}`;
    const message = {
      state: 'waiting',
      title: 'Fix "login" $(touch x)',
      service: 'Office',
      link,
      text: '“Fix "login" $(touch x)” is waiting for you.',
      action: '',
    };
    assert.deepEqual(bodies(), [message]);

    await agents.answer(id, true);
    await agents.finishes(id);

    // An action that a rule accepts needs nobody.
    const conversation = keyOf({ service: demo.url, id });
    await desk.configure({
      'approval.accept': [{ command: 'npm run lint', conversation }],
    });
    const { length } = demo.executed;
    await agents.wantTo(id, 'npm run lint');
    await withinAMinute(() => demo.executed.length > length);
    await agents.finishes(id);
    await pass(desk, traffic, 60);
    assert.equal(recipient.requests.length, 1);

    // The service may need longer for that than notices wait.
    demo.misbehave({ held: true, only: /respond_to_confirmation$/ });
    await agents.wantTo(id, 'npm run lint');
    const isAccepting = () =>
      demo.requests.at(-1)?.path.endsWith('/respond_to_confirmation');
    for (let second = 0; !isAccepting(); second++) {
      assert.ok(second < 120);
      await desk.skip(1);
    }
    for (let second = 0; second < 10; second++) await desk.skip(1);
    assert.equal(recipient.requests.length, 1);
    demo.misbehave({});
    await withinAMinute(() => demo.executed.length > length + 1);
    await agents.finishes(id);
    await pass(desk, traffic, 60);
    assert.equal(recipient.requests.length, 1);

    await forward('/full', true, ['/nowhere/notify']);
    const token = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
    await agents.wantTo(id, `curl -H "Authorization: Bearer ${token}" x`);
    await withinAMinute(() => recipient.requests.length > 1);
    const { action = '', text } = bodies()[1] ?? {};
    assert.match(action, /curl/);
    assert.equal(text, `${message.text}\n${action}`);
    await agents.answer(id, false);
    await agents.wantTo(id, 'npm ci');
    await withinAMinute(() => recipient.requests.length > 2);
    await pass(desk, traffic, 10);
    await recipient.stop();
    assert.equal(recipient.requests.length, 3);
    assert.doesNotMatch(JSON.stringify(recipient.requests), /ghp_0123/);
    // The same failure is shown once, and logged each time.
    const failures = [
      'notify failed: ENOENT',
      `${recipient.host} answered with status 429.`,
    ];
    assert.deepEqual(desk.person.heard, failures);
    for (const failure of failures)
      assert.equal(logged.filter((line) => line === failure).length, 2);
  });

  it('waits until the connection of a window works, so another window can show it first', async () => {
    const demo = await desk.serve({
      interface: 'agentServer',
      conversations: 0,
    });
    const agents = new AskingAgents(demo);
    const id = await agents.create('Fix login');
    await desk.connectTo({ url: demo.url });
    windows = [new Apart(new Map(), false, storage, false)];
    const insight = await windows[0]?.insight;
    assert.ok(insight);
    await until(() => insight.switchboard.services.length > 0);
    await insight.leadership.update();
    const seen = () =>
      readFile(join(storage, 'seen.json'), 'utf8').catch(() => undefined);
    await until(seen);
    await traffic.answered();
    const before = await seen();

    const reconnect = breakConnection();
    await agents.wantTo(id, 'npm test');
    const { length } = traffic.exchanges;
    await desk.skip(35);
    assert.equal(traffic.exchanges.length, length);
    // New rows can also come without a poll.
    await insight.switchboard.services[0]?.conversations.refresh();
    await desk.skip(5);
    assert.equal(await seen(), before);
    reconnect();
    await until(async () => (await seen()) !== before);
    await withinAMinute(() => desk.person.heard.length > 0);
  });

  it('requests the first rows once when the service answers before the window', async () => {
    const demo = await desk.connect();
    const reconnect = breakConnection();
    windows = [new Apart()];
    const insight = await windows[0]?.insight;
    await until(() => insight?.switchboard.services[0]?.conversations.asOf);
    reconnect();
    await traffic.answered();
    await desk.skip(1);
    await traffic.answered();
    assert.equal(
      traffic.to('/api/v1/sandboxes/search', new URL(demo.url).origin).length,
      1,
    );
  });
});
