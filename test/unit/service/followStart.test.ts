import assert from 'node:assert/strict';
import { createClient } from '../../../src/service/client.ts';
import type { StartTask } from '../../../src/service/model/entities.ts';
import { SteppedClock } from '../../support/steppedClock.ts';

const task: StartTask = {
  id: 'task',
  stage: 'working',
  conversationId: undefined,
  sandboxId: undefined,
  detail: undefined,
};

describe('the polling of a conversation start', () => {
  /**
   * Returns the times of the requests for a task that is ready at the fourth
   * look, where each look takes so long.
   */
  async function looksTaking(
    milliseconds: number,
    fails = false,
  ): Promise<number[]> {
    const clock = new SteppedClock(0);
    const looks: number[] = [];
    const client = createClient({
      address: new URL('http://agents.example.com'),
      authentication: 'none',
      key: undefined,
      interface: 'v1',
      requestsPerSecond: Infinity,
      clock,
      fetch: () => {
        looks.push(clock.now());
        clock.advance(milliseconds);
        const status = fails && looks.length === 2 ? 500 : 200;
        const answer = [
          { id: task.id, status: looks.length === 4 ? 'READY' : 'WORKING' },
        ];
        return Promise.resolve(Response.json(answer, { status }));
      },
    });
    const following = Array.fromAsync(client.followStart(task));
    const tasks = await clock.advanceUntil(following, 250);
    assert.equal(tasks.at(-1)?.stage, 'ready');
    return looks
      .slice(1)
      .map((time, index) => time - (looks[index] ?? 0) - milliseconds);
  }

  it('asks every second when answers are immediate', async () => {
    assert.deepEqual(await looksTaking(0), [1_000, 1_000, 1_000]);
  });

  it('pauses four times as long as a request takes, even after a failed one', async () => {
    assert.deepEqual(await looksTaking(1_000), [4_000, 4_000, 4_000]);
    assert.deepEqual(await looksTaking(1_000, true), [4_000, 4_000, 4_000]);
  });
});
