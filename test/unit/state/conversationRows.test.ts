import assert from 'node:assert/strict';
import { type Conversation, keyOf } from '../../../src/service/entities.ts';
import {
  arrange,
  type Arrangement,
  askedOf,
  dayOf,
  type Filter,
  type Grouping,
  isFiltered,
  isFilteredHere,
  readArrangement,
  type Sorting,
} from '../../../src/state/conversationRows.ts';
import { conversation } from './support.ts';

const at = (month: number, day: number, hour = 12) => new Date(2026, month - 1, day, hour).getTime();

const all: readonly Conversation[] = [
  conversation({
    title: 'Fix the BUILD',
    repository: 'octo/shop',
    trigger: 'gui',
    execution: 'running',
    createdAt: at(1, 5),
    updatedAt: at(1, 9),
  }),
  conversation({
    title: 'Add tests',
    repository: 'octo/api',
    trigger: 'resolver',
    execution: 'error',
    createdAt: at(1, 4),
    updatedAt: undefined,
  }),
  conversation({ title: 'Écrire', repository: undefined, trigger: undefined, status: 'stopped' }),
  conversation({
    title: 'Build faster',
    repository: 'octo/shop',
    trigger: 'gui',
    execution: 'waitingForConfirmation',
    createdAt: at(1, 5, 23),
    updatedAt: at(1, 6),
  }),
];

function groups(change: { filter?: Filter; grouping?: Grouping; sorting?: Sorting } = {}) {
  const arrangement: Arrangement = { filter: {}, grouping: 'none', sorting: 'created', ...change };
  return arrange(all, arrangement).groups.map(({ key, rows }) => [key, ...rows.map(({ title }) => title)]);
}

const titles = (filter: Filter) =>
  groups({ filter })
    .flatMap(([, ...rows]) => rows)
    .sort();

describe('the rows that are shown', () => {
  it('are all of them without a filter', () => {
    assert.equal(titles({}).length, 4);
    assert.equal(titles({ repository: '', trigger: '', text: '' }).length, 4);
  });

  it('are those of a repository, of a trigger, of a state or with a text, in either case', () => {
    assert.deepEqual(titles({ repository: 'octo/shop' }), ['Build faster', 'Fix the BUILD']);
    assert.deepEqual(titles({ repository: 'octo' }), []);
    assert.deepEqual(titles({ trigger: 'resolver' }), ['Add tests']);
    assert.deepEqual(titles({ activity: 'waiting' }), ['Build faster']);
    assert.deepEqual(titles({ text: 'build' }), ['Build faster', 'Fix the BUILD']);
    assert.deepEqual(titles({ text: 'éCR' }), ['Écrire']);
    assert.deepEqual(titles({ text: '.*' }), []);
  });

  it('match every part of the filter', () => {
    const filter: Filter = { repository: 'octo/shop', trigger: 'gui', activity: 'working', text: 'fix' };
    assert.deepEqual(titles(filter), ['Fix the BUILD']);
    for (const change of [{ repository: 'octo/api' }, { trigger: 'x' }, { activity: 'idle' as const }]) {
      assert.deepEqual(titles({ ...filter, ...change }), []);
    }
  });

  it('make no group when there are none', () => {
    assert.deepEqual(groups({ filter: { text: 'nothing' } }), []);
    assert.deepEqual(groups({ filter: { text: 'nothing' }, grouping: 'state' }), []);
  });

  it('come newest first, those without a date last', () => {
    assert.deepEqual(groups(), [['', 'Build faster', 'Fix the BUILD', 'Add tests', 'Écrire']]);
  });

  it('are sorted by their last activity on request, or by their creation if there was none', () => {
    assert.deepEqual(groups({ sorting: 'updated' }), [
      ['', 'Fix the BUILD', 'Build faster', 'Add tests', 'Écrire'],
    ]);
  });

  it('come with those first that need a person, also in groups, unless they are sorted otherwise', () => {
    const row = (id: string, createdAt: number, change: Partial<Conversation> = {}) =>
      conversation({ id, createdAt, ...change });
    const rows = [
      row('new', 9),
      row('failed', 4, { execution: 'error' }),
      row('parent', 3),
      row('waits', 2, { execution: 'waitingForConfirmation' }),
      row('waits longer', 1, { execution: 'waitingForConfirmation' }),
      row('child', 5, { execution: 'waitingForConfirmation', parentId: 'parent' }),
    ];
    const ids = (change: Partial<Arrangement>) =>
      arrange(rows, { ...readArrangement({}), ...change }).groups.map((group) =>
        group.rows.map(({ id }) => id),
      );
    const urgent = ['parent', 'waits', 'waits longer', 'failed', 'new'];
    assert.deepEqual(ids({}), [urgent]);
    assert.deepEqual(ids({ grouping: 'repository' }), [urgent]);
    assert.deepEqual(ids({ sorting: 'created' }), [['new', 'failed', 'parent', 'waits', 'waits longer']]);
  });

  it('keep the order of the service if dates are equal or missing', () => {
    const rows = Array.from({ length: 50 }, (_, i) =>
      conversation({ id: String(i), createdAt: i % 2 ? 5 : undefined }),
    );
    const [group] = arrange(rows, { filter: {}, grouping: 'none', sorting: 'updated' }).groups;
    const ids = group?.rows.map(({ id }) => Number(id)) ?? [];
    const odd = rows.map((_, i) => i).filter((i) => i % 2);
    const even = rows.map((_, i) => i).filter((i) => !(i % 2));
    assert.deepEqual(ids, [...odd, ...even]);
  });
});

describe('conversations that another one has begun', () => {
  const parent = conversation({ id: 'parent', createdAt: 1 });
  const child = conversation({ id: 'child', parentId: 'parent', createdAt: 3 });
  const grandchild = conversation({ id: 'grandchild', parentId: 'child', createdAt: 2 });
  const usual: Arrangement = { filter: {}, grouping: 'none', sorting: 'created' };

  it('are below it, and in no group', () => {
    const { groups: found, below, count } = arrange([child, grandchild, parent], usual);
    assert.deepEqual(found, [{ key: '', rows: [parent] }]);
    assert.deepEqual(
      [...below],
      [
        [keyOf(parent), [child]],
        [keyOf(child), [grandchild]],
      ],
    );
    assert.equal(count, 3);
  });

  it('are at the top level where it is not shown, is at another service, or is themselves', () => {
    const elsewhere = { ...parent, service: 'https://elsewhere.example.com' };
    const own = conversation({ id: 'own', parentId: 'own' });
    for (const rows of [[child], [child, elsewhere], [own]]) {
      const { groups: found, below } = arrange(rows, usual);
      assert.equal(found[0]?.rows.length, rows.length);
      assert.equal(below.size, 0);
    }
  });
});

describe('conversations of several services', () => {
  const here = conversation({ service: 'https://a.example.com', tags: ['team: web'] });
  const there = conversation({ service: 'https://b.example.com' });
  const usual: Arrangement = { filter: {}, grouping: 'service', sorting: 'created' };

  it('are grouped by their service, in the order in which you listed them', () => {
    const order = (services: readonly string[]) =>
      arrange([there, here], usual, services).groups.map(({ key }) => key);
    assert.deepEqual(order([here.service, there.service]), [here.service, there.service]);
    assert.deepEqual(order([there.service, here.service]), [there.service, here.service]);
  });

  it('are filtered by it, and by a tag', () => {
    const shown = (filter: Filter) =>
      arrange([here, there], { ...usual, filter }).groups.flatMap(({ rows }) => rows);
    assert.deepEqual(shown({ service: there.service }), [there]);
    assert.deepEqual(shown({ tag: 'team: web' }), [here]);
    assert.deepEqual(shown({ tag: 'team' }), []);
  });
});

describe('groups', () => {
  it('by repository come by name, no repository last', () => {
    assert.deepEqual(groups({ grouping: 'repository' }), [
      ['octo/api', 'Add tests'],
      ['octo/shop', 'Build faster', 'Fix the BUILD'],
      ['', 'Écrire'],
    ]);
  });

  it('by state begin with those that need a person', () => {
    assert.deepEqual(groups({ grouping: 'state' }), [
      ['waiting', 'Build faster'],
      ['error', 'Add tests'],
      ['working', 'Fix the BUILD'],
      ['stopped', 'Écrire'],
    ]);
  });

  it('by trigger have those without one last', () => {
    assert.deepEqual(groups({ grouping: 'trigger' }), [
      ['gui', 'Build faster', 'Fix the BUILD'],
      ['resolver', 'Add tests'],
      ['', 'Écrire'],
    ]);
  });

  it('by day begin with the newest day of what they are sorted by, no day last', () => {
    assert.deepEqual(groups({ grouping: 'day' }), [
      ['2026-01-05', 'Build faster', 'Fix the BUILD'],
      ['2026-01-04', 'Add tests'],
      ['', 'Écrire'],
    ]);
    assert.deepEqual(groups({ grouping: 'day', sorting: 'updated' }), [
      ['2026-01-09', 'Fix the BUILD'],
      ['2026-01-06', 'Build faster'],
      ['2026-01-04', 'Add tests'],
      ['', 'Écrire'],
    ]);
  });

  it('by day go from midnight to midnight of this machine', () => {
    assert.equal(dayOf(new Date(2026, 1, 3, 0, 0).getTime()), '2026-02-03');
    assert.equal(dayOf(new Date(2026, 1, 3, 23, 59).getTime()), '2026-02-03');
  });

  it('hold exactly the rows that would be shown without them', () => {
    for (const grouping of ['repository', 'state', 'trigger', 'day'] as const) {
      assert.equal(groups({ grouping }).flatMap(([, ...rows]) => rows).length, 4, grouping);
    }
  });
});

describe('of a filter', () => {
  const filter: Filter = { repository: 'octo/shop', trigger: 'gui', activity: 'idle', text: 'fix' };

  const v0 = new Set(['repository', 'trigger'] as const);
  const v1 = new Set(['title', 'order'] as const);
  const nothing = { repository: undefined, trigger: undefined, title: undefined, order: undefined };

  it('each service is asked for what it can filter by', () => {
    assert.deepEqual(askedOf(v0, filter), { ...nothing, repository: 'octo/shop', trigger: 'gui' });
    assert.deepEqual(askedOf(v1, filter), { ...nothing, title: 'fix' });
  });

  it('everything is asked for until the service is known', () => {
    assert.deepEqual(askedOf(undefined, filter), {
      ...nothing,
      repository: 'octo/shop',
      trigger: 'gui',
      title: 'fix',
    });
  });

  it('nothing is asked for where it says nothing', () => {
    for (const filters of [v0, v1, undefined]) {
      assert.deepEqual(askedOf(filters, {}), nothing);
      assert.deepEqual(askedOf(filters, { repository: '', trigger: '', text: '' }), nothing);
    }
  });

  it('a service that can is asked for the order, unless it is that of every list', () => {
    assert.deepEqual(askedOf(v1, {}, 'updated'), { ...nothing, order: 'updated' });
    assert.deepEqual(askedOf(undefined, {}, 'updated'), { ...nothing, order: 'updated' });
    assert.deepEqual(askedOf(v1, {}, 'created'), nothing);
    assert.deepEqual(askedOf(v0, {}, 'updated'), nothing);
  });

  it('the rest is said to be filtered here', () => {
    const here = (filters: typeof v0 | typeof v1, part: Filter) => isFilteredHere(filters, part);
    assert.deepEqual(
      [
        { repository: 'a' },
        { trigger: 'a' },
        { text: 'a' },
        { activity: 'idle' as const },
        {},
        { text: '' },
      ].map((part) => [here(v0, part), here(v1, part)]),
      [
        [false, true],
        [false, true],
        [true, false],
        [true, true],
        [false, false],
        [false, false],
      ],
    );
    assert.ok(here(v0, { repository: 'a', text: 'b' }));
  });

  it('it is known whether there is one', () => {
    assert.ok(!isFiltered({}));
    assert.ok(!isFiltered({ text: '', repository: undefined }));
    assert.ok(isFiltered({ activity: 'idle' }));
  });
});

describe('a stored arrangement', () => {
  it('comes back as it was', () => {
    const stored: Arrangement = {
      filter: {
        repository: 'a/b',
        trigger: 'gui',
        activity: 'error',
        text: 'x',
        service: 'https://a.example.com',
        tag: 'team: web',
      },
      grouping: 'day',
      sorting: 'updated',
    };
    assert.deepEqual(readArrangement(JSON.parse(JSON.stringify(stored))), stored);
  });

  it('comes back as far as it makes sense', () => {
    const nothing = {
      repository: undefined,
      trigger: undefined,
      activity: undefined,
      text: undefined,
      service: undefined,
      tag: undefined,
    };
    const plain = { filter: nothing, grouping: 'none', sorting: 'urgent' };
    for (const broken of [
      undefined,
      null,
      5,
      'day',
      [],
      {},
      { filter: null },
      { filter: [1], grouping: 'x' },
    ]) {
      assert.deepEqual(readArrangement(broken), plain);
    }
    assert.deepEqual(
      readArrangement({
        filter: { text: 7, activity: 'x', trigger: '', repository: 'a' },
        grouping: 'constructor',
      }),
      { ...plain, filter: { ...nothing, repository: 'a' } },
    );
  });
});
