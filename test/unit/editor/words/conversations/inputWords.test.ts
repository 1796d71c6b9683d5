import assert from 'node:assert/strict';
import { inputStateOf } from '../../../../../src/editor/words/conversations/inputWords.ts';
import type { Reach } from '../../../../../src/service/agentService.ts';
import type { Execution } from '../../../../../src/service/entities.ts';
import { reachOf } from '../../../../../src/state/conversation/reach.ts';
import type { Waiting, WaitingAction } from '../../../../../src/state/transcript/waiting.ts';

const ready: Reach = { ...reachOf({ status: 'sandboxStarting' }, true), status: 'ready' };
const all: Reach = {
  ...ready,
  live: true,
  send: true,
  answer: true,
  stop: true,
  resume: true,
  whyNot: undefined,
};
const waits: Waiting = { status: 'waits', actions: [{ id: 'a' } as WaitingAction] };

const nothing = { busy: undefined, isSending: false };

const ways = (followed: Parameters<typeof inputStateOf>[0]) =>
  inputStateOf(followed, nothing).ways.map(({ how }) => how);

describe('the input box of a conversation', () => {
  it('offers to send a message when no action waits', () => {
    assert.deepEqual(ways({ reach: all, waiting: undefined, execution: 'idle' }), ['send']);
  });

  it('requires a choice while an action waits: reject it and send, or queue the message', () => {
    const input = inputStateOf({ reach: all, waiting: waits, execution: 'waitingForConfirmation' }, nothing);
    assert.deepEqual(
      input.ways.map(({ how }) => how),
      ['rejectAndSend', 'leave'],
    );
    assert.equal(input.mustChoose, true);
    assert.deepEqual(ways({ reach: { ...all, answer: false }, waiting: waits, execution: undefined }), [
      'leave',
    ]);
  });

  it('offers to continue a paused agent', () => {
    assert.deepEqual(ways({ reach: all, waiting: undefined, execution: 'paused' }), ['send', 'resume']);
  });

  it('offers to resume a paused sandbox first', () => {
    const reach = reachOf({ status: 'sandboxPaused', sandboxId: 's' }, true);
    assert.deepEqual(ways({ reach, waiting: undefined, execution: undefined }), ['resumeAndSend']);
  });

  it('explains why nothing can be sent to an unreachable agent', () => {
    const reach = reachOf({ status: 'outOfReach', why: 'No.' }, false);
    const input = inputStateOf({ reach, waiting: undefined, execution: undefined }, nothing);
    assert.deepEqual(input.ways, []);
    assert.equal(input.obstacle, 'You cannot write to this agent from here.');
  });

  it('takes the next message while one is being sent', () => {
    const input = inputStateOf(
      { reach: all, waiting: undefined, execution: 'idle' },
      { busy: undefined, isSending: true },
    );
    assert.deepEqual(
      input.ways.map(({ how }) => how),
      ['send'],
    );
  });

  it('offers Stop while the agent works or a message is being sent, and keeps it while stopping', () => {
    const stop = (execution: Execution, isSending: boolean, busy?: string) =>
      inputStateOf({ reach: all, waiting: undefined, execution }, { busy, isSending }).stop;
    assert.equal(stop('running', false), 'Stop');
    assert.equal(stop('idle', true), 'Stop');
    assert.equal(stop('running', false, 'Stopping…'), 'Stop');
    assert.equal(stop('idle', false), undefined);
  });
});
