import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { CommandLine } from './commandLines.ts';

/** The environment in which a command line sees no other home folder. */
export interface Home {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Creates a home folder without any of the user's files, keys or options. */
export async function makeHome(
  home: string,
  commandLine: CommandLine,
): Promise<Home> {
  const file = join(home, commandLine.file);
  const cwd = join(home, 'work');
  // Inside the home folder, because codex does less when its home is in the
  // system's folder for temporary files.
  const temporary = join(home, 'tmp');
  for (const folder of [dirname(file), cwd, temporary])
    await mkdir(folder, { recursive: true });
  if (commandLine.settings !== undefined)
    await writeFile(file, commandLine.settings);
  const { PATH, PATHEXT, SystemRoot, ComSpec } = process.env;
  return {
    cwd,
    env: {
      ...{ PATH, PATHEXT, SystemRoot, ComSpec },
      ...{ HOME: home, USERPROFILE: home },
      ...{
        APPDATA: join(home, 'AppData/Roaming'),
        LOCALAPPDATA: join(home, 'AppData/Local'),
      },
      ...{
        XDG_CONFIG_HOME: join(home, '.config'),
        XDG_CACHE_HOME: join(home, '.cache'),
      },
      ...{
        XDG_DATA_HOME: join(home, '.local/share'),
        XDG_STATE_HOME: join(home, '.local/state'),
      },
      ...{ TMPDIR: temporary, TMP: temporary, TEMP: temporary },
      ...commandLine.env?.(home),
    },
  };
}
