import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CommandLine } from './commandLines.ts';

/** How to start a command line so that it knows of no other home. */
export interface Home {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Makes a home with nothing of the person's own: neither a file, nor a key, nor an option. */
export async function makeHome(home: string, commandLine: CommandLine): Promise<Home> {
  const file = join(home, commandLine.file);
  const cwd = join(home, 'work');
  // In the home, because codex does less in one that is in the folder for temporary files.
  const temporary = join(home, 'tmp');
  for (const folder of [dirname(file), cwd, temporary]) await mkdir(folder, { recursive: true });
  if (commandLine.settings !== undefined) await writeFile(file, commandLine.settings);
  const { PATH, PATHEXT, SystemRoot, ComSpec } = process.env;
  return {
    cwd,
    env: {
      ...{ PATH, PATHEXT, SystemRoot, ComSpec },
      ...{ HOME: home, USERPROFILE: home },
      ...{ APPDATA: join(home, 'AppData/Roaming'), LOCALAPPDATA: join(home, 'AppData/Local') },
      ...{ XDG_CONFIG_HOME: join(home, '.config'), XDG_CACHE_HOME: join(home, '.cache') },
      ...{ XDG_DATA_HOME: join(home, '.local/share'), XDG_STATE_HOME: join(home, '.local/state') },
      ...{ TMPDIR: temporary, TMP: temporary, TEMP: temporary },
      ...commandLine.env?.(home),
    },
  };
}
