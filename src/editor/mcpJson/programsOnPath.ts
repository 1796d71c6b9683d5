/** Finds out if the programs of servers are installed. Runs nothing. */
import { type Clock, systemClock } from '../../base/clock.ts';
import { findProgram } from '../../probe/findProgram.ts';
import { programEnvironment } from '../../probe/programEnvironment.ts';

interface System {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

const reuseMs = 5_000;

/**
 * Returns a function that tells if a command is installed: also a path that is
 * relative to a folder that only the agent knows.
 */
export function programsOnPath(
  { platform, environment, clock }: System = {
    platform: process.platform,
    environment: process.env,
    clock: systemClock,
  },
): (command: string) => Promise<boolean> {
  const found = new Map<
    string,
    { readonly at: number; readonly isThere: Promise<boolean> }
  >();
  return async (command) => {
    const isAbsolute =
      platform === 'win32'
        ? /^(?:[a-z]:)?[\\/]/i.test(command)
        : command.startsWith('/');
    if (!isAbsolute && /[\\/]/.test(command)) return true;
    // A lookup at a network path would send the user's name to another machine.
    if (platform === 'win32' && /^[/\\]{2}/.test(command)) return true;
    const now = clock.now();
    const lookup = found.get(command);
    if (lookup && now - lookup.at < reuseMs) return await lookup.isThere;
    const isThere = findProgram({
      command,
      platform,
      folder: '/',
      environment: programEnvironment({}, environment, platform),
    }).then(({ path }) => path !== undefined);
    found.set(command, { at: now, isThere });
    return await isThere;
  };
}
