import assert from 'node:assert/strict';
import { explainNetworkFailure } from '../../../../src/service/http/network.ts';

const coded = (code: unknown) =>
  Object.assign(new Error('made to fail'), { code });
/** The error that `fetch` throws because of this. */
const because = (cause: unknown) => new TypeError('fetch failed', { cause });

describe('the explanation of a failed connection', () => {
  for (const [code, why] of [
    ['ECONNREFUSED', 'connection refused'],
    ['ENOTFOUND', 'its name does not exist'],
    ['EAI_AGAIN', 'its name could not be looked up'],
    ['EHOSTUNREACH', 'there is no route to it'],
    ['ENETUNREACH', 'there is no route to it'],
    ['ETIMEDOUT', 'the connection timed out'],
    ['UND_ERR_CONNECT_TIMEOUT', 'the connection timed out'],
    ['EPROTO', 'it does not speak TLS as expected'],
    ['CERT_HAS_EXPIRED', 'its certificate has expired'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is not trusted here'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate is not trusted here'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'its certificate is not trusted here'],
    [
      'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
      'its certificate is not trusted here',
    ],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another name'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'it does not speak TLS'],
  ] as const) {
    it(`explains ${code} and treats the request as not sent`, () => {
      const expected = { why, closed: false, mayHaveArrived: false };
      assert.deepEqual(explainNetworkFailure(because(coded(code))), expected);
    });
  }

  for (const code of ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']) {
    it(`treats ${code} as a closed connection and the request as possibly sent`, () => {
      const expected = {
        why: 'the connection was closed',
        closed: true,
        mayHaveArrived: true,
      };
      assert.deepEqual(explainNetworkFailure(because(coded(code))), expected);
    });
  }

  it('treats the request as possibly sent when the reply is not HTTP', () => {
    const expected = {
      why: 'it does not speak HTTP',
      closed: false,
      mayHaveArrived: true,
    };
    assert.deepEqual(
      explainNetworkFailure(because(coded('HPE_INVALID_CONSTANT'))),
      expected,
    );
  });

  it('explains the deepest cause, or the first of several errors', () => {
    for (const error of [
      coded('ENOTFOUND'),
      because(because(coded('ENOTFOUND'))),
      because(new AggregateError([coded('ENOTFOUND'), coded('EPIPE')])),
    ]) {
      assert.equal(explainNetworkFailure(error).why, 'its name does not exist');
    }
  });

  it('treats the request as possibly sent when the cause is unknown', () => {
    const expected = {
      why: 'the connection failed',
      closed: false,
      mayHaveArrived: true,
    };
    for (const error of [
      because(undefined),
      because(new AggregateError([])),
      ...['EODD', 'toString', 'NOT_HPE_', 5].map((code) =>
        because(coded(code)),
      ),
      'ENOTFOUND',
      undefined,
    ]) {
      assert.deepEqual(explainNetworkFailure(error), expected);
    }
  });
});
