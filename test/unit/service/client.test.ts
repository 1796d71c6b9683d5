import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { Log } from '../../../src/base/log.ts';
import { Secret } from '../../../src/base/secret.ts';
import type { Misbehaviour } from '../../../src/demo/misbehaviour.ts';
import { type DemoService, startDemo } from '../../../src/demo/server.ts';
import { type ClientOptions, createClient, type ServiceClient } from '../../../src/service/client.ts';
import type { Pages } from '../../../src/service/pages.ts';
import { startStages, triggers } from '../../../src/service/types.ts';
import { HurriedClock } from '../../support/hurriedClock.ts';

const key = 'canary-account-key';

async function all<T>(pages: Pages<T>): Promise<T[]> {
  const items: T[] = [];
  for await (const page of pages) items.push(...page.items);
  return items;
}

describe('the client', () => {
  let demo: DemoService;
  let lines: string[];
  const log: Log = {
    debug: (line) => lines.push(line),
    warn: (line) => lines.push(line),
  };

  beforeEach(async () => {
    lines = [];
    demo = await startDemo({ key });
  });

  afterEach(async () => {
    await demo.stop();
  });

  function connect(options: Partial<ClientOptions> = {}): ServiceClient {
    return createClient({
      address: new URL(demo.url),
      authentication: 'sessionKey',
      key: new Secret(key),
      api: 'auto',
      clock: new HurriedClock(100),
      log,
      ...options,
    });
  }

  const paths = () => demo.requests.map(({ method, path }) => `${method} ${path}`);

  /** A service with these habits; the one of the test before is stopped. */
  async function withHabits(misbehaviour: Partial<Misbehaviour>): Promise<void> {
    await demo.stop();
    demo = await startDemo({ key, misbehaviour });
  }

  describe('in auto', () => {
    it('lists through V0 where that is, and adds what the agents do', async () => {
      const client = connect();
      assert.equal(client.interface, undefined);
      const rows = await all(client.conversations());
      assert.equal(client.interface, 'v0');
      assert.equal(rows.length, 60);
      assert.ok(rows.some(({ runtime }) => runtime !== undefined));
      assert.ok(rows.some(({ execution }) => execution === 'waitingForConfirmation'));
      assert.ok(rows.some(({ sandboxId }) => sandboxId !== undefined));
    });

    for (const noV0 of ['404', '410', '405', 'html'] as const) {
      it(`lists through V1 where V0 is absent (${noV0}), and asks for V0 only once`, async () => {
        await withHabits({ noV0 });
        const client = connect();
        assert.equal(await client.detect(), 'v1');
        assert.equal((await all(client.conversations())).length, 60);
        assert.equal(client.interface, 'v1');
        assert.equal(paths().filter((path) => path === 'GET /api/conversations').length, 1);
      });

      it(`shows V0 rows without what the agents do where V1 is absent (${noV0})`, async () => {
        await withHabits({ noV1: noV0 });
        const rows = await all(connect().conversations());
        assert.equal(rows.length, 60);
        assert.ok(rows.every(({ execution }) => execution === undefined));
        assert.equal(paths().filter((path) => path.includes('/v1/')).length, 1);
      });
    }

    it('says that this is no such service where neither is', async () => {
      await withHabits({ noV0: '404', noV1: '404' });
      await assert.rejects(connect().detect(), /does not answer as an agent service.*Check the address/);
    });

    it('does not take a failure for an absence', async () => {
      await withHabits({ errorBody: 'detail', errorStatus: 500 });
      const client = connect();
      await assert.rejects(client.detect(), /failed/);
      demo.misbehave({});
      assert.equal(await client.detect(), 'v0');
    });
  });

  describe('told which interface to use', () => {
    it('uses that', async () => {
      await all(connect({ api: 'v1' }).conversations());
      assert.ok(!paths().includes('GET /api/conversations'));
    });

    it('says so where the service does not have it', async () => {
      await withHabits({ noV0: '404' });
      await assert.rejects(connect({ api: 'v0' }).detect(), /it has no V0 interface/);
    });
  });

  describe('listing conversations', () => {
    it('sends all four parameters of the V0 search', async () => {
      const pages = connect({ api: 'v0' }).conversations({
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
      const all = connect({ api: 'v0' }).conversations({}, { size: 7 });
      await all.next();
      await all.next();
      const next = demo.requests.findLast(({ path }) => path === '/api/conversations');
      assert.match(next?.query.get('page_id') ?? '', /=/);
    });

    it('filters by repository and by every trigger through V0', async () => {
      const client = connect({ api: 'v0' });
      const rows = await all(client.conversations({}, { size: 100 }));
      const repository = rows.find((row) => row.repository !== undefined)?.repository ?? assert.fail();
      const wanted = rows.filter((row) => row.repository === repository).length;
      assert.equal((await all(client.conversations({ repository }))).length, wanted);
      for (const trigger of triggers) {
        const found = await all(client.conversations({ trigger }));
        assert.equal(found.length, rows.filter((row) => row.trigger === trigger).length);
      }
    });

    it('says in words which value a service does not take', async () => {
      await assert.rejects(
        connect({ api: 'v0' }).conversations({ trigger: 'nonsense' }).next(),
        /Could not list the conversations: http:\S+ did not accept the request \(conversation_trigger: .+\)/,
      );
    });

    it('filters by title through V1 where it can search', async () => {
      await withHabits({ idsRequired: true });
      const client = connect({ api: 'v1' });
      const [first] = await all(client.conversations());
      const title = first?.title.slice(0, 12) ?? '';
      const found = await all(client.conversations({ title }));
      assert.ok(found.length > 0 && found.every((row) => row.title.includes(title)));
    });

    it('turns to the search where plain listing wants ids, and remembers that', async () => {
      await withHabits({ idsRequired: true });
      const client = connect({ api: 'v1' });
      await client.conversations().next();
      await client.conversations().next();
      assert.deepEqual(paths(), [
        'GET /api/v1/app-conversations',
        'GET /api/v1/app-conversations/search',
        'GET /api/v1/app-conversations/search',
      ]);
    });

    it('asks V1 for less than a hundred at once, however many are wanted', async () => {
      await withHabits({ strictLimit: true });
      assert.equal((await all(connect({ api: 'v1' }).conversations({}, { size: 500 }))).length, 60);
      await all(connect({ api: 'v0' }).conversations({}, { size: 500 }));
    });

    for (const [name, misbehaviour] of Object.entries({
      duplicates: { duplicates: true },
      'empty pages': { emptyPages: 3 },
      'unknown values': { unknownValues: true },
      'missing fields': { missingFields: true },
      'extra fields': { extraFields: true },
      'dates without a zone': { zonelessDates: true },
    } satisfies Record<string, Partial<Misbehaviour>>)) {
      it(`loses and repeats nothing with ${name}`, async () => {
        const ids = (await all(connect().conversations())).map(({ id }) => id);
        for (const api of ['v0', 'v1'] as const) {
          demo.misbehave(misbehaviour);
          const rows = await all(connect({ api }).conversations());
          assert.equal(rows.length, ids.length, api);
        }
      });
    }

    it('reads dates without a zone as UTC', async () => {
      const [before] = await all(connect().conversations());
      demo.misbehave({ zonelessDates: true });
      const [after] = await all(connect().conversations());
      assert.equal(after?.createdAt, before?.createdAt);
    });

    it('leaves out broken records, counts them, and does not log what is in them', async () => {
      await withHabits({ brokenRecords: true });
      const pages = connect({ api: 'v0' }).conversations({}, { size: 100 });
      const { value } = await pages.next();
      assert.ok((value?.skipped ?? 0) > 0);
      assert.ok((value?.items.length ?? 0) > 0);
      assert.match(lines.join('\n'), /\d+ of \d+ records of a page could not be read/);
    });

    it('comes to an end with a cursor that is always the same, and with pages without end', async () => {
      for (const misbehaviour of [
        { repeatedCursor: true },
        { hostileCursor: true },
      ] satisfies Partial<Misbehaviour>[]) {
        demo.misbehave(misbehaviour);
        for (const api of ['v0', 'v1'] as const) await all(connect({ api }).conversations());
      }
      assert.ok(demo.requests.every(({ path }) => path.startsWith('/api/')));
    });

    it('keeps what was there when a later page fails, and goes on from there', async () => {
      await withHabits({ failAfterPages: 2 });
      const pages = connect({ api: 'v1' }).conversations({}, { size: 10 });
      await pages.next();
      await pages.next();
      await assert.rejects(pages.next(), /failed/);
      demo.misbehave({});
      const { value } = await pages.next();
      assert.equal(value?.items.length, 10);
    });
  });

  describe('asking for one conversation', () => {
    it('finds it through V1, with dashes or without', async () => {
      const client = connect();
      const [first] = await all(client.conversations());
      const id = first?.id ?? assert.fail();
      const dashed = id.replaceAll('-', '').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
      for (const spelling of [id, dashed]) {
        assert.equal((await client.conversation(spelling))?.title, first?.title);
      }
      assert.equal(await client.conversation('00000000000000000000000000000000'), undefined);
    });

    it('finds it through V0 where there is no V1', async () => {
      await withHabits({ noV1: '404' });
      const client = connect();
      const rows = await all(client.conversations());
      const last = rows.at(-1) ?? assert.fail();
      assert.equal((await client.conversation(last.id))?.title, last.title);
    });
  });

  describe('creating a conversation', () => {
    const wanted = {
      message: 'Fix the build',
      repository: 'octo/shop',
      branch: 'main',
      provider: 'code_host_a',
    };

    it('follows it through its stages until it is there', async () => {
      await demo.stop();
      const clock = new HurriedClock(20);
      demo = await startDemo({ key, clock });
      const client = connect({ clock });
      const created = await client.createConversation(wanted);
      assert.equal(created.kind, 'task');
      const seen = [];
      for await (const task of client.followStart(created.task)) seen.push(task);
      const stages = seen.map(({ stage }) => stage as string);
      assert.equal(stages.at(-1), 'ready');
      assert.deepEqual(
        stages,
        startStages.filter((stage) => stages.includes(stage)),
      );
      const conversation = await client.conversation(seen.at(-1)?.conversationId ?? '');
      assert.equal(conversation?.repository, 'octo/shop');
      assert.equal(conversation.branch, 'main');
    });

    it('takes the conversation itself from a service that answers with that', async () => {
      await withHabits({ contractOnlyCreate: true });
      const created = await connect().createConversation(wanted);
      assert.equal(created.kind, 'conversation');
      assert.equal(created.conversation.repository, 'octo/shop');
    });

    it('tells the reason where it fails', async () => {
      await withHabits({ taskFails: true });
      const client = connect();
      const created = await client.createConversation(wanted);
      assert.equal(created.kind, 'task');
      let last = created.task;
      for await (const task of client.followStart(last)) last = task;
      assert.equal(last.stage, 'error');
      assert.ok(last.detail);
    });

    it('does not wait for ever', async () => {
      await withHabits({ taskNeverEnds: true });
      const client = connect({ clock: new HurriedClock(600) });
      const created = await client.createConversation(wanted);
      assert.equal(created.kind, 'task');
      await assert.rejects(async () => {
        for await (const task of client.followStart(created.task)) assert.notEqual(task.stage, 'ready');
      }, /has not finished it within 10 minutes/);
      // Ten within the first ten seconds, and then one every three.
      const looks = demo.requests.filter(({ path }) => path.endsWith('/start-tasks'));
      assert.ok(looks.length <= 10 + 590 / 3 + 1, `it has looked ${looks.length} times`);
    });

    it('can be left alone while it starts', async () => {
      await withHabits({ taskNeverEnds: true });
      const client = connect();
      const created = await client.createConversation(wanted);
      assert.equal(created.kind, 'task');
      const controller = new AbortController();
      await assert.rejects(async () => {
        for await (const { stage } of client.followStart(created.task, { signal: controller.signal })) {
          assert.notEqual(stage, 'ready');
          controller.abort();
        }
      }, /cancelled/);
    });
  });

  describe('with sandboxes', () => {
    it('lists them and their specs, starts one from a spec or the default, pauses and resumes', async () => {
      await demo.stop();
      const clock = new HurriedClock(50);
      demo = await startDemo({ key, clock });
      const client = connect({ clock });
      const specs = await all(client.sandboxSpecs());
      assert.ok(specs.length > 1);
      const started = await client.startSandbox(specs[1]?.id);
      assert.equal(started.specId, specs[1]?.id);
      assert.ok((await client.startSandbox()).specId);
      assert.equal(demo.requests.at(-2)?.query.get('sandbox_spec_id'), specs[1]?.id);

      const sandboxes = await all(client.sandboxes());
      assert.ok(sandboxes.some(({ id }) => id === started.id));
      const running = sandboxes.find(({ status }) => status === 'running') ?? assert.fail();
      await client.pauseSandbox(running.id);
      while ((await client.sandbox(running.id))?.status !== 'paused');
      await client.resumeSandbox(running.id);
      while ((await client.sandbox(running.id))?.status !== 'running');
    });

    it('says when a sandbox is gone', async () => {
      assert.equal(await connect().sandbox('gone'), undefined);
      await assert.rejects(
        connect().pauseSandbox('gone'),
        /Could not pause the sandbox: http:\S+ does not know it/,
      );
    });

    it('never lets an id lead to another operation', async () => {
      for (const id of ['../../conversations', 'a/b', 'a?b=c', 'a#b', '%2e%2e', '..', '.', '', 'ä ö']) {
        await assert.rejects(connect().resumeSandbox(id), { name: 'UserError' });
      }
      for (const { path, query } of demo.requests) {
        assert.match(path, /^\/api\/v1\/sandboxes\/[^/?#]+\/resume$/);
        assert.equal(query.size, 0);
      }
    });
  });

  it('sends the key in the header that is set, and nothing where none is', async () => {
    for (const [authentication, header, value] of [
      ['sessionKey', 'x-session-api-key', key],
      ['bearer', 'authorization', `Bearer ${key}`],
      ['accessToken', 'x-access-token', key],
    ] as const) {
      await connect({ authentication }).sandboxes().next();
      const headers = demo.requests.at(-1)?.headers ?? {};
      assert.equal(headers[header], value);
      assert.equal(Object.values(headers).filter((text) => text.includes(key)).length, 1);
    }
    for (const options of [{ authentication: 'none' }, { key: undefined }] as const) {
      await assert.rejects(connect(options).sandboxes().next(), /asks for a key/);
      assert.doesNotMatch(inspect(demo.requests.at(-1)?.headers), new RegExp(key));
    }
  });

  it('works below a path of the address', async () => {
    const address = new URL(`${demo.url}/base`);
    await assert.rejects(connect({ address }).sandboxes().next());
    assert.equal(demo.requests.at(-1)?.path, '/base/api/v1/sandboxes/search');
  });

  it('asks through the fetch that it is given', async () => {
    let calls = 0;
    const fetch: typeof globalThis.fetch = (...args) => {
      calls++;
      return globalThis.fetch(...args);
    };
    await connect({ fetch }).sandboxes().next();
    assert.equal(calls, 1);
  });

  it('keeps every secret of every record to itself', async () => {
    const client = connect();
    const seen = await Promise.all([
      all(client.conversations()),
      all(connect({ api: 'v1' }).conversations()),
      all(client.sandboxes()),
      all(client.sandboxSpecs()),
      client.createConversation({ message: 'x' }),
      client.startSandbox(),
    ]);
    assert.doesNotMatch(inspect(seen, { depth: 99, maxArrayLength: null }), /demo-secret|canary/);
    assert.doesNotMatch(JSON.stringify(seen), /demo-secret|canary/);
    assert.doesNotMatch(inspect(client, { depth: 99, showHidden: true }), /demo-secret|canary/);
    assert.doesNotMatch(lines.join('\n'), /demo-secret|canary/);
    assert.ok(lines.length > 0);
  });
});
