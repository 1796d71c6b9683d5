import assert from 'node:assert/strict';
import { Secret } from '../../../../src/base/secret.ts';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../../../support/demo/faults/misbehavingDemo.ts';
import { ServiceError } from '../../../../src/service/http/serviceError.ts';
import { ServiceServers } from '../../../../src/state/mcpServers/serviceServers.ts';
import { SteppedClock } from '../../../support/steppedClock.ts';
import { connect, key, Lines } from '../../service/support.ts';

describe('the list of MCP servers at a service', () => {
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
  const asked = () =>
    demo.requests.filter(({ path }) => path === '/api/settings').length;

  it('fires a change event when the servers are loaded, and again only when they differ', async () => {
    assert.deepEqual(
      [servers.ability, names(), servers.asOf],
      [undefined, [], undefined],
    );
    await servers.refresh();
    assert.deepEqual(names(), ['tracker', 'database', 'browser']);
    assert.ok(servers.ability?.changing);
    assert.equal(changes, 1);
    await servers.refresh();
    assert.equal(changes, 1);
    await servers.change(
      ({ changing }) =>
        changing?.change('database', {
          env: new Map([['MORE', new Secret('x')]]),
        }) ?? Promise.resolve(),
    );
    assert.equal(changes, 2);
    assert.ok(servers.find('database'));
  });

  it('reloads the servers after a change, also after a failed change', async () => {
    await servers.refresh();
    const failure = servers.change(
      ({ changing }) => changing?.change('x', {}) ?? Promise.resolve(),
    );
    await assert.rejects(failure, ServiceError);
    assert.equal(asked(), 2);
    await servers.change(
      ({ changing }) => changing?.remove('tracker') ?? Promise.resolve(),
    );
    assert.deepEqual(names(), ['database', 'browser']);
  });

  it('makes changes in the order of the clicks, even if an earlier one takes longer', async () => {
    const held = Promise.withResolvers<undefined>();
    const begun: string[] = [];
    const first = servers.change(async () => {
      begun.push('first');
      await held.promise;
    });
    const second = servers.change(() => {
      begun.push('second');
      return Promise.resolve();
    });
    await servers.refresh();
    assert.deepEqual(begun, ['first']);
    held.resolve(undefined);
    await Promise.all([first, second]);
    assert.deepEqual(begun, ['first', 'second']);
  });

  it('keeps the servers and shows the error when the service fails, until it recovers', async () => {
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

  it('polls at most every 5 minutes, but refreshes at once for the user', async () => {
    await servers.refresh('poll');
    await servers.refresh('poll');
    assert.equal(asked(), 1);
    await servers.refresh();
    assert.equal(asked(), 2);
    clock.advance(5 * 60_000);
    await servers.refresh('poll');
    assert.equal(asked(), 3);
  });

  it('polls again at once after a failure, but not after a refusal', async () => {
    demo.misbehave({ errorStatus: 500 });
    await servers.refresh('poll');
    assert.equal(servers.error?.kind, 'serverFailed');
    demo.misbehave({});
    await servers.refresh('poll');
    assert.equal(servers.error, undefined);
    clock.advance(5 * 60_000);
    demo.misbehave({ forbidden: true });
    await servers.refresh('poll');
    const askedBefore = asked();
    await servers.refresh('poll');
    assert.equal(asked(), askedBefore);
  });

  it('sends one more request for all refreshes that are requested during another one', async () => {
    await servers.refresh();
    const begun = servers.refresh();
    await Promise.resolve();
    await Promise.all([begun, servers.refresh(), servers.refresh()]);
    assert.equal(asked(), 3);
  });

  it('shows no servers after the service is released, even when a reply arrives late', async () => {
    await servers.refresh();
    const late = servers.refresh();
    servers.release();
    await late;
    assert.deepEqual([names(), servers.error], [[], undefined]);
  });
});
