import assert from 'node:assert/strict';
import fc from 'fast-check';
import { areSame, fateOf, type WaitingAction, waitingOf } from '../../../src/state/waiting.ts';
import { readAll, recorded } from '../service/recordedEvents.ts';

function commands(actions: readonly WaitingAction[]): unknown[] {
  return actions.map((action) => {
    const { command, path } = JSON.parse(action.arguments) as { command?: unknown; path?: unknown };
    return path ?? command;
  });
}

const waitsFor = (events: readonly unknown[]) => {
  const waiting = waitingOf(readAll(events), true);
  return waiting.status === 'waits' ? commands(waiting.actions) : waiting;
};

const doesNotWait = (execution: unknown) => ({ status: 'doesNotWait', execution });

describe('what an agent waits for, as a real service has told it', () => {
  for (const [what, stream, expected] of [
    ['is the only action of a step', 'oneAction', ['echo one']],
    ['is the action of the next step', 'nextStep', ['sleep 6']],
    ['is nothing while the accepted action runs', 'acceptedAndRuns', doesNotWait('running')],
    ['is nothing after an interruption', 'interrupted', doesNotWait('paused')],
    ['is every action of a step, the first first', 'severalActions', ['echo a', 'echo b', 'echo c']],
    ['is nothing after a rejection', 'rejected', doesNotWait('idle')],
    ['is still the same if it was interrupted while it waited', 'interruptedWhileItWaits', ['sleep 1']],
    ['is the step after one that failed', 'afterAnError', ['echo x']],
    ['leaves out an action that cannot run', 'oneCannotRun', ['/srv/agent/x.txt']],
  ] as const) {
    it(what, () => {
      assert.deepEqual(waitsFor(recorded(stream)), expected);
    });
  }

  it('is known as soon as the whole step is', () => {
    const events = readAll(recorded('nextStep'));
    const statuses = events.map((_, index) => waitingOf(events.slice(0, index + 1)).status);
    const known = events.findIndex(({ kind, id }) => kind === 'action' && id !== openId(events));
    assert.deepEqual(
      statuses.map((status) => status === 'unknown'),
      events.map((_, index) => index < known),
    );
  });

  it('is not known without the last state, or without all of the step', () => {
    assert.deepEqual(waitingOf([]), { status: 'unknown', oldestNeeded: 'execution' });
    const events = readAll(recorded('severalActions'));
    const afterOne = events.findIndex(({ kind }) => kind === 'action') + 1;
    assert.deepEqual(waitingOf(events.slice(0, afterOne)), { status: 'unknown', oldestNeeded: 'step' });
    assert.deepEqual(waitingOf(events), { status: 'unknown', oldestNeeded: 'step' });
    assert.equal(waitingOf(events, true).status, 'waits');
  });

  it('has its fate told by the events', () => {
    const fate = (before: Parameters<typeof recorded>[0], after: Parameters<typeof recorded>[0]) => {
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

describe('what an agent waits for', () => {
  const waits = { kind: 'ConversationStateUpdateEvent', key: 'execution_status' };
  const state = { id: 's', ...waits, value: 'waiting_for_confirmation' };
  const action = (id: string, change: object = {}) => ({
    id,
    kind: 'ActionEvent',
    action: { kind: 'TerminalAction', command: id },
    tool_call_id: `call-${id}`,
    llm_response_id: 'step',
    ...change,
  });

  it('is an action whose tool call has the id of an earlier one that failed', () => {
    const error = { id: 'e', kind: 'AgentErrorEvent', tool_call_id: 'call_0' };
    const again = { tool_call_id: 'call_0' };
    assert.deepEqual(waitsFor([state, action('b', again), error, action('a', again)]), ['b']);
  });

  it('is an action without a tool call, also after an error that names none', () => {
    const error = { id: 'e', kind: 'AgentErrorEvent' };
    const without = { tool_call_id: undefined };
    assert.deepEqual(waitsFor([state, error, action('a', without)]), ['a']);
  });

  it('is what is left of an earlier step too, because an acceptance counts for it', () => {
    assert.deepEqual(waitsFor([state, action('b'), action('a', { llm_response_id: 'earlier' })]), ['a', 'b']);
  });

  it('is every action where they do not say to which step they belong', () => {
    const without = { llm_response_id: undefined };
    const events = [state, action('b', without), action('a', without)];
    assert.equal(waitingOf(readAll(events)).status, 'unknown');
    assert.deepEqual(waitsFor(events), ['a', 'b']);
  });

  for (const value of [undefined, null, 7, {}, 'WAITING', 'what comes next']) {
    it(`is nothing if the state is ${value === undefined ? 'missing' : JSON.stringify(value)}`, () => {
      const waiting = waitingOf(readAll([{ ...state, value }, action('a')]), true);
      assert.equal(waiting.status, 'doesNotWait');
    });
  }

  it('is nothing if there is no action, or no event at all', () => {
    assert.deepEqual(waitsFor([state]), doesNotWait('waitingForConfirmation'));
    assert.deepEqual(waitsFor([]), doesNotWait(undefined));
  });

  it('does not depend on events of unknown kinds, or on what is not an event', () => {
    const odd = [{ kind: 'ActionEventV2', id: 'x' }, {}, 7, 'x', [], { kind: 7 }, { kind: 'ActionEvents' }];
    assert.deepEqual(waitsFor([...odd, state, ...odd, action('a'), ...odd]), ['a']);
  });

  it('is an action that lacks everything else', () => {
    const waiting = waitingOf(readAll([state, { kind: 'ActionEvent' }]), true);
    assert.ok(waiting.status === 'waits');
    assert.equal(waiting.actions.length, 1);
    assert.equal(waiting.actions[0]?.arguments, 'null');
  });

  it('is the same only if every action of it is', () => {
    const read = (...events: object[]) => {
      const waiting = waitingOf(readAll([state, ...events]), true);
      return waiting.status === 'waits' ? waiting.actions : [];
    };
    const one = read(action('b'), action('a'));
    assert.ok(areSame(one, read(action('b'), action('a'))));
    assert.ok(!areSame(one, read(action('a'))));
    assert.ok(!areSame(read(action('a')), one));
    assert.ok(!areSame(one, read(action('c'), action('a'))));
    assert.ok(!areSame(one, read(action('b', { security_risk: 'HIGH' }), action('a'))));
    assert.ok(!areSame([], []));
  });

  it('is never an action that has an answer, in any order of random events', () => {
    const ids = ['a', 'b', 'c'];
    const some = fc.constantFrom(...ids);
    const event = fc.oneof(
      some.map((id) => action(id)),
      some.map((id) => ({ id: `o${id}`, kind: 'ObservationEvent', action_id: id })),
      some.map((id) => ({ id: `r${id}`, kind: 'UserRejectObservation', action_id: id })),
      fc.constantFrom('running', 'idle', 'waiting_for_confirmation').map((value) => ({ ...state, value })),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 12 }), (events) => {
        const waiting = waitingOf(readAll(events), true);
        const last = events.find((one) => one.kind === waits.kind) as { value: string } | undefined;
        if (waiting.status !== 'waits') return;
        assert.equal(last?.value, 'waiting_for_confirmation');
        for (const { id } of waiting.actions) {
          const place = events.findIndex((one) => one.id === id);
          assert.ok(
            !events.slice(0, place).some((one) => 'action_id' in one && one.action_id === id),
            JSON.stringify(events),
          );
        }
      }),
      { seed: 17, numRuns: 2_000 },
    );
  });
});
