import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { systemClock, type Clock } from '../base/clock.ts';
import { disk, type Disk } from './disk.ts';
import { codeOf } from './systemErrors.ts';
import { runProgram } from './systemPrograms.ts';

/** Everything that reading and writing a file depend on, as a parameter. */
export interface Machine {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly platform: NodeJS.Platform;
  /** The host name, without spaces. */
  readonly name: string;
  readonly pid: number;
  /**
   * Names the processes among which `pid` is unique: in another container or on
   * another machine, it can be the id of another process. Letters, digits and
   * hyphens.
   */
  readonly pidSpace: () => string;
  /** True if a process of this id runs in the same space as this one. */
  readonly runs: (pid: number) => boolean;
  /**
   * The output of a program of the system. Undefined if it is missing or fails.
   */
  readonly runProgram: (
    name: string,
    parameters: readonly string[],
  ) => Promise<string | undefined>;
}

export const thisMachine: Machine = {
  disk,
  clock: systemClock,
  platform: process.platform,
  name: hostname().replace(/\s/g, '-'),
  pid: process.pid,
  pidSpace: () => pidSpaceOf('/proc'),
  runs: (pid) => {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      // "Not permitted" means that it runs, for another user.
      return codeOf(error) !== 'ESRCH';
    }
  },
  runProgram,
};

/**
 * Identifies this boot of a Linux machine and the namespace of its container.
 */
export function pidSpaceOf(proc: string): string {
  try {
    const boot = readFileSync(
      `${proc}/sys/kernel/random/boot_id`,
      'utf8',
    ).slice(0, 8);
    const namespace = readlinkSync(`${proc}/self/ns/pid`).replace(/\D/g, '');
    return `${boot}-${namespace}`;
  } catch {
    // Windows and its subsystem for Linux have the same name, and processes of
    // their own.
    return `${process.platform}-${hostname()}`
      .replace(/[^\w-]/g, '-')
      .slice(0, 40);
  }
}

/**
 * True if a call failed only because another program has the file open, as
 * happens on Windows.
 */
export function isBusy(error: unknown, { platform }: Machine): boolean {
  return (
    platform === 'win32' &&
    ['EPERM', 'EACCES', 'EBUSY'].includes(String(codeOf(error)))
  );
}
