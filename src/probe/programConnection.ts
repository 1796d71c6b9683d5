/** A server that is a program on this machine. */
import { stat } from 'node:fs/promises';
import { resolve as resolvePath } from 'node:path';
import { atMost, systemClock } from '../base/clock.ts';
import { reason } from '../base/errors.ts';
import {
  type ServerConnection,
  ProbeError,
  tooMuch,
} from './serverConnection.ts';
import { findProgram } from './findProgram.ts';
import {
  type ProcessEnd,
  type ProcessGroup,
  startProgram,
} from './processGroup.ts';
import type { ProbeFailure } from './probeResult.ts';
import { programEnvironment, variable } from './programEnvironment.ts';
import { ProgramTransport } from './programTransport.ts';
import type { ResolvedProgram } from './resolved.ts';
import type { Redactor } from './shown.ts';
import { type StartedAs, windowsCommand } from './windowsCommand.ts';

interface ProgramStart {
  readonly program: ResolvedProgram;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly redactor: Redactor;
}

/** Throws a ProbeError if the program cannot be started. */
export async function connectProgram(
  start: ProgramStart,
): Promise<ServerConnection> {
  const { program, environment, platform, redactor } = start;
  const folder = resolvePath(start.folder);
  const env = programEnvironment(program.env, environment, platform);
  const isFolder = await stat(folder).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder)
    throw new ProbeError({
      reason: 'folderNotFound',
      folder: redactor.path(folder),
    });
  const search = {
    command: program.command,
    environment: env,
    platform,
    folder,
  };
  const notStarted = async () => {
    const lookup = await findProgram(search);
    const named = redactor.path(program.command);
    if (lookup.path !== undefined || lookup.notExecutable !== undefined) {
      const file = redactor.path(lookup.path ?? lookup.notExecutable ?? '');
      return new ProbeError({ reason: 'programNotExecutable', program: file });
    }
    return new ProbeError({
      reason: 'programNotFound',
      program: named,
      lookedIn: lookup.lookedIn.map((path) => redactor.path(path)),
    });
  };
  let group: ProcessGroup;
  try {
    let started: StartedAs = {
      file: program.command,
      args: program.args,
      verbatim: false,
    };
    if (platform === 'win32') {
      const { path } = await findProgram(search);
      if (path === undefined) throw await notStarted();
      started = windowsCommand(
        path,
        program.args,
        variable(environment, 'COMSPEC', platform),
      );
    }
    group = await startProgram(started, env, folder, platform);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES') throw await notStarted();
    if (error instanceof ProbeError) throw error;
    throw new ProbeError({
      reason: 'other',
      detail: redactor.text(reason(error)),
      lastLines: [],
    });
  }
  return connectionTo(group, redactor);
}

function connectionTo(
  group: ProcessGroup,
  redactor: Redactor,
): ServerConnection {
  const broken = Promise.withResolvers<never>();
  broken.promise.catch(() => undefined);
  const transport = new ProgramTransport(group, (of) => {
    broken.reject(tooMuch(of));
  });
  const lastLines = () =>
    redactor.lastLines(`${transport.output}\n${transport.printed.err}`);
  const exited = ({ code, signal }: ProcessEnd): ProbeFailure => ({
    reason: 'exited',
    code,
    ...(signal !== null && { killedBy: signal }),
    lastLines: lastLines(),
  });
  // The last output of a program can arrive after its end.
  void group.exited.then((ended) => {
    const { stdout, stderr } = group.child;
    const isRead = Promise.all([stdout, stderr].map((stream) => endOf(stream)));
    void atMost(systemClock, 200, isRead).then(() => {
      broken.reject(new ProbeError(exited(ended)));
      transport.onclose?.();
    });
  });
  return {
    transport,
    ignoresFirstQuestion: () => transport.ignoresFirstQuestion,
    broken: broken.promise,
    lastLines,
    explainSilence: () =>
      transport.hasSpoken || transport.output.trim() === ''
        ? undefined
        : {
            reason: 'notProtocol',
            lastLines: redactor.lastLines(transport.output),
          },
    end: (cancelled) => group.end(cancelled),
  };
}

function endOf(stream: NodeJS.ReadableStream | null): Promise<void> {
  if (!stream?.readable) return Promise.resolve();
  return new Promise((resolve) => {
    stream.once('close', resolve);
  });
}
