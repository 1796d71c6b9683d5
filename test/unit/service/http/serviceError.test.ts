import assert from 'node:assert/strict';
import {
  type Failure,
  isBrief,
  isRefusal,
  ServiceError,
} from '../../../../src/service/http/serviceError.ts';

const address = 'https://agents.example.com';
const couldNot = 'Could not list the sandboxes';

function sentence(failure: Failure, outcomeUnknown = false): string {
  return new ServiceError(failure, { couldNot, address, outcomeUnknown })
    .message;
}

/** Failures, and what is said about them after what could not be done. */
const sentences: readonly (readonly [Failure, string])[] = [
  [
    { kind: 'unreachable', why: 'its name does not exist', closed: false },
    `Cannot reach ${address}: its name does not exist. Check the address and that the service is running.`,
  ],
  [
    { kind: 'timedOut', seconds: 30 },
    `${address} did not answer within 30 seconds. Try again later.`,
  ],
  [
    { kind: 'timedOut', seconds: 600, answering: true },
    `${address} did not finish within 10 minutes. Refresh to see the current state.`,
  ],
  [
    { kind: 'unauthorised', withKey: false },
    `${address} requires a key. Set one with "Switchboard: Set API Key".`,
  ],
  [
    { kind: 'unauthorised', withKey: true },
    `${address} did not accept the key. Set another key with "Switchboard: Set API Key", and check how it is sent.`,
  ],
  [
    { kind: 'unauthorised', withKey: true, unsendable: true },
    `the key for ${address} contains a character that cannot be sent, perhaps an invisible one. Set another key with "Switchboard: Set API Key".`,
  ],
  [
    { kind: 'forbidden' },
    `${address} does not allow this. Use a key with the necessary permissions, or ask the administrator of the service.`,
  ],
  [
    { kind: 'forbidden', detail: 'read only' },
    `${address} does not allow this (read only). Use a key with the necessary permissions, or ask the administrator of the service.`,
  ],
  [
    { kind: 'notFound' },
    `${address} could not find it. It may no longer exist: refresh and look again.`,
  ],
  [
    { kind: 'notFound', detail: 'no such box' },
    `${address} could not find it (no such box). It may no longer exist: refresh and look again.`,
  ],
  [
    { kind: 'rejected', fields: [] },
    `${address} did not accept the request. Correct it and try again.`,
  ],
  [
    { kind: 'rejected', fields: [], detail: 'too long' },
    `${address} did not accept the request (too long). Correct it and try again.`,
  ],
  [
    {
      kind: 'rejected',
      fields: [
        { name: 'limit', message: 'too large' },
        { name: 'title', message: 'missing' },
      ],
      detail: 'too long',
    },
    `${address} did not accept the request (limit: too large; title: missing). Correct it and try again.`,
  ],
  [
    { kind: 'rateLimited' },
    `${address} is receiving too many requests. Try again later.`,
  ],
  ...(
    [
      [0, 'now'],
      [1, 'in 1 second'],
      [1_000, 'in 1 second'],
      [1_001, 'in 2 seconds'],
      [119_000, 'in 119 seconds'],
      [119_001, 'in 2 minutes'],
      [300_000, 'in 5 minutes'],
    ] as const
  ).map(
    ([retryAfter, when]) =>
      [
        { kind: 'rateLimited', retryAfter },
        `${address} is receiving too many requests. Try again ${when}.`,
      ] as const,
  ),
  [
    { kind: 'serverFailed', status: 502 },
    `${address} failed (status 502). Try again later. If it keeps failing, tell the administrator of the service.`,
  ],
  [
    {
      kind: 'serverFailed',
      status: 503,
      detail: 'maintenance',
      retryAfter: 60_000,
    },
    `${address} failed (maintenance). Try again in 60 seconds. If it keeps failing, tell the administrator of the service.`,
  ],
  [
    { kind: 'notThisService', why: 'it answers with a web page' },
    `${address} does not answer like an agent service: it answers with a web page. Check the address.`,
  ],
  [{ kind: 'cancelled' }, 'it was canceled.'],
  [
    { kind: 'notUnderstood', why: 'it is empty' },
    `the answer from ${address} could not be understood (it is empty). A newer version of Agent Switchboard may help.`,
  ],
];

describe('the error of a service', () => {
  it('says what could not be done, why, and what to do', () => {
    for (const [failure, expected] of sentences)
      assert.equal(sentence(failure), `${couldNot}: ${expected}`);
  });

  it('also says that a change may have been made', () => {
    assert.equal(
      sentence({ kind: 'cancelled' }, true),
      `${couldNot}: it was canceled. The service may have done this already. Refresh before trying again.`,
    );
  });

  const errors = sentences.map(
    ([failure]) => new ServiceError(failure, { couldNot, address }),
  );
  const kindsOf = (some: readonly ServiceError[]) => [
    ...new Set(some.map(({ kind }) => kind)),
  ];

  it('counts as a refusal only when unauthorised or forbidden', () => {
    assert.deepEqual(kindsOf(errors.filter(isRefusal)), [
      'unauthorised',
      'forbidden',
    ]);
  });

  it('passes soon unless the service has answered the request', () => {
    assert.deepEqual(kindsOf(errors.filter(isBrief)).sort(), [
      'rateLimited',
      'serverFailed',
      'timedOut',
      'unreachable',
    ]);
  });
});
