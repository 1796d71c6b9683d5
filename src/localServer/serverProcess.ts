/** The process of the Agent Server, which can outlive the window. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { sleep, systemClock } from '../base/clock.ts';
import { userError } from '../base/l10n.ts';
import { thisMachine } from '../files/machine.ts';
import { runProgram } from '../files/systemPrograms.ts';
import { findServices } from '../service/findServices.ts';
import { image } from './container.ts';
import { type Command, commandLine, serverModule } from './installCommands.ts';
import { serverEnvironment, type ServerKeys } from './serverEnvironment.ts';

/** A first start compiles all of its Python code. */
const startTimeoutMs = 180_000;
const answerTimeoutMs = 2_000;
const stopTimeoutMs = 10_000;
const pollIntervalMs = 200;
/** A longer log is emptied by the next start. */
const maxLogBytes = 5_000_000;

/** Starts a server that writes into the log, and outlives this window. */
export function startServer(
  { file, args }: Command,
  folder: string,
  variables: Readonly<Record<string, string>>,
  logFile: string,
) {
  const size = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  const log = openSync(logFile, size > maxLogBytes ? 'w' : 'a', 0o600);
  try {
    noteStart(log, commandLine({ file, args }));
    const child = spawn(file, args, {
      cwd: folder,
      env: { ...serverEnvironment(), ...variables },
      detached: true,
      windowsHide: true,
      stdio: ['ignore', log, log],
    });
    child.unref();
    const ended = once(child, 'exit').catch(() => undefined);
    const { pid } = child;
    if (pid !== undefined) return { pid, ended };
    throw userError('{0} cannot be started. Update the Agent Server.', file);
  } finally {
    closeSync(log);
  }
}

const startMark = '\n> ';

function noteStart(log: number, command: string): void {
  try {
    writeSync(log, [startMark, command, '\n'].join(''));
  } catch {
    // A full disk does not keep the server from starting.
  }
}

/** The part of a log that follows the last command. */
export function sinceStart(log: string): string {
  const [, ...lines] = (log.split(startMark).at(-1) ?? '').split('\n');
  return lines.join('\n');
}

/** Resolves when the server and what it started have ended. */
export async function endServer(pid: number): Promise<void> {
  signalGroup(pid, 'SIGTERM');
  const until = systemClock.now() + stopTimeoutMs;
  while (thisMachine.runs(pid) && systemClock.now() < until)
    await sleep(systemClock, pollIntervalMs);
  if (thisMachine.runs(pid)) signalGroup(pid, 'SIGKILL');
}

/** Signals the whole group of a process that a window has started. */
export function signalGroup(pid: number, name: 'SIGTERM' | 'SIGKILL'): void {
  if (process.platform === 'win32') {
    startAlone({ file: 'taskkill', args: ['/pid', String(pid), '/T', '/F'] });
    return;
  }
  try {
    process.kill(-pid, name);
  } catch {
    // The process has ended.
  }
}

/** Starts a program that outlives this window. */
export function startAlone({ file, args }: Command): void {
  const options = { detached: true, windowsHide: true } as const;
  const child = spawn(file, args, { ...options, stdio: 'ignore' });
  child.on('error', () => undefined).unref();
}

/** False for another process that got the same id later. */
export async function isServer(pid: number): Promise<boolean> {
  if (!thisMachine.runs(pid)) return false;
  if (process.platform === 'win32') {
    const filter = ['/FI', ['PID', 'eq', pid].join(' '), '/NH'];
    return /python|docker/i.test((await runProgram('tasklist', filter)) ?? '');
  }
  const text =
    process.platform === 'linux'
      ? await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      : await runProgram('ps', ['-o', 'args=', '-p', String(pid)]);
  return [serverModule, image].some((word) => text?.includes(word));
}

/**
 * Resolves when the server answers. Sends its key to no other program that took
 * its port.
 */
export async function untilReady(
  url: URL,
  keys: ServerKeys,
  pid: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  const until = systemClock.now() + startTimeoutMs;
  for (;;) {
    const [here] = await findServices(signal, [Number(url.port)]);
    const isAgentServer = here?.title !== undefined && here.owner !== 'other';
    const status = isAgentServer ? await statusOf(url, keys) : undefined;
    if (status === 200) return;
    if (status === 401)
      throw userError(
        'The Agent Server at {0} was started with another key, perhaps by another VS Code. Stop it there, or connect with its key.',
        url.host,
      );
    if (pid === undefined || !thisMachine.runs(pid))
      throw userError('The Agent Server ended before it answered.');
    if (systemClock.now() > until)
      throw userError('The Agent Server does not answer.');
    await sleep(systemClock, pollIntervalMs, signal);
  }
}

/** `undefined` if nothing answers there. */
async function statusOf(
  url: URL,
  { session }: ServerKeys,
): Promise<number | undefined> {
  try {
    const { status } = await fetch(new URL('/api/conversations/count', url), {
      headers: { 'x-session-api-key': session.reveal() },
      redirect: 'manual',
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    return status;
  } catch {
    return undefined;
  }
}
