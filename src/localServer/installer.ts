/** Finds uv, Python and Docker on this machine, and asks about the server. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '../probe/findProgram.ts';
import { dockerCheck } from './container.ts';
import {
  type Installer,
  pythonCheck,
  pythonIn,
  updateCheck,
  versionCheck,
  versionInUpdate,
} from './installCommands.ts';
import { outputOf, runToEnd } from './runToEnd.ts';

const pythonNames = ['python3.13', 'python3.12', 'python3', 'python', 'py'];

interface Search {
  readonly environment: NodeJS.ProcessEnv;
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

/** `undefined` if there is neither uv nor a usable Python. */
export async function findInstaller(
  search: Search,
): Promise<Installer | undefined> {
  const { environment, home } = search;
  const pyenv = join(
    environment.PYENV_ROOT ?? join(home, '.pyenv'),
    'versions',
  );
  const folders = usualFolders(search);
  const pythonFolders = (await readdir(pyenv).catch(() => []))
    .sort()
    .reverse()
    .map((version) => join(pyenv, version, 'bin'));
  const uv = await find('uv', folders, search);
  for (const places of [folders, pythonFolders])
    for (const name of pythonNames) {
      const command = await find(name, places, search);
      const python = command && (await usablePython(command));
      if (python) return { uv, python };
    }
  return uv === undefined ? undefined : { uv, python: undefined };
}

/** The program, if its service is running. */
export async function findDocker(search: Search): Promise<string | undefined> {
  const docker = await find('docker', usualFolders(search), search);
  if (docker === undefined) return undefined;
  const version = await outputOf(dockerCheck(docker));
  return version?.trim() ? docker : undefined;
}

function usualFolders({
  environment,
  home,
  platform,
}: Search): readonly string[] {
  return [
    join(home, '.local', 'bin'),
    environment.PATH ?? environment.Path ?? '',
    join(home, '.cargo', 'bin'),
    ...(platform === 'win32' ? [] : ['/opt/homebrew/bin', '/usr/local/bin']),
  ];
}

async function find(
  command: string,
  folders: readonly string[],
  { home, platform }: Search,
): Promise<string | undefined> {
  const program = await findProgram({
    command,
    environment: { PATH: folders.join(platform === 'win32' ? ';' : ':') },
    platform,
    folder: home,
  });
  return program.path;
}

/** The interpreter that a command of this name starts, if it is usable. */
async function usablePython(file: string): Promise<string | undefined> {
  const output = await outputOf({ file, args: ['-c', pythonCheck] });
  return output?.trim() === '' ? undefined : output?.trim();
}

/** The version of the server in a folder; empty if it is not there yet. */
export async function installedVersion(folder: string): Promise<string> {
  const command = { file: pythonIn(folder), args: ['-c', versionCheck] };
  return (await outputOf(command))?.trim() ?? '';
}

/** That of the folder if the package index has no newer one. */
export async function newestVersion(
  installer: Installer,
  folder: string,
  signal: AbortSignal,
): Promise<string> {
  let output = '';
  const write = (text: string) => {
    output += text;
  };
  await runToEnd(updateCheck(installer, folder), { signal, write });
  return versionInUpdate(output) ?? (await installedVersion(folder));
}
