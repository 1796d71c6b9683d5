/** The commands that run the Agent Server in a container of Docker. */
import { posix } from 'node:path';
import type { Command } from './installCommands.ts';

export interface Container {
  /** The program. */
  readonly docker: string;
  /** Folders of this machine that agents can change. */
  readonly folders: readonly string[];
}

/** The newest release. */
export const image = 'ghcr.io/openhands/agent-server:latest-python';
/** The folder of the image for everything that the server writes. */
export const dataFolder = '/workspace';
const port = 8000;

/** Fails if Docker is not running. */
export function dockerCheck(docker: string): Command {
  return { file: docker, args: ['version', '--format', '{{.Server.Version}}'] };
}

export function imageDownload({ docker }: Container): Command {
  return { file: docker, args: ['pull', image] };
}

export function containerStop({ docker }: Container, name: string): Command {
  return { file: docker, args: ['stop', name] };
}

/** Removes a container that an earlier start has left. */
export function containerRemoval({ docker }: Container, name: string): Command {
  return { file: docker, args: ['rm', '--force', name] };
}

/** `variables`: names of those that it gets from the environment of Docker. */
export function containerRun(
  { docker, folders }: Container,
  name: string,
  data: string,
  localPort: number,
  variables: readonly string[],
): Command {
  return {
    file: docker,
    args: [
      ...['run', '--rm', '--name', name],
      ...['-p', `127.0.0.1:${localPort}:${port}`],
      // Reaches models on this machine, such as those of Ollama.
      ...['--add-host', 'host.docker.internal:host-gateway'],
      ...userOptions(),
      ...variables.flatMap((variable) => ['-e', variable]),
      ...['-v', `${data}:${dataFolder}`],
      ...folders.flatMap((folder) => ['-v', `${folder}:${pathInside(folder)}`]),
      image,
      ...['--host', '0.0.0.0', '--port', String(port)],
    ],
  };
}

/** Docker Desktop lets any user of the image write to the folders. */
function userOptions(): readonly string[] {
  const { platform, getuid, getgid } = process;
  if (platform !== 'linux' || !getuid || !getgid) return [];
  return ['--user', [getuid(), getgid()].join(':'), '-e', `HOME=${dataFolder}`];
}

/** Equal to the path outside, except on Windows. */
function pathInside(folder: string): string {
  const [, drive, rest] = /^([a-z]):[\\/](.*)$/i.exec(folder) ?? [];
  return drive === undefined || rest === undefined
    ? folder
    : posix.join('/', drive.toLowerCase(), rest.replaceAll('\\', '/'));
}
