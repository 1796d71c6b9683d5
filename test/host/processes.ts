/**
 * Starts programs so that they can be stopped together with all their child
 * processes.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { StepError } from './steps.ts';

export interface Options {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Runs after the program has ended, before `ended` resolves. */
  readonly cleanUp?: () => Promise<void>;
}

export interface Group {
  readonly process: ChildProcess;
  /** Its output so far. */
  output(): string;
  /** Resolves when the program has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Asks the group to end, and kills it if it takes too long. */
  stop(): Promise<void>;
}

const running = new Set<Group>();
process.on('exit', () => {
  for (const { process } of running) signal(process, 'SIGKILL');
});

export async function stopAll(): Promise<void> {
  await Promise.all([...running].map((group) => group.stop()));
}

/**
 * Starts a program in its own process group, so it receives signals only
 * through `stop`.
 */
export function start(
  command: string,
  args: readonly string[],
  options: Options = {},
): Group {
  const { cleanUp, ...spawnOptions } = options;
  const child = spawn(command, args, {
    ...spawnOptions,
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-1_000_000);
    });
  }
  child.on('error', (error) => {
    output += error.message;
  });
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => {
      resolve();
    });
    child.once('error', () => {
      resolve();
    });
  });
  const ended = closed.then(async () => {
    signal(child, 'SIGKILL');
    await cleanUp?.();
  });
  const group: Group = {
    process: child,
    output: () => output,
    ended,
    stop: async () => {
      signal(child, 'SIGTERM');
      const force = setTimeout(() => {
        signal(child, 'SIGKILL');
      }, 3_000);
      await ended;
      clearTimeout(force);
    },
  };
  running.add(group);
  void ended.then(() => running.delete(group));
  return group;
}

function signal({ pid }: ChildProcess, name: 'SIGTERM' | 'SIGKILL'): void {
  if (pid !== undefined) signalGroup(pid, name);
}

/** Does nothing if the group of this process has ended. */
export function signalGroup(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (process.platform === 'win32')
      spawnSync('taskkill', ['/pid', String(pid), '/T', '/F']);
    else process.kill(-pid, name);
  } catch {
    // The group is already gone.
  }
}

/**
 * Runs a program until it exits. If it fails, throws with its last lines of
 * output.
 */
export async function run(
  command: string,
  args: readonly string[],
  advice: string,
  options: Options = {},
): Promise<string> {
  const group = start(command, args, options);
  await group.ended;
  const { exitCode, signalCode } = group.process;
  if (exitCode === 0) return group.output();
  throw new StepError(
    `"${[command, ...args].join(' ')}" failed (${signalCode ?? exitCode ?? 'not started'}):\n${lastLines(group)}`,
    advice,
  );
}

/** Runs npm for this folder, even inside an npm script of another one. */
export async function npm(
  args: readonly string[],
  cwd: string,
  advice: string,
): Promise<string> {
  const env = { ...process.env, npm_config_local_prefix: undefined };
  const script = process.env.npm_execpath;
  const all = [
    ...args,
    '--prefix',
    cwd,
    '--loglevel=error',
    '--no-audit',
    '--no-fund',
  ];
  return script?.endsWith('.js') === true
    ? await run(process.execPath, [script, ...all], advice, { cwd, env })
    : await run('npm', all, advice, { cwd, env });
}

/** Waits until the output matches. Throws if the program ends first. */
export async function waitForOutput(
  group: Group,
  pattern: RegExp,
): Promise<RegExpExecArray> {
  const found = new Promise<RegExpExecArray>((resolve) => {
    const look = () => {
      const match = pattern.exec(group.output());
      if (match) resolve(match);
    };
    group.process.stdout?.on('data', look);
    group.process.stderr?.on('data', look);
    look();
  });
  const match = await Promise.race([found, group.ended]);
  if (match) return match;
  throw new StepError(
    `${group.process.spawnfile} exited before it was ready:\n${lastLines(group)}`,
    'Run the command again. If it fails again, delete the folder .vscode-test and start over.',
  );
}

function lastLines(group: Group): string {
  return group.output().trim().split('\n').slice(-15).join('\n');
}
