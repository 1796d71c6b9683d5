import { reason, UserError } from '../base/errors.ts';
import type { Disk } from '../files/disk.ts';

/** What a command needs from its process, as a parameter. */
export interface Host {
  /** What comes after the name of the program. */
  readonly args: readonly string[];
  readonly env: Readonly<Partial<Record<string, string>>>;
  /** Undefined if it is not known. */
  readonly home: string | undefined;
  readonly platform: NodeJS.Platform;
  /** Throws if the folder that the program was started in is gone. */
  readonly workingFolder: () => string;
  readonly version: () => string;
  readonly disk: Disk;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Asks on the terminal. Resolves to the answer, or to undefined where there is nobody to ask. */
  readonly ask: (question: string) => Promise<string | undefined>;
  /** Calls back instead of ending when the user ends the program. Returns what stops that. */
  readonly onInterrupt: (callback: () => void) => () => void;
}

export interface Output {
  /** On standard output, throws an OutputError if it cannot. */
  write(text: string): void;
  /** Whether it is a terminal. */
  readonly isTTY: boolean;
  /** How wide the terminal is; undefined if it is not one. */
  readonly columns: number | undefined;
}

export interface Context {
  readonly host: Host;
  /** The path of the configuration file. */
  readonly file: string;
  readonly json: boolean;
  readonly reveal: boolean;
}

/** The exit code when a command is done, but its answer could not be written. */
export const unwritten = 3;

/** The answer could not be written, which is said on standard error with what was done all the same. */
export class OutputError extends UserError {
  constructor(cause: unknown, done = '') {
    const why = `The answer could not be written: ${reason(cause)}.`;
    super(done === '' ? why : `${why} ${done}`, { cause });
  }
}
