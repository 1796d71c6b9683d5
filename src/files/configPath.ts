/** Finds the mcp.json that is meant. */
import { lstatSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import { UserError } from '../base/errors.ts';
import { t, userError } from '../base/l10n.ts';
import { codeOf } from './systemErrors.ts';

/** The choices of the file, strongest first. Each path may begin with `~/`. */
export interface ConfigFileChoice {
  readonly home: string | undefined;
  readonly platform?: NodeJS.Platform;
  /** The value of --file, and the folder that it may be relative to. */
  readonly option?: {
    readonly path: string;
    readonly workingFolder: () => string;
  };
  /** Has an absolute SWITCHBOARD_MCP_FILE, or an empty one for none. */
  readonly environment?: Readonly<Partial<Record<string, string>>>;
  /** Setting: an absolute path, or empty for none. */
  readonly file?: string;
  /**
   * Setting: a folder in the home folder, with or without its leading dot, or
   * empty for none.
   */
  readonly cliDirectory?: string;
}

/** Throws a UserError for a choice that names no file. */
export function configFilePath({
  home,
  platform = process.platform,
  option,
  environment = {},
  file = '',
  cliDirectory = '',
}: ConfigFileChoice): string {
  const paths = platform === 'win32' ? win32 : posix;
  const inHome = (path: string) => {
    if (!/^~[/\\]/.test(path)) return path;
    if (home !== undefined) return paths.join(home, path.slice(2));
    throw userError(
      '"{0}" cannot be found, because your home folder is not known. Write the full path.',
      path,
    );
  };
  if (option) {
    if (option.path === '')
      throw userError('--file needs a path. Add it after the option.');
    const path = inHome(option.path);
    // A Windows path from the root may lack its drive.
    const isWhole =
      paths.isAbsolute(path) &&
      (platform !== 'win32' || paths.parse(path).root.length > 1);
    return isWhole
      ? paths.resolve(path)
      : paths.resolve(option.workingFolder(), path);
  }
  const fromEnvironment = inHome(environment.SWITCHBOARD_MCP_FILE ?? '');
  if (fromEnvironment !== '') {
    if (paths.isAbsolute(fromEnvironment)) return fromEnvironment;
    throw userError(
      '"{0}" is not an absolute path. Change the environment variable SWITCHBOARD_MCP_FILE.',
      fromEnvironment,
    );
  }
  if (file !== '') {
    if (paths.isAbsolute(inHome(file))) return inHome(file);
    throw new UserError(
      t(
        '"{0}" is not an absolute path. Change the setting "switchboard.mcp.file".',
        file,
      ),
      { setting: 'switchboard.mcp.file' },
    );
  }
  if (home === undefined) {
    throw new UserError(
      t(
        'There is no usual place for the configuration file, because your home folder is not known. Name the file: with --file or SWITCHBOARD_MCP_FILE in the terminal, or with the setting "switchboard.mcp.file".',
      ),
      { setting: 'switchboard.mcp.file' },
    );
  }
  if (cliDirectory !== '') {
    if (/[/\\]|^\.+$/.test(cliDirectory)) {
      throw new UserError(
        t(
          '"{0}" is not the name of a folder in your home folder. Change the setting "switchboard.cliDirectory", or put the full path in "switchboard.mcp.file".',
          cliDirectory,
        ),
        { setting: 'switchboard.cliDirectory' },
      );
    }
    return paths.join(
      home,
      cliDirectory.startsWith('.') ? cliDirectory : `.${cliDirectory}`,
      'mcp.json',
    );
  }
  const openHands = paths.join(home, '.openhands', 'mcp.json');
  return isThere(openHands)
    ? openHands
    : paths.join(home, '.agent', 'mcp.json');
}

/**
 * True for broken links and inaccessible files too: reading them explains the
 * problem.
 */
function isThere(path: string): boolean {
  try {
    // An exception takes ten times as long.
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    return codeOf(error) !== 'ENOTDIR';
  }
}
