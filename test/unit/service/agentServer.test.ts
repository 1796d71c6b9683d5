import assert from 'node:assert/strict';
import { upstream } from '../../../src/service/git/upstream.ts';
import { SteppedClock } from '../../support/steppedClock.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { ServiceError } from '../../../src/service/http/serviceError.ts';
import { readAgentServerConversation } from '../../../src/service/records/conversationRecord.ts';
import { reachableText } from '../../support/reachable.ts';
import type {
  Conversation,
  MarkChange,
} from '../../../src/service/model/entities.ts';
import { followingOf } from '../../../src/state/lists/following.ts';
import {
  type AgentServerStub,
  startAgentServerStub,
} from './agentServerStub.ts';
import { allRows, connect, Lines, serviceOf } from './support.ts';

describe('an Agent Server', () => {
  let stub: AgentServerStub;
  let log: Lines;

  beforeEach(async () => {
    log = new Lines();
    stub = await startAgentServerStub(3);
  });

  afterEach(async () => {
    await stub.stop();
  });

  const service = () => serviceOf(stub, 'agentServer', { log });
  const paths = () => stub.asked.map((line) => line.replace(/\?.*/, ''));

  describe('recognition', () => {
    it('takes two requests, the second of which returns the first page of the list', async () => {
      const client = connect(stub, { log });
      const { value } = await client.conversations().next();
      assert.equal(value?.items.length, 3);
      assert.equal(client.service?.interface, 'agentServer');
      assert.deepEqual(paths(), [
        'GET /api/conversations',
        'GET /api/conversations/search',
      ]);
      await client.recognise();
      await client.conversations().next();
      assert.equal(stub.asked.length, 3);
    });

    it('lists no sandboxes and sends no request for them', async () => {
      const client = connect(stub, { log });
      const [{ value }] = await Promise.all([
        client.sandboxes().next(),
        client.conversations().next(),
      ]);
      assert.deepEqual(value, { items: [], skipped: 0, more: false });
      assert.equal((await client.recognise()).sandboxes, undefined);
      assert.equal(stub.asked.length, 3);
      assert.ok(
        paths().every(
          (path) => !path.includes('v1') && !path.includes('sandbox'),
        ),
      );
    });

    it('sends no detection request when the interface is set', async () => {
      await connect(stub, { log, interface: 'agentServer' }).recognise();
      assert.deepEqual(paths(), ['GET /api/conversations/search']);
    });

    it('rejects a service without the interface and says what was expected', async () => {
      stub.answer = (_request, path) =>
        path.endsWith('/search') ? [404, { detail: 'Not Found' }] : undefined;
      await assert.rejects(
        connect(stub, { log }).recognise(),
        /it has none of the supported interfaces/,
      );
      await assert.rejects(
        connect(stub, { log, interface: 'agentServer' }).recognise(),
        /it does not have the Agent Server interface/,
      );
    });
  });

  describe('the list of conversations', () => {
    const record = {
      id: '5f0c0f6a-9f4e-4c0d-b7a7-a3a0e3b1c2d4',
      title: 'Fix the login page',
      execution_status: 'waiting_for_confirmation',
      workspace: { working_dir: '/srv/agent/shop', kind: 'LocalWorkspace' },
      agent: {
        llm: {
          model: 'model-1',
          api_key: 'canary-key',
          aws_secret_access_key: 'canary-aws',
        },
        tools: [],
      },
      secret_registry: { secret_sources: { TOKEN: 'canary-token' } },
      current_model_id: null,
      stats: {
        usage_to_metrics: {
          default: {
            accumulated_cost: 0.5,
            accumulated_token_usage: {
              prompt_tokens: 300,
              completion_tokens: 60,
            },
          },
          condenser: {
            accumulated_cost: 0.25,
            accumulated_token_usage: {
              prompt_tokens: 20,
              completion_tokens: 4,
            },
          },
          broken: null,
        },
      },
      tags: { team: 'web' },
      parent_conversation_id: 'parent-1',
      created_at: '2026-11-22T13:25:16.715246Z',
      updated_at: '2026-11-22T13:25:21.550836Z',
    };

    it('reads the folder, model, cost, tokens, tags and times of a conversation, but no secrets', () => {
      assert.deepEqual(readAgentServerConversation(record), {
        id: record.id,
        service: '',
        title: 'Fix the login page',
        status: 'running',
        runtime: undefined,
        execution: 'waitingForConfirmation',
        sandboxId: undefined,
        repository: undefined,
        branch: undefined,
        provider: undefined,
        trigger: undefined,
        pullRequests: [],
        connections: 0,
        model: 'model-1',
        folder: '/srv/agent/shop',
        cost: 0.75,
        tokens: { read: 320, written: 64 },
        tags: ['team: web'],
        isPinned: false,
        isArchived: false,
        limit: undefined,
        parentId: 'parent-1',
        link: undefined,
        createdAt: Date.UTC(2026, 10, 22, 13, 25, 16, 715),
        updatedAt: Date.UTC(2026, 10, 22, 13, 25, 21, 550),
      });
      assert.equal(
        readAgentServerConversation({ ...record, current_model_id: 'model-2' })
          ?.model,
        'model-2',
      );
      const told = {
        ...record,
        tags: { team: 'web', pinned: 'yes', archived: 'false' },
        last_user_message_id: 'm1',
      };
      const { tags, isPinned, isArchived, lastMessageId } =
        readAgentServerConversation(told) ?? assert.fail();
      assert.deepEqual(
        [tags, isPinned, isArchived, lastMessageId],
        [['team: web'], true, false, 'm1'],
      );
      assert.doesNotMatch(
        reachableText(readAgentServerConversation(record)),
        /canary/,
      );
    });

    it('reads the limit in the tags as other programs may write it, and shows what it cannot read', () => {
      for (const [costlimit, limit, shown] of [
        ['5', 5, []],
        ['$2.50', 2.5, []],
        ['10 USD', 10, []],
        ['0', 0, []],
        ['much', undefined, ['costlimit: much']],
        ['-1', undefined, ['costlimit: -1']],
        ['1e9', undefined, ['costlimit: 1e9']],
      ] as const) {
        const read = readAgentServerConversation({
          ...record,
          tags: { costlimit },
        });
        assert.deepEqual([read?.limit, read?.tags], [limit, shown], costlimit);
      }
    });

    it('reads a conversation with missing or mistyped fields, but not without an ID', () => {
      const bare = readAgentServerConversation({ id: 'a' });
      assert.deepEqual(
        [bare?.title, bare?.cost, bare?.tokens, bare?.folder],
        ['', undefined, undefined, undefined],
      );
      const odd = Object.fromEntries(
        Object.keys(record).map((name) => [name, name === 'id' ? 'a' : 7]),
      );
      assert.deepEqual(readAgentServerConversation(odd), bare);
      assert.equal(
        readAgentServerConversation({ ...record, id: undefined }),
        undefined,
      );
    });

    it('uses the first message, fetched once, as the title of an unnamed conversation', async () => {
      for (const record of stub.records) record.title = null;
      stub.answer = (_request, path) => {
        if (!path.endsWith('/events/search')) return undefined;
        const text = path.includes(stub.records[0]?.id ?? '')
          ? '\n  Fix the\tlogin \nand more'
          : 'say: hi';
        return [
          200,
          {
            items: [
              {
                id: 'e',
                llm_message: {
                  role: 'user',
                  content: [{ type: 'text', text }],
                },
              },
            ],
          },
        ];
      };
      // A clock that hurries would not wait for the messages.
      const { conversations } = serviceOf(stub, 'agentServer', {
        log,
        clock: systemClock,
      });
      const titles = async () =>
        (await allRows(conversations.list())).map(({ title }) => title);
      assert.deepEqual(await titles(), ['Fix the login', 'say: hi', 'say: hi']);
      const before = stub.asked.length;
      assert.deepEqual(await titles(), ['Fix the login', 'say: hi', 'say: hi']);
      assert.equal(stub.asked.length, before + 1);
      assert.match(
        stub.asked.find((line) => line.includes('events')) ?? '',
        /events\/search\?limit=1&kind=MessageEvent&source=user$/,
      );
      stub.change(stub.records[0], { title: 'Named' });
      assert.equal((await titles())[0], 'Named');
    });

    it('leaves a title empty when its message fails, and retries only after the conversation changes', async () => {
      for (let i = 0; i < 10; i++) stub.add();
      for (const record of stub.records) record.title = null;
      stub.answer = (_request, path) =>
        path.includes('/events/') ? [500, { detail: 'no' }] : undefined;
      const { conversations } = serviceOf(stub, 'agentServer', {
        log,
        clock: systemClock,
      });
      const messages = () =>
        paths().filter((path) => path.includes('/events/')).length;
      assert.ok(
        (await allRows(conversations.list())).every(
          ({ title }) => title === '',
        ),
      );
      assert.equal(messages(), 5);
      for (let i = 0; i < 3; i++) await allRows(conversations.list());
      assert.equal(messages(), stub.records.length);
      // There may be a message now.
      stub.change(stub.records[0], {});
      await allRows(conversations.list());
      assert.equal(messages(), stub.records.length + 1);
    });

    it('lists conversations even if their first messages never arrive', async () => {
      for (const record of stub.records) record.title = null;
      const fetch: typeof globalThis.fetch = (input, init) =>
        (input as URL).pathname.includes('/events/')
          ? new Promise((_resolve, reject) => {
              init?.signal?.addEventListener('abort', () => {
                reject(init.signal?.reason as Error);
              });
            })
          : globalThis.fetch(input, init);
      const { conversations } = serviceOf(stub, 'agentServer', { log, fetch });
      assert.equal((await allRows(conversations.list())).length, 3);
    });

    it('lists every page even if the first row of the next page is deleted', async () => {
      for (let i = 0; i < 30; i++) stub.add();
      const ids = stub.records.map(({ id }) => id);
      const pages = service().conversations.list({}, { size: 10 });
      const seen: string[] = [];
      for (
        let page = await pages.next();
        page.value;
        page = await pages.next()
      ) {
        seen.push(...page.value.items.map(({ id }) => id));
        if (seen.length === 20)
          stub.remove(stub.records.find(({ id }) => id === ids[20]));
      }
      assert.deepEqual(
        seen,
        ids.filter((_id, index) => index !== 20),
      );
      assert.match(
        log.all.join('\n'),
        /A list began again, because the service no longer knows the row/,
      );
    });

    it('lists conversations by last activity when that order is requested', async () => {
      const oldest = stub.records.at(-1);
      stub.change(oldest, {});
      const [first] = await allRows(
        service().conversations.list({ order: 'updated' }),
      );
      assert.equal(first?.id, oldest?.id);
      assert.match(stub.asked[0] ?? '', /sort_order=UPDATED_AT_DESC/);
    });

    it('keeps the age of a conversation that is renamed or pinned, until its agent acts', async () => {
      const record = stub.records.at(-1) ?? assert.fail();
      record.leaf_event_id = 'event-1';
      const { conversations } = service();
      const known = await allRows(conversations.list({ order: 'updated' }));
      const ageOf = (rows: readonly Conversation[]) =>
        rows.find(({ id }) => id === record.id)?.updatedAt;
      const before = ageOf(known);
      stub.change(record, { tags: { pinned: 'true' } });
      const changes = await conversations.changes?.(known);
      const pinned = changes?.changed.find(({ id }) => id === record.id);
      assert.deepEqual([pinned?.isPinned, pinned?.updatedAt], [true, before]);
      stub.change(record, { title: 'Another title' });
      const rows = await allRows(conversations.list({ order: 'updated' }));
      assert.deepEqual(
        [rows[0]?.title, ageOf(rows)],
        ['Another title', before],
      );
      const { compare } =
        followingOf(conversations, { order: 'updated' }) ?? assert.fail();
      assert.deepEqual(
        rows,
        rows.toSorted(compare),
        'new rows are placed as the service sorts',
      );
      stub.change(record, { leaf_event_id: 'event-2' });
      const later = (await conversations.find(record.id))?.updatedAt;
      assert.equal(later, Date.parse(record.updated_at));
      stub.change(record, { execution_status: 'running' });
      assert.equal(
        (await conversations.find(record.id))?.updatedAt,
        Date.parse(record.updated_at),
      );
    });

    it('finds a conversation by its ID, and nothing for an unknown or invalid ID', async () => {
      const { conversations } = service();
      const [record] = stub.records;
      assert.equal(
        (await conversations.find(record?.id ?? ''))?.id,
        record?.id,
      );
      assert.equal(
        await conversations.find('00000000-0000-0000-0000-000000000000'),
        undefined,
      );
      assert.equal(await conversations.find('no id'), undefined);
    });

    it('reads lists and changes in several answers when one would be too large', async () => {
      for (let i = 0; i < 30; i++) stub.add({ growing: 'x'.repeat(60_000) });
      const { conversations } = serviceOf(stub, 'agentServer', {
        log,
        bodyLimit: 500_000,
      });
      assert.equal(
        (await allRows(conversations.list({}, { size: 30 }))).length,
        33,
      );
      const known = await allRows(conversations.list());
      for (const record of stub.records) record.tags = { team: 'web' };
      const changes = [
        await conversations.changes?.(known),
        await conversations.changes?.(known),
      ];
      const changed = new Set(
        changes.flatMap((one) => one?.changed.map(({ id }) => id) ?? []),
      );
      assert.equal(changed.size, 33);
    });
  });

  describe('the creation of a conversation', () => {
    const wanted = {
      message: 'Fix the build',
      folder: '/srv/agent/shop',
      worktree: true,
    };

    it('sends the most steps that an agent may take, if they are chosen', async () => {
      for (const maxSteps of [100, undefined]) {
        await service().creation.create({ ...wanted, maxSteps });
        assert.equal(stub.created.at(-1)?.max_iterations, maxSteps);
      }
    });

    it('creates a conversation in a folder with the active profile and runs it', async () => {
      const created = await service().creation.create(wanted);
      assert.equal(created.kind, 'conversation');
      assert.equal(created.conversation.title, 'Fix the build');
      const [listed] = await allRows(service().conversations.list());
      assert.equal(
        created.conversation.service,
        listed?.service,
        'so that its row is there at once',
      );
      const [body] = stub.created;
      assert.deepEqual(body, {
        conversation_id: created.conversation.id,
        workspace: { working_dir: '/srv/agent/shop' },
        initial_message: {
          role: 'user',
          content: [{ type: 'text', text: 'Fix the build' }],
          run: true,
        },
        agent_profile_id: 'p1',
        worktree: true,
      });
    });

    it('sends what is attached after the message', async () => {
      const picture = { mediaType: 'image/png', base64: 'iVBORw0KGgo=' };
      const attached = [
        { id: 1, name: 'a.png', picture },
        {
          id: 2,
          name: 'Selection',
          text: '`a.ts`:',
          gathered: { leftOut: [] },
        },
        { id: 3, name: 'b.txt', text: 'two' },
      ];
      await service().creation.create({ ...wanted, attached });
      assert.deepEqual(
        (stub.created[0]?.initial_message as { content: unknown }).content,
        [
          { type: 'text', text: 'Fix the build' },
          { type: 'text', text: '`a.ts`:' },
          { type: 'text', text: 'b.txt\n```\ntwo\n```' },
          { type: 'image', image_urls: ['data:image/png;base64,iVBORw0KGgo='] },
        ],
      );
    });

    it('creates a conversation with the chosen profile', async () => {
      await service().creation.create({
        ...wanted,
        profile: { id: 'p2', name: 'second' },
      });
      assert.equal(stub.created[0]?.agent_profile_id, 'p2');
      assert.deepEqual(paths(), ['POST /api/conversations']);
    });

    for (const [start, options] of [
      ['HEAD', { base: 'head' }],
      ['origin/topic', { base: 'ref', ref: 'origin/topic' }],
    ] as const) {
      it(`creates a conversation in a worktree from ${start}`, async () => {
        await service().creation.create({ ...wanted, worktreeStart: start });
        assert.deepEqual(stub.created[0]?.worktree_options, options);
      });
    }

    it('fetches the upstream of the current branch, and creates a conversation in a worktree from there', async () => {
      let output: object = { exit_code: 0, stdout: 'origin/topic\n' };
      stub.answer = (_request, path) =>
        path === '/api/bash/execute_bash_command' ? [200, output] : undefined;
      const create = () =>
        service().creation.create({ ...wanted, worktreeStart: upstream });
      await create();
      assert.deepEqual(
        [stub.created[0]?.worktree_options, paths()],
        [
          { base: 'ref', ref: 'origin/topic' },
          [
            'GET /api/agent-profiles',
            'POST /api/bash/execute_bash_command',
            'POST /api/conversations',
          ],
        ],
      );
      output = {
        exit_code: 128,
        stderr: "fatal: no upstream configured for branch 'topic'",
      };
      await assert.rejects(create, /no upstream configured for branch 'topic'/);
      assert.equal(stub.created.length, 1);
    });

    it('knows that nothing was created when the fetch before it has an unknown outcome', async () => {
      stub.answer = (_request, path) =>
        path === '/api/bash/execute_bash_command' ? [502, {}] : undefined;
      await assert.rejects(
        service().creation.create({ ...wanted, worktreeStart: upstream }),
        (error) =>
          error instanceof ServiceError &&
          error.circumstances.outcomeUnknown === false,
      );
      assert.equal(stub.created.length, 0);
    });

    for (const [version, takesStart] of [
      ['1.56.3', false],
      ['1.57.0', true],
      ['1.58.2', true],
      ['2.0.0', true],
      ['0.99', false],
      ['unknown', false],
    ] as const) {
      it(`starts worktrees ${takesStart ? 'anywhere' : 'only at the default branch'} in version ${version}`, async () => {
        stub.answer = (_request, path) =>
          path === '/server_info' ? [200, { version }] : undefined;
        assert.equal(
          await service().creation.takesWorktreeStart?.(),
          takesStart,
        );
      });
    }

    for (const [version, rates] of [
      ['1.16.9', false],
      ['1.17.0', true],
      ['1.58.2', true],
      ['unknown', false],
    ] as const) {
      it(`rates ${rates ? 'the actions' : 'no actions'} of a new conversation in version ${version}`, async () => {
        stub.answer = (_request, path) =>
          path === '/server_info' ? [200, { version }] : undefined;
        assert.equal(await service().creation.ratesActions?.(), rates);
      });
    }

    it('requires the full path of a folder', async () => {
      for (const folder of [undefined, '', 'shop', './shop', '~']) {
        await assert.rejects(
          service().creation.create({ ...wanted, folder }),
          /Could not create a conversation: .+ \(it needs the full path of the folder to work in\)/,
        );
      }
      await service().creation.create({ ...wanted, folder: 'C:\\shop' });
      assert.equal(stub.created.length, 1);
    });

    for (const [name, profiles, sentence] of [
      [
        'there is no profile',
        [],
        /it has no agent profile: create one where its models are set up/,
      ],
      [
        'no profile is active',
        [{ id: 'a' }, { id: 'b' }],
        /none of its agent profiles is active: choose one/,
      ],
    ] as const) {
      it(`creates nothing and says what to do when ${name}`, async () => {
        stub.answer = (_request, path) =>
          path === '/api/agent-profiles'
            ? [200, { profiles, active_agent_profile_id: null }]
            : undefined;
        await assert.rejects(service().creation.create(wanted), sentence);
        assert.equal(stub.created.length, 0);
      });
    }

    it('lists profiles with their models, where the service tells these', async () => {
      const answers: Record<string, unknown> = {
        '/api/agent-profiles': {
          profiles: [
            { id: 'a', name: 'fast', llm_profile_ref: 'small' },
            { id: 'b', name: 'careful', llm_profile_ref: 'gone' },
          ],
          active_agent_profile_id: 'a',
        },
        '/api/profiles': {
          profiles: [{ name: 'small', model: 'openai/small-1' }],
          active_profile: null,
        },
      };
      stub.answer = (_request, path) =>
        answers[path] ? [200, answers[path]] : undefined;
      const models = async () =>
        ((await service().creation.profiles?.({})) ?? []).map(
          ({ model }) => model,
        );
      assert.deepEqual(await models(), ['openai/small-1', undefined]);
      delete answers['/api/profiles'];
      assert.deepEqual(await models(), [undefined, undefined]);
    });

    it('finds the created conversation by its ID when the answer is lost', async () => {
      stub.loses = (request) => request.method === 'POST';
      const created = await service().creation.create(wanted);
      assert.equal(created.kind, 'conversation');
      assert.equal(created.conversation.id, stub.created[0]?.conversation_id);
      assert.equal(paths().filter((path) => path.startsWith('POST')).length, 1);
    });

    it('reports an unknown outcome when the answer is lost and the conversation is not found', async () => {
      stub.answer = (request) =>
        request.method === 'POST' ? 'close' : undefined;
      await assert.rejects(service().creation.create(wanted), (error) => {
        assert.ok(error instanceof ServiceError);
        assert.match(error.message, /The service may have done this already/);
        return true;
      });
      assert.equal(paths().filter((path) => path.startsWith('POST')).length, 1);
      assert.equal(
        paths().filter((path) => path === 'GET /api/conversations').length,
        3,
      );
    });

    it('reports that nothing was created when the service fails and lists no such conversation', async () => {
      stub.answer = (request) =>
        request.method === 'POST'
          ? [
              500,
              {
                detail: 'Internal Server Error',
                exception: 'Git command failed: git worktree add',
              },
            ]
          : undefined;
      await assert.rejects(service().creation.create(wanted), (error) => {
        assert.ok(error instanceof ServiceError);
        assert.match(
          error.message,
          /failed \(Git command failed: git worktree add\)/,
        );
        assert.equal(error.circumstances.outcomeUnknown, false);
        return true;
      });
    });

    it('waits longer for a creation than for other requests', async () => {
      const clock = new SteppedClock();
      const asked = Promise.withResolvers<undefined>();
      const goOn = Promise.withResolvers<undefined>();
      const fetch: typeof globalThis.fetch = async (input, init) => {
        if (init?.method === 'POST') {
          asked.resolve(undefined);
          await goOn.promise;
        }
        // It would be given up after the deadline.
        init?.signal?.throwIfAborted();
        return await globalThis.fetch(input, init);
      };
      const { creation } = serviceOf(stub, 'agentServer', {
        log,
        fetch,
        clock,
        deadline: 30_000,
      });
      const made = creation.create(wanted);
      await asked.promise;
      clock.advance(60_000);
      goOn.resolve(undefined);
      assert.equal((await made).kind, 'conversation');
    });
  });

  describe('a pin or an archive tag', () => {
    const others = {
      team: 'web',
      '7': 'x'.repeat(256),
      note: ' "ä\u2028\n\u0000🦊" ',
      empty: '',
      archived: 'false',
    };

    /** Serves one conversation as the real service does. */
    function tagged(tags: Record<string, string> | undefined) {
      const record = stub.add({ tags: tags ?? {} });
      if (!tags) delete (record as { tags?: unknown }).tags;
      stub.answer = ({ method }, path, body) => {
        if (path !== `/api/conversations/${record.id}`) return undefined;
        if (method !== 'PATCH') return [200, record];
        Object.assign(record, JSON.parse(body));
        return [200, { success: true }];
      };
      stub.asked.length = 0;
      const { mark = assert.fail(), setLimit = assert.fail() } =
        service().editing;
      return {
        record,
        mark: (change: MarkChange) => mark(record.id, change),
        setLimit: (limit?: number) => setLimit(record.id, limit),
      };
    }

    it('takes one write between two reads, which keeps the other tags byte for byte', async () => {
      const { record, mark } = tagged(others);
      const tags = () => Buffer.from(JSON.stringify(record.tags)).toString();
      await mark('pin');
      assert.equal(tags(), JSON.stringify({ ...others, pinned: 'true' }));
      assert.deepEqual(stub.asked, [
        `GET /api/conversations/${record.id}`,
        `PATCH /api/conversations/${record.id}`,
        `GET /api/conversations/${record.id}`,
      ]);
      await mark('archive');
      assert.deepEqual(record.tags, {
        ...others,
        pinned: 'true',
        archived: 'true',
      });
      await mark('unpin');
      await mark('unarchive');
      const { archived, ...rest } = others;
      assert.deepEqual([record.tags, archived], [rest, 'false']);
    });

    it('sets and removes the tag of a limit, and keeps the others', async () => {
      const { record, setLimit } = tagged(others);
      await setLimit(2.5);
      assert.deepEqual(record.tags, { ...others, costlimit: '2.5' });
      await setLimit();
      assert.deepEqual(record.tags, others);
    });

    it('sets a tag again that another window has undone, once, and keeps the tag of that window', async () => {
      for (const times of [1, 5]) {
        const { record, mark } = tagged({});
        const { answer } = stub;
        let undone = 0;
        stub.answer = (request, path, body) => {
          const given = answer(request, path, body);
          // It has read the tags before.
          if (request.method === 'PATCH' && undone++ < times)
            record.tags = { archived: 'true' };
          return given;
        };
        await mark('pin');
        assert.equal(undone, 2);
        assert.deepEqual(record.tags, {
          archived: 'true',
          ...(times === 1 && { pinned: 'true' }),
        });
      }
    });

    it('leaves tags alone that are as wanted already', async () => {
      const { mark } = tagged({ pinned: 'by another program' });
      await mark('pin');
      await mark('unarchive');
      assert.deepEqual(
        stub.asked.map((asked) => asked.split(' ')[0]),
        ['GET', 'GET'],
      );
    });

    it('leaves tags alone that cannot be read, and tries to write them once', async () => {
      const { record, mark } = tagged(undefined);
      await assert.rejects(
        mark('pin'),
        /Could not pin the conversation: .+ does not contain tags/,
      );
      const after = (status: number) => {
        const { answer } = stub;
        stub.answer = (request, path, body) =>
          request.method === 'PATCH'
            ? [status, { detail: 'busy' }]
            : answer(request, path, body);
      };
      record.tags = { team: 'web' };
      after(503);
      stub.asked.length = 0;
      await assert.rejects(
        mark('archive'),
        /Could not archive the conversation/,
      );
      assert.deepEqual(
        stub.asked.filter((asked) => asked.startsWith('PATCH')).length,
        1,
      );
      assert.deepEqual(record.tags, { team: 'web' });
    });
  });

  describe('the suggestion of folders', () => {
    const home = {
      home: '/srv/agent',
      favorites: [{ label: 'shop', path: '/srv/agent/shop' }, { label: 'odd' }],
    };
    const workspaces = {
      workspaces: [
        { id: 'w', name: 'api', path: '/srv/agent/api' },
        { id: 'x', name: 'shop', path: '/srv/agent/shop' },
      ],
    };

    it('suggests workspaces, favourites and the home folder, each once', async () => {
      stub.answer = (_request, path) =>
        path === '/api/workspaces'
          ? [200, workspaces]
          : path === '/api/file/home'
            ? [200, home]
            : undefined;
      assert.deepEqual(await service().creation.folders?.suggested(), [
        { path: '/srv/agent/api', origin: 'workspace' },
        { path: '/srv/agent/shop', origin: 'workspace' },
        { path: '/srv/agent', origin: 'home' },
      ]);
    });

    it('suggests the remaining folders when the workspaces cannot be read', async () => {
      for (const status of [404, 409, 500]) {
        stub.answer = (_request, path) =>
          path === '/api/workspaces'
            ? [status, { detail: 'Workspaces file is corrupted' }]
            : path === '/api/file/home'
              ? [200, home]
              : undefined;
        assert.equal(
          (await service().creation.folders?.suggested())?.length,
          2,
        );
      }
    });

    it('lists the folders inside a folder, page by page', async () => {
      stub.answer = (request, path) => {
        if (path !== '/api/file/search_subdirs') return undefined;
        const { searchParams } = new URL(request.url ?? '', 'http://stub');
        assert.equal(searchParams.get('path'), '/srv/agent');
        return searchParams.has('page_id')
          ? [
              200,
              {
                items: [{ name: 'b', path: '/srv/agent/b' }],
                next_page_id: null,
              },
            ]
          : [
              200,
              {
                items: [{ name: 'a', path: '/srv/agent/a' }],
                next_page_id: 'b',
              },
            ];
      };
      assert.deepEqual(
        await allRows(
          service().creation.folders?.below('/srv/agent') ?? assert.fail(),
        ),
        [
          { path: '/srv/agent/a', origin: 'below' },
          { path: '/srv/agent/b', origin: 'below' },
        ],
      );
    });
  });
});
