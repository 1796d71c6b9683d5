import assert from 'node:assert/strict';
import { redirectStatuses } from '../../../src/demo/faults/misbehaviour.ts';
import { startMisbehavingDemo } from '../../../src/demo/faults/misbehavingDemo.ts';
import { ServiceError } from '../../../src/service/serviceError.ts';
import { reachableText } from '../../support/reachable.ts';
import { key, Lines, serviceOf } from './support.ts';

const log = new Lines();

describe('a redirect', () => {
  for (const redirectStatus of redirectStatuses) {
    it(`with status ${redirectStatus} within the origin is followed when something is read`, async () => {
      const demo = await startMisbehavingDemo({
        key,
        misbehaviour: { redirectWithin: true, redirectStatus },
      });
      const { value } = await serviceOf(demo, 'v1', { log }).sandboxes.list().next();
      assert.equal(value?.items.length, 8);
      assert.deepEqual(
        demo.requests.map(({ method }) => method),
        ['GET', 'GET'],
      );
      await demo.stop();
    });
  }

  for (const redirectStatus of [307, 308] as const) {
    it(`with status ${redirectStatus} within the origin is followed with a change`, async () => {
      const demo = await startMisbehavingDemo({
        key,
        misbehaviour: { redirectWithin: true, redirectStatus },
      });
      assert.equal((await serviceOf(demo, 'v1', { log }).sandboxes.start()).status, 'starting');
      assert.deepEqual(
        demo.requests.map(({ method }) => method),
        ['POST', 'POST'],
      );
      await demo.stop();
    });
  }

  for (const redirectStatus of [301, 302, 303] as const) {
    it(`with status ${redirectStatus} is not followed with a change, which may be done already`, async () => {
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
          assert.match(error.message, /it redirects a request that changes something/);
          assert.equal(error.circumstances.outcomeUnknown, true);
          return true;
        });
        assert.equal(demo.requests.length, before + 1);
      }
      await demo.stop();
    });
  }

  describe('from https://agents.example.com', () => {
    /** What is asked for, and how it fails, when every answer is a redirect to there. */
    async function follow(location: string): Promise<{ asked: string[]; error: ServiceError }> {
      const asked: string[] = [];
      const fetch: typeof globalThis.fetch = (input) => {
        asked.push((input as URL).href);
        return Promise.resolve(new Response(null, { status: 307, headers: { location } }));
      };
      const { sandboxes } = serviceOf({ url: 'https://agents.example.com' }, 'v1', { log, fetch });
      const error: unknown = await sandboxes
        .list()
        .next()
        .catch((error: unknown) => error);
      assert.ok(error instanceof ServiceError);
      return { asked, error };
    }

    for (const [where, location] of [
      ['the same host without encryption', 'http://agents.example.com/api/v1/sandboxes/search'],
      ['the same host without encryption, at the port of the other', 'http://agents.example.com:443/'],
      ['another port of the host', 'https://agents.example.com:8443/'],
      ['another host', 'https://agents.example.org/'],
      ['another host, by its name alone', '//other.example.org/'],
      ['a host whose name begins in the same way', 'https://agents.example.com.example.org/'],
      ['a host below it', 'https://other.agents.example.com/'],
      ['a host after the name as a user', 'https://agents.example.com@other.example.org/'],
      ['the host as a user would spell it with a password', 'https://me:canary@agents.example.com/'],
      ['the host with a password alone', 'https://:canary@agents.example.com/'],
      ['no address', 'https://['],
      ['a file', 'file:///etc/passwd'],
    ] as const) {
      it(`to ${where} is refused, so the key stays`, async () => {
        const { asked, error } = await follow(location);
        assert.deepEqual(asked, ['https://agents.example.com/api/v1/sandboxes/search?limit=99']);
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
      it(`to ${location} is followed`, async () => {
        const { asked, error } = await follow(location);
        assert.equal(asked.length, 6);
        assert.match(error.message, /it redirects endlessly/);
      });
    }
  });
});
