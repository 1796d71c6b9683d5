import assert from 'node:assert/strict';
import { runtimeStatuses } from '../../../../src/service/model/entities.ts';
import {
  activities,
  type Activity,
  activityOf,
  isInTransition,
  isPutAway,
  needsPerson,
} from '../../../../src/state/lists/activity.ts';
import { conversation } from '../support.ts';

describe('the activity of a conversation', () => {
  it('sorts the activities by how urgently they need the user', () => {
    assert.deepEqual(activities, [
      'waiting',
      'error',
      'working',
      'starting',
      'idle',
      'stopped',
      'archived',
    ]);
  });

  const byExecution: readonly (readonly [string | undefined, Activity])[] = [
    [undefined, 'idle'],
    ['idle', 'idle'],
    ['running', 'working'],
    ['paused', 'idle'],
    ['waitingForConfirmation', 'waiting'],
    ['finished', 'idle'],
    ['error', 'error'],
    ['stuck', 'error'],
    ['deleting', 'idle'],
    ['pondering', 'idle'],
  ];

  it('follows the agent while the sandbox runs', () => {
    for (const [execution, activity] of byExecution) {
      for (const runtime of [
        undefined,
        'ready',
        'modelRetry',
        'something new',
      ]) {
        assert.equal(
          activityOf(conversation({ execution, runtime })),
          activity,
          `${execution} ${runtime}`,
        );
      }
    }
  });

  it('follows a starting or stopped sandbox unless the agent has failed', () => {
    for (const [execution, activity] of byExecution) {
      for (const status of ['starting', 'stopped'] as const) {
        const expected = activity === 'error' ? 'error' : status;
        assert.equal(
          activityOf(conversation({ status, execution })),
          expected,
          `${status} ${execution}`,
        );
      }
    }
  });

  it('follows an archived or failed sandbox, whatever the agent did', () => {
    for (const [execution] of byExecution) {
      for (const runtime of [undefined, ...runtimeStatuses]) {
        assert.equal(
          activityOf(conversation({ status: 'archived', execution, runtime })),
          'archived',
        );
        assert.equal(
          activityOf(conversation({ status: 'error', execution, runtime })),
          'error',
        );
      }
    }
  });

  it('follows a runtime that starts or has failed, and a failed one even in a stopped sandbox', () => {
    const expected: Record<(typeof runtimeStatuses)[number], Activity> = {
      stopped: 'idle',
      buildingRuntime: 'starting',
      startingRuntime: 'starting',
      runtimeStarted: 'starting',
      settingUpWorkspace: 'starting',
      settingUpGitHooks: 'starting',
      ready: 'idle',
      error: 'error',
      disconnected: 'error',
      modelAuthentication: 'error',
      modelUnavailable: 'error',
      modelServerError: 'error',
      outOfCredits: 'error',
      contentPolicyViolation: 'error',
      rateLimited: 'error',
      gitAuthentication: 'error',
      modelRetry: 'idle',
      outOfMemory: 'error',
    };
    for (const runtime of runtimeStatuses) {
      assert.equal(
        activityOf(conversation({ runtime })),
        expected[runtime],
        runtime,
      );
      assert.equal(
        activityOf(conversation({ runtime, execution: undefined })),
        expected[runtime],
        runtime,
      );
      const stopped = expected[runtime] === 'error' ? 'error' : 'stopped';
      assert.equal(
        activityOf(conversation({ runtime, status: 'stopped' })),
        stopped,
        runtime,
      );
    }
  });

  it('reports stopped for a lost agent, and idle for the sandbox status "unknown"', () => {
    assert.equal(activityOf(conversation({ execution: 'lost' })), 'stopped');
    for (const execution of [
      'running',
      'waitingForConfirmation',
      undefined,
    ] as const)
      assert.equal(
        activityOf(conversation({ status: 'unknown', execution })),
        'idle',
      );
  });

  it('ignores a sandbox status that it does not know', () => {
    assert.equal(
      activityOf(conversation({ status: 'dreaming', execution: undefined })),
      'idle',
    );
    assert.equal(
      activityOf(conversation({ status: 'dreaming', execution: 'running' })),
      'working',
    );
  });

  it('counts as in transition only while the conversation starts or is being deleted', () => {
    assert.ok(isInTransition(conversation({ status: 'starting' })));
    assert.ok(isInTransition(conversation({ runtime: 'settingUpWorkspace' })));
    assert.ok(isInTransition(conversation({ execution: 'deleting' })));
    for (const execution of [
      'running',
      'waitingForConfirmation',
      'finished',
      'error',
    ] as const) {
      assert.ok(!isInTransition(conversation({ execution })));
    }
    assert.ok(!isInTransition(conversation({ status: 'stopped' })));
  });

  it('needs the user while the agent waits, or has failed unseen, and never when archived', () => {
    for (const [execution, activity] of byExecution) {
      const row = conversation({ execution });
      assert.equal(needsPerson(row, false), activity === 'waiting', execution);
      assert.equal(
        needsPerson(row, true),
        activity === 'waiting' || activity === 'error',
        execution,
      );
      assert.ok(
        !needsPerson(conversation({ status: 'archived', execution }), true),
      );
    }
  });

  it('counts as put away when archived, unless its agent waits', () => {
    for (const [execution, activity] of byExecution) {
      assert.equal(
        isPutAway(conversation({ execution, isArchived: true })),
        activity !== 'waiting',
        execution,
      );
      assert.ok(!isPutAway(conversation({ execution })));
    }
  });
});
