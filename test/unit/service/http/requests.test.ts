import assert from 'node:assert/strict';
import {
  AdaptivePageSize,
  isAbsent,
  isRejected,
  Requests,
  wantsIds,
} from '../../../../src/service/http/requests.ts';
import {
  type Failure,
  ServiceError,
} from '../../../../src/service/http/serviceError.ts';
import { type Answering, saying, startAnswering } from '../answering.ts';
import { Lines, transportTo } from '../support.ts';

describe('a page of a list', () => {
  let server: Answering;

  beforeEach(async () => {
    server = await startAnswering();
  });

  afterEach(async () => {
    await server.stop();
  });

  async function page(answer: unknown) {
    server.give(saying(answer));
    const requests = new Requests(
      {
        transport: transportTo(server, { log: new Lines() }),
        log: new Lines(),
      },
      { list: 'Could not list' },
    );
    const read = (record: unknown) =>
      typeof record === 'number' ? record : undefined;
    return await requests.page('list', { path: ['x'] }, {}, read);
  }

  it('reads an array, items or results, and skips unreadable records', async () => {
    for (const answer of [
      [1, 'odd', 2],
      { items: [1, 'odd', 2] },
      { results: [1, 'odd', 2], items: [] },
    ]) {
      assert.deepEqual(await page(answer), {
        items: [1, 2],
        skipped: 1,
        cursor: undefined,
      });
    }
  });

  it('has a cursor only if the service gives a non-empty string', async () => {
    for (const [given, cursor] of [
      ['abc', 'abc'],
      ['', undefined],
      [5, undefined],
      [null, undefined],
    ] as const) {
      assert.equal(
        (await page({ items: [], next_page_id: given })).cursor,
        cursor,
      );
    }
  });

  it('rejects an answer that contains no list', async () => {
    for (const answer of [
      {},
      { items: 5 },
      { results: {}, items: 'odd' },
      'odd',
      null,
    ]) {
      await assert.rejects(page(answer), {
        name: 'UserError',
        failure: { kind: 'notUnderstood', why: 'it does not contain a list' },
        message: `Could not list: the answer from ${server.url} could not be understood (it does not contain a list). A newer version of Agent Switchboard may help.`,
      });
    }
  });
});

describe('a list that is read in parts', () => {
  it('passes on why it ended, unless an answer was too large', async () => {
    const reason = new Error('canceled');
    await assert.rejects(
      new AdaptivePageSize().request(100, () => Promise.reject(reason)),
      reason,
    );
  });
});

describe('the meaning of a service error', () => {
  const failures: readonly Failure[] = [
    { kind: 'notFound' },
    { kind: 'notThisService', why: 'it answers with a web page' },
    { kind: 'rejected', fields: [] },
    { kind: 'rejected', fields: [{ name: 'limit', message: 'is odd' }] },
    {
      kind: 'rejected',
      fields: [
        { name: 'limit', message: 'is odd' },
        { name: 'ids.0', message: 'is missing' },
      ],
    },
    { kind: 'serverFailed', status: 500 },
  ];
  const errors = [
    ...failures.map(
      (failure) =>
        new ServiceError(failure, { couldNot: 'Could not list', address: 'x' }),
    ),
    new Error('another'),
    Object.assign(new Error('another'), {
      kind: 'rejected',
      failure: failures[4],
    }),
  ];
  const those = (is: (error: unknown) => boolean) =>
    errors.flatMap((error, i) => (is(error) ? [i] : []));

  it('distinguishes a missing interface, a rejected request and a list that requires IDs', () => {
    assert.deepEqual(
      [those(isAbsent), those(isRejected), those(wantsIds)],
      [[0, 1], [2, 3, 4], [4]],
    );
  });
});
