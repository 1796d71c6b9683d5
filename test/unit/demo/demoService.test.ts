import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { startMisbehavingDemo } from '../../support/demo/faults/misbehavingDemo.ts';
import { root } from '../../host/paths.ts';
import { until } from '../../support/eventually.ts';
import { type Demo, key, start, stopAll } from './support.ts';

const paths = [
  'GET /api/conversations',
  'GET /api/v1/app-conversations',
  'POST /api/v1/app-conversations',
  'GET /api/v1/app-conversations/search',
  'GET /api/v1/app-conversations/start-tasks',
  'GET /api/v1/sandboxes/search',
  'POST /api/v1/sandboxes',
  'POST /api/v1/sandboxes/x/pause',
  'POST /api/v1/sandboxes/x/resume',
  'GET /api/v1/sandbox-specs/search',
].map((line) => line.split(' ') as [string, string]);

describe('the demo service', () => {
  let demo: Demo;

  beforeEach(async () => {
    demo = await start();
  });

  afterEach(stopAll);

  it('accepts its key in any of the three headers', async () => {
    for (const headers of [
      { 'X-Session-API-Key': key },
      { Authorization: `Bearer ${key}` },
      { 'X-Access-Token': key },
    ] as Record<string, string>[]) {
      const { status } = await fetch(`${demo.service.url}/api/conversations`, {
        headers,
      });
      assert.equal(status, 200, JSON.stringify(headers));
    }
  });

  it('answers 401 on every API path without a key or with a wrong one', async () => {
    for (const [method, path] of [
      ...paths,
      ['GET', '/api/anything'] as const,
    ]) {
      for (const headers of [
        {},
        { 'X-Session-API-Key': 'wrong' },
        { Authorization: key },
        { Authorization: `Basic ${key}` },
        { 'X-Access-Token': `${key} ${key}` },
      ] as Record<string, string>[]) {
        const response = await fetch(demo.service.url + path, {
          method,
          headers,
        });
        assert.equal(response.status, 401, `${method} ${path}`);
        assert.equal(
          typeof ((await response.json()) as { detail: unknown }).detail,
          'string',
        );
      }
    }
    assert.equal((await demo.sandboxes()).length, 8);
  });

  it('serves /server_info without a key, with a title only for an Agent Server', async () => {
    for (const [name, title] of [
      ['v0', undefined],
      ['v1', undefined],
      ['agentServer', 'OpenHands Agent Server'],
    ] as const) {
      const service = await startMisbehavingDemo({ interface: name });
      const response = await fetch(`${service.url}/server_info`);
      assert.equal(response.status, 200);
      assert.equal(
        ((await response.json()) as { title?: string }).title,
        title,
      );
      await service.stop();
    }
  });

  it('can serve V1 without V0', async () => {
    demo = await start({ interface: 'v1' });
    assert.equal((await demo.ask('/api/conversations')).status, 404);
    assert.equal((await demo.conversations()).length, 60);
  });

  it('does not announce that it closes idle connections', async () => {
    const { headers } = await demo.ask('/server_info');
    assert.equal(headers.get('keep-alive'), null);
  });

  it('generates a long key, different for each service', async () => {
    const [one, other] = await Promise.all([
      startMisbehavingDemo(),
      startMisbehavingDemo(),
    ]);
    assert.ok(one.key.length > 20);
    assert.notEqual(one.key, other.key);
    await Promise.all([one.stop(), other.stop()]);
  });

  it('answers 404 to an unknown path or method, and 400 to a malformed path', async () => {
    for (const path of [
      '/api',
      '/api/',
      '/api/v1',
      '/api/conversations/',
      '/api/v2/sandboxes/search',
      '/api/..%2Fapi',
    ]) {
      const { status, body } = await demo.ask(path);
      assert.deepEqual([status, body], [404, { detail: 'Not Found' }], path);
    }
    const { status } = await demo.ask('/api/conversations', { method: 'POST' });
    assert.equal(status, 404);
    assert.equal((await demo.ask('/api/%ff')).status, 400);
  });

  it('serves a web page without a key', async () => {
    const [row] = await demo.rows('?limit=1');
    for (const url of [demo.service.url, row?.url ?? '']) {
      const response = await fetch(url);
      assert.equal(response.status, 200);
      assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
      assert.match(await response.text(), /demo service/);
    }
  });

  it('records the last 10,000 requests, and counts all of them', async () => {
    await demo.fetch('/api/v1/sandboxes/a%2Fb/pause?x=1&x=%2B', {
      method: 'POST',
      headers: { 'X-Mine': 'yes' },
    });
    const [{ method, path, query, headers } = assert.fail()] =
      demo.service.requests;
    assert.deepEqual(
      [method, path, [...query]],
      [
        'POST',
        '/api/v1/sandboxes/a%2Fb/pause',
        [
          ['x', '1'],
          ['x', '+'],
        ],
      ],
    );
    assert.equal(headers['x-mine'], 'yes');
    assert.equal(headers['x-session-api-key'], key);
    const socket = connect(Number(new URL(demo.service.url).port), '127.0.0.1');
    socket.resume();
    for (let index = 1; index <= 10_100; index++)
      socket.write(`GET /${index} HTTP/1.1\r\nHost: demo\r\n\r\n`);
    await until(() => demo.service.requestCount === 10_101);
    socket.destroy();
    assert.equal(demo.service.requests.length, 10_000);
    assert.equal(demo.service.requests.at(-1)?.path, '/10100');
  });

  it('reports the port that is already in use', async () => {
    const port = Number(new URL(demo.service.url).port);
    await assert.rejects(startMisbehavingDemo({ port }), {
      name: 'UserError',
      message: new RegExp(
        `^The demo service cannot use port ${port}: .*EADDRINUSE`,
      ),
    });
  });

  it('aborts open responses when it stops, and can stop twice', async () => {
    demo.service.misbehave({ stallBody: true });
    const call = request(`${demo.service.url}/api/conversations`, {
      headers: { 'x-session-api-key': key },
    });
    call.end();
    const [response] = (await once(call, 'response')) as [
      NodeJS.ReadableStream,
    ];
    const ended = once(response, 'error');
    response.resume();
    await Promise.all([demo.service.stop(), demo.service.stop()]);
    await demo.service.stop();
    await ended;
    await assert.rejects(demo.fetch('/'));
  });

  it('lets its process exit after a stop in the middle of responses', async () => {
    const script = `
      import { once } from 'node:events';
      import { request } from 'node:http';
import { connect } from 'node:net';
      import { startMisbehavingDemo } from ${JSON.stringify(pathToFileURL(join(root, 'test/support/demo/faults/misbehavingDemo.ts')).href)};
      const demo = await startMisbehavingDemo({ key: 'k' });
      for (const misbehaviour of [{ slowHeaders: 3_600_000 }, { stallBody: true }, { endlessBody: true }, {}]) {
        demo.misbehave(misbehaviour);
        const count = demo.requestCount;
        const socket = connect(new URL(demo.url).port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write('GET /api/conversations HTTP/1.1\\r\\nHost: x\\r\\nX-Access-Token: k\\r\\n\\r\\n');
        if (misbehaviour.slowHeaders) while (demo.requestCount === count) await new Promise(setImmediate);
        else await once(socket, 'data');
      }
      await demo.stop();
      console.log('stopped');
    `;
    const child = spawn(process.execPath, [
      '--input-type=module',
      '--eval',
      script,
    ]);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    const [code] = (await once(child, 'close')) as [number];
    assert.deepEqual([code, output], [0, 'stopped\n']);
  });

  it('leaves no timers on the clock', async () => {
    await demo.create('Anything');
    await demo.rows();
    assert.equal(demo.clock.pending, 0);
  });
});
