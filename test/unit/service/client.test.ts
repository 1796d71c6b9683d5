import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { Misbehaviour } from '../../support/demo/faults/misbehaviour.ts';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../../support/demo/faults/misbehavingDemo.ts';
import type { ServiceInterface } from '../../../src/service/abilities/agentService.ts';
import type {
  ClientOptions,
  ServiceClient,
} from '../../../src/service/client.ts';
import { startStages, triggers } from '../../../src/service/model/entities.ts';
import { HurriedClock } from '../../support/hurriedClock.ts';
import { reachableText } from '../../support/reachable.ts';
import {
  allRows,
  connect as connectTo,
  key,
  Lines,
  serviceOf,
} from './support.ts';

describe('the client', () => {
  let demo: MisbehavingDemo;
  let lines: Lines;

  beforeEach(async () => {
    lines = new Lines();
    demo = await startMisbehavingDemo({ key });
  });

  afterEach(async () => {
    await demo.stop();
  });

  const connect = (options: Partial<ClientOptions> = {}): ServiceClient =>
    connectTo(demo, { log: lines, ...options });

  const service = (
    kind: ServiceInterface,
    options: Partial<ClientOptions> = {},
  ) => serviceOf(demo, kind, { log: lines, ...options });

  const paths = () =>
    demo.requests.map(({ method, path }) => `${method} ${path}`);

  /** A service with these habits; the one of the test before is stopped. */
  async function withHabits(
    misbehaviour: Partial<Misbehaviour>,
  ): Promise<void> {
    await demo.stop();
    demo = await startMisbehavingDemo({ key, misbehaviour });
  }

  describe('with automatic detection', () => {
    it('lists conversations through V0 when available and adds the state of their agents', async () => {
      const client = connect();
      assert.equal(client.service?.interface, undefined);
      const rows = await allRows(client.conversations());
      assert.equal(client.service?.interface, 'v0');
      assert.equal(rows.length, 60);
      assert.ok(rows.some(({ runtime }) => runtime !== undefined));
      assert.ok(
        rows.some(({ execution }) => execution === 'waitingForConfirmation'),
      );
      assert.ok(rows.some(({ sandboxId }) => sandboxId !== undefined));
    });

    for (const noV0 of ['404', '410', '405', 'html'] as const) {
      it(`lists conversations through V1 when V0 is missing (${noV0}), and tries V0 only once`, async () => {
        await withHabits({ noV0 });
        const client = connect();
        assert.equal((await client.recognise()).interface, 'v1');
        assert.equal((await allRows(client.conversations())).length, 60);
        assert.equal(client.service?.interface, 'v1');
        assert.equal(
          paths().filter((path) => path === 'GET /api/conversations').length,
          1,
        );
      });

      it(`lists conversations through V0 without agent states when V1 is missing (${noV0})`, async () => {
        await withHabits({ noV1: noV0 });
        const rows = await allRows(connect().conversations());
        assert.equal(rows.length, 60);
        assert.ok(rows.every(({ execution }) => execution === undefined));
        assert.equal(paths().filter((path) => path.includes('/v1/')).length, 1);
      });
    }

    it('reports that the address is not an agent service when both V0 and V1 are missing', async () => {
      await withHabits({ noV0: '404', noV1: '404' });
      await assert.rejects(
        connect().recognise(),
        /does not answer like an agent service.*Check the address/,
      );
    });

    it('recognises the service by the first list, without an extra request', async () => {
      const client = connect();
      const page = await client.conversations().next();
      assert.equal(page.value?.items.length, 20);
      assert.equal(await client.recognise(), client.service);
      assert.deepEqual(paths(), [
        'GET /api/conversations',
        'GET /api/v1/app-conversations',
      ]);
    });

    it('shares one detection of the interface between conversations and sandboxes', async () => {
      const client = connect();
      const [conversations, sandboxes] = await Promise.all([
        client.conversations().next(),
        allRows(client.sandboxes()),
      ]);
      assert.equal(conversations.value?.items.length, 20);
      assert.equal(sandboxes.length, 8);
      assert.deepEqual(paths(), [
        'GET /api/conversations',
        'GET /api/v1/app-conversations',
        'GET /api/v1/sandboxes/search',
      ]);
    });

    it('detects the interface only once when sandboxes are requested first', async () => {
      const client = connect();
      await Promise.all([
        allRows(client.sandboxes()),
        client.conversations().next(),
        client.recognise(),
      ]);
      const first = demo.requests.filter(
        ({ path, query }) =>
          path === '/api/conversations' && query.get('limit') === '1',
      );
      assert.equal(first.length, 1);
      const begun = paths().indexOf('GET /api/v1/app-conversations');
      assert.equal(paths().slice(0, begun).length, 1);
    });

    it('lists no sandboxes while the detection of the interface fails', async () => {
      await withHabits({ errorStatus: 500, only: '/api/conversations' });
      const client = connect();
      await assert.rejects(
        client.sandboxes().next(),
        /Could not list the sandboxes: .+ failed/,
      );
      assert.deepEqual(paths(), ['GET /api/conversations']);
      assert.equal(
        (await allRows(connect({ interface: 'v1' }).sandboxes())).length,
        8,
      );
    });

    it('repeats the detection when the caller that began it cancels', async () => {
      const client = connect();
      const controller = new AbortController();
      const first = client
        .conversations({}, { signal: controller.signal })
        .next();
      const sandboxes = allRows(client.sandboxes());
      controller.abort();
      await assert.rejects(first, /canceled/);
      assert.equal((await sandboxes).length, 8);
    });

    it('treats a V0 list that requires IDs as another interface, not as a bad request', async () => {
      const fetch: typeof globalThis.fetch = (input, init) =>
        (input as URL).pathname === '/api/conversations'
          ? Promise.resolve(
              Response.json(
                { detail: [{ loc: ['query', 'ids'], msg: 'Field required' }] },
                { status: 422 },
              ),
            )
          : globalThis.fetch(input, init);
      assert.equal((await connect({ fetch }).recognise()).interface, 'v1');
      await withHabits({ noV1: '404' });
      await assert.rejects(
        connect({ fetch }).recognise(),
        /it has none of the supported interfaces/,
      );
      await assert.rejects(
        connect({ fetch, interface: 'v0' }).recognise(),
        /does not have the V0 interface/,
      );
    });

    it('does not mistake a failure for a missing interface', async () => {
      await withHabits({ errorBody: 'detail', errorStatus: 500 });
      const client = connect();
      await assert.rejects(client.recognise(), /failed/);
      demo.misbehave({});
      assert.equal((await client.recognise()).interface, 'v0');
    });
  });

  describe('with a fixed interface', () => {
    it('uses only the interface that is set', async () => {
      await allRows(connect({ interface: 'v1' }).conversations());
      assert.ok(!paths().includes('GET /api/conversations'));
    });

    it('reports that the service does not have the interface that is set', async () => {
      await withHabits({ noV0: '404' });
      await assert.rejects(
        connect({ interface: 'v0' }).recognise(),
        /it does not have the V0 interface/,
      );
    });
  });

  describe('the list of conversations', () => {
    it('sends all four parameters of the V0 search', async () => {
      const pages = connect({ interface: 'v0' }).conversations({
        repository: 'octo/a b',
        trigger: 'gui',
      });
      await pages.next({ size: 7 });
      const [request] = demo.requests;
      assert.deepEqual(Object.fromEntries(request?.query ?? []), {
        limit: '7',
        selected_repository: 'octo/a b',
        conversation_trigger: 'gui',
      });
      const all = connect({ interface: 'v0' }).conversations({}, { size: 7 });
      await all.next();
      await all.next();
      const next = demo.requests.findLast(
        ({ path }) => path === '/api/conversations',
      );
      assert.match(next?.query.get('page_id') ?? '', /=/);
    });

    it('filters by repository and by every trigger through V0', async () => {
      const client = connect({ interface: 'v0' });
      const rows = await allRows(client.conversations({}, { size: 100 }));
      const repository =
        rows.find((row) => row.repository !== undefined)?.repository ??
        assert.fail();
      const wanted = rows.filter((row) => row.repository === repository).length;
      assert.equal(
        (await allRows(client.conversations({ repository }))).length,
        wanted,
      );
      for (const trigger of triggers) {
        const found = await allRows(client.conversations({ trigger }));
        assert.equal(
          found.length,
          rows.filter((row) => row.trigger === trigger).length,
        );
      }
    });

    it('reports the parameter that a service rejects', async () => {
      await withHabits({ errorBody: 'validation', errorStatus: 422 });
      await assert.rejects(
        connect({ interface: 'v0' })
          .conversations({ trigger: 'nonsense' })
          .next(),
        /Could not list the conversations: http:\S+ did not accept the request \(limit: .+\)/,
      );
    });

    it('filters by title through V1 when it offers a search', async () => {
      await withHabits({ idsRequired: true });
      const client = connect({ interface: 'v1' });
      const [first] = await allRows(client.conversations());
      const title = first?.title.slice(0, 12) ?? '';
      const found = await allRows(client.conversations({ title }));
      assert.ok(
        found.length > 0 && found.every((row) => row.title.includes(title)),
      );
    });

    it('lists conversations by the V1 search when the plain V1 list requires IDs, and remembers it', async () => {
      await withHabits({ idsRequired: true });
      const client = connect({ interface: 'v1' });
      await client.conversations().next();
      await client.conversations().next();
      assert.deepEqual(paths(), [
        'GET /api/v1/app-conversations',
        'GET /api/v1/app-conversations/search',
        'GET /api/v1/app-conversations/search',
      ]);
    });

    it('asks V1 for fewer than 100 rows at a time, even if more are requested', async () => {
      await withHabits({ strictLimit: true });
      assert.equal(
        (
          await allRows(
            connect({ interface: 'v1' }).conversations({}, { size: 500 }),
          )
        ).length,
        60,
      );
      await allRows(
        connect({ interface: 'v0' }).conversations({}, { size: 500 }),
      );
    });

    for (const [name, misbehaviour] of Object.entries({
      duplicates: { duplicates: true },
      'empty pages': { emptyPages: 3 },
      'unknown values': { unknownValues: true },
      'missing fields': { missingFields: true },
      'extra fields': { extraFields: true },
      'dates without a zone': { zonelessDates: true },
    } satisfies Record<string, Partial<Misbehaviour>>)) {
      it(`loses and repeats no rows with ${name}`, async () => {
        const ids = (await allRows(connect().conversations())).map(
          ({ id }) => id,
        );
        for (const kind of ['v0', 'v1'] as const) {
          demo.misbehave(misbehaviour);
          const rows = await allRows(
            connect({ interface: kind }).conversations(),
          );
          assert.equal(rows.length, ids.length, kind);
        }
      });
    }

    it('reads dates without a time zone as UTC', async () => {
      const [before] = await allRows(connect().conversations());
      demo.misbehave({ zonelessDates: true });
      const [after] = await allRows(connect().conversations());
      assert.equal(after?.createdAt, before?.createdAt);
    });

    it('skips broken records and counts them', async () => {
      await withHabits({ brokenRecords: true });
      const pages = connect({ interface: 'v0' }).conversations(
        {},
        { size: 100 },
      );
      const { value } = await pages.next();
      assert.ok((value?.skipped ?? 0) > 0);
      assert.ok((value?.items.length ?? 0) > 0);
      assert.match(
        lines.all.join('\n'),
        /\d+ of \d+ records of a page could not be read/,
      );
    });

    it('ends a list when a cursor repeats or looks like a URL', async () => {
      for (const misbehaviour of [
        { repeatedCursor: true },
        { hostileCursor: true },
      ] satisfies Partial<Misbehaviour>[]) {
        demo.misbehave(misbehaviour);
        for (const kind of ['v0', 'v1'] as const)
          await allRows(connect({ interface: kind }).conversations());
      }
      assert.ok(demo.requests.every(({ path }) => path.startsWith('/api/')));
    });

    it('continues after the last loaded page when the next one has failed', async () => {
      await withHabits({ failAfterPages: 2 });
      const pages = connect({ interface: 'v1' }).conversations(
        {},
        { size: 10 },
      );
      await pages.next();
      await pages.next();
      await assert.rejects(pages.next(), /failed/);
      demo.misbehave({});
      const { value } = await pages.next();
      assert.equal(value?.items.length, 10);
    });
  });

  describe('the search for a conversation', () => {
    it('finds a conversation through V1 by its ID, with or without dashes', async () => {
      const { conversations } = service('v1');
      const [first] = await allRows(conversations.list());
      const id = first?.id ?? assert.fail();
      const dashed = id
        .replaceAll('-', '')
        .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
      for (const spelling of [id, dashed]) {
        assert.equal((await conversations.find(spelling))?.title, first?.title);
      }
      assert.equal(
        await conversations.find('00000000000000000000000000000000'),
        undefined,
      );
    });

    it('finds a conversation through V0 when V1 is missing', async () => {
      await withHabits({ noV1: '404' });
      const { conversations } = service('v0');
      const rows = await allRows(conversations.list());
      const last = rows.at(-1) ?? assert.fail();
      assert.equal((await conversations.find(last.id))?.title, last.title);
    });
  });

  describe('the creation of a conversation', () => {
    const wanted = {
      message: 'Fix the build',
      repository: 'octo/shop',
      branch: 'main',
      provider: 'github',
    };

    it('follows a new conversation through its stages until it is ready', async () => {
      await demo.stop();
      const clock = new HurriedClock(20);
      demo = await startMisbehavingDemo({ key, clock });
      const client = connect({ clock });
      const { creation, conversations } = service('v1', { clock });
      const created = await creation.create(wanted);
      assert.equal(created.kind, 'task');
      const seen = [];
      for await (const task of client.followStart(created.task))
        seen.push(task);
      const stages = seen.map(({ stage }) => stage as string);
      assert.equal(stages.at(-1), 'ready');
      assert.deepEqual(
        stages,
        startStages.filter((stage) => stages.includes(stage)),
      );
      const conversation = await conversations.find(
        seen.at(-1)?.conversationId ?? '',
      );
      assert.equal(conversation?.repository, 'octo/shop');
      assert.equal(conversation.branch, 'main');
    });

    it('accepts a conversation instead of a start task as the answer', async () => {
      await withHabits({ contractOnlyCreate: true });
      const created = await service('v1').creation.create(wanted);
      assert.equal(created.kind, 'conversation');
      assert.equal(created.conversation.repository, 'octo/shop');
    });

    it('reports the reason when the start fails', async () => {
      await withHabits({ taskFails: true });
      const client = connect();
      const created = await service('v1').creation.create(wanted);
      assert.equal(created.kind, 'task');
      let last = created.task;
      for await (const task of client.followStart(last)) last = task;
      assert.equal(last.stage, 'error');
      assert.ok(last.detail);
    });

    it('stops following a start after 10 minutes, with fewer requests over time', async () => {
      await withHabits({ taskNeverEnds: true });
      const client = connect({ clock: new HurriedClock(600) });
      const created = await service('v1').creation.create(wanted);
      assert.equal(created.kind, 'task');
      await assert.rejects(async () => {
        for await (const task of client.followStart(created.task))
          assert.notEqual(task.stage, 'ready');
      }, /did not finish within 10 minutes/);
      // Ten within the first ten seconds, and then one every three.
      const looks = demo.requests.filter(({ path }) =>
        path.endsWith('/start-tasks'),
      );
      assert.ok(
        looks.length <= 10 + 590 / 3 + 1,
        `it has looked ${looks.length} times`,
      );
    });

    it('stops following a start when cancelled', async () => {
      await withHabits({ taskNeverEnds: true });
      const client = connect();
      const created = await service('v1').creation.create(wanted);
      assert.equal(created.kind, 'task');
      const controller = new AbortController();
      await assert.rejects(async () => {
        for await (const { stage } of client.followStart(created.task, {
          signal: controller.signal,
        })) {
          assert.notEqual(stage, 'ready');
          controller.abort();
        }
      }, /canceled/);
    });
  });

  describe('a sandbox', () => {
    it('lists sandboxes and specs, and starts, pauses and resumes a sandbox', async () => {
      await demo.stop();
      const clock = new HurriedClock(50);
      demo = await startMisbehavingDemo({ key, clock });
      const { sandboxes } = service('v1', { clock });
      const specs = await allRows(sandboxes.specs());
      assert.ok(specs.length > 1);
      const started = await sandboxes.start(specs[1]?.id);
      assert.equal(started.specId, specs[1]?.id);
      assert.ok((await sandboxes.start()).specId);
      assert.equal(
        demo.requests.at(-2)?.query.get('sandbox_spec_id'),
        specs[1]?.id,
      );

      const rows = await allRows(sandboxes.list());
      assert.ok(rows.some(({ id }) => id === started.id));
      const running =
        rows.find(({ status }) => status === 'running') ?? assert.fail();
      const status = async () =>
        (await allRows(sandboxes.list())).find(({ id }) => id === running.id)
          ?.status;
      await sandboxes.pause(running.id);
      while ((await status()) !== 'paused');
      await sandboxes.resume(running.id);
      while ((await status()) !== 'running');
    });

    it('reports that a sandbox no longer exists', async () => {
      await assert.rejects(
        service('v1').sandboxes.pause('gone'),
        /Could not pause the sandbox: http:\S+ could not find it/,
      );
    });

    it('never lets an ID lead to another operation', async () => {
      for (const id of [
        '../../conversations',
        'a/b',
        'a?b=c',
        'a#b',
        '%2e%2e',
        '..',
        '.',
        '',
        'ä ö',
      ]) {
        await assert.rejects(service('v1').sandboxes.resume(id), {
          name: 'UserError',
        });
      }
      for (const { path, query } of demo.requests) {
        assert.match(path, /^\/api\/v1\/sandboxes\/[^/?#]+\/resume$/);
        assert.equal(query.size, 0);
      }
    });
  });

  it('sends the key only in the chosen header, and no key when none is set', async () => {
    for (const [authentication, header, value] of [
      ['sessionKey', 'x-session-api-key', key],
      ['bearer', 'authorization', `Bearer ${key}`],
      ['accessToken', 'x-access-token', key],
    ] as const) {
      await service('v1', { authentication }).sandboxes.list().next();
      const headers = demo.requests.at(-1)?.headers ?? {};
      assert.equal(headers[header], value);
      assert.equal(
        Object.values(headers).filter((text) => text.includes(key)).length,
        1,
      );
    }
    for (const options of [
      { authentication: 'none' },
      { key: undefined },
    ] as const) {
      await assert.rejects(
        service('v1', options).sandboxes.list().next(),
        /requires a key/,
      );
      assert.doesNotMatch(
        inspect(demo.requests.at(-1)?.headers),
        new RegExp(key),
      );
    }
  });

  it('sends requests below the path of the address', async () => {
    const address = new URL(`${demo.url}/base`);
    await assert.rejects(service('v1', { address }).sandboxes.list().next());
    assert.equal(demo.requests.at(-1)?.path, '/base/api/v1/sandboxes/search');
  });

  it('uses the given fetch', async () => {
    let calls = 0;
    const fetch: typeof globalThis.fetch = (...args) => {
      calls++;
      return globalThis.fetch(...args);
    };
    await service('v1', { fetch }).sandboxes.list().next();
    assert.equal(calls, 1);
  });

  it('drops every secret of every record', async () => {
    const { conversations, creation, sandboxes } = service('v1');
    const seen = await Promise.all([
      allRows(service('v0').conversations.list()),
      allRows(conversations.list()),
      allRows(sandboxes.list()),
      allRows(sandboxes.specs()),
      creation.create({ message: 'x' }),
      sandboxes.start(),
    ]);
    const found = reachableText(seen);
    assert.ok(found.includes('box-') && lines.all.length > 0);
    assert.doesNotMatch(found + lines.all.join('\n'), /demo-secret|canary/);
  });
});
