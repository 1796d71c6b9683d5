import assert from 'node:assert/strict';
import { SteppedClock } from '../../support/steppedClock.ts';
import { type Answering, saying, startAnswering } from './answering.ts';
import { allRows, Lines, serviceOf } from './support.ts';

/** Behaviour of real services that no contract describes. */
describe('a service in practice', () => {
  let server: Answering;
  let log: Lines;

  beforeEach(async () => {
    log = new Lines();
    server = await startAnswering();
  });

  afterEach(async () => {
    await server.stop();
  });

  const path = (request: { url?: string | undefined }) =>
    new URL(request.url ?? '', 'http://a').pathname;
  const query = (request: { url?: string | undefined }) =>
    new URL(request.url ?? '', 'http://a').searchParams;
  const idsOnly = saying(
    { detail: [{ loc: ['query', 'ids'], msg: 'Field required' }] },
    422,
  );
  const id = (n: number) => n.toString(16).padStart(32, '0');

  it('lists sub-conversations too, and by last activity when requested', async () => {
    server.give((request) =>
      path(request).endsWith('/search')
        ? saying({
            items: [{ id: 'b', parent_conversation_id: 'a' }, { id: 'a' }],
            next_page_id: null,
          })
        : idsOnly,
    );
    const { conversations } = serviceOf(server, 'v1', { log });
    const rows = await allRows(conversations.list({ order: 'updated' }));
    assert.deepEqual(
      rows.map(({ id, parentId }) => [id, parentId]),
      [
        ['b', 'a'],
        ['a', undefined],
      ],
    );
    const asked = query({ url: server.asked.at(-1)?.replace('GET ', '') });
    assert.equal(asked.get('include_sub_conversations'), 'true');
    assert.equal(asked.get('sort_order'), 'UPDATED_AT_DESC');
    await allRows(conversations.list());
    assert.doesNotMatch(server.asked.at(-1) ?? '', /sort_order/);
  });

  it('ends a list without repeats when an unknown cursor returns the first page', async () => {
    server.give((request) =>
      saying({
        items: [{ id: 'a' }, { id: 'b' }],
        next_page_id: query(request).has('page_id') ? 'c' : 'gone',
      }),
    );
    const { conversations } = serviceOf(server, 'v1', { log });
    assert.deepEqual(
      (await allRows(conversations.list())).map(({ id }) => id),
      ['a', 'b'],
    );
    assert.match(
      log.all.join('\n'),
      /A list was ended, because a page had nothing new/,
    );
  });

  it('adds details from V1 only for conversations that are not marked as V0', async () => {
    const rows = [
      { conversation_id: id(1), conversation_version: 'V0' },
      { conversation_id: id(2), conversation_version: 'V1' },
      { conversation_id: id(3) },
    ];
    server.give((request) =>
      path(request) === '/api/conversations'
        ? saying({ results: rows, next_page_id: null })
        : saying([
            {
              id: id(2),
              execution_status: 'running',
              metrics: { accumulated_cost: 2 },
              tags: { team: 'web' },
              parent_conversation_id: id(3),
            },
            null,
          ]),
    );
    const [, joined] = await allRows(
      serviceOf(server, 'v0', { log }).conversations.list(),
    );
    assert.deepEqual(
      query({ url: server.asked[1]?.replace('GET ', '') }).getAll('ids'),
      [id(2), id(3)],
    );
    const { execution, cost, tags, parentId } = joined ?? assert.fail();
    assert.deepEqual(
      [execution, cost, tags, parentId],
      ['running', 2, ['team: web'], id(3)],
    );
  });

  it('sends no V1 request when all conversations are marked as V0', async () => {
    server.give(
      saying({
        results: [{ conversation_id: id(1), conversation_version: 'V0' }],
        next_page_id: null,
      }),
    );
    await allRows(serviceOf(server, 'v0', { log }).conversations.list());
    assert.equal(server.asked.length, 1);
  });

  it('gets its two-part cursor back unchanged', async () => {
    const cursor =
      Buffer.from('{"v0":"a+b/c==?","v1":null}').toString('base64') + '+/=';
    server.give((request) => {
      const given = query(request).get('page_id');
      if (path(request) !== '/api/conversations') return saying([]);
      return given === null
        ? saying({
            results: [{ conversation_id: id(1) }],
            next_page_id: cursor,
          })
        : saying({
            results: [{ conversation_id: given === cursor ? id(2) : id(9) }],
            next_page_id: null,
          });
    });
    const rows = await allRows(
      serviceOf(server, 'v0', { log }).conversations.list(),
    );
    assert.deepEqual(
      rows.map((row) => row.id),
      [id(1), id(2)],
    );
  });

  it('shows a failed sandbox as starting while a start task waits for it', async () => {
    const clock = new SteppedClock();
    let stage = 'WAITING_FOR_SANDBOX';
    const old = { created_at: '2020-01-01T00:00:00Z' };
    server.give((request) => {
      if (path(request).endsWith('/start-tasks'))
        return saying([{ id: 'task', status: stage, sandbox_id: 'box' }]);
      return path(request).endsWith('/sandboxes/search')
        ? saying({
            items: [
              { id: 'box', status: 'ERROR', ...old },
              { id: 'other', status: 'ERROR', ...old },
            ],
          })
        : saying([
            { id: 'a', sandbox_id: 'box', sandbox_status: 'ERROR', ...old },
          ]);
    });
    const { conversations, creation, sandboxes } = serviceOf(server, 'v1', {
      log,
      clock,
    });
    const states = async () => [
      ...(await allRows(sandboxes.list())).map(({ status }) => status),
      ...(await allRows(conversations.list())).map(({ status }) => status),
    ];
    assert.deepEqual(await states(), ['error', 'error', 'error']);
    await creation.task('task');
    assert.deepEqual(await states(), ['starting', 'error', 'starting']);
    clock.advance(60_000);
    assert.deepEqual(await states(), ['error', 'error', 'error']);
    await creation.task('task');
    stage = 'ERROR';
    await creation.task('task');
    assert.deepEqual(await states(), ['error', 'error', 'error']);
  });

  describe('a sandbox that fails without a reason', () => {
    let clock: SteppedClock;
    let status: string;
    let service: ReturnType<typeof serviceOf>;

    beforeEach(() => {
      clock = new SteppedClock();
      const old = { created_at: '2020-01-01T00:00:00Z' };
      server.give((request) => {
        if (path(request).endsWith('/sandboxes/search'))
          return saying({ items: [{ id: 'box', status, ...old }] });
        return request.method === 'POST'
          ? saying({ success: true })
          : saying([
              {
                id: 'a',
                sandbox_id: 'box',
                sandbox_status: status,
                execution_status: null,
                ...old,
              },
            ]);
      });
      service = serviceOf(server, 'v1', { log, clock });
    });

    /**
     * Its state in the lists of sandboxes and conversations, and in the record
     * that a page reads.
     */
    async function statesWhen(given: string): Promise<readonly unknown[]> {
      status = given;
      const { sandboxes, conversations } = service;
      return [
        (await allRows(sandboxes.list()))[0]?.status,
        (await allRows(conversations.list()))[0]?.status,
        (await conversations.find('a'))?.status,
      ];
    }

    for (const [before, listed] of [
      ['RUNNING', ['running', 'running', 'running']],
      ['PAUSED', ['paused', 'stopped', 'stopped']],
    ] as const) {
      it(`counts as unknown until the failure has lasted 30 s if it was ${before} before`, async () => {
        assert.deepEqual(await statesWhen(before), listed);
        assert.deepEqual(await statesWhen('ERROR'), [
          'unknown',
          'unknown',
          'unknown',
        ]);
        clock.advance(29_000);
        assert.deepEqual(await statesWhen('ERROR'), [
          'unknown',
          'unknown',
          'unknown',
        ]);
        assert.deepEqual(await statesWhen(before), listed);
        clock.advance(29_000);
        assert.deepEqual(await statesWhen('ERROR'), [
          'unknown',
          'unknown',
          'unknown',
        ]);
        clock.advance(30_000);
        assert.deepEqual(await statesWhen('ERROR'), [
          'error',
          'error',
          'error',
        ]);
      });
    }

    it('counts as failed at once if it was never seen before', async () => {
      assert.deepEqual(await statesWhen('ERROR'), ['error', 'error', 'error']);
    });

    it('counts as unknown for another 30 s after it was resumed', async () => {
      assert.deepEqual(await statesWhen('ERROR'), ['error', 'error', 'error']);
      await service.sandboxes.resume('box');
      assert.deepEqual(await statesWhen('ERROR'), [
        'unknown',
        'unknown',
        'unknown',
      ]);
      clock.advance(30_000);
      assert.deepEqual(await statesWhen('ERROR'), ['error', 'error', 'error']);
    });

    it('keeps the page from calling it failed', async () => {
      await statesWhen('RUNNING');
      status = 'ERROR';
      const why = async () => {
        const where = await service.agents.locateAgent('a');
        return where.status === 'outOfReach' ? where.why : where.status;
      };
      assert.equal(await why(), 'Its sandbox does not answer at the moment.');
      clock.advance(30_000);
      assert.equal(
        await why(),
        'Its sandbox has failed, or cannot be reached.',
      );
    });
  });

  it('shows a sandbox and its conversation as failed at once when the service gives a reason', async () => {
    let status = 'RUNNING';
    const old = { created_at: '2020-01-01T00:00:00Z' };
    server.give((request) =>
      path(request).endsWith('/sandboxes/search')
        ? saying({
            items: [
              {
                id: 'box',
                status,
                status_detail: status === 'ERROR' ? 'OOM' : null,
                ...old,
              },
            ],
          })
        : saying([
            { id: 'a', sandbox_id: 'box', sandbox_status: status, ...old },
          ]),
    );
    const { conversations, sandboxes } = serviceOf(server, 'v1', {
      log,
      clock: new SteppedClock(),
    });
    const states = async () => [
      (await allRows(sandboxes.list()))[0]?.status,
      (await allRows(conversations.list()))[0]?.status,
    ];
    assert.deepEqual(await states(), ['running', 'running']);
    status = 'ERROR';
    assert.deepEqual(await states(), ['error', 'error']);
  });

  it('gets the ID of a deleted sandbox in both the path and the query', async () => {
    server.give(saying({ success: true }));
    await serviceOf(server, 'v1', { log }).sandboxes.remove('a b');
    assert.deepEqual(server.asked, [
      'DELETE /api/v1/sandboxes/a%20b?sandbox_id=a+b',
    ]);
  });

  it('explains in its own words why it rejects a request', async () => {
    server.give(
      saying({ detail: 'Too many ids requested. Maximum is 99.' }, 400),
    );
    const { conversations } = serviceOf(server, 'v1', { log });
    await assert.rejects(
      conversations.list().next(),
      /Too many ids requested\. Maximum is 99/,
    );
    const most = {
      detail: [
        {
          loc: ['query', 'limit'],
          msg: 'Input should be less than or equal to 100',
        },
      ],
    };
    server.give(saying(most, 422));
    await assert.rejects(
      conversations.list().next(),
      /limit: Input should be less than or equal to 100/,
    );
  });
});
