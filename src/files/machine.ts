import { hostname } from 'node:os';
import { systemClock, type Clock } from '../base/clock.ts';
import { disk, type Disk } from './disk.ts';
import { codeOf } from './fileErrors.ts';

/** What reading and writing a file depend on, as a parameter. */
export interface Machine {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** The host name, without spaces. Process ids mean nothing on another machine. */
  readonly name: string;
  /** The id of this process. */
  readonly pid: number;
  /** Whether a process of this id runs on this machine. */
  readonly runs: (pid: number) => boolean;
}

export const thisMachine: Machine = {
  disk,
  clock: systemClock,
  platform: process.platform,
  name: hostname().replace(/\s/g, '-'),
  pid: process.pid,
  runs: (pid) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      // "Not permitted" means that it runs, for another user.
      return codeOf(error) !== 'ESRCH';
    }
  },
};

/** Whether a call failed only because another program has the file open, as happens on Windows. */
export function isBusy(error: unknown, { platform }: Machine): boolean {
  return platform === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].includes(String(codeOf(error)));
}
