/** Which mcp.json, and how it comes into being. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import { reason, UserError } from '../base/errors.ts';

export interface ConfigFileChoice {
  readonly home: string;
  /** An absolute path, or one that begins with `~/`; it wins. Empty where none is set. */
  readonly file: string;
  /** The folder under the home folder, with or without its leading dot. Empty where none is set. */
  readonly cliDirectory: string;
}

/** Throws a UserError for a choice that names no file. */
export function configFilePath({ home, file, cliDirectory }: ConfigFileChoice): string {
  if (file !== '') {
    const path = /^~[/\\]/.test(file) ? join(home, file.slice(2)) : file;
    if (!isAbsolute(path)) {
      throw new UserError(`"${file}" is not an absolute path. Change the setting "switchboard.mcp.file".`, {
        setting: 'switchboard.mcp.file',
      });
    }
    return path;
  }
  if (cliDirectory !== '') {
    if (/[/\\]|^\.+$/.test(cliDirectory)) {
      throw new UserError(
        `"${cliDirectory}" is not the name of a folder in your home folder. Change the setting "switchboard.cliDirectory", or name the whole path in "switchboard.mcp.file".`,
        { setting: 'switchboard.cliDirectory' },
      );
    }
    return join(home, cliDirectory.startsWith('.') ? cliDirectory : `.${cliDirectory}`, 'mcp.json');
  }
  const openHands = join(home, '.openhands', 'mcp.json');
  return existsSync(openHands) ? openHands : join(home, '.agent', 'mcp.json');
}

/** Makes an empty configuration that only its owner can read. Leaves a file that is there alone. */
export async function createConfigFile(path: string): Promise<'created' | 'existed'> {
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(path, '{\n  "mcpServers": {}\n}\n', { flag: 'wx', mode: 0o600 });
    return 'created';
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST' && existsSync(path))
      return 'existed';
    throw new UserError(`The configuration file ${path} could not be made: ${reason(error)}`, {
      cause: error,
    });
  }
}
