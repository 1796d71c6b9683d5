import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { showAddress } from '../../src/service/address.ts';
import { Desk, key } from './desk.ts';
import { eventually } from './support.ts';
import { Traffic } from './traffic.ts';

/** Whether something listens at this address. */
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

describe('connecting', () => {
  let desk: Desk;

  beforeEach(async () => {
    desk = await Desk.setUp();
  });

  afterEach(async () => {
    await desk.clear();
  });

  it('lists what the service in the settings has, with the key in SWITCHBOARD_API_KEY', async () => {
    const demo = await desk.look();
    const { switchboard } = desk;
    assert.equal(switchboard.conversations.rows.size, 20);
    assert.equal(switchboard.sandboxes.rows.size, 8);
    assert.equal(desk.rows().at(-1), 'Load More · 20 loaded');
    assert.ok(demo.requests.length > 0);
    assert.ok(demo.requests.every(({ headers }) => headers['x-session-api-key'] === key));
  });

  it('accepts an address as people type it', async () => {
    const demo = await desk.serve();
    const { host } = new URL(demo.url);
    await desk.configure({ 'service.url': ` ${host}/ ` });
    await desk.open();
    await desk.loaded();
    assert.equal(desk.switchboard.connection?.address, showAddress(new URL(demo.url)));
  });

  it('says what is wrong with an address, and does not connect', async () => {
    await desk.look();
    await desk.configure({ 'service.url': 'ftp://agents.example.com' });
    const message = await eventually(() => desk.person.heard.at(0));
    assert.match(message, /"ftp:\/\/" is not supported/);
    assert.equal(desk.switchboard.connection, undefined);
  });

  it('sends the key in the way that is set', async () => {
    const demo = await desk.serve();
    await desk.configure({ 'service.authentication': 'bearer', 'service.url': demo.url });
    await desk.open();
    await desk.loaded();
    assert.ok(demo.requests.every(({ headers }) => headers.authorization === `Bearer ${key}`));
    assert.ok(demo.requests.every(({ headers }) => headers['x-session-api-key'] === undefined));
  });

  it('sends no key if the settings say so', async () => {
    const demo = await desk.serve();
    await desk.configure({ 'service.authentication': 'none', 'service.url': demo.url });
    await desk.open();
    const error = await eventually(() => desk.switchboard.conversations.error);
    assert.equal(error.kind, 'unauthorised');
    assert.ok(!JSON.stringify(demo.requests).includes(key));
  });

  it('never shows a row of the previous service, however slowly it answers', async () => {
    const traffic = new Traffic();
    const seen = new Set<string>();
    const { conversations } = desk.switchboard;
    const stop = conversations.onChange(() => {
      for (const id of conversations.rows.keys()) seen.add(id);
    });
    const slow = await desk.connect({ seed: 1, misbehaviour: { slowHeaders: 1_000 } });
    await desk.open();
    await eventually(() => slow.requests.at(0));
    await desk.connect({ seed: 2 });
    await desk.loaded();
    await eventually(() => traffic.exchanges.every(({ end }) => end !== undefined) || undefined);
    stop();
    traffic.stop();
    assert.equal(seen.size, 20);
    assert.deepEqual([...seen], [...conversations.rows.keys()]);
  });

  it('shows nothing and sends no request after disconnecting', async () => {
    const demo = await desk.look();
    await desk.run('switchboard.disconnect');
    assert.equal(desk.switchboard.connection, undefined);
    assert.deepEqual(desk.rows(), []);
    const { requestCount } = demo;
    await desk.run('switchboard.conversations.refresh');
    assert.equal(demo.requestCount, requestCount);
  });

  it('starts the demo service, lists what it has, and stops it without a trace', async () => {
    await desk.run('switchboard.startDemo');
    await desk.open();
    await desk.loaded();
    const { connection, conversations } = desk.switchboard;
    assert.ok(connection?.demo);
    assert.equal(conversations.rows.size, 20);
    assert.ok(await isOpen(connection.address));
    await desk.run('switchboard.stopDemo');
    assert.equal(await isOpen(connection.address), false);
    assert.deepEqual(desk.rows(), []);
  });

  it('returns to the service in the settings when the demo service stops', async () => {
    const mine = await desk.look();
    const address = () => desk.switchboard.connection?.address;
    await desk.run('switchboard.startDemo');
    assert.notEqual(address(), mine.url);
    await desk.run('switchboard.stopDemo');
    await desk.loaded();
    assert.equal(address(), mine.url);
  });

  it('asks how to send a key if none was sent before', async () => {
    const demo = await desk.serve();
    await desk.configure({ 'service.authentication': 'none', 'service.url': demo.url });
    await desk.open();
    await eventually(() => desk.switchboard.conversations.error);
    desk.person.answers.push('Bearer token', key);
    await desk.run('switchboard.setApiKey');
    await eventually(() => desk.switchboard.conversations.asOf);
    assert.equal(demo.requests.at(-1)?.headers.authorization, `Bearer ${key}`);
    await desk.run('switchboard.clearApiKey');
  });

  it('prefers a stored key, and uses the one in the environment again when it is cleared', async () => {
    const demo = await desk.look();
    desk.person.answers.push('another-key');
    await desk.run('switchboard.setApiKey');
    const error = await eventually(() => desk.switchboard.conversations.error);
    assert.equal(error.kind, 'unauthorised');
    assert.equal(demo.requests.at(-1)?.headers['x-session-api-key'], 'another-key');
    await desk.run('switchboard.clearApiKey');
    await desk.loaded();
    assert.equal(desk.switchboard.conversations.error, undefined);
    assert.equal(demo.requests.at(-1)?.headers['x-session-api-key'], key);
  });
});
