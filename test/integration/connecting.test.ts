import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { type Memento, window } from 'vscode';
import { systemClock } from '../../src/base/clock.ts';
import { Secret } from '../../src/base/secret.ts';
import { Connector } from '../../src/editor/services/connector.ts';
import { AllowedOrigins } from '../../src/state/allowedOrigins.ts';
import { Switchboard } from '../../src/state/switchboard.ts';
import { MemoryStore } from '../unit/state/support.ts';
import { startMisbehavingDemo } from '../support/demo/faults/misbehavingDemo.ts';
import { exchange } from '../../src/demo/exchange.ts';
import { Desk, key } from './desk.ts';
import { until } from '../support/eventually.ts';
import { Traffic } from './traffic.ts';

/** True if something listens at this address. */
async function isOpen(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return await new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => {
      resolve(false);
    });
  });
}

describe('the connection to a service', () => {
  let desk: Desk;

  beforeEach(async () => {
    desk = await Desk.setUp();
  });

  afterEach(async () => {
    await desk.clear();
  });

  it('lists the content of the service in the settings with its stored key', async () => {
    const demo = await desk.look();
    const { switchboard } = desk;
    assert.equal(switchboard.conversations.rows.size, 20);
    assert.equal(switchboard.sandboxes.rows.size, 8);
    assert.equal(desk.rows().at(-1), 'Load More · 20 loaded');
    assert.ok(demo.requests.length > 0);
    assert.ok(
      demo.requests.every(
        ({ headers }) => headers['x-session-api-key'] === key,
      ),
    );
  });

  it('accepts an address with spaces, a final slash and no scheme', async () => {
    const demo = await desk.serve();
    const { host } = new URL(demo.url);
    await desk.configure({ services: [{ url: ` ${host}/ ` }] });
    await desk.open();
    await desk.loaded();
    assert.equal(desk.service.address, demo.url);
  });

  it('explains an invalid address and does not connect', async () => {
    await desk.look();
    await desk.configure({ services: [{ url: 'ftp://agents.example.com' }] });
    const message = await until(() => desk.person.heard.at(0));
    assert.match(
      message,
      /^Service 1 of the setting "switchboard\.services" cannot be used: "ftp:\/\/" is not/,
    );
    assert.deepEqual(desk.switchboard.services, []);
  });

  it('sends the key as a bearer token if the settings say so', async () => {
    const demo = await desk.look({}, { authentication: 'bearer' });
    assert.ok(
      demo.requests.every(
        ({ headers }) => headers.authorization === `Bearer ${key}`,
      ),
    );
    assert.ok(
      demo.requests.every(
        ({ headers }) => headers['x-session-api-key'] === undefined,
      ),
    );
  });

  it('sends no key if the settings say so', async () => {
    const demo = await desk.connect({}, { authentication: 'none' });
    await desk.open();
    const error = await until(() => desk.service.conversations.error);
    assert.equal(error.kind, 'unauthorised');
    assert.ok(!JSON.stringify(demo.requests).includes(key));
  });

  it('never shows rows of a previous service that answers late', async () => {
    const traffic = new Traffic();
    const seen = new Set<string>();
    const { conversations } = desk.switchboard;
    const subscription = conversations.onChange(() => {
      for (const row of conversations.rows.keys()) seen.add(row);
    });
    const slow = await desk.connect({ seed: 1, misbehaviour: { held: true } });
    await desk.open();
    await until(() => slow.requests.at(0));
    await desk.connect({ seed: 2 });
    await desk.loaded();
    slow.misbehave({});
    await until(() => traffic.exchanges.every(({ end }) => end !== undefined));
    subscription.dispose();
    traffic.stop();
    assert.equal(seen.size, 20);
    assert.deepEqual([...seen], [...conversations.rows.keys()]);
  });

  it('says that it is connected when its rows are listed, so that nothing takes the focus afterwards', async () => {
    const demo = await desk.serve({ misbehaviour: { slowHeaders: 200 } });
    desk.person.answers.push(demo.url, key);
    const connecting = desk.run('switchboard.connect');
    await until(() =>
      desk.person.heard.find((message) => message.startsWith('Connected to ')),
    );
    assert.equal(desk.rows().length, 21);
    await connecting;
  });

  it('connects a service once, by the name and the interface in the settings', async () => {
    const demo = await desk.look({}, { name: 'Mine', interface: 'v1' });
    const { port } = new URL(demo.url);
    desk.person.answers.push(`localhost:${port}`);
    await desk.run('switchboard.connect');
    assert.deepEqual(desk.person.heard, [`Connected to ${demo.url} (V1).`]);
    assert.deepEqual(desk.services(), [
      { name: 'Mine', interface: 'v1', url: demo.url },
    ]);
  });

  it('keeps one entry for a service on this machine, whatever the name of the machine in it', async () => {
    const demo = await desk.serve();
    const url = new URL(demo.url);
    const { port } = url;
    await desk.configure({ services: [{ url: `http://localhost:${port}` }] });
    await until(() => desk.switchboard.services.length === 1);
    const store = new MemoryStore();
    const state = store as unknown as Memento;
    const log = window.createOutputChannel('Other window', { log: true });
    const connector = new Connector(
      new Switchboard({ store, clock: systemClock, pageSize: () => 1 }),
      desk.keys,
      new AllowedOrigins(store),
      log,
      { workspaceState: state, globalState: state },
    );
    await connector.keep(
      { url, authentication: 'sessionKey', key: new Secret(key) },
      'This Machine',
    );
    await connector.dispose();
    log.dispose();
    assert.deepEqual(desk.services(), [{ url: demo.url }]);
    await until(() => desk.switchboard.service(demo.url));
  });

  it('checks that something answers at an address before it asks for a key', async () => {
    desk.person.answers.push('http://127.0.0.1:9', 'canary-key');
    await desk.run('switchboard.connect');
    await until(() =>
      desk.person.heard.find((message) =>
        message.includes('http://127.0.0.1:9'),
      ),
    );
    assert.deepEqual(desk.person.answers, ['canary-key']);
    assert.deepEqual(desk.switchboard.services, []);
  });

  it('asks for no key if the service wants none', async () => {
    const demo = await startMisbehavingDemo({
      exchange: (call, response, api) =>
        exchange(
          { ...call, headers: { ...call.headers, 'x-session-api-key': key } },
          response,
          api,
        ),
      key,
    });
    try {
      desk.person.answers.push(demo.url);
      await desk.run('switchboard.connect');
      await until(() =>
        desk.person.heard.find((message) =>
          message.startsWith('Connected to '),
        ),
      );
    } finally {
      await desk.run('switchboard.disconnect');
      await demo.stop();
    }
  });

  it('shows no rows and sends no request after the service is removed', async () => {
    const demo = await desk.look();
    await desk.run('switchboard.disconnect');
    assert.deepEqual(desk.switchboard.services, []);
    assert.deepEqual(desk.rows(), []);
    const { requestCount } = demo;
    await desk.run('switchboard.conversations.refresh');
    assert.equal(demo.requestCount, requestCount);
  });

  it('starts both services of the demo, lists their conversations, and stops both', async () => {
    await desk.run('switchboard.startDemo');
    await desk.open();
    await desk.loaded();
    const { services } = desk.switchboard;
    assert.deepEqual(
      services.map(({ name, demo, client }) => [
        name,
        demo,
        client.service?.interface,
      ]),
      [
        ['Demo', true, 'v0'],
        ['Demo Agent Server', true, 'agentServer'],
      ],
    );
    assert.equal(desk.switchboard.conversations.rows.size, 40);
    assert.deepEqual(
      desk.services(),
      [],
      'nothing is written into the settings',
    );
    const { conversations } = desk.trees;
    const tooltips = conversations
      .getChildren()
      .map((row) => conversations.getTreeItem(row).tooltip);
    for (const name of ['Demo', 'Demo Agent Server'])
      assert.ok(
        tooltips.some((tooltip) =>
          JSON.stringify([tooltip]).includes(
            `${name}, built in: its agents only pretend`,
          ),
        ),
        name,
      );
    for (const { address } of services) assert.ok(await isOpen(address));
    await desk.run('switchboard.stopDemo');
    for (const { address } of services)
      assert.equal(await isOpen(address), false);
    assert.deepEqual(desk.switchboard.services, []);
    assert.deepEqual(desk.rows(), []);
  });

  it('lists the demo beside a configured service and leaves that service alone when the demo stops', async () => {
    const mine = await desk.look();
    const { conversations } = desk.service;
    const { rows } = conversations;
    await desk.run('switchboard.startDemo');
    await desk.loaded();
    assert.equal(desk.switchboard.conversations.rows.size, 60);
    await desk.run('switchboard.stopDemo');
    assert.equal(desk.service.address, mine.url);
    assert.equal(desk.service.conversations, conversations);
    assert.equal(conversations.rows, rows);
  });

  it('detects the authentication method of a service and saves it in the settings', async () => {
    const demo = await startMisbehavingDemo({
      key,
      exchange: (call, response, api) => {
        const { authorization = '' } = call.headers;
        return exchange({ ...call, headers: { authorization } }, response, api);
      },
    });
    try {
      await desk.connectTo({ url: demo.url });
      await desk.open();
      await until(() => desk.service.conversations.error);
      desk.person.answers.push(key);
      await desk.run('switchboard.setApiKey');
      await desk.loaded();
      assert.equal(
        demo.requests.at(-1)?.headers.authorization,
        `Bearer ${key}`,
      );
      assert.deepEqual(desk.services(), [
        { url: demo.url, authentication: 'bearer' },
      ]);
      assert.ok(!JSON.stringify(desk.services()).includes(key));
      await desk.run('switchboard.clearApiKey');
    } finally {
      await demo.stop();
    }
  });

  it('keeps a working key if a new one is refused, and sends no key after it is cleared', async () => {
    const demo = await desk.look();
    desk.person.answers.push('another-key');
    await desk.run('switchboard.setApiKey');
    assert.equal(desk.person.heard.length, 1);
    assert.ok(
      demo.requests.some(
        ({ headers }) => headers['x-session-api-key'] === 'another-key',
      ),
    );
    await desk.run('switchboard.conversations.refresh');
    assert.equal(desk.service.conversations.error, undefined);
    assert.equal(demo.requests.at(-1)?.headers['x-session-api-key'], key);
    await desk.run('switchboard.clearApiKey');
    const error = await until(() => desk.service.conversations.error);
    assert.equal(error.kind, 'unauthorised');
    assert.equal(demo.requests.at(-1)?.headers['x-session-api-key'], undefined);
  });
});
