/** A server that is a program on this machine. */
import { stat } from 'node:fs/promises';
import { resolve as resolvePath } from 'node:path';
import { reason } from '../base/errors.ts';
import { type ServerConnection, probeLimits } from './serverConnection.ts';
import { Failed } from './failed.ts';
import { findProgram } from './findProgram.ts';
import { type ProcessEnd, type ProcessGroup, startProgram } from './processGroup.ts';
import type { ProbeFailure } from './probeResult.ts';
import { programEnvironment, variable } from './programEnvironment.ts';
import { ProgramTransport } from './programTransport.ts';
import type { ResolvedProgram } from './resolved.ts';
import type { Redactor } from './shown.ts';
import { windowsCommand } from './windowsCommand.ts';

interface ProgramStart {
  readonly program: ResolvedProgram;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly shown: Redactor;
}

/** Throws a Failed where it cannot be started. */
export async function connectProgram(start: ProgramStart): Promise<ServerConnection> {
  const { program, environment, platform, shown } = start;
  const folder = resolvePath(start.folder);
  const env = programEnvironment(program.env, environment, platform);
  if (!(await isFolder(folder))) throw new Failed({ reason: 'folderNotFound', folder: shown.path(folder) });
  const sought = { command: program.command, environment: env, platform, folder };
  const notStarted = async () => {
    const found = await findProgram(sought);
    const named = shown.path(program.command);
    if (found.path !== undefined || found.notExecutable !== undefined) {
      const file = shown.path(found.path ?? found.notExecutable ?? '');
      return new Failed({ reason: 'programNotExecutable', program: file });
    }
    return new Failed({
      reason: 'programNotFound',
      program: named,
      lookedIn: found.lookedIn.map((each) => shown.path(each)),
    });
  };
  let group: ProcessGroup;
  try {
    let started = { file: program.command, args: program.args, verbatim: false };
    if (platform === 'win32') {
      const { path } = await findProgram(sought);
      if (path === undefined) throw await notStarted();
      started = { ...windowsCommand(path, program.args, variable(environment, 'COMSPEC', platform)) };
    }
    group = await startProgram({ ...started, env, cwd: folder, platform });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES') throw await notStarted();
    if (error instanceof Failed) throw error;
    throw new Failed({ reason: 'other', detail: shown.text(reason(error)), lastLines: [] });
  }
  return connectionTo(group, shown);
}

function connectionTo(group: ProcessGroup, shown: Redactor): ServerConnection {
  let fail: (failure: ProbeFailure) => void = () => undefined;
  const broken = new Promise<never>((_resolve, reject) => {
    fail = (failure) => {
      reject(new Failed(failure));
    };
  });
  broken.catch(() => undefined);
  const transport = new ProgramTransport(group, {
    limits: probeLimits,
    onTooMuch: (of) => {
      fail({ reason: 'tooMuch', of, most: probeLimits[of] });
    },
  });
  const linesOf = (output: string) => shown.lastLines(output);
  const lastLines = () => linesOf(`${transport.output}\n${transport.printed.err}`);
  const exited = ({ code, signal }: ProcessEnd): ProbeFailure => ({
    reason: 'exited',
    code,
    ...(signal !== null && { killedBy: signal }),
    lastLines: lastLines(),
  });
  // What it has printed can arrive after its end.
  void group.exited.then((ended) => {
    const { stdout, stderr } = group.child;
    const isRead = Promise.all([stdout, stderr].map((stream) => endOf(stream)));
    void Promise.race([isRead, new Promise((resolve) => setTimeout(resolve, 200))]).then(() => {
      fail(exited(ended));
      transport.onclose?.();
    });
  });
  return {
    transport,
    handshake: 'auto',
    broken,
    lastLines,
    explain: () => Promise.resolve(undefined),
    timedOut: (waitingFor, milliseconds) => {
      const isOther = !transport.hasSpoken && transport.output.trim() !== '';
      if (isOther) return { reason: 'notProtocol', lastLines: linesOf(transport.output) };
      return { reason: 'timedOut', waitingFor, milliseconds, lastLines: lastLines() };
    },
    end: (cancelled) => group.end(cancelled),
  };
}

function endOf(stream: NodeJS.ReadableStream | null): Promise<void> {
  if (stream?.readable !== true) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once('close', resolve);
  });
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
