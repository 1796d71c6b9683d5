import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage, request } from 'node:http';
import type { HeldConversation } from '../../support/demo/records.ts';
import { switchNames } from '../../support/demo/faults/misbehaving.ts';
import { leakedToken } from '../../support/demo/faults/oddRecords.ts';
import {
  absences,
  errorBodies,
  type Misbehaviour,
  redirectStatuses,
  type Switches,
} from '../../support/demo/faults/misbehaviour.ts';
import type {
  AppConversation,
  ConversationInfo,
} from '../../support/demo/records.ts';
import { until } from '../../support/eventually.ts';
import { type Frame, SocketDemo } from './socketClient.ts';
import { type Demo, key, pathOfNextPage, start, stopAll } from './support.ts';

const v0 = '/api/conversations';
const plain = '/api/v1/app-conversations';
const search = `${plain}/search`;
const tasks = `${plain}/start-tasks`;
const sandboxes = '/api/v1/sandboxes/search';
const specs = '/api/v1/sandbox-specs/search';
const nobody = '0'.repeat(32);
const lists = [v0, plain, search, sandboxes, specs];

let demo: Demo;
const tested = new Set<string>();

/**
 * A test of a switch; that there is one for each, the last of the tests checks.
 */
function wrong(
  name: keyof Switches,
  title: string,
  test: () => Promise<void>,
): void {
  tested.add(name);
  it(`simulates ${name}: ${title}`, test);
}

const misbehave = (misbehaviour: Partial<Misbehaviour>) => {
  demo.service.misbehave(misbehaviour);
};

const idsOf = (rows: readonly unknown[]) =>
  (rows as { conversation_id?: string; id?: string }[]).map(
    (row) => row.conversation_id ?? row.id ?? '',
  );

/** The status, the content type and the text of an answer. */
async function raw(path: string, init?: RequestInit) {
  const response = await demo.fetch(path, init);
  const type = response.headers.get('content-type')?.split(';')[0];
  return { status: response.status, type, text: await response.text() };
}

describe('the misbehaving demo service', () => {
  beforeEach(async () => {
    demo = await start();
  });

  afterEach(stopAll);

  describe('with faulty interfaces', () => {
    for (const [name, here, there] of [
      ['noV0', [v0], [plain, search, sandboxes, specs]],
      ['noV1', [plain, search, tasks, sandboxes, specs], [v0]],
    ] as const) {
      wrong(
        name,
        'answers that interface with an error or a page, and the other normally',
        async () => {
          for (const absence of absences) {
            misbehave({ [name]: absence });
            for (const path of here) {
              const { status, type } = await raw(path);
              const expected =
                absence === 'html'
                  ? [200, 'text/html']
                  : [Number(absence), 'application/json'];
              assert.deepEqual([status, type], expected, path);
            }
            for (const path of there)
              assert.equal((await raw(path)).status, 200);
          }
        },
      );
    }

    wrong(
      'noInterrupt',
      'answers an interrupt with an error or a page, and accepts a pause',
      async () => {
        demo = await start({ interface: 'agentServer' });
        const { rows } = await demo.page<HeldConversation>(
          '/api/conversations/search',
        );
        const { id } =
          rows.find((row) => row.execution_status === 'finished') ??
          assert.fail();
        const post = async (what: string) =>
          (await raw(`/api/conversations/${id}/${what}`, { method: 'POST' }))
            .status;
        for (const absence of absences) {
          misbehave({ noInterrupt: absence });
          assert.equal(
            await post('interrupt'),
            absence === 'html' ? 200 : Number(absence),
          );
          assert.equal(await post('pause'), 200);
        }
      },
    );

    wrong(
      'noWorktreeOptions',
      'answers as an Agent Server that lets nobody choose where worktrees start',
      async () => {
        demo = await start({
          interface: 'agentServer',
          misbehaviour: { noWorktreeOptions: true },
        });
        assert.match((await raw('/server_info')).text, /"version":"1\.56\.0"/);
        const create = (more: object) =>
          demo.post('/api/conversations', {
            workspace: { working_dir: '/srv' },
            agent: {},
            worktree: true,
            ...more,
          });
        assert.equal((await create({})).status, 201);
        const { status, body } = await create({
          worktree_options: { base: 'head' },
        });
        assert.equal(status, 422);
        assert.match(
          JSON.stringify(body),
          /"extra_forbidden","loc":\["body","worktree_options"\]/,
        );
      },
    );

    wrong(
      'noRatings',
      'answers as an Agent Server that rates no actions',
      async () => {
        demo = await start({
          interface: 'agentServer',
          misbehaviour: { noRatings: true },
        });
        assert.match((await raw('/server_info')).text, /"version":"1\.16\.1"/);
        const { status } = await demo.post('/api/conversations', {
          workspace: { working_dir: '/srv' },
          agent: {},
          security_analyzer: { kind: 'LLMSecurityAnalyzer' },
        });
        assert.equal(status, 422);
      },
    );

    wrong('htmlAt200', 'answers every request with a web page', async () => {
      misbehave({ htmlAt200: true });
      for (const path of [...lists, tasks]) {
        const { status, type, text } = await raw(path);
        assert.deepEqual([status, type], [200, 'text/html']);
        assert.match(text, /^<!doctype html>/);
      }
      assert.equal((await raw(plain, { method: 'POST' })).type, 'text/html');
    });

    wrong(
      'idsRequired',
      'answers the plain V1 list without IDs with a 422 that names them',
      async () => {
        misbehave({ idsRequired: true });
        assert.deepEqual((await demo.ask(plain)).body, {
          detail: [
            { loc: ['query', 'ids'], msg: 'Field required', type: 'missing' },
          ],
        });
        assert.deepEqual(await demo.get(`${plain}?ids=${nobody}`), [null]);
        assert.equal((await demo.conversations()).length, 60);
        assert.equal((await demo.create('Hello')).status, 200);
      },
    );

    wrong(
      'contractOnlyCreate',
      'returns the new conversation itself, and lists it at once',
      async () => {
        misbehave({ contractOnlyCreate: true });
        const { status, body } = await demo.create('Hello');
        assert.equal(status, 200);
        const conversation = body as unknown as AppConversation;
        assert.deepEqual(
          [conversation.title, conversation.sandbox_status],
          ['Hello', 'STARTING'],
        );
        assert.deepEqual((await demo.conversations())[0], conversation);
        assert.equal((await demo.create('Please fail')).status, 409);
      },
    );

    wrong(
      'strictLimit',
      'answers 500 to more than 99 rows or IDs in V1',
      async () => {
        misbehave({ strictLimit: true });
        assert.equal((await raw(`${search}?limit=100`)).status, 500);
        assert.equal(
          (await raw(`${plain}?${`ids=${nobody}&`.repeat(100)}`)).status,
          500,
        );
        assert.equal((await raw(`${search}?limit=99`)).status, 200);
        assert.equal(
          (await raw(`${plain}?${`ids=${nobody}&`.repeat(99)}`)).status,
          200,
        );
        assert.equal((await raw(`${v0}?limit=100`)).status, 200);
      },
    );

    wrong(
      'unknownCursorIs422',
      'answers an unknown cursor with a 422 that names it',
      async () => {
        misbehave({ unknownCursorIs422: true });
        for (const path of lists) {
          const { status, text } = await raw(`${path}?page_id=x`);
          assert.equal(status, 422, path);
          assert.match(text, /"loc":\["query","page_id"\]/);
        }
        for (const path of lists.slice(0, 3)) {
          const pages = await demo.pages(`${path}?limit=20`);
          assert.equal(pages.length, 3);
        }
      },
    );

    wrong(
      'interfaceLinks',
      'links conversations to the API, in V0 by relative paths',
      async () => {
        misbehave({ interfaceLinks: true });
        const [row] = await demo.rows();
        const [item] = await demo.conversations();
        assert.equal(
          row?.url,
          `/api/conversations/${row?.conversation_id ?? ''}`,
        );
        assert.equal(
          item?.conversation_url,
          `http://localhost:8000/api/conversations/${item?.id ?? ''}`,
        );
      },
    );

    wrong(
      'twoPartCursors',
      'sends V0 cursors as JSON with a part for each version',
      async () => {
        misbehave({ twoPartCursors: true });
        const { next: cursor } = await demo.page(`${v0}?limit=20`);
        const parts = JSON.parse(
          Buffer.from(cursor ?? '', 'base64').toString(),
        ) as object;
        assert.deepEqual(Object.keys(parts), ['v0', 'v1']);
        const pages = await demo.pages(`${v0}?limit=20`);
        assert.equal(new Set(pages.flatMap(idsOf)).size, 60);
        assert.equal((await raw(`${v0}?page_id=x`)).status, 500);
      },
    );

    wrong(
      'errorWhileStarting',
      'reports a starting sandbox as ERROR until it runs',
      async () => {
        misbehave({ errorWhileStarting: true });
        await demo.post('/api/v1/sandboxes');
        const newest = async () => (await demo.sandboxes())[0];
        const { status, status_detail } = (await newest()) ?? assert.fail();
        assert.deepEqual([status, status_detail], ['ERROR', undefined]);
        assert.ok(
          (await demo.conversations()).every(
            (each) => each.sandbox_status !== 'STARTING',
          ),
        );
        assert.ok(
          (await demo.rows('?limit=60')).every(
            (each) => each.status !== 'STARTING',
          ),
        );
        demo.clock.advance(1_500);
        assert.equal((await newest())?.status, 'RUNNING');
      },
    );

    wrong(
      'busySandboxes',
      'reports every running sandbox as ERROR, without a reason',
      async () => {
        const before = await demo.sandboxes();
        const running = new Set(
          before
            .filter(({ status }) => status === 'RUNNING')
            .map(({ id }) => id),
        );
        assert.ok(running.size > 0);
        misbehave({ busySandboxes: true });
        const busy = (await demo.sandboxes()).filter(({ id }) =>
          running.has(id),
        );
        for (const { status, status_detail } of busy)
          assert.deepEqual([status, status_detail], ['ERROR', undefined]);
        const held = (await demo.conversations()).filter(({ sandbox_id }) =>
          running.has(sandbox_id),
        );
        assert.ok(held.length > 0);
        for (const { sandbox_status, execution_status } of held)
          assert.deepEqual([sandbox_status, execution_status], ['ERROR', null]);
      },
    );

    wrong(
      'forgottenConversations',
      'reports no state for some agents in running sandboxes',
      async () => {
        misbehave({ forgottenConversations: true });
        const running = (await demo.conversations()).filter(
          (each) => each.sandbox_status === 'RUNNING',
        );
        const forgotten = running.filter(
          (each) => each.execution_status === null,
        );
        assert.ok(forgotten.length > 2 && forgotten.length < running.length);
      },
    );

    wrong('unknownSandboxes', 'reports every sandbox as UNKNOWN', async () => {
      misbehave({ unknownSandboxes: true });
      assert.deepEqual(
        [
          ...new Set(
            (await demo.sandboxes()).map((each) => each.status as string),
          ),
        ],
        ['UNKNOWN'],
      );
      for (const each of await demo.conversations()) {
        assert.deepEqual(
          [each.sandbox_status as string, each.execution_status],
          ['UNKNOWN', null],
        );
      }
    });

    wrong(
      'placeholderTitles',
      'names conversations after the first digits of their IDs',
      async () => {
        misbehave({ placeholderTitles: true });
        for (const row of await demo.rows()) {
          assert.equal(
            row.title,
            `Conversation ${row.conversation_id.slice(0, 5)}`,
          );
        }
      },
    );

    wrong('oneSpec', 'uses the same spec for all sandboxes', async () => {
      misbehave({ oneSpec: true });
      const [spec, ...others] = await demo.specs();
      assert.deepEqual(others, []);
      const used = (await demo.sandboxes()).map((each) => each.sandbox_spec_id);
      assert.deepEqual([...new Set(used)], [spec?.id]);
    });

    wrong(
      'nullTitles',
      'leaves every conversation of an Agent Server untitled',
      async () => {
        demo = await start({
          interface: 'agentServer',
          misbehaviour: { nullTitles: true },
        });
        const { rows } = await demo.page<HeldConversation>(`${v0}/search`);
        assert.ok(
          rows.length === 60 && rows.every(({ title }) => title === null),
        );
      },
    );

    wrong(
      'emptyAnswers',
      'makes a change, and answers with that status and an empty body',
      async () => {
        const box =
          (await demo.sandboxes()).find(({ status }) => status === 'RUNNING') ??
          assert.fail();
        for (const status of [204, 200]) {
          misbehave({ emptyAnswers: status });
          const verb = status === 204 ? 'pause' : 'resume';
          const answer = await raw(`/api/v1/sandboxes/${box.id}/${verb}`, {
            method: 'POST',
          });
          assert.deepEqual(answer, { status, type: undefined, text: '' });
          demo.clock.advance(1_500);
          const after = (await demo.sandboxes()).find(
            ({ id }) => id === box.id,
          );
          assert.equal(after?.status, status === 204 ? 'PAUSED' : 'RUNNING');
        }
        assert.equal(
          (await raw('/api/v1/sandboxes/gone/pause', { method: 'POST' }))
            .status,
          404,
        );
      },
    );
  });

  describe('with faulty lists', () => {
    wrong(
      'duplicates',
      'begins a page with the last rows of the previous page',
      async () => {
        misbehave({ duplicates: true });
        for (const path of lists) {
          const pages = (await demo.pages(`${path}?limit=2`)).map(idsOf);
          assert.deepEqual(pages[1]?.slice(0, 2), pages[0]);
          misbehave({});
          const good = (await demo.pages(`${path}?limit=100`)).flat();
          assert.equal(new Set(pages.flat()).size, good.length);
          misbehave({ duplicates: true });
        }
      },
    );

    wrong(
      'emptyPages',
      'sends that many empty pages before each page but the first',
      async () => {
        misbehave({ emptyPages: 3 });
        for (const [path, count] of [
          [`${v0}?limit=20`, 3],
          [`${search}?include_sub_conversations=true&limit=30`, 2],
          [`${sandboxes}?limit=4`, 2],
        ] as const) {
          const sizes = (await demo.pages(path)).map((page) => page.length);
          const full = sizes[0] ?? 0;
          assert.deepEqual(sizes, [
            full,
            ...Array.from({ length: count - 1 }, () => [0, 0, 0, full]).flat(),
          ]);
        }
      },
    );

    wrong(
      'filterAfterPaging',
      'filters V0 rows after paging, with uneven pages',
      async () => {
        misbehave({ filterAfterPaging: true });
        const query = 'selected_repository=tidewater/ledger';
        const pages = await demo.pages<ConversationInfo>(
          `${v0}?limit=10&${query}`,
        );
        assert.equal(pages.length, 6);
        assert.ok(pages.some((page) => page.length !== pages[0]?.length));
        misbehave({});
        assert.deepEqual(pages.flat(), await demo.rows(`?limit=60&${query}`));
        misbehave({ filterAfterPaging: true });
        assert.equal(
          (
            await demo.pages(
              `${v0}?conversation_trigger=issue_tracker_b&limit=5`,
            )
          ).length,
          12,
        );
      },
    );

    wrong(
      'repeatedCursor',
      'repeats the cursor of the first page on the second',
      async () => {
        misbehave({ repeatedCursor: true });
        for (const path of lists) {
          const first = await demo.page(`${path}?limit=2`);
          const second = await demo.page(
            pathOfNextPage(`${path}?limit=2`, first.next ?? ''),
          );
          assert.ok(first.next !== null && second.next === first.next, path);
        }
        // Also where everything is on one page.
        assert.notEqual((await demo.page(sandboxes)).next, null);
      },
    );

    wrong(
      'endlessPages',
      'restarts a list at its end, with new cursors',
      async () => {
        misbehave({ endlessPages: true });
        for (const path of lists) {
          const cursors = new Set<string>();
          const ids: string[] = [];
          let page = await demo.page(`${path}?limit=30`);
          for (let count = 0; count < 10; count++) {
            ids.push(...idsOf(page.rows));
            cursors.add(page.next ?? '');
            page = await demo.page(
              pathOfNextPage(`${path}?limit=30`, page.next ?? ''),
            );
          }
          assert.equal(cursors.size, 10);
          assert.ok(new Set(ids).size <= ids.length / 2, path);
        }
      },
    );

    wrong(
      'endlessPages',
      'restarts a list at its end, with fresh IDs',
      async () => {
        misbehave({ endlessPages: 'fresh' });
        for (const path of lists) {
          const ids = idsOf((await demo.pages(`${path}?limit=30`, 10)).flat());
          assert.equal(new Set(ids).size, ids.length, path);
        }
      },
    );

    wrong(
      'failAfterPages',
      'answers 500 after that many pages until the list is restarted',
      async () => {
        misbehave({ failAfterPages: 2 });
        for (const path of lists) {
          let page = await demo.page(`${path}?limit=1`);
          page = await demo.page(
            pathOfNextPage(`${path}?limit=1`, page.next ?? ''),
          );
          const third = pathOfNextPage(`${path}?limit=1`, page.next ?? '');
          assert.equal((await raw(third)).status, 500);
          assert.equal((await raw(third)).status, 500);
          assert.equal((await raw(path)).status, 200);
        }
      },
    );

    wrong(
      'hostileCursor',
      'sends cursors that look like URLs or paths, and accepts them back',
      async () => {
        misbehave({ hostileCursor: true });
        for (const path of lists) {
          const first = await demo.page(`${path}?limit=1`);
          const second = await demo.page(
            pathOfNextPage(`${path}?limit=1`, first.next ?? ''),
          );
          assert.match(
            `${first.next ?? ''} ${second.next ?? ''}`,
            /https:\/\/attacker\.invalid\//,
          );
          assert.match(
            `${first.next ?? ''} ${second.next ?? ''}`,
            /\.\.\/\.\.\//,
          );
          assert.notDeepEqual(idsOf(first.rows), idsOf(second.rows));
        }
        assert.equal((await demo.pages(`${v0}?limit=20`)).flat().length, 60);
      },
    );
  });

  describe('with an app server that is behind its sandboxes', () => {
    wrong(
      'lateEvents',
      'lists the events of an agent without the newest ones',
      async () => {
        const [first] = await demo.conversations();
        const path = `/api/v1/conversation/${first?.id ?? ''}/events/search?sort_order=TIMESTAMP_DESC&limit=`;
        const all = idsOf((await demo.page(`${path}5`)).rows);
        misbehave({ lateEvents: 2 });
        assert.deepEqual(
          idsOf((await demo.page(`${path}3`)).rows),
          all.slice(2),
        );
      },
    );
  });

  describe('with faulty records', () => {
    wrong(
      'zonelessDates',
      'sends dates with microseconds and no time zone',
      async () => {
        const good = await demo.rows();
        misbehave({ zonelessDates: true });
        for (const [index, row] of (await demo.rows()).entries()) {
          assert.match(
            row.created_at,
            /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/,
          );
          assert.equal(
            `${row.created_at.slice(0, -3)}Z`,
            good[index]?.created_at,
          );
        }
        for (const path of lists)
          assert.doesNotMatch((await raw(path)).text, /\d\dZ"/);
      },
    );

    wrong(
      'unknownValues',
      'uses unknown enum values in every second record',
      async () => {
        misbehave({ unknownValues: true });
        const [row, good] = await demo.rows();
        assert.deepEqual(
          [row?.status, row?.runtime_status, row?.trigger, row?.git_provider],
          ['HIBERNATING', 'STATUS$DEFROSTING', 'carrier_pigeon', 'code_host_z'],
        );
        assert.equal(good?.status, 'RUNNING');
        const [conversation] = await demo.conversations();
        assert.deepEqual(
          [conversation?.sandbox_status, conversation?.execution_status],
          ['EVAPORATED', 'daydreaming'],
        );
        assert.equal((await demo.sandboxes())[0]?.status, 'HIBERNATING');
        const { body } = await demo.create('Hello');
        assert.equal((await demo.task(body.id)).status, 'HIBERNATING');
        demo.clock.advance(4_000);
        assert.equal((await demo.task(body.id)).status, 'READY');
      },
    );

    wrong(
      'brokenRecords',
      'breaks every third record in a different way, and leaves the others intact',
      async () => {
        const good = await demo.rows('?limit=60');
        misbehave({ brokenRecords: true });
        const rows: readonly unknown[] = await demo.rows('?limit=60');
        const broken = rows.filter((_, index) => index % 3 === 0);
        assert.deepEqual(
          rows.filter((_, index) => index % 3 !== 0),
          good.filter((_, index) => index % 3 !== 0),
        );
        const kinds = broken.slice(0, 9).map((row) => {
          if (typeof row !== 'object' || row === null || Array.isArray(row))
            return JSON.stringify(row).slice(0, 2);
          const {
            conversation_id: id,
            status,
            created_at: date,
          } = row as Record<string, unknown>;
          return [
            typeof id,
            status === null ? 'null' : typeof status,
            typeof date,
          ].join();
        });
        assert.deepEqual(kinds, [
          'undefined,string,string',
          'object,null,object',
          'nu',
          'number,string,string',
          '"a',
          'string,object,object',
          '[{',
          'string,null,string',
          'string,string,string',
        ]);
        for (const path of [search, sandboxes, specs]) {
          assert.equal(
            'id' in ((await demo.page<object>(path)).rows[0] ?? {}),
            false,
          );
        }
      },
    );

    wrong(
      'missingFields',
      'sends only the required fields of a record',
      async () => {
        misbehave({ missingFields: true });
        const fields = async (path: string) =>
          Object.keys((await demo.page<object>(path)).rows[0] ?? {}).sort();
        assert.deepEqual(await fields(v0), ['conversation_id', 'title']);
        assert.deepEqual(await fields(search), ['id', 'title']);
        assert.deepEqual(await fields(sandboxes), ['id', 'status']);
        assert.deepEqual(await fields(specs), ['id']);
        const { body } = await demo.create('Hello');
        assert.deepEqual(Object.keys(body), ['id', 'status']);
        demo.clock.advance(4_000);
        assert.deepEqual(Object.keys(await demo.task(body.id)), [
          'id',
          'status',
          'app_conversation_id',
          'sandbox_id',
        ]);
        assert.equal(
          'next_page_id' in (await demo.get<object>(sandboxes)),
          false,
        );
        assert.equal('next_page_id' in (await demo.get<object>(v0)), true);
      },
    );

    wrong(
      'extraFields',
      'adds undocumented fields to records and pages',
      async () => {
        misbehave({ extraFields: true });
        for (const path of lists) {
          const { text } = await raw(path);
          const page = JSON.parse(text) as Record<string, unknown>;
          const [row] = (await demo.page<object>(path)).rows;
          for (const name of [
            'agent_kind',
            'tags',
            'constructor',
            'toString',
            '__proto__',
          ]) {
            assert.ok(
              Object.hasOwn(page, name) && Object.hasOwn(row ?? {}, name),
              `${path} ${name}`,
            );
          }
        }
        assert.equal(({} as Record<string, unknown>).polluted, undefined);
        assert.ok('agent_kind' in (await demo.create('Hello')).body);
      },
    );

    wrong(
      'hostileIds',
      'uses IDs that lead elsewhere unless they are encoded',
      async () => {
        misbehave({ hostileIds: true });
        const [conversation] = await demo.conversations();
        const id = encodeURIComponent(conversation?.id ?? '');
        assert.match(
          conversation?.id ?? '',
          /^\.\.\/\.\.\/admin\?delete=1&id=#/,
        );
        assert.equal(idsOf(await demo.rows())[0]?.startsWith('../'), true);
        assert.deepEqual(await demo.get(`${plain}?ids=${id}`), [conversation]);
        const running = (await demo.sandboxes()).find(
          ({ status }) => status === 'RUNNING',
        );
        assert.match(running?.id ?? '', /^\.\.\//);
        const { body } = await demo.create('Hello', {
          sandbox_id: running?.id,
        });
        demo.clock.advance(4_000);
        assert.equal(
          (await demo.task(encodeURIComponent(body.id))).status,
          'READY',
        );
        const path = `/api/v1/sandboxes/${encodeURIComponent(running?.id ?? '')}/pause`;
        assert.deepEqual((await demo.post(path)).body, { success: true });
        assert.equal(
          (await demo.post(`/api/v1/sandboxes/${running?.id ?? ''}/pause`))
            .status,
          404,
        );
      },
    );

    wrong(
      'hostileTitles',
      'puts markup, icons, odd characters and a megabyte into titles',
      async () => {
        misbehave({ hostileTitles: true });
        for (const rows of [
          await demo.rows(),
          await demo.conversations('?limit=20'),
        ]) {
          const titles = rows.map(({ title }) => title);
          assert.ok((titles.at(-1)?.length ?? 0) > 1_000_000);
          const all = titles.slice(0, -1).join('|');
          for (const part of [
            '](command:',
            '<script>',
            '$(error)',
            '\u202E',
            '\r\n',
            '\u0000',
            '||',
            '\uD83D ',
          ]) {
            assert.ok(all.includes(part), part);
          }
        }
      },
    );

    wrong(
      'leakyDetails',
      'puts a token and the key into failure details',
      async () => {
        misbehave({ leakyDetails: true });
        const { body } = await demo.create('Please fail');
        demo.clock.advance(4_000);
        const details = (await demo.sandboxes()).flatMap(
          (row) => row.status_detail ?? [],
        );
        assert.ok(details.length > 0);
        for (const detail of [
          ...details,
          (await demo.task(body.id)).detail ?? '',
        ]) {
          assert.ok(
            detail.includes(leakedToken) && detail.includes(key),
            detail,
          );
        }
      },
    );
  });

  describe('with faulty start tasks', () => {
    wrong(
      'taskNeverEnds',
      'leaves a task waiting for its sandbox even after a day',
      async () => {
        misbehave({ taskNeverEnds: true });
        const { body } = await demo.create('Hello');
        demo.clock.advance(86_400_000);
        const task = await demo.task(body.id);
        assert.deepEqual(
          [task.status, task.app_conversation_id],
          ['WAITING_FOR_SANDBOX', null],
        );
      },
    );

    wrong(
      'taskFails',
      'ends a task in an error, without a conversation',
      async () => {
        misbehave({ taskFails: true });
        const { body, status } = await demo.create('Hello "you"');
        assert.equal(status, 200);
        demo.clock.advance(4_000);
        const task = await demo.task(body.id);
        assert.equal(task.status, 'ERROR');
        assert.ok(task.detail);
        assert.equal((await demo.rows('?limit=61')).length, 60);
      },
    );
  });

  describe('with errors', () => {
    wrong(
      'errorBody',
      'sends an error body of that kind, with status 500 or another one',
      async () => {
        const kinds: Readonly<
          Record<
            (typeof errorBodies)[number],
            readonly [string | undefined, RegExp]
          >
        > = {
          detail: ['application/json', /^\{"detail":"[^"]+"\}$/],
          validation: [
            'application/json',
            /^\{"detail":\[\{"type":"[^"]+","loc":\["query","limit"\],"msg":"[^"]+"\}\]\}$/,
          ],
          msgId: [
            'application/json',
            /^\{"status":"error","message":"[^"]+","msg_id":"[^"]+"\}$/,
          ],
          error: ['application/json', /^\{"error":"[^"]+"\}$/],
          message: ['application/json', /^\{"message":"[^"]+"\}$/],
          string: ['application/json', /^"[^"]+"$/],
          text: ['text/plain', /^[\w /]+$/],
          html: ['text/html', /^<html>.*<\/html>$/],
          empty: [undefined, /^$/],
          hostile: [
            'application/json',
            /^\{"detail":"[^"]+\]\(command:[^"]+"\}$/,
          ],
        };
        for (const kind of errorBodies) {
          for (const errorStatus of [undefined, 418]) {
            misbehave({
              errorBody: kind,
              ...(errorStatus === undefined ? {} : { errorStatus }),
            });
            const { status, type, text } = await raw(v0);
            assert.deepEqual(
              [status, type],
              [errorStatus ?? 500, kinds[kind][0]],
              kind,
            );
            assert.match(text, kinds[kind][1]);
          }
        }
      },
    );

    wrong(
      'errorStatus',
      'sends a detail with that status by default',
      async () => {
        misbehave({ errorStatus: 503 });
        const { status, body } = await demo.ask<{ detail: string }>(v0);
        assert.equal(status, 503);
        assert.equal(typeof body.detail, 'string');
      },
    );

    for (const [name, status] of [
      ['rateLimit', 429],
      ['unavailable', 503],
    ] as const) {
      wrong(
        name,
        `answers ${status} that many times with the given Retry-After, then normally`,
        async () => {
          for (const retryAfter of [
            '7',
            'Thu, 01 Jan 2099 00:00:00 GMT',
            'soon',
            '',
            undefined,
          ]) {
            misbehave({ [name]: { retryAfter, times: 2 } });
            for (const path of [v0, search]) {
              const reply = await demo.ask(path);
              assert.equal(reply.status, status);
              assert.equal(
                reply.headers.get('retry-after'),
                retryAfter ?? null,
              );
            }
            assert.equal((await raw(v0)).status, 200);
          }
        },
      );
    }

    for (const [name, status] of [
      ['unauthorized', 401],
      ['forbidden', 403],
    ] as const) {
      wrong(name, `answers ${status} to the right key`, async () => {
        misbehave({ [name]: true });
        for (const path of lists)
          assert.equal((await demo.ask(path)).status, status);
      });
    }

    wrong('echoKey', 'repeats the sent key in an error', async () => {
      misbehave({ echoKey: true });
      const { status, text } = await raw(v0);
      assert.equal(status, 400);
      assert.ok(text.includes(key));
      misbehave({ echoKey: 502 });
      assert.equal((await raw(v0)).status, 502);
    });
  });

  describe('with redirects', () => {
    const location = async (path: string) => {
      const response = await demo.fetch(path);
      return [response.status, response.headers.get('location')];
    };

    wrong('redirectSelf', 'redirects to the same address', async () => {
      misbehave({ redirectSelf: true });
      for (const path of [v0, `${v0}?limit=3&page_id=%2B`])
        assert.deepEqual(await location(path), [307, path]);
    });

    wrong('redirectOther', 'redirects to the given address', async () => {
      misbehave({ redirectOther: 'https://other.invalid/there' });
      assert.deepEqual(await location(v0), [
        307,
        'https://other.invalid/there',
      ]);
    });

    wrong(
      'redirectWithin',
      'redirects once within the service, then answers',
      async () => {
        misbehave({ redirectWithin: true });
        const [status, target] = await location(`${v0}?limit=3`);
        assert.deepEqual(
          [status, target],
          [307, `${v0}?limit=3&redirected=true`],
        );
        assert.equal((await demo.rows('?limit=3&redirected=true')).length, 3);
      },
    );

    wrong('redirectStatus', 'redirects with that status', async () => {
      for (const redirectStatus of redirectStatuses) {
        misbehave({ redirectSelf: true, redirectStatus });
        assert.deepEqual(await location(v0), [redirectStatus, v0]);
      }
    });
  });

  describe('with faulty transfers', () => {
    /**
     * The answer as it comes from the connection, with what was received of its
     * body until that ended.
     */
    async function receive(until = Infinity): Promise<{
      headers: IncomingMessage['headers'];
      length: number;
      error: string;
    }> {
      const headers = { 'x-session-api-key': key, 'accept-encoding': 'gzip' };
      const call = get(`${demo.service.url}${v0}`, { headers, agent: false });
      const [response] = (await once(call, 'response')) as [IncomingMessage];
      let length = 0;
      try {
        for await (const chunk of response as AsyncIterable<Buffer>) {
          length += chunk.length;
          if (length >= until) break;
        }
        return { headers: response.headers, length, error: '' };
      } catch (error) {
        return {
          headers: response.headers,
          length,
          error: (error as NodeJS.ErrnoException).code ?? '',
        };
      }
    }

    const whole = async () =>
      Number((await receive()).headers['content-length']);

    wrong(
      'held',
      'keeps a request from the service until the misbehaviour is replaced',
      async () => {
        misbehave({ held: true, times: 1 });
        let isAnswered = false;
        const held = demo.fetch(v0).finally(() => (isAnswered = true));
        while (demo.service.requestCount < 1)
          await new Promise((resolve) => setImmediate(resolve));
        assert.equal((await demo.rows()).length, 20);
        assert.equal(isAnswered, false);
        misbehave({});
        assert.equal((await held).status, 200);
      },
    );

    wrong('slowHeaders', 'sends headers only after that time', async () => {
      misbehave({ slowHeaders: 3_600_000, times: 1 });
      const slow = demo.fetch(v0);
      while (demo.service.requestCount < 1)
        await new Promise((resolve) => setImmediate(resolve));
      assert.equal((await demo.rows()).length, 20);
      await demo.service.stop();
      await assert.rejects(slow);
      demo = await start({ misbehaviour: { slowHeaders: 20 } });
      const begin = performance.now();
      assert.equal((await raw(v0)).status, 200);
      assert.ok(performance.now() - begin >= 19);
    });

    wrong(
      'staleConnections',
      'resets a reused connection before the request takes effect',
      async () => {
        misbehave({ staleConnections: true });
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        const ask = async (method: string) => {
          const call = request(
            `${demo.service.url}/api/v1/sandboxes${method === 'GET' ? '/search' : ''}`,
            {
              method,
              agent,
              headers: { 'x-session-api-key': key },
            },
          );
          call.end();
          const [response] = (await once(call, 'response')) as [
            IncomingMessage,
          ];
          response.resume();
          await once(response, 'end');
          // The connection is given back a moment later.
          await new Promise((resolve) => setImmediate(resolve));
          return response.statusCode;
        };
        assert.equal(await ask('GET'), 200);
        await assert.rejects(ask('POST'), { code: 'ECONNRESET' });
        assert.equal(await ask('GET'), 200);
        agent.destroy();
        assert.equal((await fetch(`${demo.service.url}/`)).status, 200);
        misbehave({});
        assert.equal((await demo.sandboxes()).length, 8);
      },
    );

    wrong('stallBody', 'sends the first half of the body', async () => {
      const length = await whole();
      misbehave({ stallBody: true });
      const half = await receive(Math.floor(length / 2));
      assert.deepEqual(
        [half.headers['content-length'], half.length],
        [String(length), Math.floor(length / 2)],
      );
    });

    wrong('reset', 'resets the connection before it answers', async () => {
      misbehave({ reset: true });
      await assert.rejects(receive(), { code: 'ECONNRESET' });
    });

    wrong(
      'resetBody',
      'resets the connection in the middle of the body',
      async () => {
        const length = await whole();
        misbehave({ resetBody: true });
        const { error, length: received, headers } = await receive();
        assert.deepEqual(
          [error, received],
          ['ECONNRESET', Math.floor(length / 2)],
        );
        assert.equal(headers['content-length'], String(length));
      },
    );

    wrong(
      'truncatedJson',
      'completes the response with truncated JSON',
      async () => {
        const good = await raw(v0);
        misbehave({ truncatedJson: true });
        const { status, type, text } = await raw(v0);
        assert.deepEqual([status, type], [200, 'application/json']);
        assert.ok(good.text.startsWith(text));
        assert.throws(() => JSON.parse(text) as unknown, SyntaxError);
      },
    );

    wrong(
      'wrongContentType',
      'labels JSON as plain text or another type',
      async () => {
        const good = await raw(v0);
        misbehave({ wrongContentType: true });
        assert.deepEqual(await raw(v0), { ...good, type: 'text/plain' });
        misbehave({ wrongContentType: 'image/png' });
        assert.deepEqual(await raw(v0), { ...good, type: 'image/png' });
      },
    );

    wrong(
      'gzipBomb',
      'sends a small gzip body that expands to many megabytes',
      async () => {
        misbehave({ gzipBomb: 8 });
        const { headers, length } = await receive();
        assert.equal(headers['content-encoding'], 'gzip');
        assert.ok(length < 20_000, String(length));
        const { text } = await raw(v0);
        assert.ok(text.length > 8 * 1024 * 1024);
        assert.deepEqual(
          (JSON.parse(text) as { results: unknown }).results,
          [],
        );
        misbehave({ gzipBomb: true });
        assert.ok((await receive()).length < 500_000);
      },
    );

    wrong('endlessBody', 'keeps sending for at least 50 MB', async () => {
      misbehave({ endlessBody: true });
      const { length } = await receive(50_000_000);
      assert.ok(length >= 50_000_000);
    });

    wrong('hugeBody', 'sends that many megabytes of valid JSON', async () => {
      misbehave({ hugeBody: 8 });
      const { text } = await raw(v0);
      assert.ok(text.length > 8 * 1024 * 1024);
      assert.doesNotThrow(() => JSON.parse(text) as unknown);
      misbehave({ hugeBody: true });
      assert.ok(
        Number((await receive(1)).headers['content-length']) >
          200 * 1024 * 1024,
      );
    });
  });

  describe('with faulty WebSockets', () => {
    let sockets: SocketDemo;

    beforeEach(async () => {
      sockets = await SocketDemo.start();
      await sockets.say('flood: 20');
    });

    afterEach(async () => {
      await sockets.stop();
    });

    const open = (misbehaviour: Partial<Misbehaviour>) => {
      sockets.service.misbehave(misbehaviour);
      return sockets.open('?after_timestamp=');
    };
    const ids = (frames: readonly Frame[]) =>
      frames.filter((frame) => frame.key !== 'full_state').map(({ id }) => id);

    wrong('socketRefused', 'refuses a WebSocket with that status', async () => {
      const { socket } = open({ socketRefused: 502 });
      const [error] = (await once(socket, 'error')) as [Error];
      assert.match(error.message, /502/);
    });

    wrong('socketClosed', 'closes a WebSocket with that code', async () => {
      assert.equal(await open({ socketClosed: 4001 }).closed, 4001);
    });

    wrong(
      'socketBreaks',
      'drops a WebSocket after at most that many frames',
      async () => {
        const { frames, closed } = open({ socketBreaks: 5 });
        assert.equal(await closed, 1006);
        assert.ok(
          frames.length >= 1 && frames.length <= 5,
          String(frames.length),
        );
      },
    );

    wrong(
      'socketStalls',
      'stops sending after that many frames, and keeps the WebSocket open',
      async () => {
        const { socket, frames } = open({ socketStalls: 3 });
        await until(() => frames.length === 3);
        const { frames: others } = open({});
        await until(() => ids(others).length >= 50);
        assert.equal(frames.length, 3);
        assert.equal(socket.readyState, socket.OPEN);
      },
    );

    wrong('socketLoses', 'loses one frame in that many', async () => {
      while ((await sockets.events()).length < 60);
      const all = (await sockets.events()).map(({ id }) => id);
      const { frames } = open({ socketLoses: 5 });
      await until(() => frames.length >= Math.floor(all.length * 0.8));
      const sent = ids(frames);
      const lost = all.slice(0, 40).filter((id) => !sent.includes(id));
      assert.ok(lost.length >= 7 && lost.length <= 8, String(lost.length));
    });

    wrong('socketRepeats', 'sends events twice', async () => {
      const { frames } = open({ socketRepeats: true });
      await until(() => ids(frames).length >= 20);
      const [first, second, third] = frames;
      assert.equal(first?.id, second?.id);
      assert.notEqual(second?.id, third?.id);
    });

    wrong(
      'socketDisorder',
      'sends all events, but in another order',
      async () => {
        while ((await sockets.events()).length < 60);
        const all = (await sockets.events()).map(({ id }) => id);
        const { frames } = open({ socketDisorder: true });
        await until(() => all.every((id) => ids(frames).includes(id)));
        // Later events may still be on their way.
        const sent = ids(frames).filter((id) => all.includes(id));
        assert.deepEqual(sent.toSorted(), all.toSorted());
        assert.notDeepEqual(sent, all);
      },
    );

    wrong('socketStates', 'sends the whole state repeatedly', async () => {
      const { frames } = open({ socketStates: true });
      await until(
        () => frames.filter((frame) => frame.key === 'full_state').length >= 4,
      );
    });
  });

  describe('with any misbehaviour', () => {
    it('limits misbehaviour to requests that match a text or a pattern', async () => {
      misbehave({ errorStatus: 500, only: `GET ${search}?limit` });
      assert.equal((await raw(`${search}?limit=3`)).status, 500);
      assert.equal((await raw(search)).status, 200);
      misbehave({ errorStatus: 500, only: /^POST .*\/(pause|resume)$/ });
      assert.equal(
        (await raw('/api/v1/sandboxes/x/pause', { method: 'POST' })).status,
        500,
      );
      assert.equal((await raw(sandboxes)).status, 200);
    });

    it('limits misbehaviour to the first matching requests', async () => {
      misbehave({ errorStatus: 500, only: v0, times: 2 });
      const statuses = [];
      for (const path of [v0, search, v0, v0, search])
        statuses.push((await raw(path)).status);
      assert.deepEqual(statuses, [500, 200, 500, 200, 200]);
    });

    wrong(
      'changedFiles',
      'reports the given files, or that many, as changed by an agent',
      async () => {
        demo = await start({ interface: 'agentServer' });
        const { text } = await raw('/api/conversations/search?limit=50');
        const { items } = JSON.parse(text) as {
          items: { id: string; workspace: { working_dir: string } }[];
        };
        const asked = (
          { id, workspace: { working_dir: folder } }: (typeof items)[number],
          what: string,
          path = folder,
        ) =>
          raw(
            `/api/conversations/${id}/${what}?path=${encodeURIComponent(path)}`,
          );
        const found = await Promise.all(
          items.map(async (item) => (await asked(item, 'file/archive')).status),
        );
        const row = items[found.indexOf(200)] ?? assert.fail();
        const ask = (what: string, path?: string) => asked(row, what, path);
        const bytes = (text: string) => Buffer.from(text);
        const path = 'a "b"\nä.ts';
        misbehave({
          changedFiles: [{ path, before: bytes('x\n'), after: bytes('y') }],
        });
        const patch = await ask('file/archive');
        assert.match(
          patch.text,
          /^diff --git "a\/a \\042b\\042\\012\\303\\244\.ts" /,
        );
        assert.ok(
          patch.text.endsWith('-x\n+y\n\\ No newline at end of file\n'),
        );
        assert.deepEqual(JSON.parse((await ask('git/changes')).text), [
          { status: 'UPDATED', path },
        ]);
        const file = `${row.workspace.working_dir}/${path}`;
        assert.equal((await ask('file/download', file)).text, 'y');
        assert.deepEqual(JSON.parse((await ask('git/diff', file)).text), {
          modified: 'y',
          original: 'x\n',
        });
        misbehave({ changedFiles: 300 });
        assert.equal(
          (JSON.parse((await ask('git/changes')).text) as unknown[]).length,
          300,
        );
      },
    );

    it('replaces the previous misbehaviour, and ends it when given none', async () => {
      misbehave({ errorStatus: 500 });
      misbehave({ zonelessDates: true });
      assert.equal((await raw(v0)).status, 200);
      misbehave({ errorStatus: 500, reset: false });
      assert.equal((await raw(v0)).status, 500);
      misbehave({});
      assert.match((await demo.rows())[0]?.created_at ?? '', /Z$/);
    });

    it('never affects web pages or the check of the key', async () => {
      misbehave({ htmlAt200: true, reset: true });
      assert.equal((await fetch(`${demo.service.url}/`)).status, 200);
      misbehave({ unknownValues: true, duplicates: true });
      assert.equal((await fetch(`${demo.service.url}${v0}`)).status, 401);
    });

    it('combines several misbehaviours', async () => {
      misbehave({
        zonelessDates: true,
        emptyPages: 1,
        duplicates: true,
        missingFields: true,
        wrongContentType: true,
      });
      const pages = await demo.pages(`${v0}?limit=20`);
      assert.deepEqual(
        pages.map((page) => page.length),
        [20, 0, 23, 0, 23],
      );
    });

    it('has a test for every switch', () => {
      assert.deepEqual([...tested].sort(), [...switchNames].sort());
    });
  });
});
