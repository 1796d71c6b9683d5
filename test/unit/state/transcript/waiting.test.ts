import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseExactly } from '../../../../src/service/http/exactJson.ts';
import {
  areSame,
  fateOf,
  pendingOf,
  type WaitingAction,
  waitingOf,
} from '../../../../src/state/transcript/waiting.ts';
import { readAll, recorded } from '../../service/records/recordedEvents.ts';

function commands(actions: readonly WaitingAction[]): unknown[] {
  return actions.map((action) => {
    const { command, path } = JSON.parse(action.arguments) as {
      command?: unknown;
      path?: unknown;
    };
    return path ?? command;
  });
}

const waitsFor = (events: readonly unknown[]) => {
  const waiting = waitingOf(readAll(events), true);
  return waiting.status === 'waits' ? commands(waiting.actions) : waiting;
};

const doesNotWait = (execution: unknown) => ({
  status: 'doesNotWait',
  execution,
});

describe('the waiting actions in the events of a real service', () => {
  for (const [what, stream, expected] of [
    ['the only action of a step', 'oneAction', ['echo one']],
    ['the action of the next step', 'nextStep', ['sleep 6']],
    [
      'nothing while the accepted action runs',
      'acceptedAndRuns',
      doesNotWait('running'),
    ],
    ['nothing after an interruption', 'interrupted', doesNotWait('paused')],
    [
      'every action of a step, oldest first',
      'severalActions',
      ['echo a', 'echo b', 'echo c'],
    ],
    ['nothing after a rejection', 'rejected', doesNotWait('idle')],
    [
      'an action that was interrupted while it waited',
      'interruptedWhileItWaits',
      ['sleep 1'],
    ],
    ['the action after a failed step', 'afterAnError', ['echo x']],
    ['only the actions that can run', 'oneCannotRun', ['/srv/agent/x.txt']],
  ] as const) {
    it(`returns ${what}`, () => {
      assert.deepEqual(waitsFor(recorded(stream)), expected);
    });
  }

  it('returns a known state as soon as the whole step is read', () => {
    const events = readAll(recorded('nextStep'));
    const statuses = events.map(
      (_, index) => waitingOf(events.slice(0, index + 1)).status,
    );
    const known = events.findIndex(
      ({ kind, id }) => kind === 'action' && id !== openId(events),
    );
    assert.deepEqual(
      statuses.map((status) => status === 'unknown'),
      events.map((_, index) => index < known),
    );
  });

  it('returns an unknown state without the last status or without the whole step', () => {
    assert.deepEqual(waitingOf([]), {
      status: 'unknown',
      oldestNeeded: 'execution',
    });
    const events = readAll(recorded('severalActions'));
    const afterOne = events.findIndex(({ kind }) => kind === 'action') + 1;
    assert.deepEqual(waitingOf(events.slice(0, afterOne)), {
      status: 'unknown',
      oldestNeeded: 'step',
    });
    assert.deepEqual(waitingOf(events), {
      status: 'unknown',
      oldestNeeded: 'step',
    });
    assert.equal(waitingOf(events, true).status, 'waits');
  });

  it('reads the fate of waiting actions from later events', () => {
    const fate = (
      before: Parameters<typeof recorded>[0],
      after: Parameters<typeof recorded>[0],
    ) => {
      const waiting = waitingOf(readAll(recorded(before)), true);
      assert.ok(waiting.status === 'waits');
      return fateOf(waiting.actions, readAll(recorded(after)));
    };
    assert.equal(fate('oneAction', 'oneAction'), undefined);
    assert.equal(fate('oneAction', 'nextStep'), 'accepted');
    assert.equal(fate('nextStep', 'acceptedAndRuns'), 'accepted');
    assert.equal(fate('nextStep', 'interrupted'), 'cancelled');
    assert.equal(fate('severalActions', 'rejected'), 'rejected');
    assert.equal(fate('severalActions', 'oneAction'), undefined);
  });
});

function openId(events: ReturnType<typeof readAll>): string {
  const waiting = waitingOf(events, true);
  return waiting.status === 'waits' ? (waiting.actions[0]?.id ?? '') : '';
}

describe('the waiting actions of an agent', () => {
  const waits = {
    kind: 'ConversationStateUpdateEvent',
    key: 'execution_status',
  };
  const state = { id: 's', ...waits, value: 'waiting_for_confirmation' };
  const action = (id: string, change: object = {}) => ({
    id,
    kind: 'ActionEvent',
    action: { kind: 'TerminalAction', command: id },
    tool_call_id: `call-${id}`,
    llm_response_id: 'step',
    ...change,
  });

  it('includes an action whose tool call has the ID of an earlier one that failed', () => {
    const error = { id: 'e', kind: 'AgentErrorEvent', tool_call_id: 'call_0' };
    const again = { tool_call_id: 'call_0' };
    assert.deepEqual(
      waitsFor([state, action('b', again), error, action('a', again)]),
      ['b'],
    );
  });

  it('includes an action without a tool call, even after an error that names none', () => {
    const error = { id: 'e', kind: 'AgentErrorEvent' };
    const without = { tool_call_id: undefined };
    assert.deepEqual(waitsFor([state, error, action('a', without)]), ['a']);
  });

  it('includes an action left from an earlier step, because an acceptance runs that action too', () => {
    assert.deepEqual(
      waitsFor([
        state,
        action('b'),
        action('a', { llm_response_id: 'earlier' }),
      ]),
      ['a', 'b'],
    );
  });

  it('includes every action when actions do not name their step', () => {
    const without = { llm_response_id: undefined };
    const events = [state, action('b', without), action('a', without)];
    assert.equal(waitingOf(readAll(events)).status, 'unknown');
    assert.deepEqual(waitsFor(events), ['a', 'b']);
  });

  for (const value of [undefined, null, 7, {}, 'WAITING', 'what comes next']) {
    it(`returns no waiting actions if the state is ${value === undefined ? 'missing' : JSON.stringify(value)}`, () => {
      const waiting = waitingOf(
        readAll([{ ...state, value }, action('a')]),
        true,
      );
      assert.equal(waiting.status, 'doesNotWait');
    });
  }

  it('returns no waiting actions without an action, or without any event', () => {
    assert.deepEqual(waitsFor([state]), doesNotWait('waitingForConfirmation'));
    assert.deepEqual(waitsFor([]), doesNotWait(undefined));
  });

  it('includes the actions of a fork that has not run, as soon as its copied events and the step are read', () => {
    const message = { id: 'm', kind: 'MessageEvent' };
    const events = readAll([
      message,
      action('b'),
      action('a', { llm_response_id: 'earlier' }),
    ]);
    assert.equal(waitingOf(events, false, 'm').status, 'waits');
    assert.equal(waitingOf(events, true).status, 'waits');
    assert.deepEqual(waitingOf(events, false, 'x'), {
      status: 'unknown',
      oldestNeeded: 'execution',
    });
    assert.deepEqual(waitingOf(events.slice(0, 2), false, 'm'), {
      status: 'unknown',
      oldestNeeded: 'step',
    });
    const running = readAll([{ ...state, value: 'running' }]);
    assert.deepEqual(
      waitingOf([...running, ...events], true, 'm'),
      doesNotWait('running'),
    );
    assert.deepEqual(
      pendingOf(events, false, 'm')?.actions.map(({ id }) => id),
      ['a', 'b'],
    );
    assert.equal(pendingOf(events, false, 'x'), undefined);
  });

  it('ignores events of unknown kinds, and values that are not events', () => {
    const odd = [
      { kind: 'ActionEventV2', id: 'x' },
      {},
      7,
      'x',
      [],
      { kind: 7 },
      { kind: 'ActionEvents' },
    ];
    assert.deepEqual(waitsFor([...odd, state, ...odd, action('a'), ...odd]), [
      'a',
    ]);
  });

  it('includes an action without any other fields', () => {
    const waiting = waitingOf(readAll([state, { kind: 'ActionEvent' }]), true);
    assert.ok(waiting.status === 'waits');
    assert.equal(waiting.actions.length, 1);
    assert.equal(waiting.actions[0]?.arguments, 'null');
  });

  it('includes the actions of a question during which the agent was stopped, and none that runs', () => {
    const becomes = (value: string) => ({ ...state, id: value, value });
    const paused = [{ kind: 'PauseEvent' }, becomes('paused')];
    const asked = [state, action('b'), action('a'), becomes('running')];
    const observation = { kind: 'ObservationEvent', action_id: 'a' };
    assert.deepEqual(waitsFor([...paused, ...asked]), ['a', 'b']);
    assert.deepEqual(waitsFor([...paused, observation, ...asked]), ['b']);
    const isPaused = doesNotWait('paused');
    const accepted = becomes('running');
    assert.deepEqual(waitsFor([...paused, accepted, ...asked]), isPaused);
    assert.deepEqual(waitsFor([...paused, ...asked.slice(1)]), isPaused);
    assert.deepEqual(waitsFor(paused), isPaused);
  });

  it('depends on the last state that is known, which the events may not reach', () => {
    const [known] = readAll([state]);
    assert.ok(known?.kind === 'state');
    const events = readAll([action('a')]);
    assert.equal(waitingOf(events, true, undefined, known).status, 'waits');
    const other = { ...known, key: 'other', execution: undefined };
    assert.equal(waitingOf([other, known, ...events], true).status, 'waits');
  });

  it('needs older events while actions do not name their step', () => {
    const unnamed = { llm_response_id: null };
    const events = [state, action('b', unnamed), action('a', unnamed)];
    assert.deepEqual(waitingOf(readAll(events)), {
      status: 'unknown',
      oldestNeeded: 'step',
    });
    const half = [state, action('b'), action('a', unnamed)];
    assert.equal(waitingOf(readAll(half)).status, 'unknown');
  });

  it('runs entirely with the next message, unless the agent works or older events are needed', () => {
    const pending = (isAll: boolean, ...events: object[]) => {
      const actions = pendingOf(readAll(events), isAll)?.actions;
      return actions && commands(actions);
    };
    const idle = { ...state, value: 'idle' };
    const running = { ...state, value: 'running' };
    const earlier = action('a', { llm_response_id: 'earlier' });
    assert.equal(pending(false, action('b'), earlier), undefined);
    assert.equal(pending(false, idle, action('b')), undefined);
    assert.deepEqual(pending(false, idle, action('b'), earlier), ['a', 'b']);
    assert.deepEqual(pending(true, idle, action('b')), ['b']);
    assert.deepEqual(pending(true, action('b')), ['b']);
    assert.deepEqual(pending(false, running, action('b')), []);
    assert.deepEqual(pending(true, running, action('b')), []);
  });

  it('has no fate that events of other actions tell', () => {
    const [waiting] = [waitingOf(readAll([state, action('a')]), true)];
    assert.ok(waiting.status === 'waits');
    const fate = (...events: object[]) =>
      fateOf(waiting.actions, readAll(events));
    const ends = (kind: string, of?: string) => ({ kind, action_id: of });
    const running = { ...state, id: 'r', value: 'running' };
    assert.equal(fate(ends('ObservationEvent', 'a')), 'accepted');
    assert.equal(fate(ends('ObservationEvent', 'b')), undefined);
    assert.equal(fate(ends('ObservationEvent')), undefined);
    assert.equal(fate(ends('UserRejectObservation', 'b')), undefined);
    assert.equal(fate(running, action('a')), 'accepted');
    assert.equal(fate(running, action('b')), undefined);
    assert.equal(fate(state, action('a')), undefined);
  });

  it('includes the newest rating by the service of each action', () => {
    const rating = (risks: unknown) => ({
      kind: 'SecurityAnalysisEvent',
      risks,
    });
    const read = (...events: object[]) => {
      const waiting = waitingOf(readAll([state, ...events]), true);
      assert.ok(waiting.status === 'waits');
      return waiting.actions.map(({ rated }) => rated);
    };
    const both = [action('b'), action('a')];
    assert.deepEqual(read(rating({ a: 'HIGH', b: 'odd' }), ...both), [
      'high',
      'odd',
    ]);
    assert.deepEqual(
      read(rating({ a: 'LOW' }), rating({ a: 'HIGH', b: 7 }), ...both),
      ['low', 'unknown'],
    );
    for (const odd of [null, 'HIGH', [], undefined])
      assert.deepEqual(read(rating(odd), ...both), [undefined, undefined]);
  });

  it('treats two lists as the same only if every action is, and never if both are empty', () => {
    const read = (...events: object[]) => {
      const waiting = waitingOf(readAll([state, ...events]), true);
      return waiting.status === 'waits' ? waiting.actions : [];
    };
    const one = read(action('b'), action('a'));
    assert.ok(areSame(one, read(action('b'), action('a'))));
    assert.ok(!areSame(one, read(action('a'))));
    assert.ok(!areSame(read(action('a')), one));
    assert.ok(!areSame(one, read(action('c'), action('a'))));
    assert.ok(
      !areSame(one, read(action('b', { security_risk: 'HIGH' }), action('a'))),
    );
    assert.ok(!areSame([], []));
    const acts = (id: string) =>
      read(action('a', { action: parseExactly(`{"id":${id}}`) }));
    assert.ok(
      areSame(acts('1234567890123456789'), acts('1234567890123456789')),
    );
    assert.ok(
      !areSame(acts('1234567890123456789'), acts('1234567890123456700')),
    );
    assert.ok(
      areSame(acts('30.0'), acts('30')),
      'services spell the same number differently',
    );
  });

  it('never includes an answered action, in any order of random events', () => {
    const ids = ['a', 'b', 'c'];
    const some = fc.constantFrom(...ids);
    const event = fc.oneof(
      some.map((id) => action(id)),
      some.map((id) => ({
        id: `o${id}`,
        kind: 'ObservationEvent',
        action_id: id,
      })),
      some.map((id) => ({
        id: `r${id}`,
        kind: 'UserRejectObservation',
        action_id: id,
      })),
      fc
        .constantFrom('running', 'idle', 'waiting_for_confirmation')
        .map((value) => ({ ...state, value })),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (events) => {
        const waiting = waitingOf(readAll(events), true);
        const last = events.find((one) => one.kind === waits.kind) as
          { value: string } | undefined;
        if (waiting.status !== 'waits') return;
        // A fork has the actions without the states.
        if (last) assert.equal(last.value, 'waiting_for_confirmation');
        for (const { id } of waiting.actions) {
          const place = events.findIndex((one) => one.id === id);
          assert.ok(
            !events
              .slice(0, place)
              .some((one) => 'action_id' in one && one.action_id === id),
            JSON.stringify(events),
          );
        }
      }),
      { seed: 17, numRuns: 2_000 },
    );
  });
});
