import assert from 'node:assert/strict';
import {
  type Failure,
  ServiceError,
} from '../../../../src/service/http/serviceError.ts';
import {
  type ConnectionEvent,
  type ConnectionState,
  nextState,
  stopped,
} from '../../../../src/state/conversation/agentConnection.ts';

const failure = (cause: Failure) =>
  new ServiceError(cause, { couldNot: 'read', address: 'http://one' });
const unreachable = failure({
  kind: 'unreachable',
  why: 'busy',
  closed: false,
});
const notFound = failure({ kind: 'notFound' });
const refused = failure({ kind: 'unauthorised', withKey: true });

const fail = (error: ServiceError): ConnectionEvent => ({
  type: 'fail',
  error,
});
const poll = (isReady: boolean, isBusy = false): ConnectionEvent => ({
  type: 'poll',
  isReady,
  isBusy,
});
const end = (
  reason: 'broken' | 'refused',
  lastedMs: number,
): ConnectionEvent => ({
  type: 'end',
  end: { reason, error: unreachable },
  begunAt: 100_000 - lastedMs,
  now: 100_000,
});
const start = { type: 'start' } as const;
const stop = { type: 'stop' } as const;
const retry = { type: 'retry' } as const;
const open = { type: 'open' } as const;
const leave = { type: 'leave' } as const;
const unready = { type: 'unready' } as const;
const short = end('broken', 1_000);
const long = end('broken', 20_000);
const none = end('refused', 0);

/** Applies events, in order, to a stopped connection. */
const after = (events: readonly ConnectionEvent[]): ConnectionState =>
  events.reduce((state, event) => nextState(state, event, 1), stopped);

describe('the state of a connection to an agent', () => {
  for (const [title, events, how, error, pauseMs] of [
    ['connects when started', [start], 'connecting', undefined, undefined],
    ['is paused when stopped', [start, open, stop], 'paused'],
    ['is live when opened', [start, none, open], 'live', undefined, 0],
    [
      'connects again at once after leaving',
      [start, open, leave],
      'connecting',
      undefined,
      0,
    ],
    ['polls a calm agent', [start, poll(true)], 'polling', undefined, 10_000],
    [
      'polls a busy agent more often',
      [start, poll(true, true)],
      'polling',
      undefined,
      3_000,
    ],
    [
      'keeps the reason of polling while the agent is ready',
      [start, none, poll(true)],
      'polling',
      unreachable,
      10_000,
    ],
    [
      'drops the reason once the agent is not ready',
      [start, none, unready],
      'polling',
      undefined,
      0,
    ],
    [
      'drops a failure when it reads again without a ready agent',
      [start, fail(unreachable), poll(false)],
      'polling',
      undefined,
      10_000,
    ],
    [
      'waits after a failure',
      [start, fail(unreachable)],
      'unreachable',
      unreachable,
      2_000,
    ],
    [
      'waits longer after more failures',
      [start, fail(unreachable), fail(unreachable)],
      'unreachable',
      unreachable,
      4_000,
    ],
    [
      'waits at most five minutes',
      [start, ...Array<ConnectionEvent>(20).fill(fail(unreachable))],
      'unreachable',
      unreachable,
      300_000,
    ],
    [
      'counts failures anew after a success',
      [start, fail(unreachable), poll(true), fail(unreachable)],
      'unreachable',
      unreachable,
      2_000,
    ],
    [
      'leaves a missing conversation to the user',
      [start, fail(notFound)],
      'unreachable',
      notFound,
      undefined,
    ],
    [
      'leaves a refused key to the user',
      [start, fail(unreachable), fail(refused)],
      'unreachable',
      refused,
      undefined,
    ],
    [
      'reconnects soon after a break',
      [start, open, short],
      'connecting',
      unreachable,
      1_000,
    ],
    [
      'waits longer after each of three breaks',
      [start, short, short, short],
      'connecting',
      unreachable,
      4_000,
    ],
    [
      'polls at once after four breaks',
      [start, short, short, short, short],
      'polling',
      unreachable,
      0,
    ],
    [
      'counts breaks anew after a long connection',
      [start, short, short, short, long],
      'connecting',
      unreachable,
      1_000,
    ],
    ['polls at once when refused', [start, none], 'polling', unreachable, 0],
  ] as const)
    it(title, () => {
      const state = after(events);
      assert.deepEqual(
        [state.how, state.error, state.pauseMs],
        [how, error, pauseMs],
      );
    });

  for (const [title, events, nextLive] of [
    ['a break', [start, short], 101_000],
    ['a refusal', [start, none], 108_000],
    ['two refusals', [start, none, none], 116_000],
    ['a failure between', [start, none, fail(unreachable)], 108_000],
    ['a retry', [start, none, retry], 0],
    ['a new start', [start, none, start], 0],
  ] as const)
    it(`allows a live connection at ${nextLive} ms after ${title}`, () => {
      assert.equal(after(events).nextLive, nextLive);
    });

  it('shortens a pause by up to a half', () => {
    const pauses = [0, 0.5, 1].map(
      (random) => nextState(stopped, fail(unreachable), random).pauseMs,
    );
    assert.deepEqual(pauses, [1_000, 1_500, 2_000]);
  });
});
