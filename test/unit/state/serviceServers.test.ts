import assert from 'node:assert/strict';
import { Secret } from '../../../src/base/secret.ts';
import { type MisbehavingDemo, startMisbehavingDemo } from '../../../src/demo/faults/misbehavingDemo.ts';
import { ServiceError } from '../../../src/service/serviceError.ts';
import { ServiceServers } from '../../../src/state/serviceServers.ts';
import { SteppedClock } from '../../support/steppedClock.ts';
import { connect, key, Lines } from '../service/support.ts';

describe('the MCP servers of a connected service', () => {
  let demo: MisbehavingDemo;
  let servers: ServiceServers;
  let clock: SteppedClock;
  let changes = 0;

  beforeEach(async () => {
    demo = await startMisbehavingDemo({ interface: 'agentServer', key });
    clock = new SteppedClock();
    servers = new ServiceServers(connect(demo, { log: new Lines() }), clock);
    changes = 0;
    servers.onChange(() => {
      changes++;
    });
  });

  afterEach(async () => {
    servers.release();
    await demo.stop();
  });

  const names = () => servers.rows.map(({ name }) => name);
  const asked = () => demo.requests.filter(({ path }) => path === '/api/settings').length;

  it('are told once they are known, and again only if they are different', async () => {
    assert.deepEqual([servers.ability, names(), servers.asOf], [undefined, [], undefined]);
    await servers.refresh();
    assert.deepEqual(names(), ['tracker', 'database', 'browser']);
    assert.ok(servers.ability?.changing);
    assert.equal(changes, 1);
    await servers.refresh();
    assert.equal(changes, 1);
    await servers.change(
      ({ changing }) =>
        changing?.change('database', { env: new Map([['MORE', new Secret('x')]]) }) ?? Promise.resolve(),
    );
    assert.equal(changes, 2);
    assert.ok(servers.find('database'));
  });

  it('are read again after a change, also after one that failed', async () => {
    await servers.refresh();
    const failure = servers.change(({ changing }) => changing?.change('x', {}) ?? Promise.resolve());
    await assert.rejects(failure, ServiceError);
    assert.equal(asked(), 2);
    await servers.change(({ changing }) => changing?.remove('tracker') ?? Promise.resolve());
    assert.deepEqual(names(), ['database', 'browser']);
  });

  it('stay when the service fails, with the reason, and come back with it', async () => {
    await servers.refresh();
    demo.misbehave({ errorStatus: 500, errorBody: 'detail' });
    await servers.refresh();
    assert.equal(names().length, 3);
    assert.equal(servers.error?.kind, 'serverFailed');
    assert.equal(changes, 2);
    demo.misbehave({});
    await servers.refresh();
    assert.equal(servers.error, undefined);
    assert.equal(changes, 3);
  });

  it('are asked for by polls every five minutes, and at once by people', async () => {
    await servers.refresh('poll');
    await servers.refresh('poll');
    assert.equal(asked(), 1);
    await servers.refresh();
    assert.equal(asked(), 2);
    clock.advance(5 * 60_000);
    await servers.refresh('poll');
    assert.equal(asked(), 3);
  });

  it('are asked for once by all who want them at the same time, and once more for those who come later', async () => {
    await servers.refresh();
    await Promise.all([servers.refresh(), servers.refresh(), servers.refresh()]);
    assert.equal(asked(), 3);
  });

  it('are forgotten with the service', async () => {
    await servers.refresh();
    const late = servers.refresh();
    servers.release();
    await late;
    assert.deepEqual([names(), servers.error], [[], undefined]);
  });
});
