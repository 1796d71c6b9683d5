import assert from 'node:assert/strict';
import { sleep } from '../../../src/base/clock.ts';
import { ServiceError } from '../../../src/service/http/serviceError.ts';
import { HurriedClock } from '../../support/hurriedClock.ts';
import {
  type Answering,
  type GivenAnswer,
  saying,
  startAnswering,
} from './answering.ts';
import { calls, nameOf } from './calls.ts';
import { connect, Lines, serviceOf } from './support.ts';

describe('a change at the service', () => {
  let server: Answering;
  const log = new Lines();

  beforeEach(async () => {
    server = await startAnswering();
  });

  afterEach(async () => {
    await server.stop();
  });

  const empty: readonly (readonly [string, GivenAnswer])[] = [
    ['an empty 204 response', { status: 204, body: '' }],
    ['an empty 200 response', { body: '' }],
    ['an empty 201 response', { status: 201, body: '' }],
    [
      'an empty 202 response',
      {
        status: 202,
        headers: { 'content-type': 'application/json' },
        body: '',
      },
    ],
    [
      'an empty web page',
      { headers: { 'content-type': 'text/html' }, body: '' },
    ],
    ['an empty line', { body: '\r\n' }],
    [
      'the text OK',
      { headers: { 'content-type': 'text/plain' }, body: 'OK\n' },
    ],
  ];
  const accepted: readonly (readonly [string, GivenAnswer])[] = [
    ...empty,
    ['null', saying(null)],
    ['an empty object', saying({})],
    ['a success', saying({ success: true })],
  ];

  for (const [name, answer] of accepted) {
    it(`accepts ${name} after pausing or resuming a sandbox`, async () => {
      server.give(answer);
      const { sandboxes } = serviceOf(server, 'v1', { log });
      await sandboxes.pause('box');
      await sandboxes.resume('box');
      assert.deepEqual(server.asked, [
        'POST /api/v1/sandboxes/box/pause',
        'POST /api/v1/sandboxes/box/resume',
      ]);
    });
  }

  it('fails to pause or resume a sandbox when the service reports no success', async () => {
    server.give(saying({ success: false }));
    const { sandboxes } = serviceOf(server, 'v1', { log });
    for (const change of [sandboxes.pause('box'), sandboxes.resume('box')]) {
      await assert.rejects(change, (error) => {
        assert.ok(error instanceof ServiceError);
        assert.equal(error.kind, 'rejected');
        assert.match(
          error.message,
          /did not accept the request \(it reports that it was not done\)/,
        );
        return true;
      });
    }
  });

  for (const [name, answer] of empty) {
    it(`reports an unknown outcome when a creation is answered with ${name}`, async () => {
      server.give(answer);
      const { creation, sandboxes } = serviceOf(server, 'v1', { log });
      for (const change of [
        creation.create({ message: 'x' }),
        sandboxes.start(),
      ]) {
        await assert.rejects(change, (error) => {
          assert.ok(error instanceof ServiceError);
          assert.equal(error.kind, 'notUnderstood');
          assert.match(error.message, /The service may have done this already/);
          return true;
        });
      }
    });
  }

  it('waits longer for the start of a sandbox than for other requests', async () => {
    server.give(saying({ id: 'box', status: 'ERROR' }));
    const clock = new HurriedClock(100);
    const fetch: typeof globalThis.fetch = async (input, init) => {
      await sleep(clock, 60_000);
      return globalThis.fetch(input, init);
    };
    const { sandboxes } = serviceOf(server, 'v1', {
      log,
      fetch,
      clock,
      deadline: 30_000,
    });
    assert.equal((await sandboxes.start()).id, 'box');
  });

  it('rejects an empty answer to every request that changes nothing', async () => {
    server.give({ status: 204, body: '' });
    const signal = new AbortController().signal;
    for (const call of calls.filter(({ changes }) => !changes)) {
      const service = serviceOf(server, call.kind, { log });
      const client = connect(server, { interface: call.kind, log });
      await assert.rejects(
        call.run({ client, service, sandboxId: 'box', signal }),
        /could not be understood \(it is empty\)/,
        nameOf(call),
      );
    }
  });
});
