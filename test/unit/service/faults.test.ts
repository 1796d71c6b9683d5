import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import type { Log } from '../../../src/base/log.ts';
import { Secret } from '../../../src/base/secret.ts';
import type { Misbehaviour } from '../../../src/demo/misbehaviour.ts';
import { type DemoService, startDemo } from '../../../src/demo/server.ts';
import { type ClientOptions, createClient, type ServiceClient } from '../../../src/service/client.ts';
import { type Failure, ServiceError } from '../../../src/service/errors.ts';
import type { StartTask } from '../../../src/service/types.ts';
import { done } from '../../support/done.ts';
import { HurriedClock } from '../../support/hurriedClock.ts';

const key = 'canary-account-key';

/** Every operation, with an id where it takes one. `api` is the interface that it goes through. */
interface Operation {
  readonly name: string;
  readonly method: 'GET' | 'POST';
  readonly api?: 'v0' | 'v1';
  readonly run: (client: ServiceClient, signal?: AbortSignal) => Promise<unknown>;
  /** Where it is refused in one way, it is looked for in another. */
  readonly looksElsewhere?: boolean;
  /** What can be over a moment later, it meets three times before it gives up. */
  readonly isPatient?: boolean;
}

/** One that the demo has. */
let sandboxId: string;

const task: StartTask = {
  id: 'task',
  stage: 'working',
  conversationId: undefined,
  sandboxId: undefined,
  detail: undefined,
};

const get = 'GET';
const post = 'POST';
const operations: readonly Operation[] = [
  {
    name: 'V0 search',
    method: get,
    api: 'v0',
    run: (client, signal) => client.conversations({}, { signal }).next(),
  },
  { name: 'V1 detection', method: get, run: (client, signal) => client.detect({ signal }) },
  { name: 'V1 list', method: get, run: (client, signal) => client.conversations({}, { signal }).next() },
  {
    name: 'V1 by title',
    method: get,
    run: (client, signal) => client.conversations({ title: 'a' }, { signal }).next(),
  },
  {
    name: 'conversation',
    method: get,
    run: (client, signal) => client.conversation('5f0c0f6a9f4e4c0db7a7a3a0e3b1c2d4', { signal }),
    looksElsewhere: true,
  },
  { name: 'start task', method: get, run: (client, signal) => client.startTask('task', { signal }) },
  {
    name: 'start followed',
    method: get,
    run: (client, signal) => Array.fromAsync(client.followStart(task, { signal })),
    isPatient: true,
  },
  { name: 'sandboxes', method: get, run: (client, signal) => client.sandboxes({ signal }).next() },
  { name: 'sandbox', method: get, run: (client, signal) => client.sandbox('sandbox', { signal }) },
  { name: 'specs', method: get, run: (client, signal) => client.sandboxSpecs({ signal }).next() },
  {
    name: 'create',
    method: post,
    run: (client, signal) => client.createConversation({ message: 'x' }, { signal }),
  },
  {
    name: 'start sandbox',
    method: post,
    run: (client, signal) => client.startSandbox(undefined, { signal }),
  },
  { name: 'pause', method: post, run: (client, signal) => client.pauseSandbox(sandboxId, { signal }) },
  { name: 'resume', method: post, run: (client, signal) => client.resumeSandbox(sandboxId, { signal }) },
];

/** What a fault leads to: the failure, how often the service was asked, and what the sentence says. */
interface Outcome {
  readonly kind: Failure['kind'];
  readonly asked: number;
  readonly says?: RegExp;
  /** For a POST: whether it may have been done. */
  readonly unknown?: boolean;
}

interface Fault {
  readonly name: string;
  readonly misbehaviour: (elsewhere: string) => Partial<Misbehaviour>;
  readonly get: Outcome;
  readonly post: Outcome;
}

const momentary: readonly Failure['kind'][] = [
  'unreachable',
  'timedOut',
  'rateLimited',
  'serverFailed',
  'notFound',
];

/** A fault that means the same for reading and for changing. */
function alike(name: string, misbehaviour: Fault['misbehaviour'], outcome: Outcome, unknown = false): Fault {
  return { name, misbehaviour, get: outcome, post: { ...outcome, unknown } };
}

function errorBody(
  name: string,
  status: number,
  body: NonNullable<Misbehaviour['errorBody']>,
  outcome: Outcome,
): Fault {
  return alike(name, () => ({ errorBody: body, errorStatus: status }), outcome, status >= 500);
}

const faults: readonly Fault[] = [
  errorBody('a detail', 400, 'detail', {
    kind: 'rejected',
    asked: 1,
    says: /did not accept the request \(.+\)/,
  }),
  errorBody('a validation error', 422, 'validation', { kind: 'rejected', asked: 1, says: /limit: .+/ }),
  errorBody('a message with an id', 400, 'msgId', { kind: 'rejected', asked: 1, says: /\(.+\)/ }),
  errorBody('an error', 409, 'error', { kind: 'rejected', asked: 1, says: /\(.+\)/ }),
  errorBody('a message', 400, 'message', { kind: 'rejected', asked: 1, says: /\(.+\)/ }),
  errorBody('a bare string', 400, 'string', { kind: 'rejected', asked: 1, says: /\(.+\)/ }),
  errorBody('plain text', 400, 'text', { kind: 'rejected', asked: 1, says: /\(.+\)/ }),
  errorBody('a web page', 400, 'html', { kind: 'rejected', asked: 1, says: /did not accept the request/ }),
  errorBody('nothing', 400, 'empty', {
    kind: 'rejected',
    asked: 1,
    says: /did not accept the request\. Change/,
  }),
  errorBody('500 with a detail', 500, 'detail', { kind: 'serverFailed', asked: 1, says: /failed \(.+\)/ }),
  errorBody('500 with nothing', 500, 'empty', {
    kind: 'serverFailed',
    asked: 1,
    says: /failed \(status 500\)/,
  }),
  errorBody('500 with a web page', 500, 'html', { kind: 'serverFailed', asked: 1 }),
  {
    name: '502',
    misbehaviour: () => ({ errorBody: 'html', errorStatus: 502 }),
    get: { kind: 'serverFailed', asked: 3 },
    post: { kind: 'serverFailed', asked: 1, unknown: true },
  },
  {
    name: '504',
    misbehaviour: () => ({ errorBody: 'text', errorStatus: 504 }),
    get: { kind: 'serverFailed', asked: 3 },
    post: { kind: 'serverFailed', asked: 1, unknown: true },
  },
  alike('404', () => ({ errorBody: 'detail', errorStatus: 404 }), { kind: 'notFound', asked: 1 }),
  alike('401', () => ({ unauthorized: true }), {
    kind: 'unauthorised',
    asked: 1,
    says: /did not accept the key.*Set API Key/,
  }),
  alike('403', () => ({ forbidden: true }), {
    kind: 'forbidden',
    asked: 1,
    says: /does not allow it.*Use a key/,
  }),
  ...(
    [
      ['in seconds', '1', 3],
      ['in fractions', '0.2', 3],
      ['of zero', '0', 3],
      ['in the past', 'Thu, 01 Jan 2015 00:00:00 GMT', 3],
      ['negative', '-5', 3],
      ['garbage', 'soon', 3],
      ['missing', undefined, 3],
      ['an hour', '3600', 1],
      ['for ever', '1000000000', 1],
      ['a date far away', 'Thu, 01 Jan 2099 00:00:00 GMT', 1],
    ] as const
  ).flatMap(([name, retryAfter, asked]): Fault[] => [
    alike(
      `429, to be tried again after a time that is ${name}`,
      () => ({ rateLimit: { retryAfter, times: 99 } }),
      {
        kind: 'rateLimited',
        asked,
        says: /too many requests\. Try again (now|later|in [1-9]\d* (second|minute)s?)\./,
      },
    ),
    {
      name: `503, to be tried again after a time that is ${name}`,
      misbehaviour: () => ({ unavailable: { retryAfter, times: 99 } }),
      get: { kind: 'serverFailed', asked },
      post: { kind: 'serverFailed', asked: 1, unknown: true },
    },
  ]),
  alike(
    'slow headers',
    () => ({ slowHeaders: 60_000 }),
    { kind: 'timedOut', asked: 1, says: /within 30 seconds/ },
    true,
  ),
  alike(
    'a stalled body',
    () => ({ stallBody: true }),
    { kind: 'timedOut', asked: 1, says: /within 30 seconds/ },
    true,
  ),
  {
    name: 'a closed connection',
    misbehaviour: () => ({ reset: true }),
    get: { kind: 'unreachable', asked: 3, says: /the connection was closed/ },
    post: { kind: 'unreachable', asked: 1, unknown: true },
  },
  {
    name: 'a connection that is closed in the middle',
    misbehaviour: () => ({ resetBody: true }),
    get: { kind: 'unreachable', asked: 3, says: /the connection was closed/ },
    post: { kind: 'unreachable', asked: 1, unknown: true },
  },
  alike(
    'half of the JSON',
    () => ({ truncatedJson: true }),
    { kind: 'notUnderstood', asked: 1, says: /only a part/ },
    true,
  ),
  alike(
    'a gzip bomb',
    () => ({ gzipBomb: true }),
    { kind: 'notUnderstood', asked: 1, says: /more than \d+ MB/ },
    true,
  ),
  alike(
    'an endless body',
    () => ({ endlessBody: true }),
    { kind: 'notUnderstood', asked: 1, says: /more than/ },
    true,
  ),
  alike(
    'a huge body',
    () => ({ hugeBody: true }),
    { kind: 'notUnderstood', asked: 1, says: /more than/ },
    true,
  ),
  alike(
    'a web page at status 200',
    () => ({ htmlAt200: true }),
    { kind: 'notThisService', asked: 1, says: /web page/ },
    true,
  ),
  {
    name: 'a redirect to itself',
    misbehaviour: () => ({ redirectSelf: true }),
    get: { kind: 'notThisService', asked: 6, says: /redirects without end/ },
    post: { kind: 'notThisService', asked: 6 },
  },
  alike('a redirect to another origin', (elsewhere) => ({ redirectOther: elsewhere }), {
    kind: 'notThisService',
    asked: 1,
    says: /it redirects to http:\/\/127\.0\.0\.1:\d+\./,
  }),
  alike('a redirect to another scheme', () => ({ redirectOther: 'file:///etc/passwd' }), {
    kind: 'notThisService',
    asked: 1,
  }),
];

/** Another origin, which remembers whether anybody came. */
async function startElsewhere(): Promise<{ server: Server; url: string; visits: string[] }> {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    visits.push(`${request.method ?? ''} ${request.url ?? ''}`);
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, visits };
}

const lines: string[] = [];
const log: Log = {
  debug: (line) => lines.push(line),
  warn: (line) => lines.push(line),
};

function connect(demo: DemoService, options: Partial<ClientOptions> = {}): ServiceClient {
  return createClient({
    address: new URL(demo.url),
    authentication: 'sessionKey',
    key: new Secret(key),
    api: 'v1',
    clock: new HurriedClock(100),
    bodyLimit: 2_000_000,
    log,
    ...options,
  });
}

async function failureOf(promise: Promise<unknown>): Promise<ServiceError> {
  try {
    await promise;
  } catch (error) {
    assert.ok(error instanceof ServiceError, `not a ServiceError: ${inspect(error)}`);
    return error;
  }
  return assert.fail('it did not fail');
}

/** A fault that every operation has met. */
function countScenario(): void {
  done(1, `faults of the service, each met by ${operations.length} calls`);
  done(operations.length, 'calls that failed as they should, with no request to another origin');
}

describe('a service that fails', () => {
  let elsewhere: Awaited<ReturnType<typeof startElsewhere>>;

  before(async () => {
    elsewhere = await startElsewhere();
    const demo = await startDemo({ key });
    const { value } = await connect(demo).sandboxes().next();
    // The same seed makes the same world each time.
    sandboxId = value?.items[0]?.id ?? assert.fail();
    await demo.stop();
  });

  after(() => {
    elsewhere.server.close();
  });

  for (const fault of faults) {
    it(`with ${fault.name} gives a ${fault.get.kind} error to every operation`, async () => {
      await Promise.all(
        operations.map(async ({ name, method, api = 'v1', run, looksElsewhere, isPatient }) => {
          const demo = await startDemo({ key, misbehaviour: fault.misbehaviour(elsewhere.url) });
          try {
            const expected = method === 'GET' ? fault.get : fault.post;
            // Where there is much to read, no time limit may come first.
            const clock = new HurriedClock(expected.kind === 'notUnderstood' ? 5 : 100);
            const error = await failureOf(run(connect(demo, { api, clock })));
            // A list that is not found is an interface that is not there.
            const isList = /^V[01]/.test(name) || looksElsewhere;
            const kind = expected.kind === 'notFound' && isList ? 'notThisService' : expected.kind;
            const elsewhereToo =
              looksElsewhere && ['notFound', 'notThisService', 'rejected'].includes(expected.kind);
            const again = isPatient && momentary.includes(expected.kind);
            const asked = expected.asked * (elsewhereToo ? 2 : again ? 3 : 1);
            assert.equal(error.kind, kind, `${name}: ${error.message}`);
            assert.equal(demo.requests.length, asked, `${name} asked ${demo.requests.length} times`);
            assert.equal(error.circumstances.outcomeUnknown ?? false, expected.unknown ?? false, name);
            if (expected.says && kind === expected.kind) assert.match(error.message, expected.says);
            assert.match(error.message, /^Could not [a-z ]+: /);
            assert.ok(error.message.includes(demo.url), error.message);
            assert.doesNotMatch(inspect(error, { depth: 9 }) + JSON.stringify(error), /canary/);
          } finally {
            await demo.stop();
          }
        }),
      );
      assert.deepEqual(elsewhere.visits, [], 'another origin was asked');
      assert.doesNotMatch(lines.join('\n'), /canary/);
      countScenario();
    });
  }

  it('because nothing listens gives an error that says so', async () => {
    const demo = await startDemo({ key });
    await demo.stop();
    for (const { run, api = 'v1' } of operations) {
      const error = await failureOf(run(connect(demo, { api })));
      assert.equal(error.kind, 'unreachable');
      assert.match(error.message, /nothing listens there/);
      assert.equal(error.circumstances.outcomeUnknown, false);
    }
    countScenario();
  });

  for (const [name, unsendable] of [
    ['that is not seen', 'canary\u200Bkey'],
    ['that no key has', 'canary…key'],
    ['that ends the line', 'canary\r\nkey'],
  ] as const) {
    it(`because the key has a character ${name} gives an error that says so, and nothing is sent`, async () => {
      const demo = await startDemo({ key });
      for (const authentication of ['sessionKey', 'bearer', 'accessToken'] as const) {
        for (const { run, api = 'v1' } of operations) {
          const access = { authentication, key: new Secret(unsendable) };
          const error = await failureOf(run(connect(demo, { api, ...access })));
          assert.equal(error.kind, 'unauthorised');
          assert.match(
            error.message,
            /the key for http.+ holds a character that cannot be sent.+Set API Key/,
          );
          assert.equal(error.circumstances.outcomeUnknown, false);
          assert.doesNotMatch(inspect(error, { depth: 9 }) + lines.join('\n'), /canary/);
        }
      }
      assert.equal(demo.requestCount, 0);
      await demo.stop();
      countScenario();
    });
  }

  it('by answering what was to be made with something else leaves unknown whether it was made', async () => {
    const demo = await startDemo({ key });
    const fetch = () => Promise.resolve(Response.json({ fine: true }));
    for (const { run } of operations.filter(({ name }) => name === 'create' || name === 'start sandbox')) {
      const error = await failureOf(run(connect(demo, { fetch })));
      assert.equal(error.kind, 'notUnderstood');
      assert.equal(error.circumstances.outcomeUnknown, true);
      assert.match(error.message, /It is not known whether the service has done it/);
    }
    await demo.stop();
  });

  it('because its name is unknown gives an error that says so', async () => {
    const demo = await startDemo({ key });
    const error = await failureOf(
      connect(demo, { address: new URL('http://nowhere.invalid') })
        .sandboxes()
        .next(),
    );
    assert.match(
      error.message,
      /http:\/\/nowhere\.invalid cannot be reached \(its name (is unknown|could not be)/,
    );
    await demo.stop();
  });

  it('and does not speak TLS gives an error that says so', async () => {
    const demo = await startDemo({ key });
    const address = new URL(demo.url.replace('http:', 'https:'));
    const error = await failureOf(connect(demo, { address }).sandboxes().next());
    assert.equal(error.kind, 'unreachable');
    assert.match(error.message, /TLS|connection/);
    await demo.stop();
  });

  it('can be given up at any moment, and a change that was under way is unknown', async () => {
    for (const { method, run, api = 'v1', name } of operations) {
      const demo = await startDemo({ key, misbehaviour: { stallBody: true } });
      const controller = new AbortController();
      const running = failureOf(run(connect(demo, { api }), controller.signal));
      while (demo.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
      controller.abort();
      const error = await running;
      assert.equal(error.kind, 'cancelled', name);
      assert.equal(error.circumstances.outcomeUnknown, method === 'POST', name);
      await demo.stop();
    }
  });

  it('is not even asked by who has given up before', async () => {
    const demo = await startDemo({ key });
    for (const { run, api = 'v1' } of operations) {
      assert.equal((await failureOf(run(connect(demo, { api }), AbortSignal.abort()))).kind, 'cancelled');
    }
    assert.equal(demo.requests.length, 0);
    await demo.stop();
  });

  it('for a moment is asked again, and then answers', async () => {
    for (const misbehaviour of [
      { rateLimit: { retryAfter: '1', times: 2 } },
      { unavailable: { retryAfter: undefined, times: 2 } },
      { reset: true, times: 2 },
    ] satisfies Partial<Misbehaviour>[]) {
      const demo = await startDemo({ key, misbehaviour });
      const { value } = await connect(demo).sandboxes().next();
      assert.ok((value?.items.length ?? 0) > 0);
      assert.equal(demo.requests.length, 3);
      await demo.stop();
    }
  });

  it('with a change that it refuses for a moment is asked again for that too', async () => {
    const demo = await startDemo({ key, misbehaviour: { rateLimit: { retryAfter: '1', times: 1 } } });
    assert.equal((await connect(demo).startSandbox()).status, 'starting');
    assert.equal(demo.requests.length, 2);
    await demo.stop();
  });

  it('and repeats the key in its answer does not get it into an error', async () => {
    for (const authentication of ['sessionKey', 'bearer', 'accessToken'] as const) {
      const demo = await startDemo({ key, misbehaviour: { echoKey: true } });
      const error = await failureOf(connect(demo, { authentication }).sandboxes().next());
      assert.doesNotMatch(inspect(error, { depth: 9 }) + lines.join('\n'), /canary/);
      await demo.stop();
    }
  });

  it('can redirect within its origin, where the key goes along', async () => {
    const demo = await startDemo({ key, misbehaviour: { redirectWithin: true } });
    assert.equal((await connect(demo).sandboxes().next()).done, false);
    assert.equal(demo.requests.length, 2);
    await demo.stop();
  });
});
