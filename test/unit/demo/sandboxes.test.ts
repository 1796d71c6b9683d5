import assert from 'node:assert/strict';
import type { SandboxInfo } from '../../support/demo/records.ts';
import { type Demo, start, stopAll } from './support.ts';

const path = '/api/v1/sandboxes';

describe('the sandbox API of the demo service', () => {
  let demo: Demo;

  beforeEach(async () => {
    demo = await start();
  });

  afterEach(stopAll);

  const statusOf = async (id: string) =>
    (await demo.sandboxes()).find((sandbox) => sandbox.id === id)?.status;
  const withStatus = async (status: string) =>
    (await demo.sandboxes())
      .filter((sandbox) => sandbox.status === status)
      .map(({ id }) => id);
  const pause = (id = '') => demo.post(`${path}/${id}/pause`);
  const resume = (id = '') => demo.post(`${path}/${id}/resume`);

  it('lists eight sandboxes with every field, newest first: four running, two paused, one starting, one failed', async () => {
    const sandboxes = await demo.sandboxes();
    assert.deepEqual(sandboxes.map(({ status }) => status).sort(), [
      ...[
        'ERROR',
        'PAUSED',
        'PAUSED',
        'RUNNING',
        'RUNNING',
        'RUNNING',
        'RUNNING',
        'STARTING',
      ],
    ]);
    const created = sandboxes.map((sandbox) => sandbox.created_at);
    assert.deepEqual(created, created.toSorted().reverse());
    const specs = (await demo.specs()).map(({ id }) => id);
    for (const sandbox of sandboxes) {
      assert.deepEqual(Object.keys(sandbox).sort(), [
        'created_at',
        'created_by_user_id',
        'exposed_urls',
        'id',
        'sandbox_spec_id',
        'session_api_key',
        'status',
        ...(['RUNNING', 'PAUSED'].includes(sandbox.status)
          ? []
          : ['status_detail']),
      ]);
      assert.ok(specs.includes(sandbox.sandbox_spec_id));
      assert.equal(sandbox.exposed_urls === null, sandbox.status !== 'RUNNING');
    }
  });

  it('has only sandboxes that are older than their conversations', async () => {
    const created = new Map(
      (await demo.sandboxes()).map((sandbox) => [
        sandbox.id,
        sandbox.created_at,
      ]),
    );
    for (const conversation of await demo.conversations()) {
      const sandbox = created.get(conversation.sandbox_id);
      assert.ok(
        sandbox === undefined || sandbox < conversation.created_at,
        conversation.sandbox_id,
      );
      assert.equal(
        sandbox === undefined,
        conversation.sandbox_status === 'MISSING',
      );
    }
  });

  it('marks every secret with demo-secret', async () => {
    const [running] = (await demo.sandboxes()).filter(
      ({ status }) => status === 'RUNNING',
    );
    assert.match(running?.session_api_key ?? '', /^demo-secret-[0-9a-f]{24}$/);
    const urls = running?.exposed_urls ?? [];
    assert.deepEqual(
      urls.map(({ name, port }) => [name, port]),
      [
        ['AGENT_SERVER', 8000],
        ['VSCODE', 8001],
        ['WORKER_1', 8011],
      ],
    );
    for (const { url, name } of urls) {
      assert.match(
        url,
        new RegExp(
          `/exposed/${running?.id ?? ''}/${name}\\?tkn=demo-secret-[0-9a-f]{24}%2B%2F%3D$`,
        ),
      );
      const page = await fetch(url);
      assert.equal(page.status, 200);
      assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    }
    const conversation = (await demo.conversations()).find(
      (each) => each.sandbox_id === running?.id,
    );
    assert.equal(conversation?.session_api_key, running?.session_api_key);
    assert.equal(
      (await demo.rows())[0]?.session_api_key?.startsWith('demo-secret-'),
      true,
    );
  });

  it('refuses relative paths for downloads from a sandbox, whose folder is relative, but diffs them', async () => {
    const row = (await demo.conversations()).find(
      (each) =>
        each.sandbox_status === 'RUNNING' && each.selected_repository !== null,
    );
    const { sandbox_id, session_api_key, id } = row ?? assert.fail();
    const ask = async (rest: string) => {
      const response = await fetch(
        `${demo.service.url}/exposed/${sandbox_id}/AGENT_SERVER/api/${rest}`,
        {
          headers: { 'x-session-api-key': session_api_key ?? '' },
        },
      );
      return { status: response.status, text: await response.text() };
    };
    const record = JSON.parse((await ask(`conversations/${id}`)).text) as {
      workspace: { working_dir: string };
    };
    const { working_dir: folder } = record.workspace;
    assert.match(folder, /^\.\/[0-9a-f]{32}\/[^/]+$/);
    const refused = { status: 400, text: '{"detail":"Path must be absolute"}' };
    const file = `${folder}/gateway/src/server.ts`;
    assert.deepEqual(await ask(`file/download?path=${file}`), refused);
    assert.deepEqual(await ask(`file/archive?path=${folder}`), refused);
    const imported = /@as-integrations\/express4/;
    assert.match(
      (await ask(`file/download?path=/proc/self/cwd/${file}`)).text,
      imported,
    );
    assert.match((await ask(`git/diff?path=${file}`)).text, imported);
    for (const missing of [`conversations/${id}/git/changes`, 'git/commits'])
      assert.equal((await ask(`${missing}?path=${folder}`)).status, 404);
  });

  it('keeps apart what two conversations change in one sandbox and one repository', async () => {
    demo.clock.advance(20_000);
    const rows = (await demo.conversations()).filter(
      (each) =>
        each.sandbox_status === 'RUNNING' &&
        each.selected_repository === 'northwind/checkout-api',
    );
    const [first] = rows;
    const other = rows.find(
      (each) => each !== first && each.sandbox_id === first?.sandbox_id,
    );
    const changed = await Promise.all(
      [first, other].map(async (row) => {
        const { id, sandbox_id, session_api_key } = row ?? assert.fail();
        const ask = async <Body>(rest: string) => {
          const response = await fetch(
            `${demo.service.url}/exposed/${sandbox_id}/AGENT_SERVER/api/${rest}`,
            {
              headers: { 'x-session-api-key': session_api_key ?? '' },
            },
          );
          return (await response.json()) as Body;
        };
        const { workspace } = await ask<{ workspace: { working_dir: string } }>(
          `conversations/${id}`,
        );
        return (
          await ask<{ path: string }[]>(
            `git/changes?path=${workspace.working_dir}`,
          )
        ).map(({ path }) => path);
      }),
    );
    assert.deepEqual(changed, [
      ['gateway/package.json', 'gateway/src/server.ts'],
      ['src/public/errors.ts', 'src/public/router.ts'],
    ]);
  });

  it('lists seven specs with secrets in their environment', async () => {
    const specs = await demo.specs();
    assert.equal(specs.length, 7);
    for (const spec of specs) {
      assert.deepEqual(Object.keys(spec).sort(), [
        'command',
        'created_at',
        'id',
        'initial_env',
        'working_dir',
      ]);
      assert.match(
        JSON.stringify(spec.initial_env),
        /demo-secret-[0-9a-f]{24}/,
      );
      assert.ok(spec.command.length > 0);
    }
  });

  it('returns sandboxes and specs in pages of 1 to 100', async () => {
    for (const [list, count] of [
      [`${path}/search`, 8],
      ['/api/v1/sandbox-specs/search', 7],
    ] as const) {
      for (const limit of [1, 2, 100]) {
        const pages = await demo.pages<{ id: string }>(
          `${list}?limit=${limit}`,
        );
        assert.equal(pages.length, Math.ceil(count / limit));
        assert.equal(new Set(pages.flat().map(({ id }) => id)).size, count);
      }
    }
  });

  it('pauses a sandbox and its conversations 1.5 s after the request', async () => {
    const [id] = await withStatus('RUNNING');
    const { status, body } = await pause(id);
    assert.deepEqual([status, body], [200, { success: true }]);
    demo.clock.advance(1_499);
    assert.equal(await statusOf(id ?? ''), 'RUNNING');
    demo.clock.advance(1);
    assert.equal(await statusOf(id ?? ''), 'PAUSED');
    const conversations = await demo.conversations();
    const rows = await demo.rows('?limit=100');
    const inside = conversations.filter((each) => each.sandbox_id === id);
    assert.ok(inside.length > 2);
    const changed = inside.map((each) => each.updated_at);
    for (const conversation of inside) {
      assert.equal(conversation.sandbox_status, 'PAUSED');
      assert.equal(conversation.execution_status, null);
      assert.equal(
        rows[conversations.indexOf(conversation)]?.status,
        'STOPPED',
      );
    }
    demo.clock.advance(600_000);
    const later = (await demo.conversations()).filter(
      (each) => each.sandbox_id === id,
    );
    assert.deepEqual(
      later.map((each) => each.updated_at),
      changed,
    );
  });

  it('resumes a sandbox in 1.5 s, with every start stage shown by its conversation', async () => {
    const [other] = await withStatus('RUNNING');
    const [id = ''] = await withStatus('PAUSED');
    await pause(other);
    demo.clock.advance(1_500);
    assert.deepEqual((await resume(id)).body, { success: true });
    const position = (await demo.conversations()).findIndex(
      (each) => each.sandbox_id === id,
    );
    const stages = [];
    for (let time = 0; time < 1_500; time += 300) {
      assert.equal(await statusOf(id), 'STARTING');
      stages.push((await demo.rows('?limit=100'))[position]?.runtime_status);
      demo.clock.advance(300);
    }
    assert.equal(await statusOf(id), 'RUNNING');
    assert.deepEqual(stages, [
      'STATUS$BUILDING_RUNTIME',
      'STATUS$STARTING_RUNTIME',
      'STATUS$RUNTIME_STARTED',
      'STATUS$SETTING_UP_WORKSPACE',
      'STATUS$SETTING_UP_GIT_HOOKS',
    ]);
    assert.notEqual(
      (await demo.conversations())[position]?.execution_status,
      null,
    );
  });

  it('runs at most four sandboxes, and pauses the oldest to resume another', async () => {
    const running = await withStatus('RUNNING');
    const paused = await withStatus('PAUSED');
    await resume(paused[0]);
    demo.clock.advance(1_500);
    assert.deepEqual(
      (await withStatus('RUNNING')).sort(),
      [...running.slice(0, 3), paused[0]].sort(),
    );
    assert.equal(await statusOf(running[3] ?? ''), 'PAUSED');
    await resume(paused[1]);
    demo.clock.advance(1_500);
    // The oldest running sandbox is the one that was resumed before.
    assert.deepEqual(
      (await withStatus('RUNNING')).sort(),
      [...running.slice(0, 3), paused[1]].sort(),
    );
  });

  it('accepts a repeated change, and another one before the first takes effect', async () => {
    const [id = ''] = await withStatus('RUNNING');
    await pause(id);
    demo.clock.advance(1_000);
    await pause(id);
    demo.clock.advance(500);
    assert.equal(await statusOf(id), 'PAUSED');
    await resume(id);
    await resume(id);
    demo.clock.advance(1_000);
    await pause(id);
    assert.equal(await statusOf(id), 'STARTING');
    demo.clock.advance(1_000);
    assert.equal(await statusOf(id), 'STARTING');
    demo.clock.advance(500);
    assert.equal(await statusOf(id), 'PAUSED');
    const [other = ''] = await withStatus('RUNNING');
    await pause(other);
    await resume(other);
    demo.clock.advance(10_000);
    assert.equal(await statusOf(other), 'RUNNING');
  });

  it('answers 404 for an unknown sandbox', async () => {
    for (const request of [
      pause('box-nowhere'),
      resume('box-nowhere'),
      pause('..%2F..'),
    ]) {
      const { status, body } = await request;
      assert.deepEqual([status, body], [404, { detail: 'Not Found' }]);
    }
  });

  it('starts a sandbox from the given spec, or from the first', async () => {
    const specs = (await demo.specs()).map(({ id }) => id);
    const { body: first } = await demo.post<SandboxInfo>(path);
    const { body: second } = await demo.post<SandboxInfo>(
      `${path}?sandbox_spec_id=${specs[2] ?? ''}`,
    );
    assert.deepEqual(
      [first.sandbox_spec_id, second.sandbox_spec_id],
      [specs[0], specs[2]],
    );
    assert.deepEqual([first.status, second.status], ['STARTING', 'STARTING']);
    const ids = (await demo.sandboxes()).map(({ id }) => id);
    assert.deepEqual(ids.slice(0, 2), [second.id, first.id]);
    assert.equal(ids.length, 10);
    demo.clock.advance(1_500);
    assert.deepEqual((await withStatus('RUNNING')).slice(0, 2), [
      second.id,
      first.id,
    ]);
    assert.equal((await withStatus('RUNNING')).length, 4);
  });

  it('deletes a sandbox by the ID in the query, and reports it as missing in its conversations', async () => {
    const [id = ''] = await withStatus('RUNNING');
    const remove = (what: string) =>
      demo.ask(`${path}/${what}`, { method: 'DELETE' });
    assert.equal((await remove(id)).status, 404);
    assert.equal((await remove(`${id}?sandbox_id=nowhere`)).status, 404);
    assert.deepEqual((await remove(`x?sandbox_id=${id}`)).body, {
      success: true,
    });
    assert.equal(await statusOf(id), undefined);
    assert.equal((await demo.pages(`${path}/search?limit=3`)).flat().length, 7);
    const inside = (await demo.conversations()).filter(
      (each) => each.sandbox_id === id,
    );
    assert.ok(
      inside.length > 2 &&
        inside.every((each) => each.sandbox_status === 'MISSING'),
    );
    const { body } = await demo.post<SandboxInfo>(path);
    assert.equal((await demo.sandboxes())[0]?.id, body.id);
  });

  it('includes a sandbox that fails to start until it is paused', async () => {
    const [id = ''] = await withStatus('STARTING');
    demo.clock.advance(60_000);
    assert.equal(await statusOf(id), 'ERROR');
    await pause(id);
    demo.clock.advance(100_000);
    assert.equal(await statusOf(id), 'PAUSED');
  });
});
