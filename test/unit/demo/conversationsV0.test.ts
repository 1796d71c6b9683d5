import assert from 'node:assert/strict';
import { triggersByFrequency } from '../../../src/demo/world/names.ts';
import type { ConversationInfo } from '../../support/demo/records.ts';
import { type Demo, pathOfNextPage, start, stopAll } from './support.ts';

const path = '/api/conversations';

describe('the V0 search of the demo service', () => {
  let demo: Demo;

  beforeEach(async () => {
    demo = await start();
  });

  afterEach(stopAll);

  it('returns 20 conversations, newest first, with every field of the contract', async () => {
    const rows = await demo.rows();
    assert.equal(rows.length, 20);
    const created = rows.map((row) => row.created_at);
    assert.deepEqual(created, created.toSorted().reverse());
    for (const row of rows) {
      assert.deepEqual(Object.keys(row).sort(), [
        'conversation_id',
        'conversation_version',
        'created_at',
        'git_provider',
        'last_updated_at',
        'num_connections',
        'pr_number',
        'runtime_status',
        'selected_branch',
        'selected_repository',
        'session_api_key',
        'status',
        'title',
        'trigger',
        'url',
      ]);
      assert.match(row.conversation_id, /^[0-9a-f]{32}$/);
      assert.match(row.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.equal(
        row.url,
        `${demo.service.url}/conversations/${row.conversation_id}`,
      );
    }
  });

  it('covers every status, trigger, provider and runtime status', async () => {
    const rows = [...(await demo.rows('?limit=60'))];
    for (let step = 0; step < 5; step++) {
      demo.clock.advance(12_000);
      rows.push(...(await demo.rows('?limit=60')));
    }
    const all = <Field extends keyof ConversationInfo>(field: Field) =>
      [...new Set(rows.map((row) => row[field]))]
        .filter((value) => value !== null)
        .sort();
    assert.deepEqual(all('status'), [
      'ARCHIVED',
      'ERROR',
      'RUNNING',
      'STARTING',
      'STOPPED',
    ]);
    assert.deepEqual(
      new Set([...all('trigger'), undefined]),
      new Set(triggersByFrequency),
    );
    assert.deepEqual(all('git_provider'), ['bitbucket', 'github', 'gitlab']);
    assert.equal(all('selected_repository').length, 8);
    assert.deepEqual(all('runtime_status'), [
      'CHAT_INTERFACE$AGENT_RATE_LIMITED_STOPPED_MESSAGE',
      'STATUS$BUILDING_RUNTIME',
      'STATUS$ERROR',
      'STATUS$ERROR_LLM_AUTHENTICATION',
      'STATUS$ERROR_LLM_CONTENT_POLICY_VIOLATION',
      'STATUS$ERROR_LLM_INTERNAL_SERVER_ERROR',
      'STATUS$ERROR_LLM_OUT_OF_CREDITS',
      'STATUS$ERROR_LLM_SERVICE_UNAVAILABLE',
      'STATUS$ERROR_MEMORY',
      'STATUS$ERROR_RUNTIME_DISCONNECTED',
      'STATUS$GIT_PROVIDER_AUTHENTICATION_ERROR',
      'STATUS$LLM_RETRY',
      'STATUS$READY',
      'STATUS$RUNTIME_STARTED',
      'STATUS$SETTING_UP_GIT_HOOKS',
      'STATUS$SETTING_UP_WORKSPACE',
      'STATUS$STARTING_RUNTIME',
      'STATUS$STOPPED',
    ]);
  });

  it('includes nulls, pull requests and placeholder titles', async () => {
    const rows = await demo.rows('?limit=60');
    for (const field of [
      'last_updated_at',
      'runtime_status',
      'selected_repository',
      'selected_branch',
      'git_provider',
      'trigger',
      'session_api_key',
    ] as const) {
      assert.ok(
        rows.some((row) => row[field] === null),
        field,
      );
    }
    assert.deepEqual(
      [...new Set(rows.map((row) => row.pr_number.length))].sort(),
      [0, 1, 2],
    );
    const placeholder = rows.find(
      (row) => row.title === `Conversation ${row.conversation_id}`,
    );
    assert.ok(placeholder);
  });

  it('returns pages to the end without loss or repetition, at any limit', async () => {
    for (const limit of [1, 7, 20, 59, 60, 61, 1_000_000]) {
      const pages = await demo.pages<ConversationInfo>(
        `${path}?limit=${limit}`,
      );
      assert.equal(pages.length, Math.ceil(60 / limit));
      const ids = pages.flat().map((row) => row.conversation_id);
      assert.deepEqual([ids.length, new Set(ids).size], [60, 60]);
    }
  });

  it('continues at the same place when a conversation is created between two pages', async () => {
    const first = await demo.page<ConversationInfo>(`${path}?limit=30`);
    await demo.create('Something new');
    demo.clock.advance(5_000);
    const second = await demo.page<ConversationInfo>(
      pathOfNextPage(`${path}?limit=30`, first.next ?? ''),
    );
    const ids = [...first.rows, ...second.rows].map(
      (row) => row.conversation_id,
    );
    assert.equal(new Set(ids).size, 60);
    assert.equal((await demo.rows('?limit=61')).length, 61);
  });

  it('filters every page by exact repository and trigger', async () => {
    const all = await demo.rows('?limit=60');
    const wanted = [
      { selected_repository: 'northwind/checkout-api' },
      { conversation_trigger: 'gui' },
      {
        selected_repository: 'northwind/checkout-api',
        conversation_trigger: 'gui',
      },
    ];
    for (const filter of wanted) {
      const expected = all.filter(
        (row) =>
          (filter.selected_repository ?? row.selected_repository) ===
            row.selected_repository &&
          (filter.conversation_trigger ?? row.trigger) === row.trigger,
      );
      assert.ok(expected.length > 2);
      const query = new URLSearchParams(filter as Record<string, string>);
      const pages = await demo.pages<ConversationInfo>(
        `${path}?limit=3&${query.toString()}`,
      );
      assert.deepEqual(pages.flat(), expected);
      assert.ok(pages.slice(0, -1).every((page) => page.length === 3));
    }
    for (const repository of [
      'northwind/checkout',
      'Northwind/Checkout-API',
      'nowhere/nothing',
      '',
    ]) {
      assert.deepEqual(
        await demo.rows(
          `?selected_repository=${encodeURIComponent(repository)}`,
        ),
        [],
      );
    }
  });

  it('sends cursors with +, / and =, and answers 500 to any other cursor', async () => {
    const { next: cursor } = await demo.page(`${path}?limit=2`);
    assert.ok(cursor);
    for (const character of ['+', '/', '='])
      assert.ok(cursor.includes(character), cursor);
    // Sent as it is, its + means a space.
    assert.equal((await demo.fetch(`${path}?page_id=${cursor}`)).status, 500);
    for (const wrong of ['', 'x', '2', cursor.slice(1)]) {
      assert.equal(
        (await demo.fetch(pathOfNextPage(path, wrong))).status,
        500,
        wrong,
      );
    }
  });
});
