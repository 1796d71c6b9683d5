import { setTimeout as sleep } from 'node:timers/promises';
import { commands, extensions } from 'vscode';

/**
 * Runs inside VS Code: activates the extensions named in SWITCHBOARD_BENCH, in that order. For each, prints how long
 * the activation took, and for how long the process was busy until it was idle again.
 */
export async function run(): Promise<void> {
  for (const id of (process.env.SWITCHBOARD_BENCH ?? '').split(',')) {
    const extension = extensions.getExtension(id);
    if (!extension || extension.isActive)
      throw new Error(`${id} is ${extension ? 'already active' : 'missing'}.`);
    await quiet();
    const idle = performance.eventLoopUtilization();
    const begin = performance.now();
    await extension.activate();
    const time = performance.now() - begin;
    await sleep(500);
    const busy = performance.eventLoopUtilization(idle).active;
    console.log(`bench ${id} ${time} ${busy}`);
  }
}

/** Waits until the process responds at once. A window that has just opened does a lot else, which would be measured too. */
async function quiet(): Promise<void> {
  for (let calm = 0, asked = 0; calm < 10 && asked < 200; asked++) {
    const begin = performance.now();
    await commands.executeCommand('setContext', 'bench.asked', asked);
    calm = performance.now() - begin < 5 ? calm + 1 : 0;
    await sleep(25);
  }
}
