import assert from 'node:assert/strict';
import { sleep } from '../../../src/base/clock.ts';
import { ServiceError } from '../../../src/service/serviceError.ts';
import { HurriedClock } from '../../support/hurriedClock.ts';
import { type Answering, type GivenAnswer, saying, startAnswering } from './answering.ts';
import { calls, nameOf } from './calls.ts';
import { connect, Lines, serviceOf } from './support.ts';

describe('the answer to a change', () => {
  let server: Answering;
  const log = new Lines();

  beforeEach(async () => {
    server = await startAnswering();
  });

  afterEach(async () => {
    await server.stop();
  });

  const empty: readonly (readonly [string, GivenAnswer])[] = [
    ['204', { status: 204, body: '' }],
    ['200 and nothing', { body: '' }],
    ['201 and nothing', { status: 201, body: '' }],
    ['202 and nothing', { status: 202, headers: { 'content-type': 'application/json' }, body: '' }],
    ['a web page of nothing', { headers: { 'content-type': 'text/html' }, body: '' }],
    ['an empty line', { body: '\r\n' }],
  ];
  const accepted: readonly (readonly [string, GivenAnswer])[] = [
    ...empty,
    ['null', saying(null)],
    ['an empty object', saying({})],
    ['a success', saying({ success: true })],
  ];

  for (const [name, answer] of accepted) {
    it(`means that a sandbox is being paused or resumed if it is ${name}`, async () => {
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

  it('means that a sandbox is not being paused or resumed if it says so', async () => {
    server.give(saying({ success: false }));
    const { sandboxes } = serviceOf(server, 'v1', { log });
    for (const change of [sandboxes.pause('box'), sandboxes.resume('box')]) {
      await assert.rejects(change, (error) => {
        assert.ok(error instanceof ServiceError);
        assert.equal(error.kind, 'rejected');
        assert.match(error.message, /did not accept the request \(it says that it was not done\)/);
        return true;
      });
    }
  });

  for (const [name, answer] of empty) {
    it(`leaves it unknown what was created if it is ${name}`, async () => {
      server.give(answer);
      const { creation, sandboxes } = serviceOf(server, 'v1', { log });
      for (const change of [creation.create({ message: 'x' }), sandboxes.start()]) {
        await assert.rejects(change, (error) => {
          assert.ok(error instanceof ServiceError);
          assert.equal(error.kind, 'notUnderstood');
          assert.match(error.message, /It is not known whether the service has done it/);
          return true;
        });
      }
    });
  }

  it('about a sandbox is waited for longer than others, because some services start it first', async () => {
    server.give(saying({ id: 'box', status: 'ERROR' }));
    const clock = new HurriedClock(100);
    const fetch: typeof globalThis.fetch = async (input, init) => {
      await sleep(clock, 60_000);
      return globalThis.fetch(input, init);
    };
    const { sandboxes } = serviceOf(server, 'v1', { log, fetch, clock, deadline: 30_000 });
    assert.equal((await sandboxes.start()).id, 'box');
  });

  it('may be empty, and that of no other request', async () => {
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
