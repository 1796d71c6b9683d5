import assert from 'node:assert/strict';
import { Secret } from '../../../../src/base/secret.ts';
import type { Misbehaviour } from '../../../support/demo/faults/misbehaviour.ts';
import {
  type MisbehavingDemo,
  startMisbehavingDemo,
} from '../../../support/demo/faults/misbehavingDemo.ts';
import type { ServiceClient } from '../../../../src/service/client.ts';
import type { Conversation } from '../../../../src/service/model/entities.ts';
import { ServiceError } from '../../../../src/service/http/serviceError.ts';
import type { ConversationChanges } from '../../../../src/state/changes/changedFiles.ts';
import { HurriedClock } from '../../../support/hurriedClock.ts';
import { connect, Lines } from '../../service/support.ts';
import { changesAt } from './changesAt.ts';

const files = /\/(file|git)\//;

/** Faults, and sentences that tell the user what to do. */
const lasting: readonly (readonly [string, Partial<Misbehaviour>, RegExp])[] = [
  [
    'hangs',
    { slowHeaders: 600_000 },
    /did not answer within \d+ seconds\. Try again later\.$/,
  ],
  [
    'stalls mid-reply',
    { stallBody: true },
    /did not answer within \d+ seconds\. Try again later\.$/,
  ],
  [
    'breaks the connection',
    { resetBody: true },
    /Cannot reach .+\. Check the address and/,
  ],
  [
    'forbids the request',
    { forbidden: true },
    /does not allow this.+ Use a key with the necessary permissions/,
  ],
  [
    'rejects the key',
    { unauthorized: true },
    /did not accept the key\. Set another key with/,
  ],
  [
    'returns 404',
    { errorStatus: 404 },
    /could not find it.+: refresh and look again\.$/,
  ],
  [
    'rejects the request',
    { errorBody: 'validation', errorStatus: 422 },
    /did not accept the request.+ Correct it and try/,
  ],
  [
    'returns 500',
    { errorStatus: 500 },
    /failed .+\. Try again .+tell the administrator of the service\.$/,
  ],
  [
    'returns 502',
    { errorStatus: 502 },
    /failed .+\. Try again .+tell the administrator of the service\.$/,
  ],
  [
    'returns a web page',
    { htmlAt200: true },
    /does not answer like an agent service.+Check the address\.$/,
  ],
];

describe('the changes of a conversation at a faulty service', () => {
  let demo: MisbehavingDemo;
  let patient: ServiceClient;
  /** A client whose minutes are short. */
  let hasty: ServiceClient;
  let client: ServiceClient;
  let one: Conversation;
  let changes: ConversationChanges;
  const { signal } = new AbortController();

  before(async () => {
    demo = await startMisbehavingDemo({ interface: 'agentServer' });
    const options = {
      log: new Lines(),
      key: new Secret(demo.key),
      requestsPerSecond: 10_000,
    };
    patient = connect(demo, options);
    hasty = connect(demo, {
      ...options,
      clock: new HurriedClock(200),
      deadline: 30_000,
    });
    client = patient;
    await hasty.recognise({ signal });
    const { value } = await client.conversations({}, { size: 50 }).next();
    changes = changesAt(() => client);
    for (const each of value?.items ?? []) {
      if (each.title === 'Document webhook signatures') {
        one = each;
        return;
      }
    }
    assert.fail();
  });

  after(async () => {
    await demo.stop();
  });

  beforeEach(() => {
    client = patient;
    changes = changesAt(() => client);
  });

  afterEach(() => {
    demo.misbehave({});
  });

  for (const [name, misbehaviour, told] of lasting) {
    it(`explains what to do when the service ${name}, and loads the changes after it recovers`, async () => {
      demo.misbehave({ ...misbehaviour, only: files });
      client = hasty;
      await assert.rejects(changes.load(one, 'start', { signal }), (error) => {
        assert.ok(error instanceof ServiceError);
        assert.match(
          error.message,
          /^Could not (list the changed files|list the commits): /,
        );
        assert.match(error.message, told);
        return true;
      });
      demo.misbehave({});
      client = patient;
      assert.equal(
        (await changes.load(one, 'start', { signal })).files.length,
        3,
      );
    });

    it(`reports unreadable contents when the service ${name} on content requests, and reads them later`, async () => {
      await changes.load(one, 'start', { signal });
      demo.misbehave({ ...misbehaviour, only: /\/(file\/download|git\/diff)/ });
      const read = () =>
        changes.readSides(one, 'start', 'docs/webhooks.md', { signal });
      client = hasty;
      await read().then(
        // The service says that it has no such contents.
        (sides) => {
          assert.deepEqual(sides?.after, { kind: 'unknown' });
        },
        (error: unknown) => {
          assert.ok(error instanceof ServiceError);
          assert.match(error.message, told);
        },
      );
      demo.misbehave({});
      client = patient;
      await changes.load(one, 'start', { signal });
      changes = changesAt(() => client);
      assert.equal((await read())?.after.kind, 'bytes');
    });
  }

  it('lists the files without a patch when the service sends no valid patch', async () => {
    const faults: readonly Partial<Misbehaviour>[] = [
      { errorStatus: 404 },
      { errorStatus: 500 },
      { errorBody: 'text' },
      { htmlAt200: true },
      { redirectOther: 'https://other.invalid/' },
    ];
    for (const misbehaviour of faults) {
      demo.misbehave({ ...misbehaviour, only: '/file/archive' });
      const { files: listed, patch } = await changes.load(one, 'start', {
        signal,
      });
      assert.equal(patch, undefined);
      assert.ok(
        listed.some(
          ({ path, status }) =>
            path === 'docs/examples/verify.mjs' && status === 'added',
        ),
      );
    }
    demo.misbehave({ truncatedJson: true, only: '/file/archive' });
    assert.equal(
      (await changes.load(one, 'start', { signal })).files.length,
      3,
    );
  });

  it('reports that a truncated reply is not JSON', async () => {
    demo.misbehave({ truncatedJson: true, only: files });
    await assert.rejects(
      changes.load(one, 'start', { signal }),
      /Could not list the changed files: .+ is not JSON, or not all of it/,
    );
  });

  it('lists the files without a patch that is too large, and rejects a list of more than 30 MB', async () => {
    demo.misbehave({ hugeBody: 70, only: '/file/archive' });
    const { files: listed, patch } = await changes.load(one, 'start', {
      signal,
    });
    assert.deepEqual([patch, listed.length], [undefined, 3]);
    demo.misbehave({ hugeBody: 70, only: files });
    await assert.rejects(
      changes.load(one, 'start', { signal }),
      /it is larger than 30 MB/,
    );
  });

  it('stops loading at once when the user cancels', async () => {
    const waiting = connect(demo, {
      log: new Lines(),
      key: new Secret(demo.key),
    });
    changes = changesAt(() => waiting);
    demo.misbehave({ slowHeaders: 600_000, only: files });
    const cancelled = new AbortController();
    const loading = changes.load(one, 'start', { signal: cancelled.signal });
    const asked = demo.requests.length;
    while (!demo.requests.slice(asked).some(({ path }) => files.test(path)))
      await new Promise((resolve) => setImmediate(resolve));
    cancelled.abort();
    await assert.rejects(
      loading,
      (error) => error instanceof ServiceError && error.kind === 'cancelled',
    );
  });
});
