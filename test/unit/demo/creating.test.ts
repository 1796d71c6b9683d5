import assert from 'node:assert/strict';
import { startTaskStatuses } from '../../../src/demo/wire/wireTypes.ts';
import type { WireStartTask } from '../../support/demo/records.ts';
import { type Demo, start, stopAll } from './support.ts';

describe('the creation of a conversation in the demo service', () => {
  let demo: Demo;

  beforeEach(async () => {
    demo = await start();
  });

  afterEach(stopAll);

  /** Every state of a task, until it does not change any more. */
  async function follow(id: string): Promise<readonly WireStartTask[]> {
    const states: WireStartTask[] = [];
    for (let time = 0; time <= 6_000; time += 100) {
      const state = await demo.task(id);
      if (state.status !== states.at(-1)?.status) states.push(state);
      demo.clock.advance(100);
    }
    return states;
  }

  it('lists the new conversation first in V0 and V1 when its task is ready after 4 s', async () => {
    const { status, body: task } = await demo.create(
      'Fix the login\nIt is broken since Monday.',
      {
        selected_repository: 'northwind/storefront',
        selected_branch: 'main',
        git_provider: 'github',
      },
    );
    assert.equal(status, 200);
    assert.deepEqual(task, {
      id: task.id,
      status: 'WORKING',
      app_conversation_id: null,
      sandbox_id: null,
      detail: null,
      created_by_user_id: null,
      agent_server_url: null,
      created_at: task.created_at,
      updated_at: task.created_at,
    });
    demo.clock.advance(3_999);
    const title = async () => (await demo.rows('?limit=1'))[0]?.title;
    assert.notEqual(await title(), 'Fix the login');
    demo.clock.advance(1);
    assert.equal(await title(), 'Fix the login');

    const { status: ready, app_conversation_id: id } = await demo.task(task.id);
    assert.equal(ready, 'READY');
    const [conversation] = await demo.conversations();
    assert.ok(conversation);
    assert.equal(conversation.id, id);
    assert.equal(conversation.title, 'Fix the login');
    assert.equal(conversation.selected_repository, 'northwind/storefront');
    assert.equal(conversation.selected_branch, 'main');
    assert.equal(conversation.git_provider, 'github');
    assert.equal(conversation.execution_status, 'running');
    assert.equal(conversation.metrics.accumulated_cost, 0);
    const [sandbox] = await demo.sandboxes();
    assert.equal(sandbox?.id, conversation.sandbox_id);
    assert.equal(sandbox.status, 'RUNNING');
    assert.equal((await demo.rows('?limit=100')).length, 61);
    assert.equal(
      (await demo.rows('?selected_repository=northwind/storefront'))[0]?.title,
      'Fix the login',
    );
    assert.equal(
      (await demo.conversations('?title__contains=Fix the login')).length,
      1,
    );
    assert.deepEqual(
      await demo.get(`/api/v1/app-conversations?ids=${id ?? ''}`),
      [conversation],
    );
  });

  it('reports every start stage in order within 6 s', async () => {
    const { body } = await demo.create('Anything');
    assert.deepEqual(
      (await follow(body.id)).map(({ status }) => status),
      [...startTaskStatuses],
    );
  });

  it('requires only a message, and fills in the code host of a known repository', async () => {
    await demo.create('  Only a message  ');
    await demo.create('With a repository', {
      selected_repository: 'tidewater/ledger',
      git_provider: null,
    });
    await demo.create('With a repository of its own', {
      selected_repository: 'my/own',
    });
    demo.clock.advance(4_000);
    const rows = await demo.rows('?limit=3');
    assert.deepEqual(
      rows.map((row) => [row.title, row.selected_repository, row.git_provider]),
      [
        ['With a repository of its own', 'my/own', null],
        ['With a repository', 'tidewater/ledger', 'gitlab'],
        ['Only a message', null, null],
      ],
    );
  });

  it('uses the given sandbox if it is running', async () => {
    const running = (await demo.sandboxes()).find(
      ({ status }) => status === 'RUNNING',
    );
    const { body } = await demo.create('Go there', { sandbox_id: running?.id });
    const last = (await follow(body.id)).at(-1);
    assert.deepEqual([last?.status, last?.sandbox_id], ['READY', running?.id]);
    assert.equal((await demo.sandboxes()).length, 8);
    assert.equal((await demo.conversations())[0]?.sandbox_id, running?.id);
  });

  it('fails with a reason for a paused or missing sandbox, and for a message with the word “fail”', async () => {
    const paused =
      (await demo.sandboxes()).find(({ status }) => status === 'PAUSED')?.id ??
      '';
    for (const [text, more, detail] of [
      [
        'Wake up',
        { sandbox_id: paused },
        `The sandbox ${paused} does not run: resume it first.`,
      ],
      [
        'Go there',
        { sandbox_id: 'nowhere' },
        'The sandbox nowhere does not exist.',
      ],
      [
        'Please fail',
        {},
        'The setup script ended with exit code 1: npm error missing script "setup".',
      ],
    ] as const) {
      const { status, body } = await demo.create(text, more);
      assert.equal(status, 200);
      const last = (await follow(body.id)).at(-1);
      assert.deepEqual(
        [last?.status, last?.detail, last?.app_conversation_id],
        ['ERROR', detail, null],
      );
    }
    assert.equal((await demo.rows('?limit=100')).length, 60);
    assert.equal((await demo.conversations('?title__contains=fail')).length, 0);
  });

  it('does not fail for a message with the word “failing”', async () => {
    const { body } = await demo.create('Fix the failing tests');
    assert.equal((await follow(body.id)).at(-1)?.status, 'READY');
  });

  it('pauses the oldest of four running sandboxes', async () => {
    const oldest = (await demo.sandboxes())
      .filter(({ status }) => status === 'RUNNING')
      .at(-1);
    await demo.create('One more');
    demo.clock.advance(1_500);
    const sandboxes = await demo.sandboxes();
    assert.equal(
      sandboxes.filter(({ status }) => status === 'RUNNING').length,
      4,
    );
    assert.equal(
      sandboxes.find(({ id }) => id === oldest?.id)?.status,
      'PAUSED',
    );
  });

  it('returns null for an unknown task', async () => {
    const { body } = await demo.create('Anything');
    const path = '/api/v1/app-conversations/start-tasks';
    const ids = `ids=${'0'.repeat(32)}&ids=${body.id.replaceAll('-', '')}`;
    const [none, task] = await demo.get<WireStartTask[]>(`${path}?${ids}`);
    assert.deepEqual([none, task?.id], [null, body.id]);
  });
});
