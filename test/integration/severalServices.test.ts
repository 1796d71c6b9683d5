import assert from 'node:assert/strict';
import { keyOf } from '../../src/service/model/entities.ts';
import { needsPerson } from '../../src/state/lists/activity.ts';
import { Apart } from './apart.ts';
import { SteppedClock } from '../support/steppedClock.ts';
import { Desk, key } from './desk.ts';
import {
  type NamedDemo,
  serveSeveral,
  startSilent,
} from './severalServices.ts';
import { until } from '../support/eventually.ts';
import { Traffic } from './traffic.ts';

const conversations = '/api/conversations';

describe('a list of several services', () => {
  let desk: Desk;

  beforeEach(async () => {
    desk = await Desk.setUp({ refreshInterval: 0 });
  });

  afterEach(async () => {
    await desk.clear();
  });

  async function look(...demos: readonly NamedDemo[]): Promise<void> {
    await desk.connectTo(...demos.map(({ setting }) => setting));
    await desk.open();
    await desk.loaded();
  }

  /** The rows in which the name of this service is. */
  const rowsOf = ({ name }: NamedDemo) =>
    desk.rows().filter((row) => row.split(' · ').includes(name));

  it('merges conversations into one list, newest first, and names the service in each row', async () => {
    const [a, b, c] = await serveSeveral(desk, {}, {}, {});
    await desk.switchboard.arrange({ sorting: 'created' });
    await look(a, b, c);
    assert.deepEqual(
      [a, b, c].map((demo) => rowsOf(demo).length),
      [20, 20, 20],
    );
    assert.equal(desk.rows().at(-1), 'Load More · 60 loaded');
    const { rows } = desk.switchboard.conversations;
    const shown = desk.trees.conversations
      .getChildren()
      .flatMap((row) =>
        row.kind === 'conversation' ? (rows.get(row.id) ?? []) : [],
      );
    const times = shown.map(({ createdAt = 0 }) => createdAt);
    assert.deepEqual(
      times,
      times.toSorted((one, other) => other - one),
    );
    // They are not one after the other, or the order would say nothing.
    assert.ok(
      new Set(shown.slice(0, 20).map(({ service }) => service)).size > 1,
    );
    await desk.run('switchboard.conversations.loadMore');
    assert.equal(desk.rows().at(-1), 'Load More · 120 loaded');
  });

  it('omits the service name while there is only one service', async () => {
    const [a, b] = await serveSeveral(desk, {}, {});
    await look(a);
    assert.deepEqual(rowsOf(a), []);
    await look(a, b);
    assert.equal(rowsOf(a).length, 20);
    await desk.connectTo(a.setting);
    assert.deepEqual(rowsOf(a), []);
    assert.equal(desk.rows().length, 21);
  });

  it('merges sandboxes into one list, each with its own conversations', async () => {
    // The same ids at both.
    const [a, b] = await serveSeveral(desk, { seed: 1 }, { seed: 1 });
    await look(a, b);
    const tree = desk.trees.sandboxes;
    assert.equal(tree.getChildren().length, 16);
    for (const row of tree.getChildren()) {
      const { service, id } =
        desk.switchboard.sandbox(row.kind === 'sandbox' ? row.id : '') ??
        assert.fail();
      const { description } = tree.getTreeItem(row);
      const { name } = service === a.url ? a : b;
      assert.equal(String(description).split(' · ')[0], name);
      const served = tree
        .getChildren(row)
        .flatMap((child) => (child.kind === 'conversation' ? [child.id] : []));
      const expected = [...desk.switchboard.conversations.rows.values()].filter(
        (conversation) =>
          conversation.service === service && conversation.sandboxId === id,
      );
      assert.deepEqual(served, expected.map(keyOf));
    }
  });

  it('groups by service unless there is only one', async () => {
    const [a, b] = await serveSeveral(desk, {}, {});
    await look(a);
    await desk.run('switchboard.conversations.groupBy');
    assert.ok(!desk.person.offered.flat().includes('Service'));
    await look(a, b);
    desk.person.answers.push('Service');
    await desk.run('switchboard.conversations.groupBy');
    const tree = desk.trees.conversations;
    const groups = tree.getChildren().filter(({ kind }) => kind === 'group');
    assert.deepEqual(
      groups
        .map((row) => tree.getTreeItem(row))
        .map(({ label, description }) => [label, description]),
      [a, b].map(({ name }) => [name, '20']),
    );
    // The heading says it.
    assert.equal(rowsOf(a).length, 1);
  });

  it('filters by service without a request', async () => {
    const [a, b] = await serveSeveral(desk, {}, {});
    await look(a, b);
    const before = a.requestCount + b.requestCount;
    desk.person.answers.push('$(plug) Service…', 'Beta');
    await desk.run('switchboard.conversations.filter');
    assert.equal(rowsOf(a).length, 0);
    // With that of the filter.
    assert.equal(rowsOf(b).length, 21);
    assert.match(desk.rows()[0] ?? '', /^Beta · 20/);
    assert.equal(a.requestCount + b.requestCount, before);
    await desk.run('switchboard.conversations.clearFilters');
    assert.equal(rowsOf(a).length, 20);
  });

  it('counts the conversations of all services that need you in one badge', async () => {
    // Another instance, whose views can be looked at, has one key for all.
    const [a, b] = await serveSeveral(desk, { key }, { key });
    await desk.connectTo(a.setting, b.setting);
    const apart = new Apart();
    try {
      const { switchboard } = await apart.insight;
      const of = (demo: NamedDemo) => [
        ...(switchboard.service(demo.url)?.conversations.rows.values() ?? []),
      ];
      await until(() => of(a).length === 20 && of(b).length === 20);
      const [inA, inB] = [a, b].map(
        (demo) => of(demo).filter((row) => needsPerson(row, false)).length,
      );
      assert.ok(inA && inB);
      const badge = () =>
        apart.treeViews.get('switchboard.conversations')?.badge;
      await until(() => badge()?.value === inA + inB);
    } finally {
      await apart.deactivate();
    }
  });

  it('lists, refreshes and groups other services while one never answers', async () => {
    const silent = await startSilent();
    try {
      const [a, b] = await serveSeveral(desk, {}, {});
      await desk.configure({ refreshInterval: 5 });
      await desk.connectTo(
        { name: 'Silent', url: silent.url },
        a.setting,
        b.setting,
      );
      await desk.open();
      await Promise.all([a, b].map(({ url }) => desk.loaded(url)));
      assert.equal(rowsOf(a).length + rowsOf(b).length, 40);
      const lists = (demo: NamedDemo) =>
        demo.requests.filter(({ path }) => path === conversations).length;
      // After 30 s, the request that is never answered would end.
      for (let seconds = 0; seconds < 18; seconds += 3) {
        await desk.skip(3);
        await Promise.all([a, b].map(({ url }) => desk.loaded(url)));
      }
      assert.ok(lists(a) >= 4 && lists(b) >= 4);
      // Choosing, filtering and grouping do not wait for it either.
      desk.person.answers.push('State');
      void desk.run('switchboard.conversations.groupBy');
      await until(() =>
        desk.rows().some((row) => row.startsWith('Working · ')),
      );
      await desk.run('switchboard.conversations.copyId');
      assert.equal(desk.person.offered.at(-1)?.length, 40);
      // It still hangs: all of this was during its first request.
      assert.deepEqual([silent.asked, silent.open], [1, 1]);
      assert.equal(desk.switchboard.service(silent.url)?.error, undefined);
    } finally {
      silent.stop();
    }
  });

  it('backs off from one failing service and polls the others as usual', async () => {
    const traffic = new Traffic();
    const clock = new SteppedClock();
    const [a, b] = await serveSeveral(desk, { clock }, { clock });
    // Nothing is about to change after this.
    clock.advance(10 * 60_000);
    await desk.configure({ refreshInterval: undefined });
    await look(a, b);
    const before = traffic.to(conversations, a.url).length;
    a.misbehave({ errorStatus: 500 });
    while (traffic.to(conversations, a.url).length < before + 3) {
      await desk.skip(1);
      await traffic.answered();
      await desk.loaded();
    }
    traffic.stop();
    const failed = traffic.to(conversations, a.url).slice(-3);
    const [first, second, third] = failed.map(({ begin }) => begin);
    assert.ok(
      first !== undefined && second !== undefined && third !== undefined,
    );
    assert.ok(
      second - first >= 45_000,
      `asked again after ${second - first} ms`,
    );
    assert.ok(
      third - second >= 90_000,
      `asked again after ${third - second} ms`,
    );
    const between = traffic
      .to(conversations, b.url)
      .filter(({ begin }) => begin > second && begin < third);
    assert.ok(between.length >= 2, `${between.length} polls of the other`);
    assert.match(
      desk.rows()[0] ?? '',
      /^Alpha: Service failed · as of \d\d:\d\d$/,
    );
    assert.equal(
      desk.rows().filter((row) => row.includes('Service failed')).length,
      1,
    );
    assert.equal(rowsOf(a).length + rowsOf(b).length, 40);
    assert.equal(desk.switchboard.service(b.url)?.error, undefined);
  });

  it('asks for the key of each service separately', async () => {
    const [a, b] = await serveSeveral(desk, {}, {});
    await Promise.all([desk.keys.clear(a.url), desk.keys.clear(b.url)]);
    await desk.connectTo(a.setting, b.setting);
    await desk.open();
    const asked = (demo: NamedDemo) =>
      desk.person.heard.filter((message) => message.includes(demo.url));
    await until(() => asked(a).length > 0 && asked(b).length > 0);
    desk.person.answers.push(b.key);
    await desk.run('switchboard.setApiKey', b.url);
    await desk.loaded(b.url);
    assert.equal(rowsOf(b).length, 20);
    assert.ok(desk.switchboard.service(a.url)?.refused);
    assert.match(desk.rows()[0] ?? '', /^Alpha: Key required$/);
    assert.deepEqual(
      [
        asked(a).length,
        asked(b).filter((message) => message.startsWith('Could not')).length,
      ],
      [1, 1],
    );
  });
});
