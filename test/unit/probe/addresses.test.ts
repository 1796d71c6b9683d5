import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import type { ProbeStep } from '../../../src/probe/probe.ts';
import { until } from '../../support/eventually.ts';
import {
  AddressServer,
  type Handler,
  html,
  json,
  working,
  workingEvents,
} from '../../support/servers/address.ts';
import { selfSigned } from '../../support/servers/selfSigned.ts';
import { SteppedClock } from '../../support/steppedClock.ts';
import { address, check, failureOf, toolsOf } from './support.ts';

const canary = 'canary-Zx81';

describe('the check of an address', () => {
  const servers: AddressServer[] = [];

  async function start(
    handler: Handler,
    certificate?: { readonly key: string; readonly cert: string },
  ) {
    const server = await AddressServer.start(handler, certificate);
    servers.push(server);
    return server;
  }

  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop()));
  });

  describe('of a working server', () => {
    it('lists the tools with the headers and key of the entry, then ends the session', async () => {
      const server = await start(working);
      const steps: string[] = [];
      const entry = address(`${server.origin}/mcp`, {
        headers: { 'X-Team': '${TEAM}' },
        auth: canary,
      });
      const result = await check(entry, {
        environment: { TEAM: 'red' },
        onProgress: (step) => steps.push(step),
      });
      assert.equal(result.kind, 'works');
      assert.deepEqual(result.tools, [
        { name: 'search', description: 'Finds things' },
      ]);
      assert.equal(result.serverName, 'address server');
      assert.deepEqual(steps, ['connecting', 'initialising', 'listing']);
      for (const { headers } of server.asked) {
        assert.equal(headers['x-team'], 'red');
        assert.equal(headers.authorization, `Bearer ${canary}`);
      }
      assert.equal(server.asked.at(-1)?.method, 'DELETE');
    });

    it('connects over the older SSE transport', async () => {
      const server = await start(workingEvents());
      const entry = address(`${server.origin}/sse`, {
        transport: 'sse',
        headers: { 'X-Key': canary },
      });
      assert.equal((await toolsOf(entry)).length, 1);
      assert.deepEqual(server.paths, ['/sse', '/messages?session=1']);
      assert(server.asked.every(({ headers }) => headers['x-key'] === canary));
    });

    it('sends the login in the URL as an authorization header', async () => {
      const server = await start(working);
      await toolsOf(
        address(`${server.origin.replace('//', `//me:${canary}@`)}/mcp`),
      );
      const login = `Basic ${Buffer.from(`me:${canary}`).toString('base64')}`;
      assert(
        server.asked.every(({ headers }) => headers.authorization === login),
      );
    });

    it('follows a redirect within the server', async () => {
      const server = await start((asked, response) => {
        if (asked.path === '/mcp/') working(asked, response);
        else response.writeHead(307, { location: '/mcp/' }).end();
      });
      assert.equal((await toolsOf(address(`${server.origin}/mcp`))).length, 1);
    });

    it('needs no sign-in when the server asks for none, even if the entry says OAuth', async () => {
      const server = await start(working);
      assert.equal(
        (await toolsOf(address(`${server.origin}/mcp`, { auth: 'oauth' })))
          .length,
        1,
      );
    });
  });

  describe('of a server that redirects', () => {
    for (const status of [301, 302, 307, 308]) {
      it(`reports the target of an HTTP ${status} redirect and sends nothing there`, async () => {
        const elsewhere = await start(working);
        const server = await start((_, response) => {
          response
            .writeHead(status, {
              location: `${elsewhere.origin}/mcp?key=${canary}`,
            })
            .end();
        });
        const failure = await failureOf(
          address(`${server.origin}/mcp`, { headers: { 'X-Key': canary } }),
        );
        const to = `${elsewhere.origin}/mcp?key=••••••`;
        assert.deepEqual(failure, { reason: 'redirected', status, to });
        assert.deepEqual(elsewhere.asked, []);
      });
    }

    it('does not follow a redirect to another server over SSE', async () => {
      const elsewhere = await start(workingEvents());
      const server = await start((_, response) => {
        response.writeHead(302, { location: `${elsewhere.origin}/sse` }).end();
      });
      const failure = await failureOf(
        address(`${server.origin}/sse`, { transport: 'sse' }),
      );
      assert.equal(failure.reason, 'redirected');
      assert.deepEqual(elsewhere.asked, []);
    });
  });

  describe('of a server that asks for a sign-in', () => {
    /** Refuses all messages, and has this metadata. */
    const refusing =
      (
        challenge: (origin: string) => string,
        metadata: object,
        path = '/.well-known/oauth-protected-resource',
      ): Handler =>
      (asked, response) => {
        if (asked.method === 'GET' && asked.path === path)
          json(response, 200, metadata);
        else if (asked.method === 'GET') response.writeHead(404).end();
        else {
          const header = challenge(`http://${asked.headers.host}`);
          json(
            response,
            401,
            { error: 'invalid_token' },
            { 'www-authenticate': header },
          );
        }
      };
    const metadata = {
      authorization_servers: ['https://login.example.com/tenant'],
      scopes_supported: ['read', 'write'],
    };

    it('reports the issuer and the scopes that the server names', async () => {
      const server = await start(
        refusing(
          (origin) =>
            `Bearer resource_metadata="${origin}/about", scope="files:read"`,
          metadata,
          '/about',
        ),
      );
      assert.deepEqual(await failureOf(address(`${server.origin}/mcp`)), {
        reason: 'signIn',
        askedBy: 'server',
        issuer: 'https://login.example.com/tenant',
        scopes: ['files:read'],
      });
    });

    it('reads the sign-in metadata from its well-known path', async () => {
      const server = await start(
        refusing(
          () => 'Bearer',
          metadata,
          '/.well-known/oauth-protected-resource/mcp',
        ),
      );
      const failure = await failureOf(
        address(`${server.origin}/mcp`, { auth: 'oauth' }),
      );
      assert.deepEqual(failure, {
        reason: 'signIn',
        askedBy: 'entry',
        issuer: 'https://login.example.com/tenant',
        scopes: ['read', 'write'],
      });
    });

    it('reads the sign-in metadata only from the server, without the headers of the entry', async () => {
      const elsewhere = await start((_, response) => {
        json(response, 200, metadata);
      });
      const server = await start(
        refusing(
          () => `Bearer resource_metadata="${elsewhere.origin}/x"`,
          metadata,
          '/no',
        ),
      );
      const failure = await failureOf(
        address(`${server.origin}/mcp`, { headers: { 'X-Key': canary } }),
      );
      assert.deepEqual(failure, { reason: 'signIn', askedBy: 'server' });
      assert.deepEqual(elsewhere.asked, []);
      const reading = server.asked.filter(({ method }) => method === 'GET');
      assert(reading.length > 0);
      assert(reading.every(({ headers }) => headers['x-key'] === undefined));
    });

    it('reports a sign-in even if its metadata cannot be read', async () => {
      const server = await start((_, response) => {
        html(response, 401, 'Sign in');
      });
      const failure = await failureOf(
        address(`${server.origin}/mcp`, { auth: 'oauth' }),
      );
      assert.deepEqual(failure, { reason: 'signIn', askedBy: 'entry' });
    });
  });

  describe('of a server that refuses', () => {
    it('reports that the key was refused, and why', async () => {
      for (const status of [401, 403]) {
        const server = await start((_, response) => {
          json(response, status, {
            error: { message: `The key ${canary} has expired` },
          });
        });
        const failure = await failureOf(
          address(`${server.origin}/mcp`, {
            headers: { Authorization: `Bearer ${canary}` },
          }),
        );
        const said = 'The key •••••• has expired';
        assert.deepEqual(failure, {
          reason: 'keyRefused',
          status,
          sent: true,
          said,
        });
      }
    });

    it('reports that a key is needed when the entry has none', async () => {
      const server = await start((_, response) => {
        response.writeHead(401).end();
      });
      const failure = await failureOf(address(`${server.origin}/mcp`));
      assert.deepEqual(failure, {
        reason: 'keyRefused',
        status: 401,
        sent: false,
      });
    });
  });

  describe('of an address without an MCP server', () => {
    it('reports the title of a web page at the address', async () => {
      const pages: readonly (readonly [number, string])[] = [
        [404, 'Page not found'],
        [405, 'Not allowed'],
        [200, 'Welcome &amp; hello'],
      ];
      for (const [status, title] of pages) {
        const server = await start((_, response) => {
          html(response, status, title);
        });
        const url = `${server.origin}/mcp`;
        const expected = { reason: 'notMcp', url, status, found: title };
        assert.deepEqual(await failureOf(address(url)), expected);
        assert.deepEqual(
          await failureOf(address(url, { transport: 'sse' })),
          expected,
        );
      }
    });

    it('reports the content type of another JSON API at the address', async () => {
      const server = await start((_, response) => {
        json(response, 200, { hello: 'world' });
      });
      const url = `${server.origin}/api`;
      const expected = {
        reason: 'notMcp',
        url,
        status: 200,
        found: 'application/json',
      };
      assert.deepEqual(await failureOf(address(url)), expected);
    });

    it('masks a secret of the URL in the URL and in the answer', async () => {
      const server = await start((_, response) => {
        response
          .writeHead(404, { 'content-type': 'text/plain' })
          .end(`No ${canary} here\u0007`);
      });
      const failure = await failureOf(
        address(`${server.origin}/mcp?key=${canary}`),
      );
      const url = `${server.origin}/mcp?key=••••••`;
      assert.deepEqual(failure, {
        reason: 'notMcp',
        url,
        status: 404,
        found: 'No •••••• here',
      });
    });

    it('reports the status and the title of a server error', async () => {
      const server = await start((_, response) => {
        html(response, 502, 'Bad gateway');
      });
      const failure = await failureOf(address(`${server.origin}/mcp`));
      assert.deepEqual(failure, {
        reason: 'other',
        detail: 'it answers with HTTP 502: Bad gateway',
        lastLines: [],
      });
    });
  });

  describe('of an unreachable server', () => {
    it('explains why a server is unreachable: refused, unknown host or invalid address', async () => {
      const server = await start(working);
      const { origin } = server;
      await server.stop();
      servers.splice(0);
      const host = new URL(origin).host;
      const unreachable = { reason: 'unreachable' } as const;
      for (const transport of ['http', 'sse'] as const) {
        const failure = await failureOf(
          address(`${origin}/mcp`, { transport }),
        );
        assert.deepEqual(failure, { ...unreachable, host, why: 'refused' });
      }
      const unknown = await failureOf(
        address('http://no-such-host.invalid/mcp'),
      );
      assert.deepEqual(unknown, {
        ...unreachable,
        host: 'no-such-host.invalid',
        why: 'unknownHost',
      });
      for (const url of [
        'ftp://h/x',
        'example.com/mcp',
        '',
        'http://127.0.0.1:1/mcp',
      ]) {
        const failure = await failureOf(address(url));
        assert.equal(
          failure.reason === 'unreachable' && failure.why,
          'badAddress',
          url,
        );
      }
    });

    it('reports a closed connection', async () => {
      const server = await start((_, response) => {
        response.destroy();
      });
      const failure = await failureOf(address(`${server.origin}/mcp`));
      assert.equal(failure.reason === 'unreachable' && failure.why, 'closed');
    });

    it('reports an untrusted certificate and sends no request', async () => {
      const server = await start(working, selfSigned);
      const failure = await failureOf(address(`${server.origin}/mcp`));
      assert.equal(failure.reason, 'certificate');
      assert.equal(failure.host, new URL(server.origin).host);
      assert.match(failure.detail, /self-signed/);
      assert.deepEqual(server.asked, []);
    });

    it('reports a proxy that asks for a sign-in or closes the connection', async () => {
      const host = 'mcp.example.com';
      const refused = await failureOf(address(`https://${host}/mcp`), {
        fetch: () => Promise.resolve(new Response(null, { status: 407 })),
      });
      assert.deepEqual(refused, {
        reason: 'proxy',
        host,
        detail: 'it asks for a sign-in',
      });
      const cause = new Error(
        'Proxy connection ended before receiving CONNECT response',
      );
      const ended = await failureOf(address(`https://${host}/mcp`), {
        fetch: () => Promise.reject(new TypeError('fetch failed', { cause })),
      });
      assert.deepEqual(ended, { reason: 'proxy', host, detail: cause.message });
    });

    it('reports a header with characters that cannot be sent', async () => {
      const failure = await failureOf(
        address('http://127.0.0.1:9/', { headers: { Key: 'a\nb' } }),
      );
      assert.equal(
        failure.reason === 'other' && failure.detail,
        'the header Key has characters that cannot be sent',
      );
    });
  });

  describe('of a response that does not end', () => {
    const deadline = 20_000;
    const timedOut = (waitingFor: string) => ({
      reason: 'timedOut',
      waitingFor,
      milliseconds: deadline,
      lastLines: [],
    });

    /** Starts a server that never ends its response. */
    const open = async (
      begin: (response: ServerResponse) => void,
      {
        step,
        transport = 'http',
      }: { readonly step: ProbeStep; readonly transport?: 'http' | 'sse' },
    ) => {
      let isAsked = false;
      const server = await start((_, response) => {
        isAsked = true;
        begin(response);
      });
      const steps = new Set<ProbeStep>();
      const clock = new SteppedClock();
      const onProgress = (reached: ProbeStep) => void steps.add(reached);
      const failure = failureOf(
        address(`${server.origin}/mcp`, { transport }),
        {
          deadline,
          clock,
          onProgress,
        },
      );
      await until(() => isAsked && steps.has(step));
      clock.advance(deadline);
      return await failure;
    };

    it('reports the unfinished step when the deadline passes', async () => {
      assert.deepEqual(
        await open(() => undefined, { step: 'connecting' }),
        timedOut('connecting'),
      );
      const silentStream = (response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(': hello\n\n');
      };
      assert.deepEqual(
        await open(silentStream, { step: 'initialising' }),
        timedOut('initialising'),
      );
      assert.deepEqual(
        await open(silentStream, { step: 'connecting', transport: 'sse' }),
        timedOut('connecting'),
      );
    });

    it('reports the title of an error page that never ends', async () => {
      const drip = (response: ServerResponse) => {
        response.writeHead(404, { 'content-type': 'text/html' });
        response.write('<title>Slow page</title>');
      };
      const server = await start((_, response) => {
        drip(response);
      });
      const failure = await failureOf(address(`${server.origin}/mcp`));
      assert.equal(failure.reason === 'notMcp' && failure.found, 'Slow page');
    });

    it('fails when the server sends more than 16 MB', async () => {
      for (const type of ['application/json', 'text/event-stream']) {
        const flood = (response: ServerResponse) => {
          response.writeHead(200, { 'content-type': type });
          const more = () => {
            while (response.write('x'.repeat(65_536)));
            response.once('drain', more);
          };
          more();
        };
        const server = await start((_, response) => {
          flood(response);
        });
        const failure = await failureOf(address(`${server.origin}/mcp`));
        assert.deepEqual(
          failure,
          { reason: 'tooMuch', of: 'bytes', most: 16_000_000 },
          type,
        );
      }
    });

    it('stops waiting for the server when cancelled', async () => {
      const cancelling = new AbortController();
      const server = await start(() => {
        cancelling.abort();
      });
      const failure = await failureOf(address(`${server.origin}/mcp`), {
        signal: cancelling.signal,
      });
      assert.deepEqual(failure, { reason: 'cancelled' });
    });
  });
});
