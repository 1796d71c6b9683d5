import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { isRunning } from '../../support/isRunning.ts';
import { itOnPosix } from '../../support/posix.ts';
import { check, type Circumstances, command, makeScratch, serverOf, timeToStart } from './support.ts';

describe('a checked program', () => {
  let scratch: string;

  beforeEach(async () => {
    scratch = await makeScratch();
  });

  afterEach(async () => {
    await rm(scratch, { recursive: true });
  });

  /** Checks a server that notes the processes it starts, and says how it went and which of them run afterwards. */
  async function leftOf(kind: string, circumstances: Circumstances = {}) {
    const file = join(scratch, kind);
    const result = await check(serverOf(kind, { args: [file] }), circumstances);
    const started = (await readFile(file, 'utf8')).trim().split('\n').map(Number);
    return { result, started: started.length, left: started.filter(isRunning) };
  }

  itOnPosix('leaves no process running after a check, even one that ignores signals', async () => {
    const [works, hangs, ends] = await Promise.all([
      leftOf('forks'),
      leftOf('forksAndHangs', { deadline: timeToStart }),
      leftOf('forksAndExits'),
    ]);
    assert.deepEqual(
      [works, hangs, ends].map(({ result, started, left }) => [result.kind, started, left]),
      [
        ['works', 4, []],
        ['fails', 4, []],
        ['fails', 3, []],
      ],
    );
  });

  itOnPosix('stops after a successful check even if it ignores signals', async () => {
    const { result, left } = await leftOf('stubborn');
    assert.equal(result.kind, 'works');
    assert.deepEqual(left, []);
  });

  it('gets time to exit on its own when its input is closed', async () => {
    const file = join(scratch, 'end');
    const script = `
      process.stdin.on('end', () => { require('fs').writeFileSync(${JSON.stringify(file)}, 'in order'); process.exit(); });
      process.stdin.resume();`;
    await check(command([process.execPath, '-e', script]), { deadline: timeToStart });
    assert.equal(await readFile(file, 'utf8'), 'in order');
  });

  itOnPosix('stops with all the processes it has started when the check is cancelled', async () => {
    const cancelling = new AbortController();
    const checking = leftOf('forksAndHangs', { signal: cancelling.signal });
    const noted = async () =>
      (await readFile(join(scratch, 'forksAndHangs'), 'utf8').catch(() => '')).split('\n');
    while ((await noted()).length <= 4) await setTimeout(20);
    cancelling.abort();
    const { result, left } = await checking;
    assert.deepEqual(result.kind === 'fails' && result.failure, { reason: 'cancelled' });
    assert.deepEqual(left, []);
  });

  it('never starts if the check was cancelled beforehand', async () => {
    const steps: string[] = [];
    const result = await check(serverOf('good'), {
      signal: AbortSignal.abort(),
      onProgress: (step) => steps.push(step),
    });
    assert.deepEqual(result.kind === 'fails' && result.failure, { reason: 'cancelled' });
    assert.deepEqual(steps, []);
  });
});
