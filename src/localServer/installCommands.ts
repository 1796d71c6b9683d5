/** The commands that install the Agent Server and look at it. */
import { join, relative } from 'node:path';

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
/** Runs the server. */
export const serverModule = 'openhands.agent_server';
/**
 * Packages that are released with the server, and work only in its version.
 * Their metadata does not say so, and pip picks older ones.
 */
const sameVersion = ['openhands-sdk', 'openhands-tools', 'openhands-workspace'];
/** Stands for the version that the first command has installed. */
export const versionPlaceholder = 'VERSION';
/** Versions of Python that the server runs on, as uv writes them. */
const pythonVersions = '>=3.12,<3.14';

export const uvInstallation = {
  page: 'https://docs.astral.sh/uv/getting-started/installation/',
  command: (platform: NodeJS.Platform) =>
    platform === 'win32'
      ? 'powershell -ExecutionPolicy ByPass -c "irm https://astral.sh/uv/install.ps1 | iex"'
      : 'curl -LsSf https://astral.sh/uv/install.sh | sh',
};

/** Prints the path of a Python, if the server runs on it. */
export const pythonCheck =
  'import sys, venv, ensurepip; print(sys.executable if (3, 12) <= sys.version_info[:2] < (3, 14) else "")';

/** Prints the version of the installed server. */
export const versionCheck = `import importlib.metadata as m; print(m.version("${serverPackage}"))`;

export function pythonIn(folder: string): string {
  return process.platform === 'win32'
    ? join(folder, 'Scripts', 'python.exe')
    : join(folder, 'bin', 'python');
}

/** The commands that install the server, or this version of it, in a folder. */
export function installation(
  { uv, python }: Installer,
  folder: string,
  version?: string,
): readonly Command[] {
  const server =
    version === undefined ? serverPackage : `${serverPackage}==${version}`;
  const everything = [serverPackage, ...sameVersion].map(
    (name) => `${name}==${version ?? versionPlaceholder}`,
  );
  const isolated =
    uv === undefined
      ? { file: python, args: ['-m', 'venv', folder] }
      : {
          file: uv,
          args: ['venv', '--python', python ?? pythonVersions, folder],
        };
  const install = (...packages: readonly string[]): Command =>
    uv === undefined
      ? {
          file: pythonIn(folder),
          args: ['-m', 'pip', 'install', ...packages],
        }
      : { file: uv, args: ['pip', 'install', '--python', folder, ...packages] };
  return [isolated, install('--no-deps', server), install(...everything)];
}

/** Prints what an update of the server in the folder would install. */
export function updateCheck({ uv }: Installer, folder: string): Command {
  const options = ['install', '--dry-run', '--upgrade', '--no-deps'];
  return uv === undefined
    ? {
        file: pythonIn(folder),
        args: ['-m', 'pip', ...options, serverPackage],
      }
    : {
        file: uv,
        args: ['pip', ...options, '--python', folder, serverPackage],
      };
}

/** uv prints "+ name==1.2.3", pip "Would install name-1.2.3". */
export function versionInUpdate(output: string): string | undefined {
  const line = new RegExp(
    `(?:\\+ |Would install )${serverPackage}(?:==|-)(\\d[\\w.]*)`,
  );
  return line.exec(output)?.[1];
}

/**
 * A command as it is shown, for a shell in this folder if there is one, with
 * quotes where it needs them.
 */
export function commandLine({ file, args }: Command, folder?: string): string {
  return [file, ...args]
    .map((part) =>
      folder !== undefined && part.startsWith(folder)
        ? relative(folder, part)
        : part,
    )
    .map((part) => (/^[\w@%+=:,./\\~-]+$/.test(part) ? part : `"${part}"`))
    .join(' ');
}
