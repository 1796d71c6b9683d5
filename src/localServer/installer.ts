/** Finds uv or a Python of this machine, and asks them about the server. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram } from '../probe/findProgram.ts';
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
export async function findInstaller({
  environment,
  home,
  platform,
}: Search): Promise<Installer | undefined> {
  const pyenv = join(
    environment.PYENV_ROOT ?? join(home, '.pyenv'),
    'versions',
  );
  const folders = [
    join(home, '.local', 'bin'),
    environment.PATH ?? environment.Path ?? '',
    join(home, '.cargo', 'bin'),
    ...(platform === 'win32' ? [] : ['/opt/homebrew/bin', '/usr/local/bin']),
  ];
  const pythonFolders = (await readdir(pyenv).catch(() => []))
    .sort()
    .reverse()
    .map((version) => join(pyenv, version, 'bin'));
  const find = async (command: string, places: readonly string[]) => {
    const program = await findProgram({
      command,
      environment: { PATH: places.join(platform === 'win32' ? ';' : ':') },
      platform,
      folder: home,
    });
    return program.path;
  };
  const uv = await find('uv', folders);
  for (const places of [folders, pythonFolders])
    for (const name of pythonNames) {
      const command = await find(name, places);
      const python = command && (await usablePython(command));
      if (python) return { uv, python };
    }
  return uv === undefined ? undefined : { uv, python: undefined };
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
