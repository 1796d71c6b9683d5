/** Installs the Agent Server with uv, or with a Python of this machine. */
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { t } from '../base/l10n.ts';
import { UserError } from '../base/errors.ts';
import { findProgram } from '../probe/findProgram.ts';
import { outputOf, runCommand } from './runCommand.ts';

/** uv gets a Python itself if there is none. */
export type Installer =
  | { readonly uv: string; readonly python: string | undefined }
  | { readonly uv: undefined; readonly python: string };

/** A program with its arguments, started without a shell. */
export interface Command {
  readonly file: string;
  readonly args: readonly string[];
}

const serverPackage = 'openhands-agent-server';
/** Tools and workspaces are separate packages that the server needs. */
const packages = [serverPackage, 'openhands-tools', 'openhands-workspace'];
/** Versions of Python that the server runs on, as uv writes them. */
const pythonVersions = '>=3.12,<3.14';
const pythonNames = ['python3.13', 'python3.12', 'python3', 'python', 'py'];

export const uvInstallation = {
  page: 'https://docs.astral.sh/uv/getting-started/installation/',
  command: (platform: NodeJS.Platform) =>
    platform === 'win32'
      ? 'powershell -ExecutionPolicy ByPass -c "irm https://astral.sh/uv/install.ps1 | iex"'
      : 'curl -LsSf https://astral.sh/uv/install.sh | sh',
};

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
async function usablePython(command: string): Promise<string | undefined> {
  const check =
    'import sys, venv, ensurepip; print(sys.executable if (3, 12) <= sys.version_info[:2] < (3, 14) else "")';
  const output = await outputOf({ file: command, args: ['-c', check] });
  return output?.trim() || undefined;
}

/** The commands that install the server, or this version of it, in a folder. */
export function installation(
  { uv, python }: Installer,
  folder: string,
  version?: string,
): readonly Command[] {
  const [server = '', ...otherPackages] = packages;
  const names = [version ? `${server}==${version}` : server, ...otherPackages];
  if (uv !== undefined)
    return [
      {
        file: uv,
        args: ['venv', '--python', python ?? pythonVersions, folder],
      },
      { file: uv, args: ['pip', 'install', '--python', folder, ...names] },
    ];
  return [
    { file: python, args: ['-m', 'venv', folder] },
    { file: pythonIn(folder), args: ['-m', 'pip', 'install', ...names] },
  ];
}

export function pythonIn(folder: string): string {
  return process.platform === 'win32'
    ? join(folder, 'Scripts', 'python.exe')
    : join(folder, 'bin', 'python');
}

/** The version of the server in a folder. */
export async function installedVersion(folder: string): Promise<string> {
  const code = `import importlib.metadata as m; print(m.version("${serverPackage}"))`;
  const command = { file: pythonIn(folder), args: ['-c', code] };
  const version = (await outputOf(command))?.trim();
  if (version) return version;
  throw new UserError(t('The Agent Server is not installed in {0}.', folder));
}

/** The newest version in the package index; that of the folder if none is newer. */
export async function newestVersion(
  { uv }: Installer,
  folder: string,
  signal: AbortSignal,
): Promise<string> {
  const options = ['install', '--dry-run', '--upgrade', '--no-deps'];
  const ofUv = [...options, '--python', folder];
  const command =
    uv === undefined
      ? { file: pythonIn(folder), args: ['-m', 'pip', ...options] }
      : { file: uv, args: ['pip', ...ofUv] };
  let output = '';
  const write = (text: string) => {
    output += text;
  };
  await runCommand(
    { ...command, args: [...command.args, serverPackage] },
    { signal, write },
  );
  // uv lists "+ name==1.2.3", pip "Would install name-1.2.3".
  const [, version] =
    new RegExp(
      `(?:\\+ |Would install )${serverPackage}(?:==|-)(\\d[\\w.]*)`,
    ).exec(output) ?? [];
  return version ?? (await installedVersion(folder));
}

/**
 * A command as it is shown, for a shell in this folder, with quotes where it
 * needs them.
 */
export function commandLine({ file, args }: Command, folder: string): string {
  return [file, ...args]
    .map((part) => (part.startsWith(folder) ? relative(folder, part) : part))
    .map((part) => (/^[\w@%+=:,./\\~-]+$/.test(part) ? part : `"${part}"`))
    .join(' ');
}
