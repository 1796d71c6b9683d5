import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { until } from '../../support/eventually.ts';
import { isRunning } from '../../support/isRunning.ts';
import { itOnPosix } from '../../support/posix.ts';
import { SteppedClock } from '../../support/steppedClock.ts';
import {
  check,
  type Circumstances,
  command,
  makeScratch,
  serverOf,
} from './support.ts';

describe('a checked program', () => {
  let scratch: string;

  beforeEach(async () => {
    scratch = await makeScratch();
  });

  afterEach(async () => {
    await rm(scratch, { recursive: true });
  });

  /** Resolves when a server has noted that it has started all its processes. */
  async function allStarted(kind: string): Promise<void> {
    await until(async () => {
      const noted = await readFile(join(scratch, kind), 'utf8').catch(() => '');
      return noted.split('\n').length > 4;
    });
  }

  /**
   * Checks a server that notes the processes it starts, and says how it went
   * and which of them run afterwards.
   */
  async function leftOf(kind: string, circumstances: Circumstances = {}) {
    const file = join(scratch, kind);
    const result = await check(serverOf(kind, { args: [file] }), circumstances);
    const started = (await readFile(file, 'utf8'))
      .trim()
      .split('\n')
      .map(Number);
    return { result, started: started.length, left: started.filter(isRunning) };
  }

  itOnPosix(
    'leaves no process running after a check, even one that ignores signals',
    async () => {
      const clock = new SteppedClock();
      const checks = Promise.all([
        leftOf('forks'),
        leftOf('forksAndHangs', { deadline: 20_000, clock }),
        leftOf('forksAndExits'),
      ]);
      await allStarted('forksAndHangs');
      clock.advance(20_000);
      const [works, hangs, ends] = await checks;
      assert.deepEqual(
        [works, hangs, ends].map(({ result, started, left }) => [
          result.kind,
          started,
          left,
        ]),
        [
          ['works', 4, []],
          ['fails', 4, []],
          ['fails', 3, []],
        ],
      );
    },
  );

  itOnPosix(
    'stops after a successful check even if it ignores signals',
    async () => {
      const { result, left } = await leftOf('stubborn');
      assert.equal(result.kind, 'works');
      assert.deepEqual(left, []);
    },
  );

  it('gets time to exit on its own when its input is closed', async () => {
    const [asked, file] = [join(scratch, 'asked'), join(scratch, 'end')];
    const script = `
      process.stdin.on('end', () => { require('fs').writeFileSync(${JSON.stringify(file)}, 'in order'); process.exit(); });
      process.stdin.once('data', () => { require('fs').writeFileSync(${JSON.stringify(asked)}, ''); });`;
    const clock = new SteppedClock();
    const checking = check(command([process.execPath, '-e', script]), {
      deadline: 20_000,
      clock,
    });
    await until(() => existsSync(asked));
    clock.advance(20_000);
    await checking;
    assert.equal(await readFile(file, 'utf8'), 'in order');
  });

  itOnPosix(
    'stops with all the processes it has started when the check is cancelled',
    async () => {
      const cancelling = new AbortController();
      const checking = leftOf('forksAndHangs', { signal: cancelling.signal });
      await allStarted('forksAndHangs');
      cancelling.abort();
      const { result, left } = await checking;
      assert.deepEqual(result.kind === 'fails' && result.failure, {
        reason: 'cancelled',
      });
      assert.deepEqual(left, []);
    },
  );

  it('never starts if the check was cancelled beforehand', async () => {
    const steps: string[] = [];
    const result = await check(serverOf('good'), {
      signal: AbortSignal.abort(),
      onProgress: (step) => steps.push(step),
    });
    assert.deepEqual(result.kind === 'fails' && result.failure, {
      reason: 'cancelled',
    });
    assert.deepEqual(steps, []);
  });
});
