import assert from 'node:assert/strict';
import type { AppConversation } from '../../support/demo/records.ts';
import { type Demo, pathOfNextPage, start, stopAll } from './support.ts';

const path = '/api/v1/app-conversations';

describe('the V1 interface of the demo service', () => {
  let demo: Demo;

  beforeEach(async () => {
    demo = await start({ conversations: 250 });
  });

  afterEach(stopAll);

  it('returns every field, in the list and in the search', async () => {
    const listed = await demo.get<{ items: AppConversation[] }>(path);
    const found = await demo.get(
      `${path}/search?include_sub_conversations=true`,
    );
    assert.deepEqual(listed, found);
    assert.equal(listed.items.length, 100);
    for (const item of listed.items) {
      assert.deepEqual(Object.keys(item).sort(), [
        'acp_server',
        'agent_kind',
        'conversation_url',
        'created_at',
        'created_by_user_id',
        'execution_status',
        'git_provider',
        'id',
        'launched_agent_profile',
        'llm_model',
        'metrics',
        'parent_conversation_id',
        'pr_number',
        'public',
        'sandbox_id',
        'sandbox_status',
        'selected_branch',
        'selected_repository',
        'session_api_key',
        'sub_conversation_ids',
        'tags',
        'title',
        'trigger',
        'updated_at',
      ]);
      assert.match(item.id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    }
  });

  it('lists the same conversations as V0, with matching sandbox states', async () => {
    const rows = await demo.rows('?limit=100');
    const items = await demo.conversations();
    const statuses = {
      STARTING: 'STARTING',
      RUNNING: 'RUNNING',
      PAUSED: 'STOPPED',
      ERROR: 'ERROR',
      MISSING: 'ARCHIVED',
    };
    const seen = new Set<string>();
    for (const [index, item] of items.entries()) {
      const row = rows[index];
      assert.ok(row);
      assert.equal(row.conversation_id, item.id.replaceAll('-', ''));
      assert.equal(row.status, statuses[item.sandbox_status]);
      assert.equal(row.title, item.title);
      assert.equal(row.created_at, item.created_at);
      if (item.sandbox_status !== 'RUNNING')
        assert.equal(item.execution_status, null);
      seen.add(item.sandbox_status);
    }
    assert.deepEqual([...seen].sort(), Object.keys(statuses).sort());
    assert.ok(
      items.slice(60).every((item) => item.sandbox_status === 'MISSING'),
    );
  });

  it('covers every execution status, and has conversations that share a sandbox', async () => {
    const items = await demo.conversations();
    assert.deepEqual(
      [...new Set(items.map((item) => item.execution_status ?? 'none'))].sort(),
      [
        'deleting',
        'error',
        'finished',
        'idle',
        'none',
        'paused',
        'running',
        'stuck',
        'waiting_for_confirmation',
      ],
    );
    assert.ok(
      new Set(items.map((item) => item.sandbox_id)).size < items.length - 20,
    );
  });

  it('returns pages to the end without loss or repetition', async () => {
    for (const list of [
      `${path}?limit=60`,
      `${path}/search?include_sub_conversations=true&limit=60`,
    ]) {
      const pages = await demo.pages<AppConversation>(list);
      assert.deepEqual(
        pages.map((page) => page.length),
        [60, 60, 60, 60, 10],
      );
      assert.equal(new Set(pages.flat().map((item) => item.id)).size, 250);
    }
  });

  it('counts the events before a page in the cursors of events', async () => {
    const [first] = await demo.conversations();
    const events = `/api/v1/conversation/${first?.id}/events/search?limit=2`;
    const { rows, next } = await demo.page<{ id: string }>(events);
    assert.equal(next, '2');
    const more = await demo.page<{ id: string }>(pathOfNextPage(events, '1'));
    assert.equal(more.rows[0]?.id, rows[1]?.id);
  });

  it('omits child conversations from a search unless asked, and ignores the sort order', async () => {
    const all = await demo.conversations();
    const children = all.filter((each) => each.parent_conversation_id !== null);
    assert.ok(children.length > 3);
    for (const { id, parent_conversation_id } of children) {
      const parent = all.find((each) => each.id === parent_conversation_id);
      assert.deepEqual(parent?.sub_conversation_ids, [id]);
    }
    const { rows } = await demo.page<AppConversation>(
      `${path}/search?limit=50&sort_order=UPDATED_AT_DESC`,
    );
    assert.deepEqual(
      rows,
      all.filter((each) => each.parent_conversation_id === null).slice(0, 50),
    );
  });

  it('renames a conversation in V0 too, and finds it by its new title', async () => {
    const rename = (id: string, title: unknown) =>
      demo.ask<AppConversation>(`${path}/${id}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ title }),
      });
    const [first] = await demo.conversations();
    const id = first?.id ?? '';
    const { status, body } = await rename(id, 'Renamed by me');
    assert.deepEqual(
      [status, body],
      [200, { ...first, title: 'Renamed by me' }],
    );
    assert.deepEqual(
      (await demo.conversations('?title__contains=by me')).map(
        (each) => each.id,
      ),
      [id],
    );
    assert.equal((await demo.rows())[0]?.title, 'Renamed by me');
    const unknown = await rename('11111111-1111-4111-8111-111111111111', 'x');
    assert.deepEqual(
      [unknown.status, unknown.body],
      [404, { detail: 'unknown_app_conversation' }],
    );
  });

  it('deletes a conversation with its children, and a sandbox with its last conversation', async () => {
    const remove = (id: string) =>
      demo.ask(`${path}/${id}`, { method: 'DELETE' });
    const all = await demo.conversations();
    const parent =
      all.find((each) => each.sub_conversation_ids.length > 0) ?? assert.fail();
    assert.deepEqual((await remove(parent.id)).body, { success: true });
    const gone = [parent.id, ...parent.sub_conversation_ids];
    assert.deepEqual(
      (await demo.conversations())
        .map(({ id }) => id)
        .filter((id) => gone.includes(id)),
      [],
    );
    assert.deepEqual(await demo.get(`${path}?ids=${gone.join('&ids=')}`), [
      null,
      null,
    ]);
    const again = await remove(parent.id);
    assert.deepEqual(
      [again.status, again.body],
      [404, { detail: 'Conversation not found' }],
    );

    const sandboxId = all[0]?.sandbox_id;
    const others = all.filter((each) => each.sandbox_id === sandboxId);
    const isThere = async () =>
      (await demo.sandboxes()).some(({ id }) => id === sandboxId);
    for (const { id } of others) {
      assert.ok(await isThere());
      await remove(id);
    }
    assert.ok(others.length > 1 && !(await isThere()));
  });

  it('looks up conversations by ID, with or without dashes, with null for missing ones', async () => {
    const [first, second] = await demo.conversations();
    assert.ok(first && second);
    const ids = [
      second.id,
      '11111111-1111-4111-8111-111111111111',
      first.id.replaceAll('-', ''),
      first.id.toUpperCase(),
      '0'.repeat(32),
    ];
    const answer = await demo.get(
      `${path}?${ids.map((id) => `ids=${id}`).join('&')}`,
    );
    assert.deepEqual(answer, [second, null, first, first, null]);
  });

  it('looks up at most 99 IDs', async () => {
    const ids = (count: number) =>
      `${path}?${`ids=${'0'.repeat(32)}&`.repeat(count)}`;
    assert.equal((await demo.get<unknown[]>(ids(99))).length, 99);
    const answer = async (asked: string) => {
      const { status, body } = await demo.ask(asked);
      return [status, body];
    };
    assert.deepEqual(await answer(ids(100)), [
      400,
      { detail: 'Too many ids requested. Maximum is 99.' },
    ]);
  });

  it('filters a search by title', async () => {
    const all = (await demo.pages<AppConversation>(`${path}/search`)).flat();
    const cases: readonly (readonly [
      string,
      (item: AppConversation) => boolean,
    ])[] = [
      ['title__contains=webhook', ({ title }) => title.includes('webhook')],
      ['title__contains=Fix%20the', ({ title }) => title.includes('Fix the')],
    ];
    for (const [query, wanted] of cases) {
      const expected = all.filter(wanted);
      assert.ok(expected.length > 2 && expected.length < all.length, query);
      const found = (
        await demo.pages<AppConversation>(`${path}/search?limit=50&${query}`)
      ).flat();
      assert.deepEqual(found, expected, query);
    }
    assert.deepEqual(await demo.conversations('?title__contains=WEBHOOK'), []);
  });
});
