import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { systemClock } from '../../../src/base/clock.ts';
import { Secret } from '../../../src/base/secret.ts';
import type { Misbehaviour } from '../../support/demo/faults/misbehaviour.ts';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../../support/demo/faults/misbehavingDemo.ts';
import type { ClientOptions } from '../../../src/service/client.ts';
import {
  type Failure,
  ServiceError,
} from '../../../src/service/http/serviceError.ts';
import { countDone } from '../../support/done.ts';
import { until } from '../../support/eventually.ts';
import { reachableText } from '../../support/reachable.ts';
import { SkippingClock } from '../../support/skippingClock.ts';
import { calls, nameOf, type ServiceCall, uncalled } from './calls.ts';
import { connect, key, Lines, serviceOf } from './support.ts';

/** A sandbox that the demo has. */
let sandboxId: string;

/**
 * The result of a fault: the failure, the number of requests, and words of the
 * sentence.
 */
interface Outcome {
  readonly kind: Failure['kind'];
  readonly asked: number;
  readonly says?: RegExp;
  /** True for a POST that may have been done. */
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
function alike(
  name: string,
  misbehaviour: Fault['misbehaviour'],
  outcome: Outcome,
  unknown = false,
): Fault {
  return { name, misbehaviour, get: outcome, post: { ...outcome, unknown } };
}

function errorBody(
  name: string,
  status: number,
  body: NonNullable<Misbehaviour['errorBody']>,
  outcome: Outcome,
): Fault {
  return alike(
    name,
    () => ({ errorBody: body, errorStatus: status }),
    outcome,
    status >= 500,
  );
}

const faults: readonly Fault[] = [
  errorBody('a 400 response with a detail', 400, 'detail', {
    kind: 'rejected',
    asked: 1,
    says: /did not accept the request \(.+\)/,
  }),
  errorBody('a 422 response with a validation error', 422, 'validation', {
    kind: 'rejected',
    asked: 1,
    says: /limit: .+/,
  }),
  errorBody('a 400 response with a message and an ID', 400, 'msgId', {
    kind: 'rejected',
    asked: 1,
    says: /\(.+\)/,
  }),
  errorBody('a 400 response with an error', 400, 'error', {
    kind: 'rejected',
    asked: 1,
    says: /\(.+\)/,
  }),
  errorBody('a 400 response with a message', 400, 'message', {
    kind: 'rejected',
    asked: 1,
    says: /\(.+\)/,
  }),
  errorBody('a 400 response with a bare string', 400, 'string', {
    kind: 'rejected',
    asked: 1,
    says: /\(.+\)/,
  }),
  errorBody('a 400 response with plain text', 400, 'text', {
    kind: 'rejected',
    asked: 1,
    says: /\(.+\)/,
  }),
  errorBody('a 400 response with a web page', 400, 'html', {
    kind: 'rejected',
    asked: 1,
    says: /did not accept the request/,
  }),
  errorBody('an empty 400 response', 400, 'empty', {
    kind: 'rejected',
    asked: 1,
    says: /did not accept the request\. Correct/,
  }),
  errorBody('a 500 response with a detail', 500, 'detail', {
    kind: 'serverFailed',
    asked: 1,
    says: /failed \(.+\)/,
  }),
  errorBody('an empty 500 response', 500, 'empty', {
    kind: 'serverFailed',
    asked: 1,
    says: /failed \(status 500\)/,
  }),
  errorBody('a 500 response with a web page', 500, 'html', {
    kind: 'serverFailed',
    asked: 1,
  }),
  {
    name: 'a 502 response',
    misbehaviour: () => ({ errorBody: 'html', errorStatus: 502 }),
    get: { kind: 'serverFailed', asked: 3 },
    post: { kind: 'serverFailed', asked: 1, unknown: true },
  },
  {
    name: 'a 504 response',
    misbehaviour: () => ({ errorBody: 'text', errorStatus: 504 }),
    get: { kind: 'serverFailed', asked: 3 },
    post: { kind: 'serverFailed', asked: 1, unknown: true },
  },
  alike('a 404 response', () => ({ errorBody: 'detail', errorStatus: 404 }), {
    kind: 'notFound',
    asked: 1,
  }),
  alike('a 401 response', () => ({ unauthorized: true }), {
    kind: 'unauthorised',
    asked: 1,
    says: /did not accept the key.*Set API Key/,
  }),
  alike('a 403 response', () => ({ forbidden: true }), {
    kind: 'forbidden',
    asked: 1,
    says: /does not allow this.*Use a key/,
  }),
  ...(
    [
      ['a Retry-After in seconds', '1', 3],
      ['a Retry-After in fractions of a second', '0.2', 3],
      ['a Retry-After of zero', '0', 3],
      ['a Retry-After in the past', 'Thu, 01 Jan 2015 00:00:00 GMT', 3],
      ['a negative Retry-After', '-5', 3],
      ['an invalid Retry-After', 'soon', 3],
      ['no Retry-After', undefined, 3],
      ['a Retry-After of an hour', '3600', 1],
      ['a Retry-After of many years', '1000000000', 1],
      [
        'a Retry-After in the distant future',
        'Thu, 01 Jan 2099 00:00:00 GMT',
        1,
      ],
    ] as const
  ).flatMap(([name, retryAfter, asked]): Fault[] => [
    alike(
      `a 429 response with ${name}`,
      () => ({ rateLimit: { retryAfter, times: 99 } }),
      {
        kind: 'rateLimited',
        asked,
        says: /receiving too many requests\. Try again (now|later|in [1-9]\d* (second|minute)s?)\./,
      },
    ),
    {
      name: `a 503 response with ${name}`,
      misbehaviour: () => ({ unavailable: { retryAfter, times: 99 } }),
      get: { kind: 'serverFailed', asked },
      post: { kind: 'serverFailed', asked: 1, unknown: true },
    },
  ]),
  alike(
    'slow headers',
    () => ({ slowHeaders: 60_000 }),
    { kind: 'timedOut', asked: 1, says: /within (30|120) seconds/ },
    true,
  ),
  alike(
    'a stalled body',
    () => ({ stallBody: true }),
    { kind: 'timedOut', asked: 1, says: /within (30|120) seconds/ },
    true,
  ),
  {
    name: 'a closed connection',
    misbehaviour: () => ({ reset: true }),
    get: { kind: 'unreachable', asked: 3, says: /the connection was closed/ },
    post: { kind: 'unreachable', asked: 1, unknown: true },
  },
  {
    name: 'a connection that closes during the body',
    misbehaviour: () => ({ resetBody: true }),
    get: { kind: 'unreachable', asked: 3, says: /the connection was closed/ },
    post: { kind: 'unreachable', asked: 1, unknown: true },
  },
  alike(
    'incomplete JSON',
    () => ({ truncatedJson: true }),
    { kind: 'notUnderstood', asked: 1, says: /not JSON, or not all of it/ },
    true,
  ),
  alike(
    'a gzip bomb',
    () => ({ gzipBomb: true }),
    { kind: 'notUnderstood', asked: 1, says: /larger than (2|32) MB/ },
    true,
  ),
  alike(
    'an endless body',
    () => ({ endlessBody: true }),
    { kind: 'notUnderstood', asked: 1, says: /larger than (2|32) MB/ },
    true,
  ),
  alike(
    'a huge body',
    () => ({ hugeBody: true }),
    { kind: 'notUnderstood', asked: 1, says: /larger than (2|32) MB/ },
    true,
  ),
  alike(
    'a 200 response with a web page',
    () => ({ htmlAt200: true }),
    { kind: 'notThisService', asked: 1, says: /web page/ },
    true,
  ),
  {
    name: 'a redirect to itself',
    misbehaviour: () => ({ redirectSelf: true }),
    get: { kind: 'notThisService', asked: 6, says: /redirects endlessly/ },
    post: { kind: 'notThisService', asked: 6 },
  },
  alike(
    'a redirect to another origin',
    (elsewhere) => ({ redirectOther: elsewhere }),
    {
      kind: 'notThisService',
      asked: 1,
      says: /it redirects to http:\/\/127\.0\.0\.1:\d+\./,
    },
  ),
  alike(
    'a redirect to another scheme',
    () => ({ redirectOther: 'file:///etc/passwd' }),
    {
      kind: 'notThisService',
      asked: 1,
    },
  ),
];

/** Another origin, which remembers whether anybody came. */
async function startElsewhere(): Promise<{
  server: Server;
  url: string;
  visits: string[];
}> {
  const visits: string[] = [];
  const server = createServer((request, response) => {
    visits.push(`${request.method ?? ''} ${request.url ?? ''}`);
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    visits,
  };
}

const lines = new Lines();

/**
 * Asks the demo where it answers in the same shape: it is no Agent Server, and
 * deletes no sandboxes.
 */
const fetchAlike: typeof globalThis.fetch = (input, init) => {
  const url = input instanceof URL ? new URL(input) : assert.fail();
  const isChange = init?.method !== undefined && init.method !== 'GET';
  const isEvents = /\/events\/(search|x)$/.test(url.pathname);
  const isRecord = !isChange && /\/conversations\/[^/]+$/.test(url.pathname);
  if (isEvents || isRecord) url.pathname = '/api/v1/sandboxes/search';
  if (
    isChange &&
    /(?:conversations|settings\/mcp|\/mcp)\/./.test(url.pathname)
  ) {
    url.pathname = `/api/v1/sandboxes/${sandboxId}/pause`;
    return globalThis.fetch(url, { ...init, method: 'POST' });
  }
  url.pathname = url.pathname
    .replace('/api/conversations', '/api/v1/app-conversations')
    .replace(
      /\/api\/(agent-profiles|profiles|file\/search_subdirs|vscode\/\w+|settings)/,
      '/api/v1/sandboxes/search',
    );
  if (init?.method !== 'DELETE') return globalThis.fetch(url, init);
  url.pathname += '/pause';
  return globalThis.fetch(url, { ...init, method: 'POST' });
};

function fetchFor({
  kind,
  name,
  needsItsKind,
}: ServiceCall): typeof globalThis.fetch {
  if (needsItsKind) return globalThis.fetch;
  return kind === 'agentServer' || /^(editing\.|sandboxes\.remove)/.test(name)
    ? fetchAlike
    : globalThis.fetch;
}

/**
 * Calls one of a service that never finishes its answers, and skips the time
 * until the call gives up.
 */
async function runUntilGivenUp(
  call: ServiceCall,
  demo: MisbehavingDemo,
  answers: 'noHeaders' | 'headers',
): Promise<unknown> {
  const clock = new SkippingClock(systemClock);
  const state = { isSettled: false, headers: 0 };
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const response = await fetchFor(call)(input, init);
    state.headers += 1;
    return response;
  };
  const result = run(call, demo, { clock, deadline: 30_000, fetch }).finally(
    () => (state.isSettled = true),
  );
  result.catch(() => undefined);
  for (let stalled = 0; !state.isSettled;) {
    const count = () =>
      answers === 'headers' ? state.headers : demo.requests.length;
    await until(() => state.isSettled || count() > stalled);
    stalled = count();
    await clock.skip(121_000);
  }
  return await result;
}

/** Calls one of a service. */
async function run(
  call: ServiceCall,
  demo: MisbehavingDemo,
  given: Partial<ClientOptions> = {},
  signal = new AbortController().signal,
): Promise<unknown> {
  const fetch = fetchFor(call);
  const options = {
    interface: call.kind,
    bodyLimit: 2_000_000,
    log: lines,
    fetch,
    ...given,
  };
  const service = serviceOf(demo, call.kind, options);
  return await call.run({
    client: connect(demo, options),
    service,
    sandboxId,
    signal,
  });
}

/** Lists the sandboxes, as an example of a call. */
async function list(demo: MisbehavingDemo, given: Partial<ClientOptions> = {}) {
  const { sandboxes } = serviceOf(demo, 'v1', { log: lines, ...given });
  return await sandboxes.list().next();
}

async function failureOf(promise: Promise<unknown>): Promise<ServiceError> {
  try {
    await promise;
  } catch (error) {
    assert.ok(
      error instanceof ServiceError,
      `not a ServiceError: ${inspect(error)}`,
    );
    return error;
  }
  return assert.fail('it did not fail');
}

/** A fault that every call has met. */
function countScenario(): void {
  countDone(1, `faults of the service, each met by ${calls.length} calls`);
  countDone(
    calls.length,
    'calls that failed as they should, with no request to another origin',
  );
}

describe('the list of calls in these tests', () => {
  it('covers every function of a service', async () => {
    const demo = await startMisbehavingDemo({ key });
    const options = { log: lines };
    const services = {
      v0: serviceOf(demo, 'v0', options),
      v1: serviceOf(demo, 'v1', options),
      agentServer: serviceOf(demo, 'agentServer', options),
    };
    assert.deepEqual(uncalled(connect(demo, options), services), []);
    const more = {
      ...services.v1,
      sandboxes: { ...services.v1.sandboxes, forget: () => undefined },
    };
    assert.deepEqual(
      uncalled(connect(demo, options), { ...services, v1: more }),
      ['v1 sandboxes.forget'],
    );
    await demo.stop();
  });
});

describe('the client of a failing service', () => {
  let elsewhere: Awaited<ReturnType<typeof startElsewhere>>;

  before(async () => {
    elsewhere = await startElsewhere();
    const demo = await startMisbehavingDemo({ key });
    const { value } = await list(demo);
    // The same seed makes the same world each time.
    sandboxId = value?.items[0]?.id ?? assert.fail();
    await demo.stop();
  });

  after(() => {
    elsewhere.server.close();
  });

  for (const fault of faults) {
    it(`handles ${fault.name} as ${fault.get.kind} in every call`, async () => {
      await Promise.all(
        calls.map(async (call) => {
          const name = nameOf(call);
          const demo = await startMisbehavingDemo({
            key,
            automations: call.name.startsWith('automations.'),
            ...(call.needsItsKind && { interface: call.kind }),
            misbehaviour: fault.misbehaviour(elsewhere.url),
          });
          try {
            const expected = call.changes ? fault.post : fault.get;
            const isLate = expected.kind === 'timedOut';
            const answers = fault.misbehaviour('').stallBody
              ? 'headers'
              : 'noHeaders';
            const result = isLate
              ? runUntilGivenUp(call, demo, answers)
              : run(call, demo);
            if (
              call.mayBeMissing &&
              ['notFound', 'rejected'].includes(expected.kind)
            ) {
              assert.equal(await result, undefined, name);
              assert.equal(demo.requests.length, expected.asked, name);
              return;
            }
            if (
              call.ifNotFound?.startsWith('done') &&
              expected.kind === 'notFound'
            ) {
              await result;
              const times = call.ifNotFound === 'done' ? 2 : 1;
              assert.equal(demo.requests.length, times * expected.asked, name);
              return;
            }
            const error = await failureOf(result);
            // It is not such a service if the first list is not found.
            const kind =
              expected.kind === 'notFound' && call.recognises
                ? 'notThisService'
                : expected.kind;
            const inV0Too =
              call.looksInV0 &&
              ['notFound', 'notThisService', 'rejected'].includes(
                expected.kind,
              );
            const again = call.isPatient && momentary.includes(kind);
            const lookedFor = expected.unknown
              ? (call.looksFor ?? 0) * fault.get.asked
              : 0;
            const isTooLarge =
              error.failure.kind === 'notUnderstood' && error.failure.tooLarge;
            const looksUp =
              call.ifNotFound === 'fails' && expected.kind === 'notFound';
            const times =
              inV0Too || looksUp
                ? 2
                : again
                  ? 3
                  : isTooLarge
                    ? (call.asksForFewer ?? 1)
                    : 1;
            const asked =
              (call.once &&
              (call.changes ? kind === 'rateLimited' : momentary.includes(kind))
                ? 1
                : expected.asked) *
                times +
              lookedFor;
            assert.equal(error.kind, kind, `${name}: ${error.message}`);
            assert.equal(
              demo.requests.length,
              asked,
              `${name} asked ${demo.requests.length} times`,
            );
            assert.equal(
              error.circumstances.outcomeUnknown ?? false,
              expected.unknown ?? false,
              name,
            );
            if (expected.says && kind === expected.kind)
              assert.match(error.message, expected.says);
            assert.match(error.message, /^Could not [a-zA-Z ]+: /);
            assert.ok(error.message.includes(demo.url), error.message);
            assert.doesNotMatch(reachableText(error), /canary/);
          } finally {
            await demo.stop();
          }
        }),
      );
      assert.deepEqual(elsewhere.visits, [], 'another origin was asked');
      assert.doesNotMatch(lines.all.join('\n'), /canary/);
      countScenario();
    });
  }

  it('reports that nothing is listening at the address', async () => {
    const demo = await startMisbehavingDemo({ key });
    await demo.stop();
    for (const call of calls) {
      const error = await failureOf(run(call, demo));
      assert.equal(error.kind, 'unreachable');
      assert.match(error.message, /connection refused/);
      assert.equal(error.circumstances.outcomeUnknown, false);
    }
    countScenario();
  });

  for (const [name, unsendable] of [
    ['an invisible character', 'canary\u200Bkey'],
    ['a character that no header allows', 'canary…key'],
    ['a line break', 'canary\r\nkey'],
  ] as const) {
    it(`rejects a key with ${name} and sends nothing`, async () => {
      const demo = await startMisbehavingDemo({ key });
      for (const authentication of [
        'sessionKey',
        'bearer',
        'accessToken',
      ] as const) {
        for (const call of calls) {
          const error = await failureOf(
            run(call, demo, { authentication, key: new Secret(unsendable) }),
          );
          assert.equal(error.kind, 'unauthorised');
          assert.match(
            error.message,
            /the key for http.+ contains a character that cannot be sent.+Set API Key/,
          );
          assert.equal(error.circumstances.outcomeUnknown, false);
          assert.doesNotMatch(
            reachableText(error) + lines.all.join('\n'),
            /canary/,
          );
        }
      }
      assert.equal(demo.requestCount, 0);
      await demo.stop();
      countScenario();
    });
  }

  it('reports an unknown outcome when a creation gets an unexpected answer', async () => {
    const demo = await startMisbehavingDemo({ key });
    const fetch = () => Promise.resolve(Response.json({ fine: true }));
    for (const call of calls.filter(({ name }) =>
      ['creation.create', 'sandboxes.start'].includes(name),
    )) {
      const error = await failureOf(run(call, demo, { fetch }));
      assert.equal(error.kind, 'notUnderstood');
      assert.equal(error.circumstances.outcomeUnknown, true);
      assert.match(error.message, /The service may have done this already/);
    }
    await demo.stop();
  });

  it('reports a host name that cannot be found', async () => {
    const demo = await startMisbehavingDemo({ key });
    const error = await failureOf(
      list(demo, { address: new URL('http://nowhere.invalid') }),
    );
    assert.match(
      error.message,
      /Cannot reach http:\/\/nowhere.invalid: its name (does not exist|could not be)/,
    );
    await demo.stop();
  });

  it('reports an unreachable service when it does not speak TLS', async () => {
    const demo = await startMisbehavingDemo({ key });
    const address = new URL(demo.url.replace('http:', 'https:'));
    const error = await failureOf(list(demo, { address }));
    assert.equal(error.kind, 'unreachable');
    assert.match(error.message, /TLS|connection/);
    await demo.stop();
  });

  it('reports an unknown outcome when a change is cancelled, but not when a read is', async () => {
    for (const call of calls) {
      const demo = await startMisbehavingDemo({
        key,
        misbehaviour: { stallBody: true },
      });
      const controller = new AbortController();
      const running = failureOf(run(call, demo, {}, controller.signal));
      while (demo.requests.length === 0)
        await new Promise((resolve) => setImmediate(resolve));
      controller.abort();
      const error = await running;
      assert.equal(error.kind, 'cancelled', nameOf(call));
      assert.equal(
        error.circumstances.outcomeUnknown,
        call.changes === true,
        nameOf(call),
      );
      await demo.stop();
    }
  });

  it('sends no request for a caller that has already cancelled', async () => {
    const demo = await startMisbehavingDemo({ key });
    for (const call of calls) {
      assert.equal(
        (await failureOf(run(call, demo, {}, AbortSignal.abort()))).kind,
        'cancelled',
      );
    }
    assert.equal(demo.requests.length, 0);
    await demo.stop();
  });

  it('retries a read after a temporary failure until it succeeds', async () => {
    for (const misbehaviour of [
      { rateLimit: { retryAfter: '1', times: 2 } },
      { unavailable: { retryAfter: undefined, times: 2 } },
      { reset: true, times: 2 },
    ] satisfies Partial<Misbehaviour>[]) {
      const demo = await startMisbehavingDemo({ key, misbehaviour });
      const { value } = await list(demo);
      assert.ok((value?.items.length ?? 0) > 0);
      assert.equal(demo.requests.length, 3);
      await demo.stop();
    }
  });

  it('retries a change that was refused with status 429', async () => {
    const demo = await startMisbehavingDemo({
      key,
      misbehaviour: { rateLimit: { retryAfter: '1', times: 1 } },
    });
    assert.equal(
      (await serviceOf(demo, 'v1', { log: lines }).sandboxes.start()).status,
      'starting',
    );
    assert.equal(demo.requests.length, 2);
    await demo.stop();
  });

  it('keeps a key that the service repeats out of errors', async () => {
    for (const authentication of [
      'sessionKey',
      'bearer',
      'accessToken',
    ] as const) {
      const demo = await startMisbehavingDemo({
        key,
        misbehaviour: { echoKey: true },
      });
      const error = await failureOf(list(demo, { authentication }));
      assert.doesNotMatch(
        reachableText(error) + lines.all.join('\n'),
        /canary/,
      );
      await demo.stop();
    }
  });

  it('follows a redirect within the origin and still sends the key', async () => {
    const demo = await startMisbehavingDemo({
      key,
      misbehaviour: { redirectWithin: true },
    });
    assert.equal((await list(demo)).done, false);
    assert.equal(demo.requests.length, 2);
    await demo.stop();
  });
});
