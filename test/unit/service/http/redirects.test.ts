import assert from 'node:assert/strict';
import { redirectStatuses } from '../../../support/demo/faults/misbehaviour.ts';
import { startMisbehavingDemo } from '../../../support/demo/faults/misbehavingDemo.ts';
import { ServiceError } from '../../../../src/service/http/serviceError.ts';
import { reachableText } from '../../../support/reachable.ts';
import { key, Lines, serviceOf } from '../support.ts';

const log = new Lines();

describe('a redirected request', () => {
  for (const redirectStatus of redirectStatuses) {
    it(`follows a ${redirectStatus} redirect within the origin when reading`, async () => {
      const demo = await startMisbehavingDemo({
        key,
        misbehaviour: { redirectWithin: true, redirectStatus },
      });
      const { value } = await serviceOf(demo, 'v1', { log })
        .sandboxes.list()
        .next();
      assert.equal(value?.items.length, 8);
      assert.deepEqual(
        demo.requests.map(({ method }) => method),
        ['GET', 'GET'],
      );
      await demo.stop();
    });
  }

  for (const redirectStatus of [307, 308] as const) {
    it(`follows a ${redirectStatus} redirect within the origin with a change`, async () => {
      const demo = await startMisbehavingDemo({
        key,
        misbehaviour: { redirectWithin: true, redirectStatus },
      });
      assert.equal(
        (await serviceOf(demo, 'v1', { log }).sandboxes.start()).status,
        'starting',
      );
      assert.deepEqual(
        demo.requests.map(({ method }) => method),
        ['POST', 'POST'],
      );
      await demo.stop();
    });
  }

  for (const redirectStatus of [301, 302, 303] as const) {
    it(`does not follow a ${redirectStatus} redirect with a change, and reports an unknown outcome`, async () => {
      const demo = await startMisbehavingDemo({
        key,
        misbehaviour: { redirectWithin: true, redirectStatus },
      });
      const { creation, sandboxes } = serviceOf(demo, 'v1', { log });
      for (const change of [
        () => creation.create({ message: 'x' }),
        () => sandboxes.start(),
        () => sandboxes.pause('box'),
        () => sandboxes.resume('box'),
      ]) {
        const before = demo.requests.length;
        await assert.rejects(change, (error) => {
          assert.ok(error instanceof ServiceError);
          assert.equal(error.kind, 'notThisService');
          assert.match(
            error.message,
            /it redirects a request that changes something/,
          );
          assert.equal(error.circumstances.outcomeUnknown, true);
          return true;
        });
        assert.equal(demo.requests.length, before + 1);
      }
      await demo.stop();
    });
  }

  describe('from https://agents.example.com', () => {
    /**
     * Returns the requests and the failure when every answer is a redirect to
     * there.
     */
    async function follow(
      location: string,
    ): Promise<{ asked: string[]; error: ServiceError }> {
      const asked: string[] = [];
      const fetch: typeof globalThis.fetch = (input) => {
        asked.push((input as URL).href);
        return Promise.resolve(
          new Response(null, { status: 307, headers: { location } }),
        );
      };
      const { sandboxes } = serviceOf(
        { url: 'https://agents.example.com' },
        'v1',
        { log, fetch },
      );
      const error: unknown = await sandboxes
        .list()
        .next()
        .catch((error: unknown) => error);
      assert.ok(error instanceof ServiceError);
      return { asked, error };
    }

    for (const [where, location] of [
      [
        'the same host without encryption',
        'http://agents.example.com/api/v1/sandboxes/search',
      ],
      [
        'the same host without encryption, at port 443',
        'http://agents.example.com:443/',
      ],
      ['another port of the same host', 'https://agents.example.com:8443/'],
      ['another host', 'https://agents.example.org/'],
      ['another host without a scheme', '//other.example.org/'],
      [
        'a host whose name begins the same',
        'https://agents.example.com.example.org/',
      ],
      ['a subdomain', 'https://other.agents.example.com/'],
      [
        'another host with the original host as the user name',
        'https://agents.example.com@other.example.org/',
      ],
      [
        'the same host with a user name and password',
        'https://me:canary@agents.example.com/',
      ],
      [
        'the same host with only a password',
        'https://:canary@agents.example.com/',
      ],
      ['an invalid URL', 'https://['],
      ['a file', 'file:///etc/passwd'],
    ] as const) {
      it(`refuses a redirect to ${where} and sends nothing there`, async () => {
        const { asked, error } = await follow(location);
        assert.deepEqual(asked, [
          'https://agents.example.com/api/v1/sandboxes/search?limit=99',
        ]);
        assert.equal(error.kind, 'notThisService');
        assert.match(error.message, /it redirects to /);
        assert.doesNotMatch(reachableText(error), /canary/);
      });
    }

    for (const location of [
      '/other',
      'other',
      '?again',
      '//agents.example.com/other',
      'https://AGENTS.example.com:443/',
    ]) {
      it(`follows a redirect to ${location}`, async () => {
        const { asked, error } = await follow(location);
        assert.equal(asked.length, 6);
        assert.match(error.message, /it redirects endlessly/);
      });
    }
  });
});
