import { setTimeout as sleep } from 'node:timers/promises';
import { extensions } from 'vscode';

/**
 * Runs inside VS Code: activates the extensions in SWITCHBOARD_BENCH, in that order, and prints how long each took, and
 * how long the event loop was busy until it was idle again.
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
    console.log(`bench ${extension.id} ${time} ${(await idle()) - before}`);
  }
}

/** In milliseconds: what this thread has computed so far, whatever other processes do. */
function busy(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Waits for a second in which next to nothing happens. Resolves with how busy the thread had been before that. */
async function idle(): Promise<number> {
  let before = busy();
  for (let calm = 0; calm < 20; calm++) {
    const begin = busy();
    await sleep(50);
    if (busy() - begin < 1) continue;
    before = busy();
    calm = 0;
  }
  return before;
}
