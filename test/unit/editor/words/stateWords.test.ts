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
import {
  runtimeStatuses,
  type Sandbox,
  startStages,
  triggers,
} from '../../../../src/service/model/entities.ts';
import { activities } from '../../../../src/state/lists/activity.ts';
import { conversation } from '../../state/support.ts';

/** Names that every object has. */
const hostileValues = [
  'constructor',
  '__proto__',
  'toString',
  'hasOwnProperty',
];

const sandbox = (status: string): Sandbox => ({
  id: 'box',
  service: 'https://agents.example.com',
  status,
  detail: undefined,
  specId: undefined,
  createdAt: undefined,
  exposed: [],
});

function assertWords(
  say: (value: string) => string,
  words: Readonly<Record<string, string>>,
): void {
  assert.deepEqual(
    Object.fromEntries(Object.keys(words).map((value) => [value, say(value)])),
    words,
  );
}

describe('the wording of states', () => {
  it('covers every activity', () => {
    assert.deepEqual(
      activities.map((activity) => activityWords[activity]),
      [
        'Waiting for you',
        'Failed',
        'Working',
        'Starting',
        'Idle',
        'Stopped',
        'Archived',
      ],
    );
  });

  it('covers every trigger', () => {
    const words = {
      resolver: 'Issue resolver',
      gui: 'Web page',
      suggested_task: 'Suggested task',
      platform_api: 'Programming interface',
      chat_tool_a: 'Chat tool A',
      microagent_management: 'Microagent management',
      issue_tracker_a: 'Issue tracker A',
      issue_tracker_a_dc: 'Issue tracker A (data center)',
      issue_tracker_b: 'Issue tracker B',
    };
    assert.deepEqual(Object.keys(words), triggers);
    assertWords(triggerWord, words);
  });

  it('covers every stage of a start', () => {
    const words = {
      working: 'Beginning',
      waitingForSandbox: 'Waiting for the sandbox',
      preparingRepository: 'Preparing the repository',
      runningSetupScript: 'Running the setup script',
      settingUpGitHooks: 'Setting up Git hooks',
      settingUpSkills: 'Setting up the skills',
      startingConversation: 'Starting the conversation',
      ready: 'Ready',
      error: 'Failed',
    };
    assert.deepEqual(Object.keys(words), [...startStages, 'error']);
    assertWords(stageWord, words);
    for (const stage of ['COFFEE', ...hostileValues])
      assert.equal(stageWord(stage), stage);
  });

  it('covers every state of a sandbox, and every action on it', () => {
    assertWords((status) => sandboxWord(sandbox(status)), {
      starting: 'Starting',
      running: 'Running',
      paused: 'Paused',
      error: 'Failed',
      missing: 'Gone',
      unknown: 'Unknown',
    });
    assert.deepEqual(
      (['starting', 'pausing', 'resuming'] as const).map((action) =>
        sandboxWord(sandbox('paused'), action),
      ),
      ['Starting', 'Pausing', 'Resuming'],
    );
    for (const status of ['FROZEN', ...hostileValues])
      assert.equal(sandboxWord(sandbox(status)), status);
  });

  it('covers every status of a machine', () => {
    const words = {
      stopped: 'Stopped',
      buildingRuntime: 'Building the machine',
      startingRuntime: 'Starting the machine',
      runtimeStarted: 'The machine started',
      settingUpWorkspace: 'Setting up the workspace',
      settingUpGitHooks: 'Setting up Git hooks',
      ready: 'Ready',
      error: 'The machine failed',
      disconnected: 'The connection to the machine was lost',
      modelAuthentication: 'The language model rejected its key',
      modelUnavailable: 'The language model is not available',
      modelServerError: 'The language model failed',
      outOfCredits: 'Out of credits for the language model',
      contentPolicyViolation:
        'The language model refused because of its content policy',
      rateLimited: 'Too many requests to the language model',
      gitAuthentication: 'The code host rejected its key',
      outOfMemory: 'The machine ran out of memory',
      modelRetry: 'Retrying the language model',
    };
    assert.deepEqual(Object.keys(words), runtimeStatuses);
    assertWords(runtimeWord, words);
  });

  it('covers every state of an agent and of a conversation', () => {
    assertWords(executionWord, {
      idle: 'Idle',
      running: 'Working',
      paused: 'Paused',
      waitingForConfirmation: 'Waiting for your confirmation',
      finished: 'Finished',
      error: 'Failed',
      stuck: 'Stuck',
      deleting: 'Being deleted',
      lost: 'No longer known to its sandbox',
    });
    assertWords(statusWord, {
      starting: 'Starting',
      running: 'Running',
      stopped: 'Stopped',
      archived: 'Gone',
      error: 'Failed',
    });
  });

  it('repeats unknown values of the service', () => {
    for (const value of ['PONDERING', ...hostileValues]) {
      for (const say of [triggerWord, statusWord, executionWord, runtimeWord])
        assert.equal(say(value), value);
      assert.equal(
        activityWord(conversation({ execution: value, status: value })),
        value,
      );
    }
  });
});

describe('the number of conversations that need attention', () => {
  it('says what they do, and nothing for none', () => {
    const words = (count: number) =>
      (['waits', 'failed', 'finished'] as const).map((occasion) =>
        occasionWord(occasion, count),
      );
    assert.deepEqual(words(0), [undefined, undefined, undefined]);
    assert.deepEqual(words(1), [
      '1 conversation is waiting for you',
      '1 conversation has failed',
      '1 conversation has finished',
    ]);
    assert.deepEqual(words(2), [
      '2 conversations are waiting for you',
      '2 conversations have failed',
      '2 conversations have finished',
    ]);
  });
});

describe('the state of a conversation', () => {
  it('combines its status and its execution state into one word', () => {
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
      [{ execution: 'lost' }, 'No longer known to its sandbox'],
      [{ status: 'unknown', execution: undefined }, 'Unknown'],
      [{ status: 'unknown', execution: 'running' }, 'Unknown'],
    ] as const) {
      assert.equal(activityWord(conversation(change)), word);
    }
  });
});
