import assert from 'node:assert/strict';
import { Server } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { Apart } from './apart.ts';
import { Desk } from './desk.ts';
import { type Anything, replace } from './person.ts';
import { startSilent } from './severalServices.ts';
import { until } from '../support/eventually.ts';

/** The number of servers and sockets in this process. */
function connections(): { readonly servers: number; readonly sockets: number } {
  const resources = process.getActiveResourcesInfo();
  const count = (name: string) =>
    resources.filter((resource) => resource === name).length;
  return { servers: count('TCPServerWrap'), sockets: count('TCPSocketWrap') };
}

/**
 * Waits until a server in this process starts to listen but cannot be reached
 * yet.
 */
async function listens(): Promise<void> {
  const listen = Reflect.get(Server.prototype, 'listen') as Anything;
  await new Promise<void>((resolve) => {
    const restore = replace(
      Server.prototype,
      'listen',
      function (this: Server, ...args) {
        restore();
        resolve();
        return listen.apply(this, [...args]);
      },
    );
  });
}

describe('deactivation', () => {
  let desk: Desk;

  beforeEach(async () => {
    desk = await Desk.setUp({ refreshInterval: 1 });
  });

  afterEach(async () => {
    await desk.clear();
  });

  it('leaves nothing if the extension did nothing', async () => {
    const apart = new Apart();
    await apart.insight;
    assert.ok(apart.holds.length > 30, apart.holds.join(', '));
    await apart.deactivate();
    assert.deepEqual(apart.holds, []);
  });

  it('leaves nothing if the extension was still starting', async () => {
    const apart = new Apart();
    await apart.deactivate();
    assert.deepEqual(apart.holds, []);
  });

  it('leaves nothing at any moment during startup', async () => {
    for (const [unit, moments] of [
      [() => Promise.resolve(), 200],
      [() => setImmediate(), 20],
    ] as const) {
      for (let moment = 0; moment < moments; moment++) {
        const apart = new Apart(new Map(), false);
        // The first part may be ended before it exists.
        const started = apart.insight.catch(() => undefined);
        for (let passed = 0; passed < moment; passed++) await unit();
        await apart.deactivate();
        await started;
        assert.deepEqual(apart.holds, [], `${moment}`);
      }
    }
  });

  it('leaves no timer, server, listener, request or page if the extension was busy', async () => {
    const before = connections();
    const apart = new Apart();
    const { switchboard } = await apart.insight;
    await apart.run('switchboard.startDemo');
    await until(
      () =>
        (switchboard.conversations.asOf && switchboard.sandboxes.asOf) ??
        undefined,
    );
    assert.equal(connections().servers, before.servers + 2);
    const [conversation] = switchboard.conversations.rows.keys();
    const running = [...switchboard.sandboxes.rows.values()].find(
      ({ status }) => status === 'running',
    );
    await apart.run('switchboard.conversations.showDetails', conversation);
    await apart.run('switchboard.conversations.new');
    desk.person.answers.push('Demo');
    await desk.pages.choose('service');
    const underWay = [
      desk.pages.say({ type: 'create', text: 'Fix the build' }),
      apart.run('switchboard.sandboxes.pause', running?.id),
    ];
    await until(() => switchboard.requested.all.find(({ task }) => task));
    await until(
      () => switchboard.services[0]?.sandboxActions.underWay.size === 1,
    );
    assert.ok(apart.holds.includes('createWebviewPanel'));
    assert.ok(apart.holds.some((what) => what.endsWith('timers')));
    assert.ok(apart.holds.some((what) => what.endsWith('listeners')));
    await apart.deactivate();
    await Promise.all(underWay);
    assert.deepEqual(apart.holds, []);
    await until(() => connections().servers === before.servers);
    await until(() => connections().sockets <= before.sockets);
  });

  it('cancels requests to a service that does not answer', async () => {
    const silent = await startSilent();
    // Both lists of a service of a known kind are requested at once.
    await desk.connectTo({ url: silent.url, interface: 'v1' });
    const apart = new Apart();
    try {
      await until(() => silent.open === 2);
      await apart.deactivate();
      await until(() => silent.open === 0);
      assert.deepEqual(apart.holds, []);
    } finally {
      silent.stop();
    }
  });

  for (const [which, deactivateWhen] of [
    ['was still starting', () => listens()],
    ['was requested while the commands were loading', () => Promise.resolve()],
  ] as const) {
    it(`leaves no demo service that ${which}`, async () => {
      const before = connections();
      const apart = new Apart();
      const moment = deactivateWhen();
      const starting = apart.run('switchboard.startDemo');
      await moment;
      await apart.deactivate();
      await starting;
      assert.deepEqual(apart.holds, []);
      await until(() => connections().servers === before.servers);
      assert.deepEqual((await apart.insight).switchboard.services, []);
    });
  }

  it('starts the demo again in the next window, at the same addresses, until it is stopped', async () => {
    const memory = new Map<string, unknown>();
    const services = async (apart: Apart) =>
      (await apart.insight).switchboard.services;
    const addresses = async (apart: Apart) =>
      (await services(apart)).map(({ address }) => address);
    const first = new Apart(memory);
    await first.run('switchboard.startDemo');
    const before = await addresses(first);
    assert.equal(before.length, 2);
    await first.deactivate();
    assert.deepEqual(await services(first), []);
    const second = new Apart(memory, false);
    await until(async () => (await services(second)).length === 2);
    assert.deepEqual(await addresses(second), before);
    await second.run('switchboard.stopDemo');
    await second.deactivate();
    assert.deepEqual(
      [...memory].filter(
        ([name, value]) => name.startsWith('demo') && value !== undefined,
      ),
      [],
    );
  });

  it('leaves a new conversation to the next window, which requests it no second time', async () => {
    const demo = await desk.connect({ misbehaviour: { taskNeverEnds: true } });
    const memory = new Map<string, unknown>();
    const first = new Apart(memory);
    const before = (await first.insight).switchboard;
    await until(() => before.conversations.asOf);
    await first.run('switchboard.conversations.new');
    const creating = desk.pages.say({ type: 'create', text: 'Fix the build' });
    await until(() => before.requested.all.find(({ task }) => task));
    await first.deactivate();
    await creating;
    const { requestCount } = demo;
    const second = new Apart(memory);
    const { switchboard } = await second.insight;
    assert.equal(switchboard.requested.all[0]?.wanted.message, 'Fix the build');
    await until(() =>
      demo.requests
        .slice(requestCount)
        .find(({ path }) => path.endsWith('/start-tasks')),
    );
    assert.equal(
      demo.requests.filter(({ method }) => method === 'POST').length,
      1,
    );
    await second.deactivate();
  });

  it('keeps the filter, grouping and sorting for the next window', async () => {
    const memory = new Map<string, unknown>();
    const first = new Apart(memory);
    desk.person.answers.push(
      '$(pulse) State…',
      'Failed',
      'Day',
      'Last Activity',
    );
    await first.run('switchboard.conversations.filter');
    await first.run('switchboard.conversations.groupBy');
    await first.run('switchboard.conversations.sortBy');
    const { arrangement } = (await first.insight).switchboard;
    await first.deactivate();
    const second = new Apart(memory);
    assert.deepEqual((await second.insight).switchboard.arrangement, {
      filter: {
        repository: undefined,
        trigger: undefined,
        activity: 'error',
        text: undefined,
        service: undefined,
        tag: undefined,
        unread: undefined,
        archived: undefined,
      },
      grouping: 'day',
      sorting: 'updated',
    });
    assert.equal(arrangement.grouping, 'day');
    await second.deactivate();
  });
});
