import { setTimeout as sleep } from 'node:timers/promises';
import { extensions } from 'vscode';

/**
 * Runs inside VS Code: activates the extensions in SWITCHBOARD_BENCH, in that order, and prints how long each took, and
 * how long the event loop was busy with it until it was idle again.
 */
export async function run(): Promise<void> {
  const all = (process.env.SWITCHBOARD_BENCH ?? '').split(',').map((id) => extensions.getExtension(id));
  await idle();
  // A window may open a JSON file of its own, which activates them all: it measures nothing.
  if (all.some((extension) => extension?.isActive)) return;
  for (const extension of all) {
    if (!extension) throw new Error('An extension is missing.');
    await idle();
    const before = busy();
    const begin = performance.now();
    await extension.activate();
    const time = performance.now() - begin;
    console.log(`bench ${extension.id} ${time} ${busy() - before + (await idle())}`);
  }
}

/** In milliseconds: what this thread has computed so far, whatever other processes do. */
function busy(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Waits for a second in which the thread does no more than an idle window does, 0.2 ms in 50. Resolves with how busy it
 * was before that, without the times in which it did no more either.
 */
async function idle(): Promise<number> {
  let sum = 0;
  let last = busy();
  for (let calm = 0; calm < 20; calm++) {
    await sleep(50);
    const now = busy();
    if (now - last >= 0.5) {
      sum += now - last;
      calm = 0;
    }
    last = now;
  }
  return sum;
}
