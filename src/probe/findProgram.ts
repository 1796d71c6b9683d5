/** Finds a program in the way of the system. */
import { access, constants, stat } from 'node:fs/promises';
import { posix, win32 } from 'node:path';
import { variable } from './programEnvironment.ts';

interface ProgramSearch {
  readonly command: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly platform: NodeJS.Platform;
  /** The working folder. */
  readonly folder: string;
  readonly isFile?: (path: string) => Promise<boolean>;
}

type FoundProgram =
  | { readonly path: string }
  | {
      readonly path?: undefined;
      readonly lookedIn: readonly string[];
      readonly notExecutable?: string;
    };

/**
 * The first file of that name in the folders of PATH that can be run; on
 * Windows, also with the endings of programs.
 */
export async function findProgram(
  search: ProgramSearch,
): Promise<FoundProgram> {
  const {
    command,
    environment,
    platform,
    folder,
    isFile = isFileOnDisk,
  } = search;
  const isWindows = platform === 'win32';
  const path = isWindows ? win32 : posix;
  const isPath = isWindows
    ? /[\\/]|^[a-z]:/i.test(command)
    : command.includes('/');
  const named = (
    variable(environment, 'PATH', platform) ??
    (isWindows ? '' : '/usr/bin:/bin')
  ).split(path.delimiter);
  const lookedIn = isPath
    ? []
    : named.filter(
        (folder, at) => folder !== '' && named.indexOf(folder) === at,
      );
  const folders = isWindows ? [folder, ...lookedIn] : lookedIn;
  let notExecutable: string | undefined;
  for (const searchFolder of isPath ? [''] : folders) {
    for (const ending of isWindows ? endingsFor(command, environment) : ['']) {
      const file = path.resolve(folder, searchFolder, command + ending);
      const kind = (await isFile(file))
        ? await kindOf(file, isWindows)
        : undefined;
      if (kind === 'program') return { path: file };
      if (kind === 'file') notExecutable ??= file;
    }
  }
  return { lookedIn, ...(notExecutable !== undefined && { notExecutable }) };
}

function endingsFor(
  command: string,
  environment: ProgramSearch['environment'],
): string[] {
  const endings = (
    variable(environment, 'PATHEXT', 'win32') ?? '.COM;.EXE;.BAT;.CMD'
  )
    .split(';')
    .filter(Boolean);
  const has = endings.some((ending) =>
    command.toUpperCase().endsWith(ending.toUpperCase()),
  );
  return has ? ['', ...endings] : endings;
}

async function isFileOnDisk(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

async function kindOf(
  file: string,
  isWindows: boolean,
): Promise<'program' | 'file'> {
  try {
    if (!isWindows) await access(file, constants.X_OK);
    return 'program';
  } catch {
    return 'file';
  }
}
