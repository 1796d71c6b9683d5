import assert from 'node:assert/strict';
import { home } from '../../../src/demo/agentServer/folders.ts';
import { bare } from '../../../src/demo/world/world.ts';
import {
  keepAndRemove,
  readRemoval,
  readWorktrees,
  readWorktreesCommand,
  removeCommand,
  restoreCommand,
} from '../../../src/state/conversation/worktreeRemoval.ts';
import type {
  WireAgentEvent,
  NamedPath,
} from '../../../src/demo/wire/wireTypes.ts';
import type { HeldConversation } from '../../support/demo/records.ts';
import { type Demo, key, pathOfNextPage, start, stopAll } from './support.ts';

const path = '/api/conversations';
const search = `${path}/search`;
const nobody = '11111111-1111-4111-8111-111111111111';

describe('the demo Agent Server', () => {
  let demo: Demo;

  beforeEach(async () => {
    demo = await start({ interface: 'agentServer' });
  });

  afterEach(stopAll);

  const find = (id: string) => demo.get<HeldConversation>(`${path}/${id}`);
  const titles = async (query: string) =>
    (await demo.page<HeldConversation>(`${search}?${query}`)).rows.map(
      ({ title }) => title,
    );
  const change = (id: string, body: unknown) =>
    demo.ask(`${path}/${id}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  async function create(more: object = {}): Promise<HeldConversation> {
    const { active_agent_profile_id: agent_profile_id } = await demo.get<{
      active_agent_profile_id: string;
    }>('/api/agent-profiles');
    const { status, body } = await demo.post<HeldConversation>(path, {
      workspace: { working_dir: `${home}/ledger` },
      agent_profile_id,
      initial_message: {
        role: 'user',
        content: [{ type: 'text', text: 'Fix the build\nNow.' }],
        run: true,
      },
      ...more,
    });
    assert.equal(status, 201, JSON.stringify(body));
    return body;
  }

  it('accepts its key in one header only, and serves neither V1 nor pages', async () => {
    for (const headers of [
      { Authorization: `Bearer ${key}` },
      { 'X-Access-Token': key },
      {},
    ] as Record<string, string>[]) {
      assert.equal(
        (await fetch(`${demo.service.url}${search}`, { headers })).status,
        401,
      );
    }
    for (const nowhere of [
      '/api/v1/app-conversations/search',
      '/api/v1/sandboxes/search',
      '/conversations/x',
    ]) {
      const { status, body } = await demo.ask(nowhere);
      assert.deepEqual([status, body], [404, { detail: 'Not Found' }], nowhere);
    }
  });

  it('rejects the plain list without IDs, and names the missing parameter', async () => {
    const { status, body } = await demo.ask(path);
    const detail = [{ loc: ['query', 'ids'], msg: 'Field required' }];
    assert.deepEqual([status, body], [422, { detail }]);
  });

  it('finds conversations by ID, with null or a 404 for unknown IDs', async () => {
    const [first, second] = (await demo.page<HeldConversation>(search)).rows;
    assert.ok(first && second);
    const ids = [second.id.replaceAll('-', ''), nobody, first.id.toUpperCase()];
    const found = await demo.get<unknown[]>(
      `${path}?${ids.map((id) => `ids=${id}`).join('&')}`,
    );
    assert.deepEqual(found, [second, null, first]);
    assert.deepEqual(await find(first.id), first);
    assert.equal((await demo.ask(`${path}/${nobody}`)).status, 404);
  });

  it('sends 3 to 7 KB per row, some untitled and some tagged, with folders and costs', async () => {
    const { rows } = await demo.page<HeldConversation>(search);
    assert.equal(rows.length, 60);
    for (const row of rows) {
      const { length } = JSON.stringify(row);
      assert.ok(length > 3_000 && length < 7_168, String(length));
    }
    assert.ok(rows.some(({ title }) => title === null));
    assert.ok(rows.some(({ tags }) => tags.team === 'web'));
    assert.ok(
      rows.some(
        ({ workspace }) => workspace.working_dir === `${home}/checkout-api`,
      ),
    );
    const costs = rows.map(
      ({ stats }) => stats.usage_to_metrics.default.accumulated_cost,
    );
    assert.ok(costs.every((cost) => cost >= 0) && Math.max(...costs) > 1);
  });

  it('connects child conversations and their older parents both ways', async () => {
    const { rows } = await demo.page<HeldConversation>(search);
    const children = rows.filter((row) => row.parent_conversation_id !== null);
    assert.ok(children.length > 3);
    for (const { id, parent_conversation_id, created_at } of children) {
      const parent = rows.find((row) => row.id === parent_conversation_id);
      assert.ok(parent && parent.created_at < created_at);
      assert.deepEqual(parent.sub_conversation_ids, [id]);
    }
  });

  it('sorts pages by creation or update, and starts over at an unknown cursor', async () => {
    for (const [order, field] of [
      ['CREATED_AT_DESC', 'created_at'],
      ['UPDATED_AT_DESC', 'updated_at'],
    ] as const) {
      const pages = await demo.pages<HeldConversation>(
        `${search}?limit=7&sort_order=${order}`,
      );
      const times = pages.flat().map((row) => row[field]);
      assert.equal(times.length, 60);
      assert.deepEqual(times, times.toSorted().reverse());
    }
    const { rows, next: cursor } = await demo.page<HeldConversation>(
      `${search}?limit=5`,
    );
    assert.equal(
      (await demo.page<HeldConversation>(pathOfNextPage(search, cursor ?? '')))
        .rows[0]?.id,
      cursor,
    );
    // One that it does not know is that of the first page.
    assert.deepEqual(
      (await demo.page(pathOfNextPage(`${search}?limit=5`, nobody))).rows,
      rows,
    );
    assert.deepEqual(
      (await demo.page(pathOfNextPage(`${search}?limit=5`, 'x'))).rows,
      rows,
    );
  });

  it('creates a conversation, and titles it 3 s later', async () => {
    const made = await create({
      tags: { team: 'web' },
      worktree: true,
      worktree_options: { base: 'head' },
    });
    assert.deepEqual(
      [made.title, made.execution_status, made.tags],
      [null, 'running', { team: 'web' }],
    );
    assert.match(
      made.workspace.working_dir,
      /^\/tmp\/conversation-worktrees\/[0-9a-f]{32}\/ledger$/,
    );
    for (const order of ['CREATED_AT_DESC', 'UPDATED_AT_DESC']) {
      assert.deepEqual(await titles(`limit=1&sort_order=${order}`), [null]);
    }
    demo.clock.advance(3_000);
    assert.deepEqual(await titles('limit=1'), ['Fix the build']);

    const other = await create({
      worktree: true,
      workspace: { working_dir: '/srv' },
    });
    assert.equal(other.workspace.working_dir, '/srv');
    const chosen = nobody.replace('1', '2');
    assert.equal((await create({ conversation_id: chosen })).id, chosen);
    assert.equal(await demo.get(`${path}/count`), 63);
  });

  it('renames, tags and deletes a conversation', async () => {
    const second = (await demo.page<HeldConversation>(search)).rows.at(-2);
    const id = second?.id ?? '';
    assert.deepEqual((await change(id, { title: 'Renamed' })).body, {
      success: true,
    });
    await change(id, { title: null, tags: { area: 'x' } });
    const { title, tags, updated_at } = await find(id);
    assert.deepEqual([title, tags], ['Renamed', { area: 'x' }]);
    assert.ok(updated_at > (second?.updated_at ?? ''));
    assert.equal((await change(nobody, { title: 'x' })).status, 404);

    const remove = () => demo.ask(`${path}/${id}`, { method: 'DELETE' });
    assert.deepEqual((await remove()).body, { success: true });
    assert.equal((await remove()).status, 404);
    assert.equal(await demo.get(`${path}/count`), 59);
    assert.deepEqual(await demo.get(`${path}?ids=${id}`), [null]);
  });

  it('tells those who follow an agent of its new tags', async () => {
    const { id } = await create();
    const { updated_at } = await find(id);
    await change(id, { tags: { pinned: 'true' } });
    const events = await demo.page<{ key?: string; value?: unknown }>(
      `${path}/${id}/events/search`,
    );
    assert.deepEqual(events.rows.at(-1)?.value, { pinned: 'true' });
    assert.ok((await find(id)).updated_at >= updated_at);
  });

  it('pauses and resumes an agent, and refuses to run one that is running', async () => {
    const { id } = await create();
    const tell = (verb: string) => demo.post(`${path}/${id}/${verb}`);
    assert.equal((await tell('run')).status, 409);
    for (const verb of ['interrupt', 'pause', 'pause']) {
      assert.deepEqual((await tell(verb)).body, { success: true });
      assert.equal((await find(id)).execution_status, 'paused');
    }
    demo.clock.advance(600_000);
    assert.equal((await find(id)).execution_status, 'paused');
    assert.equal((await tell('run')).status, 200);
    assert.equal((await find(id)).execution_status, 'running');
    assert.equal((await demo.post(`${path}/${nobody}/run`)).status, 404);
  });

  it('lists events in local time without a zone, in pages and by kind', async () => {
    const { id, last_user_message_id } = await create();
    const events = `${path}/${id}/events/search`;
    const { rows } = await demo.page<WireAgentEvent>(events);
    assert.deepEqual(
      rows.slice(0, 2).map(({ kind, source }) => [kind, source]),
      [
        ['SystemPromptEvent', 'agent'],
        ['MessageEvent', 'user'],
      ],
    );
    assert.equal(rows[1]?.id, last_user_message_id);
    const [first] = rows;
    assert.match(
      first?.timestamp ?? '',
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/,
    );
    assert.equal(new Date(first?.timestamp ?? '').getTime(), demo.clock.now());

    const messages = await demo.page<WireAgentEvent>(
      `${events}?kind=MessageEvent&source=user`,
    );
    assert.deepEqual(messages.rows, [rows[1]]);
    const pages = await demo.pages<WireAgentEvent>(
      `${events}?limit=2&sort_order=TIMESTAMP_DESC`,
    );
    assert.deepEqual(pages.flat(), rows.toReversed());
    assert.deepEqual(
      (await demo.page(pathOfNextPage(`${events}?limit=2`, 'x'))).rows,
      rows.slice(0, 2),
    );
    const { status } = await demo.ask(`${path}/${nobody}/events/search`);
    assert.equal(status, 404);
  });

  it('lists workspaces, favorites and subfolders', async () => {
    const { workspaces } = await demo.get<{ workspaces: NamedPath[] }>(
      '/api/workspaces',
    );
    assert.equal(workspaces[0]?.path, `${home}/checkout-api`);
    const answer = await demo.get<{ home: string; favorites: unknown[] }>(
      '/api/file/home',
    );
    assert.deepEqual([answer.home, answer.favorites.length], [home, 3]);
    const below = '/api/file/search_subdirs';
    const names = async (query: string) =>
      (await demo.pages<NamedPath>(`${below}?${query}`))
        .flat()
        .map(({ path }) => path);
    assert.deepEqual(await names(`path=${home}/ledger/src/`), [
      `${home}/ledger/src/api`,
      `${home}/ledger/src/web`,
    ]);
    assert.deepEqual(await names('path=/&limit=2'), [
      '/home',
      '/opt',
      '/srv',
      '/tmp',
    ]);
    assert.equal((await demo.ask(`${below}?path=/nowhere`)).status, 404);
  });

  it('counts 100,000 conversations and lists a page of them', async () => {
    demo = await start({ interface: 'agentServer', conversations: 100_000 });
    assert.equal(await demo.get(`${path}/count`), 100_000);
    const { rows } = await demo.page<HeldConversation>(
      `${search}?limit=20&sort_order=UPDATED_AT_DESC`,
    );
    assert.equal(rows.length, 20);
  });

  it('reads, removes and restores worktrees by our own commands', async () => {
    const run = async (command: string) => {
      const { body } = await demo.post<{
        exit_code: number;
        stdout: string | null;
      }>('/api/bash/execute_bash_command', { command });
      return body.exit_code === 0 ? (body.stdout ?? '') : undefined;
    };
    const root = '/tmp/conversation-worktrees';
    const readAll = async () =>
      readWorktrees((await run(readWorktreesCommand({ roots: [root] }))) ?? '');
    const { id, workspace } = await create({ worktree: true });
    const folder = workspace.working_dir;
    const all = await readAll();
    assert.ok(all.every(({ state }) => state));
    const worktree = all.find((row) => row.folder === folder);
    const { state } = worktree ?? assert.fail();
    assert.equal(state?.branch, `openhands/${id}`);
    const one = readWorktreesCommand({ folders: [`${root}/${bare(id)}`] });
    assert.deepEqual(readWorktrees((await run(one)) ?? ''), [worktree]);

    const shown = { folder, state };
    const stale = { folder, state: { ...state, state: 'b'.repeat(40) } };
    assert.equal(await run(removeCommand(stale, false)), 'changed\n');
    const { command, removed } = keepAndRemove(shown, 0);
    assert.equal(readRemoval((await run(command)) ?? ''), 'removed');
    assert.equal((await readAll()).length, all.length - 1);
    assert.equal(await run(command), undefined);
    assert.equal(await run(restoreCommand(removed)), '');
    assert.equal(await run(restoreCommand(removed)), undefined);
    assert.deepEqual(await readAll(), all);
    assert.equal(
      readRemoval((await run(removeCommand(shown, true))) ?? ''),
      'removedWithBranch',
    );
  });
});
