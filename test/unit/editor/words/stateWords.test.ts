import assert from 'node:assert/strict';
import {
  activityWord,
  activityWords,
  executionWord,
  occasionWord,
  runtimeWord,
  sandboxWord,
  stageWord,
  statusWord,
  triggerWord,
} from '../../../../src/editor/words/stateWords.ts';
import { runtimeStatuses, type Sandbox, startStages, triggers } from '../../../../src/service/entities.ts';
import { activities } from '../../../../src/state/activity.ts';
import { conversation } from '../../state/support.ts';

/** What no table may take for a word of its own. */
const hostileValues = ['constructor', '__proto__', 'toString', 'hasOwnProperty'];

const isInWords = (text: string, value: string) =>
  text !== value && /^[A-Z]/.test(text) && !/[$_]|[a-z][A-Z]/.test(text);

const sandbox = (status: string): Sandbox => ({
  id: 'box',
  status,
  detail: undefined,
  specId: undefined,
  createdAt: undefined,
  exposed: [],
});

describe('words', () => {
  it('are there for every activity', () => {
    for (const activity of activities) assert.match(activityWords[activity], /^[A-Z]/);
  });

  it('are there for everything that can start a conversation', () => {
    for (const trigger of triggers) assert.ok(isInWords(triggerWord(trigger), trigger), trigger);
  });

  it('are there for every stage of a start', () => {
    const task = { id: 't', conversationId: undefined, sandboxId: undefined, detail: undefined };
    for (const stage of [...startStages, 'error' as const]) {
      assert.ok(isInWords(stageWord({ ...task, stage }), stage), stage);
    }
    for (const stage of ['COFFEE', ...hostileValues]) assert.equal(stageWord({ ...task, stage }), stage);
  });

  it('are there for every state of a sandbox, and for what is being done with it', () => {
    for (const status of ['starting', 'running', 'paused', 'error', 'missing']) {
      assert.ok(isInWords(sandboxWord(sandbox(status)), status), status);
    }
    assert.deepEqual(
      (['starting', 'pausing', 'resuming'] as const).map((change) => sandboxWord(sandbox('paused'), change)),
      ['Starting', 'Pausing', 'Resuming'],
    );
    for (const status of ['FROZEN', ...hostileValues]) assert.equal(sandboxWord(sandbox(status)), status);
  });

  it('are there for everything that a machine reports', () => {
    for (const runtime of runtimeStatuses) {
      const word = runtimeWord(runtime);
      assert.ok(isInWords(word, runtime), `${runtime}: ${word}`);
    }
  });

  it('are there for everything that an agent and a sandbox can be', () => {
    for (const execution of [
      'idle',
      'running',
      'paused',
      'waitingForConfirmation',
      'finished',
      'error',
      'stuck',
      'deleting',
    ]) {
      assert.match(executionWord(execution), /^[A-Z][a-z ]+$/);
    }
    for (const status of ['starting', 'running', 'stopped', 'archived', 'error']) {
      assert.match(statusWord(status), /^[A-Z][a-z]+$/);
    }
  });

  it('are the words of the service where that has new ones', () => {
    for (const value of ['PONDERING', ...hostileValues]) {
      for (const say of [triggerWord, statusWord, executionWord, runtimeWord])
        assert.equal(say(value), value);
      assert.equal(activityWord(conversation({ execution: value, status: value })), value);
    }
  });
});

describe('how many conversations there is something to tell of', () => {
  it('is said with what they are, also where it stands alone', () => {
    const words = (count: number) =>
      (['waits', 'failed', 'finished'] as const).map((occasion) => occasionWord(occasion, count));
    assert.deepEqual(words(0), [undefined, undefined, undefined]);
    assert.deepEqual(words(1), [
      '1 conversation waits for you',
      '1 conversation has failed',
      '1 conversation has finished',
    ]);
    assert.deepEqual(words(2), [
      '2 conversations wait for you',
      '2 conversations have failed',
      '2 conversations have finished',
    ]);
  });
});

describe('the state of a conversation', () => {
  it('is said in words, and more exactly than by its icon', () => {
    for (const [change, word] of [
      [{ execution: 'waitingForConfirmation' }, 'Waiting for you'],
      [{ execution: 'running' }, 'Working'],
      [{ execution: 'error' }, 'Failed'],
      [{ execution: 'stuck' }, 'Failed'],
      [{ execution: 'idle' }, 'Idle'],
      [{ execution: 'finished' }, 'Finished'],
      [{ execution: 'paused' }, 'Paused'],
      [{ execution: 'deleting' }, 'Being deleted'],
      [{ execution: undefined }, 'Running'],
      [{ status: 'stopped', execution: 'finished' }, 'Stopped'],
      [{ status: 'starting', execution: undefined }, 'Starting'],
      [{ status: 'archived', execution: 'finished' }, 'Archived'],
      [{ status: 'error', execution: undefined }, 'Failed'],
      [{ status: 'DREAMING', execution: undefined }, 'DREAMING'],
    ] as const) {
      assert.equal(activityWord(conversation(change)), word);
    }
  });
});
