import assert from 'node:assert/strict';
import type { StartTask } from '../../../src/service/entities.ts';
import { followStart } from '../../../src/service/followStart.ts';
import { ServiceError } from '../../../src/service/serviceError.ts';
import { SteppedClock } from '../../support/steppedClock.ts';

const task: StartTask = {
  id: 'task',
  stage: 'working',
  conversationId: undefined,
  sandboxId: undefined,
  detail: undefined,
};

const fail = (failure: ServiceError['failure']) =>
  new ServiceError(failure, { couldNot: 'Could not', address: 'http://agents.example.com' });

describe('the polling of a conversation start', () => {
  /** When the service is asked for a task that is ready at the fourth look, where each look takes so long. */
  async function looksTaking(milliseconds: number, fails = false): Promise<number[]> {
    const clock = new SteppedClock(0);
    const looks: number[] = [];
    const look = () => {
      looks.push(clock.now());
      clock.advance(milliseconds);
      if (fails && looks.length === 2) {
        return Promise.reject(fail({ kind: 'timedOut', seconds: 1 }));
      }
      return Promise.resolve<StartTask>({ ...task, stage: looks.length === 4 ? 'ready' : 'working' });
    };
    const following = Array.fromAsync(followStart(task, { look, fail, clock, signal: undefined }));
    const tasks = await clock.advanceUntil(following, 250);
    assert.equal(tasks.at(-1)?.stage, 'ready');
    return looks.slice(1).map((time, index) => time - (looks[index] ?? 0) - milliseconds);
  }

  it('asks every second when answers are immediate', async () => {
    assert.deepEqual(await looksTaking(0), [1_000, 1_000, 1_000]);
  });

  it('pauses four times as long as a request takes, even after a failed one', async () => {
    assert.deepEqual(await looksTaking(1_000), [4_000, 4_000, 4_000]);
    assert.deepEqual(await looksTaking(1_000, true), [4_000, 4_000, 4_000]);
  });
});
