import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Secret } from '../../../src/base/secret.ts';
import { createClient } from '../../../src/service/client.ts';
import { Lines } from './support.ts';

const id = '5f0c0f6a-9f4e-4c0d-b7a7-a3a0e3b1c2d4';
const canary = 'canary-of-the-sandbox';

describe('the key of a sandbox', () => {
  let server: Server;
  let port: number;
  const asked: { readonly path: string; readonly key: unknown }[] = [];
  let record: Record<string, unknown>;

  beforeEach(async () => {
    asked.length = 0;
    server = createServer(({ url = '', headers }, response) => {
      asked.push({ path: url, key: headers['x-session-api-key'] });
      const isRecord = url.startsWith('/api/v1/app-conversations');
      const answer = isRecord ? [record] : { items: [], next_page_id: null };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  });

  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const runningAt = (conversation_url: unknown) => ({
    id,
    sandbox_status: 'RUNNING',
    execution_status: 'idle',
    session_api_key: canary,
    conversation_url,
  });

  const clientOf = (
    service: string,
    allowed: readonly string[],
    log = new Lines(),
  ) =>
    createClient({
      address: new URL(service),
      authentication: 'sessionKey',
      key: new Secret('canary-of-the-service'),
      interface: 'v1',
      log,
      isAllowed: (origin) => allowed.includes(origin),
      fetch: (input, init) =>
        fetch(
          new URL(
            `http://127.0.0.1:${port}${(input instanceof URL ? input : assert.fail()).pathname}`,
          ),
          init ?? {},
        ),
    });

  async function whereAt(
    conversation_url: unknown,
    service = `http://127.0.0.1:${port}`,
    allowed: readonly string[] = [],
  ) {
    record = runningAt(conversation_url);
    const log = new Lines();
    const client = clientOf(service, allowed, log);
    const { agents } = await client.recognise();
    const where = await agents?.locateAgent(id);
    if (where?.status === 'ready') await where.steering.events(id).next();
    assert.ok(!JSON.stringify([where, log]).includes('canary'));
    return where;
  }

  const withCanary = () =>
    asked
      .filter(({ key }) => key === canary)
      .map(({ path }) => path.split('?')[0]);

  it('goes to the Agent Server of the sandbox if it is on the host of the service', async () => {
    const path = `/api/conversations/${id}`;
    for (const prefix of ['', '/sandboxes/1']) {
      asked.length = 0;
      assert.equal(
        (await whereAt(`http://127.0.0.1:${port}${prefix}${path}`))?.status,
        'ready',
      );
      assert.deepEqual(
        [...new Set(withCanary())],
        [`${prefix}${path}/events/search`],
      );
    }
    assert.equal(
      (await whereAt(`http://agents.test:9000${path}`, 'http://agents.test'))
        ?.status,
      'ready',
    );
  });

  it('goes to localhost if the service is on this machine', async () => {
    const where = await whereAt(
      `http://localhost:${port}/api/conversations/${id}`,
    );
    assert.equal(where?.status, 'ready');
  });

  it('goes to another origin only if the user has allowed exactly that origin', async () => {
    const url = 'http://sandboxes.test:8000/api/conversations/x';
    for (const other of [
      'http://sandboxes.test',
      'https://sandboxes.test:8000',
      'http://a.sandboxes.test:8000',
    ]) {
      const where = await whereAt(url, 'http://agents.test', [other]);
      assert.ok(where?.status === 'outOfReach');
      assert.equal(where.origin, 'http://sandboxes.test:8000');
      assert.deepEqual(withCanary(), []);
    }
    const where = await whereAt(url, 'http://agents.test', [
      'http://sandboxes.test:8000',
    ]);
    assert.equal(where?.status, 'ready');
    assert.ok(withCanary().length > 0);
  });

  it('offers no origin to allow when the service names no web address', async () => {
    const where = await whereAt(
      'file:///api/conversations/x',
      'http://agents.test',
      ['null'],
    );
    assert.ok(where?.status === 'outOfReach');
    assert.equal(where.origin, undefined);
  });

  for (const [what, url, service] of [
    [
      'another host',
      'http://evil.test/api/conversations/x',
      'http://agents.test',
    ],
    [
      'a host whose name only begins the same',
      'http://agents.test.evil.test/api/conversations/x',
      'http://agents.test',
    ],
    [
      'this machine if the service is elsewhere',
      'http://localhost:8000/api/conversations/x',
      'http://agents.test',
    ],
    [
      'the same host without encryption',
      'http://agents.test:8000/api/conversations/x',
      'https://agents.test',
    ],
    [
      'another host with the service host as the user name',
      'http://agents.test@evil.test/api/conversations/x',
      'http://agents.test',
    ],
    ['a file URL', 'file:///api/conversations/x', 'http://agents.test'],
    ['a URL that is not text', 7, 'http://agents.test'],
  ] as const) {
    it(`never goes to ${what}`, async () => {
      const where = await whereAt(url, service);
      assert.ok(where?.status === 'outOfReach');
      assert.match(where.why, /^(Its sandbox is at|The service does not say)/);
      assert.deepEqual(withCanary(), []);
    });
  }

  it('goes to a listed agent under the same conditions', async () => {
    const path = `/api/conversations/${id}`;
    async function listedStatus(
      changes: Record<string, unknown>,
      allowed: readonly string[] = [],
    ): Promise<string | undefined> {
      record = { ...runningAt(`http://sandboxes.test${path}`), ...changes };
      const client = clientOf('http://agents.test', allowed);
      await client.conversations().next();
      return client.service?.agents?.listedAgent?.(id)?.status;
    }
    const origin = 'http://sandboxes.test';
    assert.equal(await listedStatus({}), undefined);
    assert.equal(await listedStatus({}, [origin]), 'ready');
    for (const changes of [
      { sandbox_status: 'PAUSED' },
      { execution_status: null, created_at: '2025-01-01T00:00:00Z' },
      { conversation_url: 'http://sandboxes.test/conversations/1' },
      { conversation_url: null },
      { session_api_key: null },
    ])
      assert.equal(await listedStatus(changes, [origin]), undefined);
  });
});
