import assert from 'node:assert/strict';
import {
  type Conversation,
  type ConversationKey,
  keyOf,
} from '../../../src/service/model/entities.ts';
import {
  currentTruthOf,
  type Notice,
  OwnMemory,
  type Sight,
} from '../../../src/state/attention.ts';
import type { WaitingAction } from '../../../src/state/transcript/waiting.ts';
import { SteppedClock } from '../../support/steppedClock.ts';
import { conversation } from './support.ts';

type Change = Partial<Conversation>;

const sight = (change: Change, at: number, waitsFor?: string): Sight => {
  const seen = conversation({ id: 'c0', ...change });
  const actions =
    waitsFor === undefined ? undefined : [{ id: waitsFor } as WaitingAction];
  return { key: keyOf(seen), conversation: seen, actions, at };
};

const sights = (at: number, ...all: readonly Change[]): Sight[] =>
  all.map((change, index) => sight({ id: `c${index}`, ...change }, at));

const occasions = (notices: readonly Notice[]) =>
  notices.map(({ occasion }) => occasion);

/**
 * Returns the notices when one conversation is seen like this, one look after
 * the other.
 */
async function told(
  ...looks: readonly Change[]
): Promise<(string | undefined)[]> {
  const memory = new OwnMemory();
  const all: (string | undefined)[] = [];
  for (const [at, look] of looks.entries()) {
    const [notice] = await memory.add([sight(look, at)]);
    all.push(notice?.occasion);
  }
  return all;
}

const working: Change = { execution: 'running' };
const waiting: Change = { execution: 'waitingForConfirmation' };
const finished: Change = { execution: 'finished' };
const failing: Change = { execution: 'error' };
const unknown: Change = { execution: undefined };

describe('a notification', () => {
  it('appears when a conversation begins to wait, fails or finishes', async () => {
    assert.deepEqual(await told(working, waiting), [undefined, 'waits']);
    assert.deepEqual(await told(working, failing), [undefined, 'failed']);
    assert.deepEqual(await told(working, finished), [undefined, 'finished']);
    assert.deepEqual(await told(working, { execution: 'stuck' }), [
      undefined,
      'failed',
    ]);
    assert.deepEqual(
      await told(
        { status: 'starting', execution: undefined },
        { status: 'error' },
      ),
      [undefined, 'failed'],
    );
    assert.deepEqual(
      await told(unknown, { ...unknown, runtime: 'outOfCredits' }),
      [undefined, 'failed'],
    );
  });

  it('appears once each time a conversation begins to wait, fails or finishes', async () => {
    assert.deepEqual(await told(working, waiting, waiting, working, waiting), [
      undefined,
      'waits',
      undefined,
      undefined,
      'waits',
    ]);
    assert.deepEqual(
      await told(failing, { execution: 'stuck' }, working, failing),
      [undefined, undefined, undefined, 'failed'],
    );
    assert.deepEqual(await told(finished, finished, working, finished), [
      undefined,
      undefined,
      undefined,
      'finished',
    ]);
  });

  it('never appears for a new conversation', async () => {
    for (const first of [waiting, failing, finished])
      assert.deepEqual(await told(first), [undefined]);
    const memory = new OwnMemory();
    await memory.add(sights(0, working));
    assert.deepEqual(
      await memory.add(sights(1, working, waiting, failing)),
      [],
    );
  });

  it('does not appear when a conversation continues, pauses, stops or is archived', async () => {
    for (const change of [
      working,
      { execution: 'paused' },
      { status: 'stopped' },
      { status: 'archived' },
    ]) {
      assert.deepEqual(await told(waiting, change), [undefined, undefined]);
    }
    assert.deepEqual(await told(working, { ...finished, status: 'archived' }), [
      undefined,
      undefined,
    ]);
  });

  it('does not appear when the service omits the state of the agent for a while', async () => {
    for (const state of [waiting, failing, finished, working]) {
      assert.deepEqual(await told(state, unknown, state), [
        undefined,
        undefined,
        undefined,
      ]);
      assert.deepEqual(await told(unknown, state), [undefined, undefined]);
    }
    assert.deepEqual(await told(working, unknown, waiting), [
      undefined,
      undefined,
      'waits',
    ]);
  });

  it('does not appear for the state in which a conversation resumes', async () => {
    const paused: Change = { status: 'stopped', execution: undefined };
    const starting: Change = { status: 'starting', execution: undefined };
    for (const state of [waiting, finished, failing]) {
      assert.deepEqual(await told(paused, starting, state), [
        undefined,
        undefined,
        undefined,
      ]);
      assert.deepEqual(
        await told(state, paused, starting, state),
        Array(4).fill(undefined),
      );
    }
  });

  it('lists every conversation that begins to wait, fails or finishes, in its current state', async () => {
    const memory = new OwnMemory();
    await memory.add(sights(0, working, working, working, waiting));
    const after = sights(1, waiting, failing, finished, waiting);
    const notices = await memory.add(after);
    assert.deepEqual(
      notices.map(({ occasion, conversation: { id } }) => `${id} ${occasion}`),
      ['c0 waits', 'c1 failed', 'c2 finished'],
    );
    assert.equal(notices[0]?.conversation, after[0]?.conversation);
  });

  it('appears again when another action waits, and names that action', async () => {
    const memory = new OwnMemory();
    await memory.add([sight(working, 0)]);
    assert.deepEqual(
      occasions(await memory.add([sight(waiting, 1, 'first')])),
      ['waits'],
    );
    assert.deepEqual(await memory.add([sight(waiting, 2, 'first')]), []);
    const [notice] = await memory.add([sight(waiting, 3, 'second')]);
    assert.equal(notice?.actions?.[0]?.id, 'second');
    assert.deepEqual(
      await memory.add([sight(waiting, 4)]),
      [],
      'when it cannot be read for a moment',
    );
    assert.deepEqual(await memory.add([sight(waiting, 5, 'second')]), []);
  });

  it('does not appear again when an older state arrives late', async () => {
    const memory = new OwnMemory();
    await memory.add([sight(working, 0)]);
    assert.deepEqual(occasions(await memory.add([sight(waiting, 10)])), [
      'waits',
    ]);
    assert.deepEqual(await memory.add([sight(working, 9)]), []);
    assert.deepEqual(await memory.add([sight(waiting, 11)]), []);
  });

  it('appears again after a clock that was a year ahead', async () => {
    const clock = new SteppedClock();
    const memory = new OwnMemory(clock);
    await memory.add([sight(working, clock.now() + 365 * 24 * 3_600_000)]);
    assert.deepEqual(
      occasions(await memory.add([sight(waiting, clock.now())])),
      ['waits'],
    );
    assert.deepEqual(await memory.add([sight(working, clock.now() - 1)]), []);
  });
});

describe('an unread mark', () => {
  /** Returns whether one conversation is unread after each look. */
  async function marks(
    ...looks: readonly (Change | 'opened')[]
  ): Promise<boolean[]> {
    const memory = new OwnMemory();
    const all: boolean[] = [];
    for (const [at, look] of looks.entries()) {
      if (look === 'opened') await memory.mark([key], false);
      else await memory.add([sight(look, at)]);
      all.push(memory.isUnread(key));
    }
    return all;
  }
  const key = keyOf(conversation({ id: 'c0' }));
  const answered = (
    lastMessageId: string,
    written: number,
    execution = 'finished',
  ): Change => ({
    execution,
    lastMessageId,
    tokens: { read: 1, written },
  });

  it('comes with an answer, an end and a waiting action, and stays until the conversation is opened', async () => {
    for (const news of [finished, failing, waiting])
      assert.deepEqual(
        await marks(working, news, news, working, 'opened', working, news),
        [false, true, true, true, false, false, true],
      );
  });

  it('does not come with the first sight, a message of the user, another title or a stopped agent', async () => {
    for (const first of [waiting, failing, finished, working])
      assert.deepEqual(await marks(first), [false]);
    const paused: Change = { execution: 'paused' };
    assert.deepEqual(
      await marks(finished, working, paused, { ...paused, title: 'Other' }),
      Array(4).fill(false),
    );
    assert.deepEqual(
      await marks(
        answered('m1', 5),
        answered('m2', 5),
        answered('m2', 5, 'running'),
      ),
      [false, false, false],
    );
  });

  it('comes with an answer whose agent was not seen at work', async () => {
    assert.deepEqual(
      await marks(
        answered('m1', 5),
        answered('m2', 9),
        'opened',
        answered('m2', 9),
      ),
      [false, true, false, false],
    );
    // The message is at the service before the agent begins.
    assert.deepEqual(
      await marks(answered('m1', 5), answered('m2', 5), answered('m2', 9)),
      [false, false, true],
    );
    assert.deepEqual(
      await marks(answered('m1', 5, 'error'), answered('m2', 9, 'error')),
      [false, true],
    );
    assert.deepEqual(
      await marks(answered('m1', 0), answered('m2', 0)),
      [false, true],
      'tokens are not told',
    );
  });

  it('survives a look at which the service does not list the conversation', async () => {
    const memory = new OwnMemory();
    await memory.add([sight(working, 0)]);
    await memory.add([sight(waiting, 1)]);
    await memory.add([]);
    await memory.add(sights(2, waiting));
    assert.ok(memory.isUnread(key));
  });

  it('can be set and removed by the user, also before anything is known of the agent', async () => {
    const memory = new OwnMemory();
    await memory.mark([key], true);
    assert.deepEqual(
      await memory.add([sight(waiting, 1)]),
      [],
      'it is the first sight',
    );
    assert.ok(memory.isUnread(key));
    await memory.mark([key], false);
    assert.ok(!memory.isUnread(key));
  });
});

describe('a notification that is about to appear', () => {
  const action = (id: string) =>
    ({ id, toolName: 'terminal', summary: id }) as unknown as WaitingAction;
  const notice: Notice = {
    occasion: 'waits',
    conversation: conversation({ id: 'c0', ...waiting }),
    actions: [action('a')],
  };
  const key = keyOf(notice.conversation);
  const truth = (
    row: Change | undefined,
    {
      isCertain = true,
      waitsFor,
    }: { isCertain?: boolean; waitsFor?: readonly WaitingAction[] } = {},
  ) =>
    currentTruthOf(notice, {
      rows: new Map(row ? [[key, conversation({ id: 'c0', ...row })]] : []),
      snapshot: () => ({
        isCertain,
        waiting: waitsFor && { status: 'waits', actions: waitsFor },
      }),
    });

  it('appears while the same actions wait, also if they are not known', () => {
    assert.equal(truth(waiting, { waitsFor: [action('a')] }), 'true');
    assert.equal(truth(waiting), 'true');
  });

  it('appears for a failure whatever the agent does now, unless its service was removed', () => {
    const failure: Notice = { ...notice, occasion: 'failed' };
    const service = {
      rows: new Map<ConversationKey, Conversation>(),
      snapshot: () => ({ isCertain: false, waiting: undefined }),
    };
    assert.equal(currentTruthOf(failure, service), 'true');
    assert.equal(currentTruthOf(failure, undefined), 'false');
  });

  it('disappears if the agent goes on, waits for other actions, or is gone', () => {
    assert.equal(truth(working), 'false');
    assert.equal(truth(waiting, { waitsFor: [action('b')] }), 'false');
    assert.equal(truth(undefined), 'false');
    assert.equal(currentTruthOf(notice, undefined), 'false');
  });

  it('stays until the events tell whether the agent still waits', () => {
    for (const row of [working, waiting])
      assert.equal(truth(row, { isCertain: false }), 'unknown');
  });

  it('stays while a busy sandbox does not say what its agent does, until it is paused', () => {
    for (const status of ['running', 'unknown'] as const)
      assert.equal(truth({ ...unknown, status }), 'unknown');
    assert.equal(truth({ ...unknown, status: 'stopped' }), 'false');
  });
});
