import { setTimeout as sleep } from 'node:timers/promises';
import { extensions } from 'vscode';
import { median } from './table.ts';

/**
 * Runs inside VS Code: activates the extensions in SWITCHBOARD_BENCH, in that
 * order, and prints how long each took, and how long the event loop was busy
 * with it until it was idle again.
 */
export async function run(): Promise<void> {
  const all = (process.env.SWITCHBOARD_BENCH ?? '')
    .split(',')
    .map((id) => extensions.getExtension(id));
  await idle();
  // A window may open a JSON file of its own, which activates them all: it
  // measures nothing.
  if (all.some((extension) => extension?.isActive)) return;
  for (const extension of all) {
    if (!extension) throw new Error('An extension is missing.');
    const usual = await idle();
    const before = busy();
    const begin = performance.now();
    await extension.activate();
    const time = performance.now() - begin;
    console.log(
      `bench ${extension.id} ${time} ${busy() - before + (await rest(usual))}`,
    );
  }
}

/**
 * Milliseconds that this thread has computed so far, whatever other processes
 * do.
 */
function busy(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * The load of the thread in each slice of 50 ms, until a calm window has passed
 * enough slices: 0.2 ms is usual.
 */
async function untilCalm(slices: number): Promise<number[]> {
  const found: number[] = [];
  let last = busy();
  for (let calm = 0; calm < slices;) {
    await sleep(50);
    const now = busy();
    found.push(now - last);
    calm = now - last < 0.5 ? calm + 1 : 0;
    last = now;
  }
  return found;
}

/** Resolves with how busy a slice of an idle window is. */
async function idle(): Promise<number> {
  return median((await untilCalm(20)).slice(-20));
}

/**
 * The rest of the work, beyond that of an idle window. It is short, because an
 * idle window has work of its own.
 */
async function rest(usual: number): Promise<number> {
  return (await untilCalm(5)).reduce((sum, slice) => sum + slice - usual, 0);
}
