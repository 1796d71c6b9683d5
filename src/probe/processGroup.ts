/** Programs are started so that they can be ended with all that they start. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { sleep, systemClock } from '../base/clock.ts';
import type { StartedAs } from './windowsCommand.ts';

/**
 * Milliseconds for a program to end on its own once its input is closed, and
 * again once it is asked to.
 */
const graceMs = 1_000;
/** Milliseconds between two looks at the group. */
const pollIntervalMs = 15;

export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export class ProcessGroup {
  readonly child: ChildProcess;
  /** Resolves when the program itself has ended; its children may still run. */
  readonly exited: Promise<ProcessEnd>;
  readonly #platform: NodeJS.Platform;
  readonly #killAll = () => {
    this.signal('SIGKILL');
  };

  constructor(child: ChildProcess, platform: NodeJS.Platform) {
    this.child = child;
    this.#platform = platform;
    this.exited = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        resolve({ code, signal });
      });
    });
    process.once('exit', this.#killAll);
  }

  /**
   * Closes the input of the group, waits, asks it to end, waits, and kills the
   * rest. A cancellation skips the first wait. Resolves when the whole group is
   * gone.
   */
  async end(cancelled: AbortSignal | undefined): Promise<void> {
    const { child } = this;
    child.stdin?.destroy();
    // A full pipe would keep it from ending.
    child.stdout?.removeAllListeners('data').resume();
    child.stderr?.removeAllListeners('data').resume();
    if (cancelled?.aborted || !(await this.#isGoneSoon(cancelled))) {
      this.signal('SIGTERM');
      if (!(await this.#isGoneSoon())) {
        this.signal('SIGKILL');
        await this.#isGoneSoon();
      }
    }
    process.off('exit', this.#killAll);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }

  signal(name: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.child;
    if (pid === undefined) return;
    if (this.#platform === 'win32') {
      // Windows has no way of asking. A program that has ended is no longer the
      // root of a tree.
      if (this.#isRunning())
        spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], {
          windowsHide: true,
        });
      return;
    }
    try {
      process.kill(-pid, name);
    } catch {
      // The process is gone, or another user's process has its id.
    }
  }

  #isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Waits for the end of the program and its children. */
  async #isGoneSoon(cancelled?: AbortSignal): Promise<boolean> {
    const until = performance.now() + graceMs;
    while (this.#isAlive()) {
      const left = until - performance.now();
      if (left <= 0 || cancelled?.aborted) return false;
      await Promise.race([
        sleep(systemClock, Math.min(left, pollIntervalMs)),
        ...(this.#isRunning() ? [this.exited] : []),
      ]);
    }
    return true;
  }

  #isAlive(): boolean {
    if (this.#isRunning()) return true;
    const { pid } = this.child;
    if (pid === undefined || this.#platform === 'win32') return false;
    try {
      process.kill(-pid, 0);
      return true;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM';
    }
  }
}

/**
 * Starts a program without a shell, in a group of its own. Throws where the
 * system cannot take the arguments.
 */
export async function startProgram(
  { file, args, verbatim }: StartedAs,
  env: Readonly<Record<string, string>>,
  cwd: string,
  platform: NodeJS.Platform,
): Promise<ProcessGroup> {
  const child = spawn(file, args, {
    env,
    cwd,
    shell: false,
    detached: platform !== 'win32',
    windowsHide: true,
    windowsVerbatimArguments: verbatim,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // The program may close its input while we write.
  child.stdin.on('error', () => undefined);
  return await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.once('spawn', () => {
      resolve(new ProcessGroup(child, platform));
    });
  });
}
