import assert from 'node:assert/strict';
import { absences } from '../support/demo/faults/misbehaviour.ts';
import { Desk } from './desk.ts';
import { until } from '../support/eventually.ts';

describe('a service', () => {
  let desk: Desk;

  beforeEach(async () => {
    desk = await Desk.setUp({ refreshInterval: 0 });
  });

  afterEach(async () => {
    await desk.clear();
  });

  for (const noV0 of absences) {
    it(`lists conversations through V1, and tries V0 only once, if V0 answers with ${noV0}`, async () => {
      const demo = await desk.look({ misbehaviour: { noV0 } });
      assert.equal(desk.service.client.service?.interface, 'v1');
      assert.equal(desk.switchboard.conversations.rows.size, 20);
      const before = demo.requests.length;
      await desk.run('switchboard.conversations.refresh');
      // V0 is tried only once.
      const paths = demo.requests.slice(before).map(({ path }) => path);
      const lists = paths.filter(
        (path) => !/\/events\/|\/settings$/.test(path),
      );
      assert.deepEqual(lists.sort(), [
        '/api/v1/app-conversations',
        '/api/v1/sandboxes/search',
      ]);
    });

    it(`lists conversations through V0, without sandboxes, if V1 answers with ${noV0}`, async () => {
      await desk.connect({ misbehaviour: { noV1: noV0 } });
      await desk.open();
      const { conversations, sandboxes, client } = desk.service;
      await until(() => conversations.asOf);
      assert.equal(client.service?.interface, 'v0');
      assert.equal(conversations.rows.size, 20);
      assert.ok(
        [...conversations.rows.values()].every(
          ({ execution }) => execution === undefined,
        ),
      );
      await until(() => sandboxes.error);
      assert.equal(conversations.error, undefined);
    });
  }

  it('lists conversations by the V1 search when the plain V1 list requires IDs', async () => {
    const demo = await desk.look({
      misbehaviour: { noV0: '404', idsRequired: true },
    });
    assert.equal(desk.switchboard.conversations.rows.size, 20);
    assert.ok(
      demo.requests.some(
        ({ path }) => path === '/api/v1/app-conversations/search',
      ),
    );
  });

  it('uses only the interface in the settings', async () => {
    const demo = await desk.look({}, { interface: 'v1' });
    assert.equal(desk.service.client.service?.interface, 'v1');
    assert.ok(demo.requests.every(({ path }) => path.startsWith('/api/v1/')));
    await desk.connectTo({ url: demo.url, interface: 'v0' });
    await until(
      () => desk.switchboard.services[0]?.client.service?.interface === 'v0',
    );
    assert.equal(
      demo.requests.filter(({ path }) => path === '/api/conversations').length,
      1,
    );
  });

  it('reports an interface in the settings that it lacks', async () => {
    await desk.connect({ misbehaviour: { noV0: '404' } }, { interface: 'v0' });
    await desk.open();
    const { message } = await until(() => desk.switchboard.conversations.error);
    assert.match(
      message,
      /does not answer like an agent service: it does not have the V0 interface/,
    );
    assert.equal(desk.rows().length, 1);
  });

  it('reports that a web page is not an agent service', async () => {
    await desk.connect({ misbehaviour: { htmlAt200: true } });
    await desk.open();
    const { message } = await until(() => desk.switchboard.conversations.error);
    assert.match(
      message,
      /does not answer like an agent service: it answers with a web page/,
    );
    assert.equal(desk.rows().length, 1);
  });

  it('loads page by page, with each page and each row once', async () => {
    await desk.configure({ 'conversations.pageSize': 25 });
    const demo = await desk.look({ misbehaviour: { duplicates: true } });
    const { conversations } = desk.switchboard;
    assert.equal(desk.rows().at(-1), 'Load More · 25 loaded');
    await desk.run('switchboard.conversations.loadMore');
    await Promise.all([
      desk.run('switchboard.conversations.loadMore'),
      desk.run('switchboard.conversations.loadMore'),
    ]);
    assert.equal(conversations.rows.size, 60);
    assert.equal(new Set(desk.rows()).size, 60);
    assert.equal(conversations.more, false);
    assert.equal(
      demo.requests.filter(({ path }) => path === '/api/conversations').length,
      3,
    );
  });

  it('loads an endless list only as far as you ask and refreshes it with at most 4 requests', async () => {
    await desk.configure({ 'conversations.pageSize': 60 });
    const demo = await desk.look({ misbehaviour: { endlessPages: 'fresh' } });
    const { conversations } = desk.switchboard;
    await desk.run('switchboard.conversations.loadMore');
    const loaded = conversations.rows.size;
    assert.ok(loaded > 60, `${loaded} rows`);
    const lists = () =>
      demo.requests.filter(({ path }) => path === '/api/conversations').length;
    assert.equal(lists(), 2);
    await desk.run('switchboard.conversations.refresh');
    assert.ok(lists() <= 2 + 4, `${lists() - 2} requests for a renewal`);
    assert.ok(conversations.rows.size >= loaded);
    assert.ok(conversations.more);
  });

  it('ends the list at the first page without new rows when pages repeat', async () => {
    await desk.look({ misbehaviour: { endlessPages: true } });
    for (let page = 2; page <= 4; page++)
      await desk.run('switchboard.conversations.loadMore');
    assert.equal(desk.switchboard.conversations.rows.size, 60);
    assert.equal(desk.switchboard.conversations.more, false);
  });

  it('shows the readable records and logs the number of unreadable ones', async () => {
    await desk.look({ misbehaviour: { brokenRecords: true } });
    const { rows, error } = desk.switchboard.conversations;
    assert.equal(error, undefined);
    assert.ok(rows.size >= 20, `${rows.size} rows`);
    assert.match(
      desk.log.join('\n'),
      /\d of \d+ records of a page could not be read/,
    );
    for (const row of desk.rows())
      assert.doesNotMatch(row, /undefined|null|NaN|\[object|Invalid/);
  });

  it('keeps its rows when a later page fails, and loads that page on retry', async () => {
    const demo = await desk.look();
    demo.misbehave({ errorStatus: 500 });
    await desk.run('switchboard.conversations.loadMore');
    assert.equal(desk.switchboard.conversations.rows.size, 20);
    assert.equal(desk.switchboard.conversations.error?.kind, 'serverFailed');
    assert.match(desk.rows().at(-1) ?? '', /Load More · 20 loaded$/);
    demo.misbehave({});
    await desk.run('switchboard.conversations.loadMore');
    assert.equal(desk.switchboard.conversations.rows.size, 40);
    assert.equal(desk.rows().at(-1), 'Load More · 40 loaded');
  });
});
