import assert from 'node:assert/strict';
import { inputStateOf } from '../../../../../src/editor/words/conversations/inputWords.ts';
import type { Execution } from '../../../../../src/service/model/entities.ts';
import {
  abilitiesAt,
  type ConversationAbilities,
} from '../../../../../src/state/conversation/agentLocations.ts';
import type {
  Waiting,
  WaitingAction,
} from '../../../../../src/state/transcript/waiting.ts';

const all: ConversationAbilities = {
  ...abilitiesAt({ status: 'sandboxStarting' }, true),
  status: 'ready',
  canSteer: true,
  whyNot: undefined,
};
const waits: Waiting = {
  status: 'waits',
  actions: [{ id: 'a' } as WaitingAction],
};

const nothing = { busy: undefined, isSending: false };

const ways = (followed: Parameters<typeof inputStateOf>[0]) =>
  inputStateOf(followed, nothing).ways.map(({ how }) => how);

describe('the input box of a conversation', () => {
  it('offers to send a message or ask aside when no action waits', () => {
    assert.deepEqual(
      ways({
        abilities: all,
        waiting: undefined,
        conversation: { execution: 'idle' },
      }),
      [...['send', 'aside']],
    );
  });

  it('requires a choice while an action waits: reject it and send, or queue the message', () => {
    const input = inputStateOf(
      {
        abilities: all,
        waiting: waits,
        conversation: { execution: 'waitingForConfirmation' },
      },
      nothing,
    );
    assert.deepEqual(
      input.ways.map(({ how }) => how),
      ['rejectAndSend', 'queue', 'aside'],
    );
    assert.equal(input.mustChoose, true);
    assert.deepEqual(
      ways({
        abilities: { ...all, canSteer: false },
        waiting: waits,
        conversation: { execution: undefined },
      }),
      ['queue'],
    );
  });

  it('offers to continue a paused agent', () => {
    assert.deepEqual(
      ways({
        abilities: all,
        waiting: undefined,
        conversation: { execution: 'paused' },
      }),
      [...['send', 'resume', 'aside']],
    );
  });

  it('offers to try again after a failure', () => {
    const conversation = { execution: 'error' as const };
    const input = inputStateOf(
      { abilities: all, waiting: undefined, conversation },
      nothing,
    );
    assert.deepEqual(
      input.ways.map(({ how, label }) => [how, label]),
      [
        ['send', 'Send'],
        ['resume', 'Try Again'],
        ['aside', 'Side Question'],
      ],
    );
  });

  it('offers to resume a paused sandbox first', () => {
    const abilities = abilitiesAt(
      { status: 'sandboxPaused', sandboxId: 's' },
      true,
    );
    assert.deepEqual(
      ways({
        abilities,
        waiting: undefined,
        conversation: { execution: undefined },
      }),
      ['resumeAndSend'],
    );
  });

  it('explains why nothing can be sent to an unreachable agent', () => {
    const abilities = abilitiesAt({ status: 'outOfReach', why: 'No.' }, false);
    const input = inputStateOf(
      { abilities, waiting: undefined, conversation: { execution: undefined } },
      nothing,
    );
    assert.deepEqual(input.ways, []);
    assert.equal(input.obstacle, 'You cannot write to this agent from here.');
  });

  it('takes the next message while one is being sent', () => {
    const input = inputStateOf(
      {
        abilities: all,
        waiting: undefined,
        conversation: { execution: 'idle' },
      },
      { busy: undefined, isSending: true },
    );
    assert.deepEqual(
      input.ways.map(({ how }) => how),
      ['send', 'aside'],
    );
  });

  it('offers Stop while the agent works or a message is being sent, and keeps it while stopping', () => {
    const stop = (execution: Execution, isSending: boolean, busy?: string) =>
      inputStateOf(
        { abilities: all, waiting: undefined, conversation: { execution } },
        { busy, isSending },
      ).stop;
    assert.equal(stop('running', false), 'Stop');
    assert.equal(stop('idle', true), 'Stop');
    assert.equal(stop('running', false, 'Stopping…'), 'Stop');
    assert.equal(stop('idle', false), undefined);
  });
});
