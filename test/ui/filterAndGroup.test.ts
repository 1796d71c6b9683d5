import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { type DemoService, startDemo } from '../../src/demo/demoService.ts';
import { SteppedClock } from '../support/steppedClock.ts';
import {
  answer,
  choose,
  type Desk,
  eventually,
  fold,
  labels,
  openSideBar,
  reload,
  rows,
  runCommand,
  setUpDesk,
  takePicture,
} from './support.ts';

describe('a filter or grouping of conversations', () => {
  let desk: Desk;
  let page: Page;
  let service: DemoService;

  before(async () => {
    // Nothing in the service changes during the test.
    service = await startDemo({ clock: new SteppedClock(Date.now()) });
    desk = await setUpDesk({
      env: { SWITCHBOARD_SERVICE_URL: service.url, SWITCHBOARD_API_KEY: service.key },
    });
    ({ page } = await desk.open());
    await openSideBar(page);
    await fold(page, 'Sandboxes', 'MCP Servers');
    await rows(page, 'Conversations', /^Load more/).waitFor();
  });

  after(async () => {
    await desk.clear();
    await service.stop();
  });

  /** Waits until the filter row matches, and returns the screen reader labels of the rows below it. */
  async function filtered(words: RegExp): Promise<string[]> {
    await rows(page, 'Conversations', words).waitFor();
    const all = await labels(page, 'Conversations');
    return all.filter((label) => !/^(Filter|Load more)/.test(label));
  }

  async function clear(): Promise<void> {
    const filter = rows(page, 'Conversations', /^Filter/);
    await filter.hover();
    await filter.getByRole('button', { name: 'Clear Filters' }).click();
    await filter.waitFor({ state: 'hidden' });
  }

  it('filters loaded conversations by text, and shows all again with one click', async () => {
    await runCommand(page, 'Switchboard: Filter Conversations');
    await choose(page, 'Filter Conversations', 'Title');
    await answer(page, 'Filter by Title', 'FIX');
    const found = await filtered(/^Filter: .*“FIX”, \d among 20 loaded$/);
    assert.ok(found.length > 0);
    for (const label of found) assert.match(label, /^[^,]*fix/i);
    await rows(page, 'Conversations', `${found.length} among 20 loaded`).waitFor();
    await rows(page, 'Conversations', /^Filter/).hover();
    await takePicture(page, 'filter-text');
    await clear();
    await eventually(async () => {
      assert.equal((await labels(page, 'Conversations')).length, 21);
    });
  });

  it('shows only conversations in a state', async () => {
    await runCommand(page, 'Switchboard: Filter Conversations');
    await choose(page, 'Filter Conversations', 'State');
    await choose(page, 'Filter by State', 'Failed');
    const found = await filtered(/^Filter: .*failed.*, \d among 20 loaded$/i);
    assert.ok(found.length > 0);
    for (const label of found) assert.match(label, /, Failed,/);
    await takePicture(page, 'filter-state');
    await clear();
  });

  it('requests the conversations of a repository from the service', async () => {
    await runCommand(page, 'Switchboard: Filter Conversations');
    await choose(page, 'Filter Conversations', 'Repository');
    await choose(page, 'Filter by Repository', 'northwind/storefront');
    const found = await filtered(/^Filter: .*northwind\/storefront, \d+ loaded$/);
    assert.ok(found.length > 0);
    for (const label of found) assert.match(label, /, repository northwind\/storefront,/);
    assert.equal(
      service.requests.some(({ query }) => query.get('selected_repository') === 'northwind/storefront'),
      true,
    );
    await clear();
  });

  it('explains an empty result with the filter', async () => {
    await runCommand(page, 'Switchboard: Filter Conversations');
    await choose(page, 'Filter Conversations', 'Title');
    await answer(page, 'Filter by Title', 'no such title');
    assert.deepEqual(await filtered(/^Filter: .*“no such title”, none among 20 loaded$/), []);
    await takePicture(page, 'filter-empty');
    await clear();
  });

  it('groups by state, with conversations that need you first', async () => {
    await runCommand(page, 'Switchboard: Group Conversations By');
    await choose(page, 'Group Conversations', 'State');
    const order = ['Waiting for you', 'Failed', 'Working', 'Starting', 'Idle', 'Stopped', 'Archived'];
    await rows(page, 'Conversations', /^Waiting for you, \d loaded$/).waitFor();
    const all = await labels(page, 'Conversations');
    const groups = all.flatMap((label) => /^(.+), \d+ loaded$/.exec(label)?.[1] ?? []);
    const shown = groups.filter((group) => order.includes(group));
    assert.deepEqual(
      shown,
      order.filter((group) => shown.includes(group)),
    );
    assert.ok(shown.length > 3);
    assert.match(all[1] ?? '', /, Waiting for you,/);
    await takePicture(page, 'group-state');
  });

  it('survives a window reload', async () => {
    await runCommand(page, 'Switchboard: Group Conversations By');
    await choose(page, 'Group Conversations', 'Repository');
    await rows(page, 'Conversations', /^meridian\/forecast, \d loaded$/).waitFor();
    await runCommand(page, 'Switchboard: Filter Conversations');
    await choose(page, 'Filter Conversations', 'Title');
    await answer(page, 'Filter by Title', 'the');
    const before = await filtered(/^Filter: .*“the”/);
    await takePicture(page, 'group-repository');
    await reload(page);
    await eventually(async () => {
      assert.deepEqual((await filtered(/^Filter: .*“the”/)).map(withoutAge), before.map(withoutAge));
    });
    assert.match(before[0] ?? '', /^meridian\/.+, \d loaded$/);
  });
});

/** Removes the age, because time passes in the window but not in the service. */
function withoutAge(label: string): string {
  return label.slice(0, label.lastIndexOf(','));
}
