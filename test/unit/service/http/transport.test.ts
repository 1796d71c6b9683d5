import assert from 'node:assert/strict';
import { Secret } from '../../../../src/base/secret.ts';
import {
  type Failure,
  ServiceError,
} from '../../../../src/service/http/serviceError.ts';
import {
  type ServiceRequest,
  ServiceTransport,
  type TransportOptions,
} from '../../../../src/service/http/transport.ts';
import { SteppedClock } from '../../../support/steppedClock.ts';
import { type GivenAnswer, saying } from '../answering.ts';
import { key, Lines } from '../support.ts';

const read: ServiceRequest = {
  operation: 'list',
  couldNot: 'Could not list',
  path: ['x'],
};
const change: ServiceRequest = {
  operation: 'start',
  couldNot: 'Could not start',
  method: 'POST',
  path: ['x'],
};

const connectionFailure = (code: string) =>
  new TypeError('fetch failed', {
    cause: Object.assign(new Error('made to fail'), { code }),
  });

/**
 * A service that gives these answers, the last one again and again, or fails
 * like this.
 */
class Service {
  readonly asked: (RequestInit & { readonly url: string })[] = [];
  readonly #answers: readonly (GivenAnswer | Error)[];

  constructor(...answers: readonly (GivenAnswer | Error)[]) {
    this.#answers = answers;
  }

  fetch: typeof globalThis.fetch = (url, init) => {
    this.asked.push({ url: (url as URL).href, ...init });
    const answer = this.#answers[this.asked.length - 1] ?? this.#answers.at(-1);
    if (answer instanceof Error) return Promise.reject(answer);
    const { body, ...others } = answer ?? { body: '', status: 200 };
    const hasNone = others.status === 204 || others.status === 304;
    return Promise.resolve(new Response(hasNone ? null : body, others));
  };
}

describe('a request', () => {
  let clock: SteppedClock;
  let log: Lines;

  beforeEach(() => {
    clock = new SteppedClock();
    log = new Lines();
  });

  function transportTo(
    service: Pick<Service, 'fetch'>,
    options: Partial<TransportOptions> = {},
  ): ServiceTransport {
    return new ServiceTransport({
      address: new URL('https://agents.example.com/base'),
      authentication: 'sessionKey',
      key: new Secret(key),
      clock,
      log,
      random: () => 0,
      fetch: service.fetch,
      ...options,
    });
  }

  /** The error of a request, after which nothing waits any more. */
  async function errorOf(
    service: Pick<Service, 'fetch'>,
    request = read,
    options: Partial<TransportOptions> = {},
    signal?: AbortSignal,
  ): Promise<ServiceError> {
    const transport = transportTo(service, {
      requestsPerSecond: Infinity,
      ...options,
    });
    const sending = transport.send(request, { signal });
    const error: unknown = await clock
      .advanceUntil(sending, 250)
      .catch((error: unknown) => error);
    assert.ok(error instanceof ServiceError);
    assert.equal(clock.pending, 0);
    return error;
  }

  describe('the contents', () => {
    async function sent(
      request: ServiceRequest,
      options: Partial<TransportOptions> = {},
    ) {
      const service = new Service(saying({}));
      await transportTo(service, options).send(request, {});
      const [{ url, method, headers, body } = assert.fail()] = service.asked;
      return { url, method, headers, body };
    }

    it('rejects with an unexpected error as it is, and not as if it were cancelled', async () => {
      const broken = Object.assign(new Lines(), {
        debug: () => {
          throw new Error('a defect');
        },
      });
      await assert.rejects(
        transportTo(new Service(), { log: broken }).send(read, {}),
        /^Error: a defect$/,
      );
    });

    it('sends only a path, a query and the key to read something', async () => {
      const query = { a: 'b c', ids: ['1', '2'], limit: 5, none: undefined };
      assert.deepEqual(await sent({ ...read, path: ['x', 'a/b?'], query }), {
        url: 'https://agents.example.com/base/x/a%2Fb%3F?a=b+c&ids=1&ids=2&limit=5',
        method: 'GET',
        headers: { accept: 'application/json', 'x-session-api-key': key },
        body: undefined,
      });
    });

    it('sends a change as JSON', async () => {
      assert.deepEqual(await sent({ ...change, body: { a: 1 } }), {
        url: 'https://agents.example.com/base/x',
        method: 'POST',
        headers: {
          accept: 'application/json',
          'content-type': 'application/json',
          'x-session-api-key': key,
        },
        body: '{"a":1}',
      });
    });

    it('sends to an address without a path', async () => {
      const { url } = await sent(read, {
        address: new URL('https://agents.example.com'),
      });
      assert.equal(url, 'https://agents.example.com/x');
    });

    it('sends the key in the chosen header, or not at all', async () => {
      const headers = async (
        authentication: TransportOptions['authentication'],
        value: string,
      ) => {
        return (await sent(read, { authentication, key: new Secret(value) }))
          .headers;
      };
      const accept = 'application/json';
      assert.deepEqual(await headers('bearer', key), {
        accept,
        authorization: `Bearer ${key}`,
      });
      assert.deepEqual(await headers('accessToken', key), {
        accept,
        'x-access-token': key,
      });
      // It does not matter that no header can have this one.
      assert.deepEqual(await headers('none', 'canary…'), { accept });
    });
  });

  describe('the failure', () => {
    const html = { 'content-type': 'text/html' };
    const cases: readonly (readonly [
      string,
      GivenAnswer,
      Failure,
      unknown: boolean,
    ])[] = [
      [
        'with 400',
        saying({ detail: 'no' }, 400),
        { kind: 'rejected', status: 400, fields: [], detail: 'no' },
        false,
      ],
      [
        'with 422',
        saying({ detail: [{ loc: ['a'], msg: 'no' }] }, 422),
        {
          kind: 'rejected',
          status: 422,
          fields: [{ name: 'a', message: 'no' }],
          detail: undefined,
        },
        false,
      ],
      [
        'with 401',
        saying({ detail: 'no' }, 401),
        { kind: 'unauthorised', withKey: true },
        false,
      ],
      [
        'with 403',
        saying({ detail: 'no' }, 403),
        { kind: 'forbidden', detail: 'no' },
        false,
      ],
      [
        'with 404',
        saying({ detail: 'no' }, 404),
        { kind: 'notFound', detail: 'no' },
        false,
      ],
      [
        'with 405',
        saying({ detail: 'no' }, 405),
        { kind: 'notFound', detail: 'no' },
        false,
      ],
      [
        'with 410',
        saying({ detail: 'no' }, 410),
        { kind: 'notFound', detail: 'no' },
        false,
      ],
      [
        'with 429',
        { status: 429, headers: { 'retry-after': '60' }, body: '' },
        { kind: 'rateLimited', retryAfter: 60_000 },
        false,
      ],
      [
        'with 500',
        saying({ detail: 'no' }, 500),
        {
          kind: 'serverFailed',
          status: 500,
          detail: 'no',
          retryAfter: undefined,
        },
        true,
      ],
      [
        'with 503',
        {
          status: 503,
          headers: { 'retry-after': '60', ...html },
          body: '<title>down</title>',
        },
        {
          kind: 'serverFailed',
          status: 503,
          detail: 'down',
          retryAfter: 60_000,
        },
        true,
      ],
      [
        'with 304',
        { status: 304, body: '' },
        { kind: 'notUnderstood', why: 'status 304' },
        true,
      ],
      [
        'with a web page',
        { body: '<html>' },
        { kind: 'notThisService', why: 'it answers with a web page' },
        true,
      ],
      [
        'with incomplete JSON',
        { body: '{' },
        { kind: 'notUnderstood', why: 'it is not JSON, or not all of it' },
        true,
      ],
      [
        'with a body that is too large',
        { body: `"${'x'.repeat(2_500_000)}"` },
        {
          kind: 'notUnderstood',
          why: 'it is larger than 2 MB',
          tooLarge: true,
        },
        true,
      ],
    ];

    for (const [how, answer, failure, unknown] of cases) {
      it(`fails ${how} and treats a change as ${unknown ? 'possibly' : 'not'} made`, async () => {
        for (const request of [read, change]) {
          const error = await errorOf(new Service(answer), request, {
            bodyLimit: 2_400_000,
          });
          assert.deepEqual(error.failure, failure);
          assert.equal(
            error.circumstances.outcomeUnknown,
            unknown && request === change,
          );
          assert.equal(
            error.circumstances.address,
            'https://agents.example.com/base',
          );
          assert.equal(error.circumstances.couldNot, request.couldNot);
        }
      });
    }

    it('fails on an empty answer to a read, but not to a change', async () => {
      const nothing = new Service({ status: 200, body: '' });
      const { failure } = await errorOf(nothing);
      assert.deepEqual(failure, { kind: 'notUnderstood', why: 'it is empty' });
      for (const answer of [
        nothing,
        new Service({ body: ' \n' }),
        new Service({ status: 204, body: '' }),
      ]) {
        assert.equal(await transportTo(answer).send(change, {}), undefined);
      }
    });

    it('builds an error for its caller with the address and a known outcome', () => {
      const transport = transportTo(new Service(saying({})));
      const { circumstances } = transport.error('Could not list', {
        kind: 'notFound',
      });
      const address = 'https://agents.example.com/base';
      assert.deepEqual(circumstances, {
        couldNot: 'Could not list',
        address,
        outcomeUnknown: false,
      });
    });

    it('fails before sending if an ID in its path would lead elsewhere', async () => {
      const service = new Service(saying({}));
      for (const id of ['', '.', '..', '\ud800']) {
        const { failure } = await errorOf(service, {
          ...read,
          path: ['x', id],
        });
        const detail = `"${id.toWellFormed()}" is not a valid ID`;
        assert.deepEqual(failure, { kind: 'notFound', detail });
      }
      assert.deepEqual(service.asked, []);
    });

    it('reports a missing key when none was sent', async () => {
      const refusing = new Service(saying({}, 401));
      for (const options of [
        { key: undefined },
        { authentication: 'none' },
      ] as const) {
        const { failure } = await errorOf(refusing, read, options);
        assert.deepEqual(failure, { kind: 'unauthorised', withKey: false });
      }
    });

    it('fails before sending if no header can contain the key', async () => {
      const service = new Service(saying({}));
      const { failure } = await errorOf(service, read, {
        key: new Secret('canary…'),
      });
      assert.deepEqual(failure, {
        kind: 'unauthorised',
        withKey: true,
        unsendable: true,
      });
      assert.deepEqual(service.asked, []);
    });

    it('explains a refused connection and keeps the cause', async () => {
      const cause = connectionFailure('ECONNREFUSED');
      const error = await errorOf(new Service(cause), change);
      const why = 'connection refused';
      assert.deepEqual(error.failure, {
        kind: 'unreachable',
        why,
        closed: false,
        unanswered: true,
      });
      assert.equal(error.circumstances.outcomeUnknown, false);
      assert.equal(error.cause, cause);
    });

    it('treats a change as possibly made when the connection is closed', async () => {
      const error = await errorOf(
        new Service(connectionFailure('EPIPE')),
        change,
      );
      assert.equal(error.kind, 'unreachable');
      assert.equal(error.circumstances.outcomeUnknown, true);
    });

    it('times out after 30 seconds and treats a change as possibly made', async () => {
      const begin = clock.now();
      const silent: typeof fetch = (_, init) =>
        new Promise((_, reject) => {
          init?.signal?.addEventListener('abort', () => {
            reject(new Error('aborted'));
          });
        });
      const error = await errorOf({ fetch: silent }, change);
      assert.deepEqual(error.failure, { kind: 'timedOut', seconds: 30 });
      assert.equal(error.circumstances.outcomeUnknown, true);
      assert.ok(clock.now() - begin >= 30_000 && clock.now() - begin < 31_000);
    });
  });

  describe('the cancellation', () => {
    it('sends and logs nothing when cancelled before sending', async () => {
      const service = new Service(saying({}));
      const { failure } = await errorOf(
        service,
        change,
        {},
        AbortSignal.abort(),
      );
      assert.deepEqual(failure, { kind: 'cancelled' });
      assert.deepEqual([service.asked, log.all], [[], []]);
    });

    it('treats a change as possibly made when cancelled before the answer', async () => {
      const controller = new AbortController();
      const fetch: typeof globalThis.fetch = (_, init) => {
        controller.abort();
        return Promise.reject(init?.signal?.reason as Error);
      };
      const error = await errorOf({ fetch }, change, {}, controller.signal);
      assert.deepEqual(
        [error.kind, error.circumstances.outcomeUnknown],
        ['cancelled', true],
      );
      assert.deepEqual(log.all, []);
    });

    it('sends no retry when cancelled during the pause before it', async () => {
      const service = new Service(saying({}, 503));
      const controller = new AbortController();
      const warn = (line: string) => {
        log.warn(line);
        controller.abort();
      };
      const error = await errorOf(
        service,
        read,
        { log: { debug: log.debug, warn } },
        controller.signal,
      );
      assert.deepEqual([error.kind, service.asked.length], ['cancelled', 1]);
    });
  });

  describe('the retry', () => {
    /** Counts the requests to a service that always fails like this. */
    async function asked(
      answer: GivenAnswer | Error,
      request = read,
    ): Promise<number> {
      const service = new Service(answer);
      await errorOf(service, request);
      return service.asked.length;
    }
    const limited = (seconds: string): GivenAnswer => ({
      status: 429,
      headers: { 'retry-after': seconds },
      body: '',
    });

    it('retries twice when that may help and can do no harm', async () => {
      for (const [answer, reads, changes] of [
        [saying({}, 500), 1, 1],
        [saying({}, 501), 1, 1],
        [saying({}, 502), 3, 1],
        [saying({}, 503), 3, 1],
        [saying({}, 504), 3, 1],
        [saying({}, 505), 1, 1],
        [saying({}, 429), 3, 3],
        [saying({}, 404), 1, 1],
        [connectionFailure('ECONNRESET'), 3, 1],
        [connectionFailure('ECONNREFUSED'), 1, 1],
      ] as const) {
        assert.deepEqual(
          [await asked(answer), await asked(answer, change)],
          [reads, changes],
        );
      }
    });

    it('does not retry when the service asks to wait for more than 15 seconds', async () => {
      assert.equal(await asked(limited('15')), 3);
      assert.equal(await asked(limited('15.001')), 1);
    });

    it('retries after growing random pauses, or after the pause that the service asks for', async () => {
      const pauses = async (answer: GivenAnswer, random: number) => {
        log = new Lines();
        await errorOf(new Service(answer), read, { random: () => random });
        return log.all.flatMap(
          (line) => / Trying again in (\d+) ms\.$/.exec(line)?.[1] ?? [],
        );
      };
      assert.deepEqual(await pauses(saying({}, 503), 0), ['500', '1000']);
      assert.deepEqual(await pauses(saying({}, 503), 0.5), ['625', '1125']);
      assert.deepEqual(await pauses(limited('0'), 0.5), ['125', '125']);
      assert.deepEqual(await pauses(limited('7'), 0), ['7000', '7000']);
    });

    it('logs each retry and the last failure', async () => {
      await errorOf(new Service(saying({ detail: 'down' }, 503)));
      const failed =
        'Could not list: https://agents.example.com/base failed (down). Try again later. If it keeps failing, tell the administrator of the service.';
      const again = ['500', '1000'].map(
        (pause) => `${failed} Trying again in ${pause} ms.`,
      );
      assert.deepEqual(
        log.all.filter((line) => line.startsWith('Could')),
        [...again, failed],
      );
    });

    it('retries until the service answers', async () => {
      const service = new Service(
        saying({}, 503),
        connectionFailure('EPIPE'),
        saying({ fine: true }),
      );
      const answer = await clock.advanceUntil(
        transportTo(service).send(read, {}),
        250,
      );
      assert.deepEqual(answer, { fine: true });
      assert.equal(clock.pending, 0);
    });
  });

  describe('for a file', () => {
    const download = (answer: GivenAnswer) =>
      transportTo(new Service(answer)).download(read, {});

    it('returns its bytes and the headers of the answer', async () => {
      const answer = {
        status: 200,
        headers: { 'x-branch': 'main' },
        body: '<!doctype html>é',
      };
      const { bytes, headers } = await download(answer);
      assert.equal(Buffer.from(bytes).toString(), '<!doctype html>é');
      assert.equal(headers.get('x-branch'), 'main');
    });

    it('fails when the service refuses it or answers with a web page', async () => {
      const html = { 'content-type': 'text/html' };
      for (const [answer, kind, says] of [
        [saying({ detail: 'No such é' }, 404), 'notFound', /No such é/],
        [
          { status: 200, headers: html, body: 'hello' },
          'notThisService',
          /web page/,
        ],
      ] as const) {
        await assert.rejects(download(answer), (error) => {
          assert.ok(error instanceof ServiceError);
          assert.equal(error.kind, kind);
          assert.match(error.message, says);
          return true;
        });
      }
    });
  });

  it('has a key only where one is sent, and polls wait only when there are many', () => {
    const service = new Service(saying({}));
    assert.equal(transportTo(service).key?.reveal(), key);
    assert.equal(
      transportTo(service, { authentication: 'none' }).key,
      undefined,
    );
    assert.equal(transportTo(service).pollsWaited, 0);
  });

  it('sends any number of requests per minute to the Agent Server of a sandbox', async () => {
    const service = new Service(saying({}));
    const other = transportTo(service, { requestsPerSecond: 1_000 }).to(
      new URL('http://sandbox:8000'),
      new Secret(key),
    );
    await Promise.all(Array.from({ length: 200 }, () => other.send(read, {})));
    assert.equal(service.asked.length, 200);
  });

  it('sends at most eight requests per second, or as many as are set', async () => {
    for (const [options, most] of [
      [{}, 8],
      [{ requestsPerSecond: 2 }, 2],
    ] as const) {
      const service = new Service(saying({}));
      const transport = transportTo(service, options);
      const sending = Promise.all(
        Array.from({ length: most + 1 }, () => transport.send(read, {})),
      );
      while (service.asked.length < most) await new Promise(setImmediate);
      clock.advance(999);
      await new Promise(setImmediate);
      assert.equal(service.asked.length, most);
      clock.advance(1);
      await sending;
      assert.equal(service.asked.length, most + 1);
    }
  });

  it('logs its duration but not its path', async () => {
    const fetch: typeof globalThis.fetch = () => {
      clock.advance(120);
      return Promise.resolve(Response.json({ a: 1 }));
    };
    await transportTo({ fetch }).send(read, {});
    await transportTo({ fetch }).send(change, {});
    assert.deepEqual(log.all, [
      'GET list: 200, 7 bytes, 120 ms',
      'POST start: 200, 7 bytes, 120 ms',
    ]);
  });

  it('accepts the first answer that is not a redirect, even with a Location header', async () => {
    const headers = { location: '/elsewhere' };
    for (const status of [200, 201, 400]) {
      const service = new Service({ status, headers, body: '{}' });
      const answer = transportTo(service).send(change, {});
      if (status === 400) await assert.rejects(answer, ServiceError);
      else assert.deepEqual(await answer, {});
      assert.equal(service.asked.length, 1, String(status));
    }
    const service = new Service(
      { status: 300, headers, body: '' },
      saying({ fine: true }),
    );
    assert.deepEqual(await transportTo(service).send(read, {}), { fine: true });
  });
});
