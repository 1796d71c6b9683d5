import assert from 'node:assert/strict';
import {
  type Conversation,
  keyOf,
} from '../../../../src/service/model/entities.ts';
import {
  arrange,
  type Arrangement,
  askedOf,
  dayOf,
  type Filter,
  type Grouping,
  groupings,
  isFiltered,
  isFilteredHere,
  readArrangement,
  type Sorting,
  sortings,
} from '../../../../src/state/lists/conversationRows.ts';
import { conversation } from '../support.ts';

const at = (month: number, day: number, hour = 12) =>
  new Date(2026, month - 1, day, hour).getTime();

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
  conversation({
    title: 'Écrire',
    repository: undefined,
    trigger: undefined,
    status: 'stopped',
  }),
  conversation({
    title: 'Build faster',
    repository: 'octo/shop',
    trigger: 'gui',
    execution: 'waitingForConfirmation',
    createdAt: at(1, 5, 23),
    updatedAt: at(1, 6),
  }),
];

function groups(
  change: { filter?: Filter; grouping?: Grouping; sorting?: Sorting } = {},
) {
  const arrangement: Arrangement = {
    filter: {},
    grouping: 'none',
    sorting: 'created',
    ...change,
  };
  return arrange(all, arrangement).groups.map(({ key, rows }) => [
    key,
    ...rows.map(({ title }) => title),
  ]);
}

const titles = (filter: Filter) =>
  groups({ filter })
    .flatMap(([, ...rows]) => rows)
    .sort();

describe('the list of conversations', () => {
  it('shows all rows without a filter', () => {
    assert.equal(titles({}).length, 4);
    assert.equal(titles({ repository: '', trigger: '', text: '' }).length, 4);
  });

  it('filters rows by repository, trigger, state or text in either case', () => {
    assert.deepEqual(titles({ repository: 'octo/shop' }), [
      'Build faster',
      'Fix the BUILD',
    ]);
    assert.deepEqual(titles({ repository: 'octo' }), []);
    assert.deepEqual(titles({ trigger: 'resolver' }), ['Add tests']);
    assert.deepEqual(titles({ activity: 'waiting' }), ['Build faster']);
    assert.deepEqual(titles({ text: 'build' }), [
      'Build faster',
      'Fix the BUILD',
    ]);
    assert.deepEqual(titles({ text: 'éCR' }), ['Écrire']);
    assert.deepEqual(titles({ text: '.*' }), []);
  });

  it('shows only rows that match every part of the filter', () => {
    const filter: Filter = {
      repository: 'octo/shop',
      trigger: 'gui',
      activity: 'working',
      text: 'fix',
    };
    assert.deepEqual(titles(filter), ['Fix the BUILD']);
    for (const change of [
      { repository: 'octo/api' },
      { trigger: 'x' },
      { activity: 'idle' as const },
    ]) {
      assert.deepEqual(titles({ ...filter, ...change }), []);
    }
  });

  it('shows no group when no row matches', () => {
    assert.deepEqual(groups({ filter: { text: 'nothing' } }), []);
    assert.deepEqual(
      groups({ filter: { text: 'nothing' }, grouping: 'state' }),
      [],
    );
  });

  it('sorts rows newest first, with undated rows last', () => {
    assert.deepEqual(groups(), [
      ['', 'Build faster', 'Fix the BUILD', 'Add tests', 'Écrire'],
    ]);
  });

  it('sorts rows by last activity on request, or by creation when there was none', () => {
    assert.deepEqual(groups({ sorting: 'updated' }), [
      ['', 'Fix the BUILD', 'Build faster', 'Add tests', 'Écrire'],
    ]);
  });

  it('sorts rows that need the user first, also in groups, unless another order is selected', () => {
    const row = (
      id: string,
      createdAt: number,
      change: Partial<Conversation> = {},
    ) => conversation({ id, createdAt, ...change });
    const rows = [
      row('new', 9),
      row('failed', 4, { execution: 'error' }),
      row('parent', 3),
      row('waits', 2, { execution: 'waitingForConfirmation' }),
      row('waits longer', 1, { execution: 'waitingForConfirmation' }),
      row('child', 5, {
        execution: 'waitingForConfirmation',
        parentId: 'parent',
      }),
    ];
    const failedKey = keyOf(row('failed', 4));
    const ids = (
      change: Partial<Arrangement>,
      isUnread = (key: string) => key === failedKey,
    ) =>
      arrange(
        rows,
        { ...readArrangement({}), ...change },
        [],
        isUnread,
      ).groups.map((group) => group.rows.map(({ id }) => id));
    const urgent = ['parent', 'waits', 'waits longer', 'failed', 'new'];
    assert.deepEqual(ids({}), [urgent]);
    assert.deepEqual(
      ids({}, () => false),
      [['parent', 'waits', 'waits longer', 'new', 'failed']],
    );
    assert.deepEqual(ids({ grouping: 'repository' }), [urgent]);
    assert.deepEqual(ids({ sorting: 'created' }), [
      ['new', 'failed', 'parent', 'waits', 'waits longer'],
    ]);
  });

  it('keeps the order of the service when dates are equal or missing', () => {
    const rows = Array.from({ length: 50 }, (_, i) =>
      conversation({ id: String(i), createdAt: i % 2 ? 5 : undefined }),
    );
    const [group] = arrange(rows, {
      filter: {},
      grouping: 'none',
      sorting: 'updated',
    }).groups;
    const ids = group?.rows.map(({ id }) => Number(id)) ?? [];
    const odd = rows.map((_, i) => i).filter((i) => i % 2);
    const even = rows.map((_, i) => i).filter((i) => !(i % 2));
    assert.deepEqual(ids, [...odd, ...even]);
  });
});

describe('a pinned conversation', () => {
  const row = (
    id: string,
    createdAt: number,
    change: Partial<Conversation> = {},
  ) => conversation({ id, createdAt, repository: 'octo/shop', ...change });
  const rows = [
    row('new', 9),
    row('waits', 5, { execution: 'waitingForConfirmation' }),
    row('pinned', 2, { isPinned: true, updatedAt: 3 }),
    row('pinned elsewhere', 1, { isPinned: true, repository: 'octo/api' }),
    row('unpinned', 8, { isPinned: false }),
  ];

  it('comes first in every order and in its group', () => {
    for (const sorting of sortings) {
      for (const grouping of groupings) {
        const { groups: found } = arrange(rows, {
          filter: {},
          grouping,
          sorting,
        });
        for (const { key, rows: members } of found) {
          const pinned = members.map(({ isPinned }) => isPinned === true);
          assert.deepEqual(
            pinned,
            pinned.toSorted((a, b) => Number(b) - Number(a)),
            `${sorting} ${grouping} ${key}`,
          );
        }
      }
    }
    const [urgent] = arrange(rows, {
      filter: {},
      grouping: 'none',
      sorting: 'urgent',
    }).groups;
    assert.deepEqual(
      urgent?.rows.map(({ id }) => id),
      ['pinned', 'pinned elsewhere', 'waits', 'new', 'unpinned'],
    );
  });
});

describe('an archived conversation', () => {
  const usual: Arrangement = {
    filter: {},
    grouping: 'none',
    sorting: 'created',
  };
  const kept = conversation({ id: 'kept', title: 'Fix the build' });
  const archived = conversation({
    id: 'archived',
    title: 'Fix the tests',
    isArchived: true,
    isPinned: true,
  });
  const below = conversation({ id: 'below', parentId: 'archived' });
  const shown = (filter: Filter) => {
    const {
      groups: found,
      archived: hidden,
      count,
    } = arrange([archived, below, kept], { ...usual, filter });
    return { shown: found.flatMap(({ rows }) => rows), hidden, count };
  };

  it('disappears from the list with what it has begun, and counts', () => {
    assert.deepEqual(shown({}), {
      shown: [kept],
      hidden: [archived, below],
      count: 1,
    });
    assert.deepEqual(shown({ text: 'tests' }), {
      shown: [],
      hidden: [archived],
      count: 0,
    });
    assert.deepEqual(shown({ text: 'nothing' }), {
      shown: [],
      hidden: [],
      count: 0,
    });
  });

  it('stays in the list with what it has begun while it waits, and while what it has begun waits', () => {
    const execution = 'waitingForConfirmation';
    const waiting = { ...archived, execution } as const;
    const {
      groups: found,
      archived: hidden,
      below: nested,
    } = arrange([waiting, below, kept], usual);
    assert.deepEqual(
      [found.flatMap(({ rows }) => rows), hidden],
      [[waiting, kept], []],
    );
    assert.deepEqual(nested.get(keyOf(waiting)), [below]);
    const child = { ...below, execution } as const;
    const other = arrange([archived, child, kept], usual);
    assert.deepEqual(other.archived, [archived]);
    assert.deepEqual(
      other.groups.flatMap(({ rows }) => rows),
      [child, kept],
    );
    const onlyArchived = arrange([waiting, kept], {
      ...usual,
      filter: { archived: true },
    });
    assert.deepEqual(
      onlyArchived.groups.flatMap(({ rows }) => rows),
      [waiting],
    );
  });

  it('appears alone when the filter asks for archived conversations', () => {
    assert.deepEqual(shown({ archived: true }), {
      shown: [archived],
      hidden: [],
      count: 2,
    });
  });
});

describe('an unread conversation', () => {
  it('appears alone when the filter asks for unread conversations', () => {
    const [one, other] = [conversation(), conversation()];
    const arrangement: Arrangement = {
      filter: { unread: true },
      grouping: 'none',
      sorting: 'created',
    };
    const { groups: found } = arrange(
      [one, other],
      arrangement,
      [],
      (key) => key === keyOf(other),
    );
    assert.deepEqual(found, [{ key: '', rows: [other] }]);
  });
});

describe('a child conversation', () => {
  const parent = conversation({ id: 'parent', createdAt: 1 });
  const child = conversation({ id: 'child', parentId: 'parent', createdAt: 3 });
  const grandchild = conversation({
    id: 'grandchild',
    parentId: 'child',
    createdAt: 2,
  });
  const usual: Arrangement = {
    filter: {},
    grouping: 'none',
    sorting: 'created',
  };

  it('appears below its parent and in no group', () => {
    const {
      groups: found,
      below,
      count,
    } = arrange([child, grandchild, parent], usual);
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

  it('appears at the top level when its parent is not shown, at another service, or itself', () => {
    const elsewhere = { ...parent, service: 'https://elsewhere.example.com' };
    const own = conversation({ id: 'own', parentId: 'own' });
    for (const rows of [[child], [child, elsewhere], [own]]) {
      const { groups: found, below } = arrange(rows, usual);
      assert.equal(found[0]?.rows.length, rows.length);
      assert.equal(below.size, 0);
    }
  });
});

describe('a list of several services', () => {
  const here = conversation({
    service: 'https://a.example.com',
    tags: ['team: web'],
  });
  const there = conversation({ service: 'https://b.example.com' });
  const usual: Arrangement = {
    filter: {},
    grouping: 'service',
    sorting: 'created',
  };

  it('groups conversations by service, in the given order of services', () => {
    const order = (services: readonly string[]) =>
      arrange([there, here], usual, services).groups.map(({ key }) => key);
    assert.deepEqual(order([here.service, there.service]), [
      here.service,
      there.service,
    ]);
    assert.deepEqual(order([there.service, here.service]), [
      there.service,
      here.service,
    ]);
  });

  it('filters conversations by service and by tag', () => {
    const shown = (filter: Filter) =>
      arrange([here, there], { ...usual, filter }).groups.flatMap(
        ({ rows }) => rows,
      );
    assert.deepEqual(shown({ service: there.service }), [there]);
    assert.deepEqual(shown({ tag: 'team: web' }), [here]);
    assert.deepEqual(shown({ tag: 'team' }), []);
  });
});

describe('a grouping', () => {
  it('sorts repositories by name, with no repository last', () => {
    assert.deepEqual(groups({ grouping: 'repository' }), [
      ['octo/api', 'Add tests'],
      ['octo/shop', 'Build faster', 'Fix the BUILD'],
      ['', 'Écrire'],
    ]);
  });

  it('sorts states by how urgently they need the user', () => {
    assert.deepEqual(groups({ grouping: 'state' }), [
      ['waiting', 'Build faster'],
      ['error', 'Add tests'],
      ['working', 'Fix the BUILD'],
      ['stopped', 'Écrire'],
    ]);
  });

  it('sorts triggers with no trigger last', () => {
    assert.deepEqual(groups({ grouping: 'trigger' }), [
      ['gui', 'Build faster', 'Fix the BUILD'],
      ['resolver', 'Add tests'],
      ['', 'Écrire'],
    ]);
  });

  it('sorts days newest first, by the date that sorts the rows, with no date last', () => {
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

  it('begins a day at midnight local time', () => {
    assert.equal(dayOf(new Date(2026, 1, 3, 0, 0).getTime()), '2026-02-03');
    assert.equal(dayOf(new Date(2026, 1, 3, 23, 59).getTime()), '2026-02-03');
  });

  it('keeps the number of rows in every grouping', () => {
    for (const grouping of ['repository', 'state', 'trigger', 'day'] as const) {
      assert.equal(
        groups({ grouping }).flatMap(([, ...rows]) => rows).length,
        4,
        grouping,
      );
    }
  });
});

describe('a filter', () => {
  const filter: Filter = {
    repository: 'octo/shop',
    trigger: 'gui',
    activity: 'idle',
    text: 'fix',
  };

  const v0 = new Set(['repository', 'trigger'] as const);
  const v1 = new Set(['title', 'order'] as const);
  const nothing = {
    repository: undefined,
    trigger: undefined,
    title: undefined,
    order: undefined,
  };

  it('sends each service only the parts of the filter that it supports', () => {
    assert.deepEqual(askedOf(v0, filter), {
      ...nothing,
      repository: 'octo/shop',
      trigger: 'gui',
    });
    assert.deepEqual(askedOf(v1, filter), { ...nothing, title: 'fix' });
  });

  it('sends every part that some service supports until the service is known', () => {
    assert.deepEqual(askedOf(undefined, filter), {
      ...nothing,
      repository: 'octo/shop',
      trigger: 'gui',
      title: 'fix',
    });
  });

  it('sends nothing for an empty filter', () => {
    for (const filters of [v0, v1, undefined]) {
      assert.deepEqual(askedOf(filters, {}), nothing);
      assert.deepEqual(
        askedOf(filters, { repository: '', trigger: '', text: '' }),
        nothing,
      );
    }
  });

  it('sends the order to a service that supports it, unless it is the default order', () => {
    assert.deepEqual(askedOf(v1, {}, 'updated'), {
      ...nothing,
      order: 'updated',
    });
    assert.deepEqual(askedOf(undefined, {}, 'updated'), {
      ...nothing,
      order: 'updated',
    });
    assert.deepEqual(askedOf(v1, {}, 'created'), nothing);
    assert.deepEqual(askedOf(v0, {}, 'updated'), nothing);
  });

  it('reports a filter as local when the service does not support a part of it', () => {
    const here = (filters: typeof v0 | typeof v1, part: Filter) =>
      isFilteredHere(filters, part);
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
    for (const part of [{ unread: true }, { archived: true }] as const) {
      assert.ok(here(v1, part));
      assert.deepEqual(askedOf(v1, part), nothing);
    }
  });

  it('reports whether any part of the filter is set', () => {
    assert.ok(!isFiltered({}));
    assert.ok(!isFiltered({ text: '', repository: undefined }));
    assert.ok(isFiltered({ activity: 'idle' }));
    assert.ok(isFiltered({ archived: true }));
  });
});

describe('a stored arrangement', () => {
  it('restores a stored arrangement unchanged', () => {
    const stored: Arrangement = {
      filter: {
        repository: 'a/b',
        trigger: 'gui',
        activity: 'error',
        text: 'x',
        service: 'https://a.example.com',
        tag: 'team: web',
        unread: true,
        archived: true,
      },
      grouping: 'day',
      sorting: 'updated',
    };
    assert.deepEqual(
      readArrangement(JSON.parse(JSON.stringify(stored))),
      stored,
    );
  });

  it('restores the valid parts of an arrangement, with defaults for the rest', () => {
    const nothing = {
      repository: undefined,
      trigger: undefined,
      activity: undefined,
      text: undefined,
      service: undefined,
      tag: undefined,
      unread: undefined,
      archived: undefined,
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
