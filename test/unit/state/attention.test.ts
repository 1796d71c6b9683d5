import assert from 'node:assert/strict';
import type { Conversation } from '../../../src/service/entities.ts';
import { needsPerson, noticesBetween, remember } from '../../../src/state/attention.ts';
import { conversation } from './support.ts';

type Change = Partial<Conversation>;

const rows = (...all: readonly Change[]): ReadonlyMap<string, Conversation> =>
  new Map(all.map((change, index) => [`c${index}`, conversation({ id: `c${index}`, ...change })]));

/** What is told when one conversation is seen like this, one look after the other. */
function told(...looks: readonly Change[]): (string | undefined)[] {
  let before = rows();
  return looks.map((look) => {
    const after = rows(look);
    const [notice] = noticesBetween(before, after);
    before = remember(before, after);
    return notice?.occasion;
  });
}

const working: Change = { execution: 'running' };
const waiting: Change = { execution: 'waitingForConfirmation' };
const finished: Change = { execution: 'finished' };
const failing: Change = { execution: 'error' };
const unknown: Change = { execution: undefined };

describe('a notice', () => {
  it('comes when a conversation begins to wait, fails or finishes', () => {
    assert.deepEqual(told(working, waiting), [undefined, 'waits']);
    assert.deepEqual(told(working, failing), [undefined, 'failed']);
    assert.deepEqual(told(working, finished), [undefined, 'finished']);
    assert.deepEqual(told(working, { execution: 'stuck' }), [undefined, 'failed']);
    assert.deepEqual(told({ status: 'starting', execution: undefined }, { status: 'error' }), [
      undefined,
      'failed',
    ]);
    assert.deepEqual(told(unknown, { ...unknown, runtime: 'outOfCredits' }), [undefined, 'failed']);
  });

  it('comes once for each time', () => {
    assert.deepEqual(told(working, waiting, waiting, working, waiting), [
      undefined,
      'waits',
      undefined,
      undefined,
      'waits',
    ]);
    assert.deepEqual(told(failing, { execution: 'stuck' }, working, failing), [
      undefined,
      undefined,
      undefined,
      'failed',
    ]);
    assert.deepEqual(told(finished, finished, working, finished), [
      undefined,
      undefined,
      undefined,
      'finished',
    ]);
  });

  it('never comes for a new conversation', () => {
    for (const first of [waiting, failing, finished]) assert.deepEqual(told(first), [undefined]);
    assert.deepEqual(noticesBetween(rows(working), rows(working, waiting, failing)), []);
  });

  it('does not come for a conversation that stops, starts or continues', () => {
    for (const change of [working, { execution: 'paused' }, { status: 'stopped' }, { status: 'archived' }]) {
      assert.deepEqual(told(waiting, change), [undefined, undefined]);
    }
    assert.deepEqual(told(working, { ...finished, status: 'archived' }), [undefined, undefined]);
  });

  it('does not come when the service leaves out what agents do for a while', () => {
    for (const state of [waiting, failing, finished, working]) {
      assert.deepEqual(told(state, unknown, state), [undefined, undefined, undefined]);
      assert.deepEqual(told(unknown, state), [undefined, undefined]);
    }
    assert.deepEqual(told(working, unknown, waiting), [undefined, undefined, 'waits']);
  });

  it('does not come for the state in which a conversation is resumed', () => {
    const paused: Change = { status: 'stopped', execution: undefined };
    const starting: Change = { status: 'starting', execution: undefined };
    for (const state of [waiting, finished, failing]) {
      assert.deepEqual(told(paused, starting, state), [undefined, undefined, undefined]);
      assert.deepEqual(told(state, paused, starting, state), Array(4).fill(undefined));
    }
  });

  it('names every conversation to which something has happened', () => {
    const before = rows(working, working, working, waiting);
    const after = rows(waiting, failing, finished, waiting);
    assert.deepEqual(
      noticesBetween(before, after).map(({ occasion, conversation: { id } }) => `${id} ${occasion}`),
      ['c0 waits', 'c1 failed', 'c2 finished'],
    );
    assert.equal(noticesBetween(before, after)[0]?.conversation, after.get('c0'));
  });
});

describe('a person is needed', () => {
  it('by conversations that wait or have failed, and by no others', () => {
    assert.ok(needsPerson(conversation(waiting)));
    assert.ok(needsPerson(conversation(failing)));
    for (const change of [working, finished, unknown, { ...waiting, status: 'archived' }]) {
      assert.ok(!needsPerson(conversation(change)));
    }
  });
});
