import assert from 'node:assert/strict';
import { noLog } from '../../../../src/base/log.ts';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../../../support/demo/faults/misbehavingDemo.ts';
import { ServiceError } from '../../../../src/service/http/serviceError.ts';
import {
  type PageRequest,
  Pager,
  type ReceivedPage,
} from '../../../../src/service/http/pager.ts';
import type { Priority } from '../../../../src/service/http/pacer.ts';
import type { Conversation } from '../../../../src/service/model/entities.ts';
import {
  type ListChange,
  RemoteList,
} from '../../../../src/state/lists/remoteList.ts';
import { HurriedClock } from '../../../support/hurriedClock.ts';
import { SteppedClock } from '../../../support/steppedClock.ts';
import { clientOf, key, settle } from '../support.ts';

interface Row {
  readonly service: string;
  readonly id: string;
  readonly text: string;
}

interface Asked {
  readonly run: number;
  readonly cursor: string | undefined;
  readonly size: number | undefined;
  readonly priority: Priority | undefined;
  readonly promoted: AbortSignal | undefined;
  answer(page: ReceivedPage<Row>): void;
  fail(kind?: 'unauthorised' | 'cancelled'): void;
}

const failure = (kind: 'unauthorised' | 'cancelled' = 'cancelled') =>
  new ServiceError(kind === 'cancelled' ? { kind } : { kind, withKey: true }, {
    couldNot: 'Could not list the conversations',
    address: 'http://127.0.0.1',
  });

const row = (name: string): Row => ({
  service: 's',
  id: name.slice(0, 1),
  text: name,
});

/**
 * `page('a b', '1')`: two rows, and a cursor. A row is known by its first
 * letter.
 */
const page = (rows: string, cursor?: string): ReceivedPage<Row> => ({
  items: rows.split(' ').filter(Boolean).map(row),
  skipped: 0,
  cursor,
});

describe('a remote list', () => {
  let clock: SteppedClock;
  let pageSize: number;
  let runs: number;
  /** The requests that have not been answered yet. */
  let asked: Asked[];
  let list: RemoteList<Row>;
  let changes: ListChange[];

  beforeEach(() => {
    clock = new SteppedClock();
    pageSize = 2;
    runs = 0;
    asked = [];
    list = new RemoteList<Row>({
      clock,
      pageSize: () => pageSize,
      open: () => {
        const run = ++runs;
        const fetch = (
          cursor: string | undefined,
          { size, priority, promoted }: PageRequest,
        ) =>
          new Promise<ReceivedPage<Row>>((resolve, reject) => {
            asked.push({
              run,
              cursor,
              size,
              priority,
              promoted,
              answer: resolve,
              fail: (kind) => {
                reject(failure(kind));
              },
            });
          });
        return new Pager(fetch, ({ id }) => id, noLog);
      },
    });
    changes = [];
    list.onChange((change) => changes.push(change));
  });

  const texts = () => [...list.rows.values()].map(({ text }) => text).join(' ');

  async function next(): Promise<Asked> {
    await settle();
    const [one, ...others] = asked;
    assert.deepEqual(others, [], 'one request at a time');
    asked = [];
    return one ?? assert.fail('nothing was asked for');
  }

  async function answer(rows: string, cursor?: string): Promise<Asked> {
    const one = await next();
    one.answer(page(rows, cursor));
    await settle();
    return one;
  }

  async function fail(kind?: 'unauthorised'): Promise<void> {
    (await next()).fail(kind);
    await settle();
  }

  async function loaded(rows: string, cursor?: string): Promise<void> {
    void list.refresh();
    await answer(rows, cursor);
    changes.length = 0;
  }

  const structural = () => changes.filter(({ structure }) => structure).length;
  const idOf = (key: string) => key.replace('s ', '');
  const named = () => changes.flatMap(({ rows }) => [...rows].map(idOf));

  describe('a new list', () => {
    it('starts with no rows, no error and nothing loading', () => {
      assert.equal(list.rows.size, 0);
      assert.deepEqual(
        [list.more, list.error, list.asOf],
        [false, undefined, undefined],
      );
      assert.deepEqual([list.isRefreshing, list.isLoadingMore], [false, false]);
    });

    it('loads one page in the order of the service, and records the time', async () => {
      const refreshed = list.refresh();
      assert.ok(list.isRefreshing);
      assert.equal((await answer('b1 a1', '1')).size, 2);
      await refreshed;
      assert.equal(texts(), 'b1 a1');
      assert.deepEqual(
        [list.more, list.error, list.asOf],
        [true, undefined, clock.now()],
      );
      assert.ok(!list.isRefreshing);
      assert.equal(structural(), 1);
      assert.deepEqual(named(), []);
    });

    it('loads an empty list', async () => {
      void list.refresh();
      await answer('');
      assert.deepEqual(
        [list.rows.size, list.more, list.asOf],
        [0, false, clock.now()],
      );
      assert.equal(structural(), 0);
    });

    it('cannot load more rows before the first refresh', async () => {
      await list.loadMore();
      assert.deepEqual(asked, []);
      assert.ok(!list.isLoadingMore);
    });

    it('shows the first page when the second one fails, and loads that page later', async () => {
      pageSize = 3;
      void list.refresh();
      await answer('a1 b1', '1');
      await fail();
      assert.equal(texts(), 'a1 b1');
      assert.ok(list.error);
      assert.deepEqual([list.more, list.asOf], [true, clock.now()]);
      void list.loadMore();
      assert.equal((await answer('c1')).cursor, '1');
      assert.equal(texts(), 'a1 b1 c1');
      assert.equal(list.error, undefined);
    });
  });

  describe('the loading of more rows', () => {
    it('appends the next page until there is none', async () => {
      await loaded('a1 b1', '1');
      void list.loadMore();
      assert.ok(list.isLoadingMore);
      assert.equal((await answer('c1 d1', '2')).cursor, '1');
      assert.equal(texts(), 'a1 b1 c1 d1');
      assert.ok(list.more);
      assert.equal(structural(), 1);
      assert.deepEqual(named(), []);
      void list.loadMore();
      await answer('e1');
      assert.equal(texts(), 'a1 b1 c1 d1 e1');
      assert.ok(!list.more);
      await list.loadMore();
      assert.deepEqual(asked, []);
    });

    it('shares one request for more rows among several callers', async () => {
      await loaded('a1 b1', '1');
      const first = list.loadMore();
      assert.equal(list.loadMore(), first);
      await answer('c1', '2');
      await first;
      assert.equal(texts(), 'a1 b1 c1');
    });

    it('keeps the rows when the next page fails, and requests the same page again', async () => {
      await loaded('a1 b1', '1');
      const asOf = list.asOf;
      clock.advance(1_000);
      void list.loadMore();
      await fail();
      assert.equal(texts(), 'a1 b1');
      assert.ok(list.error && list.more && !list.isLoadingMore);
      assert.equal(list.asOf, asOf);
      void list.loadMore();
      assert.equal((await answer('c1', '2')).cursor, '1');
      assert.equal(list.error, undefined);
      assert.equal(texts(), 'a1 b1 c1');
    });

    it('stops after 11 empty pages, and continues from there on demand', async () => {
      await loaded('a1 b1', '0');
      void list.loadMore();
      for (let i = 1; i <= 11; i++) await answer('', String(i));
      assert.equal(texts(), 'a1 b1');
      assert.ok(list.more && !list.isLoadingMore);
      void list.loadMore();
      assert.equal((await answer('c1')).cursor, '11');
      assert.equal(texts(), 'a1 b1 c1');
    });

    it('requests one page of the configured size with the priority of the user', async () => {
      await loaded('a1 b1', '1');
      void list.loadMore();
      await answer('c1 d1', '2');
      void list.refresh('poll');
      const poll = await answer('a1 b1 c1 d1', '2');
      assert.deepEqual([poll.size, poll.priority], [4, 'poll']);
      void list.loadMore();
      const more = await answer('e1');
      assert.deepEqual([more.size, more.priority], [2, 'person']);
    });
  });

  describe('a refresh', () => {
    it('reloads all loaded rows in one request', async () => {
      await loaded('a1 b1', '1');
      void list.loadMore();
      await answer('c1 d1', '2');
      void list.refresh();
      const { run, cursor, size } = await answer('a1 b1 c1 d1', '2');
      assert.deepEqual([run, cursor, size], [2, undefined, 4]);
      assert.deepEqual(asked, []);
      assert.equal(texts(), 'a1 b1 c1 d1');
      assert.ok(list.more);
    });

    it('continues after short pages, but only a limited number of times', async () => {
      pageSize = 20;
      void list.refresh();
      await answer('a1', '1');
      await answer('b1', '2');
      await answer('c1', '3');
      assert.deepEqual(asked, []);
      assert.equal(texts(), 'a1 b1 c1');
      assert.ok(list.more);
      void list.loadMore();
      await answer('d1', '4');
      void list.refresh();
      for (const name of ['a1', 'b1', 'c1', 'd1']) await answer(name, name);
      assert.deepEqual(asked, []);
      assert.equal(texts(), 'a1 b1 c1 d1');
    });

    it('keeps the objects of unchanged rows and does not report them', async () => {
      await loaded('a1 b1');
      const map = list.rows;
      const before = [...list.rows.values()];
      void list.refresh();
      await answer('a1 b1');
      assert.ok(
        [...list.rows.values()].every((one, index) => one === before[index]),
      );
      assert.equal(list.rows, map);
      assert.equal(structural(), 0);
      assert.deepEqual(named(), []);
    });

    it('reports exactly the changed rows', async () => {
      await loaded('a1 b1');
      const before = list.rows.get('s a');
      void list.refresh();
      await answer('a1 b2');
      assert.equal(list.rows.get('s a'), before);
      assert.deepEqual(named(), ['b']);
      assert.equal(structural(), 0);
    });

    it('reports when rows are added or moved, and which rows have changed', async () => {
      for (const [rows, changed] of [
        ['b1 a1', []],
        ['c1 b1 a1', []],
        ['a1 b3', ['b']],
      ] as const) {
        void list.refresh();
        list.reset();
        await loaded('a1 b1');
        pageSize = 3;
        void list.refresh();
        await answer(rows);
        assert.equal(texts(), rows);
        assert.deepEqual(named(), changed);
        assert.equal(structural(), rows === 'a1 b3' ? 0 : 1);
        pageSize = 2;
      }
    });

    it('shares one refresh among several callers', async () => {
      const first = list.refresh();
      assert.equal(list.refresh('poll'), first);
      await settle();
      assert.equal(list.refresh(), first);
      await answer('a1');
      await first;
      assert.equal(runs, 1);
      assert.notEqual(list.refresh(), first);
      await answer('a1');
    });

    it('promotes a poll to the priority of the user when the user waits for it', async () => {
      pageSize = 2;
      void list.refresh('poll');
      await settle();
      void list.refresh('person');
      const first = await answer('a1', '1');
      assert.equal(first.priority, 'poll');
      assert.equal(first.promoted?.aborted, true);
      assert.equal((await answer('b1', '2')).promoted?.aborted, true);
    });

    it('keeps the last rows and their time when a refresh fails, and reports the error', async () => {
      await loaded('a1 b1', '1');
      const { asOf, rows } = list;
      clock.advance(60_000);
      void list.refresh();
      await fail('unauthorised');
      assert.equal(list.rows, rows);
      assert.equal(list.asOf, asOf);
      assert.equal(list.error?.kind, 'unauthorised');
      assert.ok(list.more && !list.isRefreshing);
      assert.equal(structural(), 0);
      assert.ok(changes.length > 0);

      void list.refresh();
      await answer('a1 b1', '1');
      assert.equal(list.error, undefined);
      assert.equal(list.asOf, clock.now());
    });

    it('keeps all rows when only a later page fails', async () => {
      pageSize = 1;
      await loaded('a1', '1');
      void list.loadMore();
      await answer('b1');
      assert.ok(!list.more);
      pageSize = 4;
      void list.refresh();
      await answer('a2', 'x');
      await fail();
      assert.equal(texts(), 'a1 b1');
      assert.ok(list.error && !list.more);
    });

    it('removes all rows when the service returns none', async () => {
      await loaded('a1 b1');
      void list.refresh();
      await answer('');
      assert.equal(list.rows.size, 0);
      assert.equal(structural(), 1);
    });

    it('shows a row once even if the service repeats it', async () => {
      pageSize = 3;
      await loaded('a1 a1 b1');
      assert.equal(texts(), 'a1 b1');
    });

    it('waits for more rows that are loading, and then refreshes them too', async () => {
      await loaded('a1 b1', '1');
      const more = list.loadMore();
      const refreshed = list.refresh();
      await answer('c1 d1', '2');
      await more;
      assert.equal((await answer('a1 b1 c1 d1', '2')).size, 4);
      await refreshed;
      assert.equal(texts(), 'a1 b1 c1 d1');
    });

    it('refreshes before it loads more rows, which then follow the refreshed rows', async () => {
      await loaded('a1 b1', '1');
      const refreshed = list.refresh();
      const more = list.loadMore();
      await answer('a1 b1', 'new');
      await refreshed;
      const { run, cursor } = await answer('c1');
      assert.deepEqual([run, cursor], [2, 'new']);
      await more;
      assert.equal(texts(), 'a1 b1 c1');
    });

    it('loads more rows after a failed refresh', async () => {
      await loaded('a1 b1', '1');
      void list.refresh();
      const more = list.loadMore();
      await fail();
      assert.equal((await answer('c1')).run, 1);
      await more;
      assert.equal(texts(), 'a1 b1 c1');
    });
  });

  describe('the change event', () => {
    const told = () =>
      changes.map(({ rows, structure, state }) =>
        [
          ...[...rows].map(idOf),
          ...(structure ? ['structure'] : []),
          ...state,
        ].join(' '),
      );

    it('fires when the first rows begin to load, and once when they arrive', async () => {
      void list.refresh();
      await settle();
      assert.deepEqual(told(), ['isRefreshing']);
      await answer('a1 b1', '1');
      assert.deepEqual(told(), [
        'isRefreshing',
        'structure more asOf isRefreshing',
      ]);
    });

    it('fires once for each refresh with the differences, also when it fails', async () => {
      await loaded('a1 b1 c1');
      for (const [rows, expected] of [
        ['a1 b1 c1', 'asOf'],
        ['a1 b2 c2', 'b c asOf'],
        ['b2 a2 c2', 'a structure asOf'],
        ['b2 a2', 'structure asOf'],
      ] as const) {
        clock.advance(1_000);
        changes.length = 0;
        void list.refresh('poll');
        await answer(rows);
        assert.deepEqual(told(), [expected], rows);
      }
      changes.length = 0;
      void list.refresh();
      await fail();
      assert.deepEqual(told(), ['error']);
      void list.refresh();
      await answer('b2 a2');
      assert.deepEqual(told(), ['error', 'error']);
    });

    it('fires when more rows begin to load, and once when they arrive', async () => {
      await loaded('a1 b1', '1');
      void list.loadMore();
      await answer('c1');
      assert.deepEqual(told(), [
        'isLoadingMore',
        'structure more isLoadingMore',
      ]);
    });

    it('reports an inserted row only once, even when the service lists it later', async () => {
      await loaded('a1 b1');
      list.insertFirst(row('x1'));
      assert.deepEqual(told(), ['structure']);
      void list.refresh();
      await answer('x1 a1 b1');
      assert.deepEqual(told(), ['structure', '']);
    });

    it('does not fire for a refresh that a reset has cancelled', async () => {
      await loaded('a1 b1', '1');
      void list.refresh();
      const late = await next();
      list.reset();
      assert.deepEqual(told(), ['structure more asOf']);
      late.answer(page('a2'));
      await settle();
      assert.deepEqual(told(), ['structure more asOf']);
    });
  });

  describe('a reset list', () => {
    it('clears its rows and its error, and reports the change', async () => {
      await loaded('a1 b1', '1');
      void list.loadMore();
      await fail();
      list.reset();
      assert.equal(list.rows.size, 0);
      assert.deepEqual(
        [list.more, list.error, list.asOf],
        [false, undefined, undefined],
      );
      assert.equal(structural(), 1);
    });

    it('ignores a late refresh from before the reset', async () => {
      await loaded('a1 b1', '1');
      const late = list.refresh();
      const old = await next();
      list.reset();
      assert.ok(!list.isRefreshing);
      const fresh = list.refresh();
      assert.ok(list.isRefreshing);
      await answer('x1 y1', '1');
      await fresh;
      old.answer(page('a2 b2', '1'));
      await late;
      assert.equal(texts(), 'x1 y1');
      assert.ok(!list.isRefreshing);
    });

    it('ignores late pages and failures from before the reset', async () => {
      for (const ending of ['answer', 'fail'] as const) {
        await loaded('a1 b1', '1');
        const late = list.loadMore();
        const old = await next();
        list.reset();
        void list.refresh();
        await answer('x1 y1', '1');
        if (ending === 'answer') old.answer(page('c1', '2'));
        else old.fail();
        await late;
        assert.equal(texts(), 'x1 y1');
        assert.ok(list.more && !list.isLoadingMore);
        assert.equal(list.error, undefined);
        list.reset();
      }
    });

    it('sends no request that was queued before the reset', async () => {
      await loaded('a1 b1', '1');
      const refreshed = list.refresh();
      const more = list.loadMore();
      list.reset();
      await Promise.all([refreshed, more]);
      await settle();
      assert.deepEqual(asked, []);
    });
  });

  describe('an inserted row', () => {
    it('shows an inserted row first and only once', async () => {
      await loaded('a1 b1');
      list.insertFirst(row('x1'));
      assert.equal(texts(), 'x1 a1 b1');
      assert.equal(structural(), 1);
      changes.length = 0;
      list.insertFirst(row('x2'));
      assert.equal(texts(), 'x2 a1 b1');
      assert.deepEqual(named(), ['x']);
      assert.equal(structural(), 0);
    });

    it('keeps inserted rows through a refresh that began earlier', async () => {
      await loaded('a1 b1');
      void list.refresh();
      const old = await next();
      list.insertFirst(row('x1'));
      list.insertFirst(row('y1'));
      old.answer(page('a2 b1'));
      await settle();
      assert.equal(texts(), 'y1 x1 a2 b1');
      void list.refresh();
      await answer('a2 b1');
      assert.equal(texts(), 'a2 b1');
    });

    it('replaces an inserted row as soon as the service lists it', async () => {
      await loaded('a1 b1');
      list.insertFirst(row('x1'));
      void list.refresh();
      assert.equal((await answer('a1 x2 b1')).size, 3);
      assert.equal(texts(), 'a1 x2 b1');
    });

    it('shows an inserted row even before anything was loaded', async () => {
      list.insertFirst(row('x1'));
      assert.equal(texts(), 'x1');
      void list.refresh();
      await answer('x1 a1');
      assert.equal(texts(), 'x1 a1');
    });
  });

  it('rethrows an unexpected error, and can refresh again after it', async () => {
    let broken = true;
    const other = new RemoteList<Row>({
      clock,
      pageSize: () => 2,
      open: () => {
        if (broken) throw new Error('a defect');
        return new Pager(
          () => Promise.resolve(page('a1')),
          ({ id }) => id,
          noLog,
        );
      },
    });
    await assert.rejects(other.refresh(), /a defect/);
    assert.equal(other.error, undefined);
    assert.ok(!other.isRefreshing);
    broken = false;
    await other.refresh();
    assert.equal(other.rows.size, 1);
  });

  it('requests at least one row per page, whatever page size is set', async () => {
    for (const size of [0, -5]) {
      pageSize = size;
      void list.refresh();
      assert.equal((await answer('a1', '1')).size, 1);
      list.reset();
    }
  });

  describe('a row edited or removed here', () => {
    beforeEach(async () => {
      await loaded('apple banana cherry', 'next');
    });

    it('shows and reports an edit and a removal at once', () => {
      list.edit('s b', (old) => ({ ...old, text: 'blueberry' }));
      assert.equal(texts(), 'apple blueberry cherry');
      list.edit('s a', () => undefined);
      assert.equal(texts(), 'blueberry cherry');
      assert.deepEqual(
        changes.map(({ rows, structure }) => [[...rows].map(idOf), structure]),
        [
          [['b'], false],
          [[], true],
        ],
      );
    });

    it('reports nothing for an unknown or unchanged row', () => {
      list.edit('s x', (old) => ({ ...old, text: 'xigua' }));
      list.edit('s a', (old) => old);
      assert.deepEqual(changes, []);
    });

    it('keeps an edit and a removal while a refresh is in flight', async () => {
      void list.refresh();
      await settle();
      list.edit('s a', () => undefined);
      list.edit('s b', (old) => ({ ...old, text: 'blueberry' }));
      await answer('apple banana cherry', 'next');
      assert.equal(texts(), 'blueberry cherry');
    });

    it('keeps an edit and a removal while the next page is in flight', async () => {
      void list.loadMore();
      await settle();
      list.edit('s d', () => undefined);
      list.edit('s e', (old) => ({ ...old, text: 'elder' }));
      await answer('date elderberry');
      assert.equal(texts(), 'apple banana cherry elder');
    });

    it('keeps newer rows when the answer behind an edit was asked for before them', async () => {
      const askedAt = clock.now();
      clock.advance(1);
      void list.refresh();
      await settle();
      list.edit('s a', (old) => ({ ...old, text: 'old apple' }), askedAt);
      await answer('apples banana cherry', 'next');
      list.edit('s a', (old) => ({ ...old, text: 'old apple' }), askedAt);
      assert.equal(texts(), 'apples banana cherry');
      list.edit('s a', (old) => ({ ...old, text: 'apple pie' }), clock.now());
      assert.equal(texts(), 'apple pie banana cherry');
    });

    it('shows the rows of the service again after the next refresh', async () => {
      list.edit('s a', () => undefined);
      list.edit('s b', (old) => ({ ...old, text: 'blueberry' }));
      void list.refresh();
      await answer('apple banana cherry');
      assert.equal(texts(), 'apple banana cherry');
    });

    it('keeps several edits of one row while a refresh is in flight', async () => {
      void list.refresh();
      await settle();
      list.edit('s a', (old) => ({ ...old, text: `${old.text}s` }));
      list.edit('s a', (old) => ({ ...old, text: `${old.text}!` }));
      await answer('apple banana cherry');
      assert.equal(texts(), 'apples! banana cherry');
    });

    it('keeps an edit and a removal of inserted rows that the service does not list yet', async () => {
      void list.refresh();
      await settle();
      list.insertFirst(row('fig'));
      list.insertFirst(row('grape'));
      list.edit('s f', (old) => ({ ...old, text: 'figs' }));
      list.edit('s g', () => undefined);
      await answer('apple banana cherry');
      assert.equal(texts(), 'figs apple banana cherry');
    });

    it('shows a removed row again when it is inserted', async () => {
      void list.refresh();
      await settle();
      list.edit('s a', () => undefined);
      list.insertFirst(row('apricot'));
      await answer('banana cherry');
      assert.equal(texts(), 'apricot banana cherry');
    });
  });
});

describe('a list of the demo service', () => {
  let demo: MisbehavingDemo;
  let list: RemoteList<Conversation>;

  async function connect(
    conversations: number,
    kind: 'v0' | 'v1' = 'v0',
  ): Promise<void> {
    const clock = new HurriedClock(100);
    // Nothing happens there.
    demo = await startMisbehavingDemo({
      key,
      clock: new SteppedClock(),
      conversations,
    });
    const client = clientOf(demo, clock, { interface: kind });
    list = new RemoteList({
      clock,
      pageSize: () => 20,
      open: () => client.conversations(),
    });
  }

  afterEach(async () => {
    await demo.stop();
  });

  for (const kind of ['v0', 'v1'] as const) {
    it(`loads page by page and keeps its rows when refreshed (${kind})`, async () => {
      await connect(1_000, kind);
      demo.misbehave({ strictLimit: true });
      await list.refresh();
      assert.equal(list.rows.size, 20);
      for (let i = 0; i < 9; i++) await list.loadMore();
      assert.equal(list.rows.size, 200);
      const before = [...list.rows.values()];
      const requests = demo.requestCount;
      await list.refresh();
      assert.equal(list.error, undefined);
      assert.ok(
        [...list.rows.values()].every((row, index) => row === before[index]),
      );
      assert.equal(list.rows.size, 200);
      assert.ok(
        demo.requestCount - requests <= 6,
        'three pages, and what agents do for each',
      );
      await list.loadMore();
      assert.equal(list.rows.size, 220);
    });
  }

  it('keeps its rows when the service fails, refuses or disappears, and recovers', async () => {
    await connect(60);
    await list.refresh();
    for (const [misbehaviour, kind] of [
      [{ errorBody: 'detail', errorStatus: 500 }, 'serverFailed'],
      [{ unauthorized: true }, 'unauthorised'],
      [{ forbidden: true }, 'forbidden'],
      [{ htmlAt200: true }, 'notThisService'],
      [{ truncatedJson: true }, 'notUnderstood'],
    ] as const) {
      const { asOf } = list;
      demo.misbehave(misbehaviour);
      await list.refresh();
      assert.equal(list.error?.kind, kind);
      assert.equal(list.rows.size, 20);
      assert.equal(list.asOf, asOf);
      demo.misbehave({});
      await list.refresh();
      assert.equal(list.error, undefined);
    }
    await demo.stop();
    await list.refresh();
    assert.equal(list.error?.kind, 'unreachable');
    assert.equal(list.rows.size, 20);
  });

  it('reaches the end in spite of duplicates, empty pages and repeated cursors', async () => {
    for (const misbehaviour of [
      { duplicates: true },
      { emptyPages: 3 },
      { repeatedCursor: true },
    ] as const) {
      await connect(60);
      demo.misbehave(misbehaviour);
      await list.refresh();
      while (list.more) await list.loadMore();
      assert.equal(list.error, undefined);
      if (!('repeatedCursor' in misbehaviour)) assert.equal(list.rows.size, 60);
      await demo.stop();
    }
  });
});
