import { reason, UserError } from '../base/errors.ts';
import type { Disk } from '../files/disk.ts';

/** The process of a command, as a parameter. */
export interface TerminalHost {
  /** Arguments after the name of the program. */
  readonly args: readonly string[];
  readonly env: Readonly<Partial<Record<string, string>>>;
  readonly home: string | undefined;
  readonly platform: NodeJS.Platform;
  /** Throws if the folder is gone. */
  readonly workingFolder: () => string;
  readonly version: () => string;
  readonly disk: Disk;
  readonly stdout: TerminalOutput;
  readonly stderr: TerminalOutput;
  /** Asks on the terminal. Resolves to `undefined` without one. */
  readonly ask: (question: string) => Promise<string | undefined>;
  /**
   * Calls back instead of ending the program. Returns a function that stops
   * that.
   */
  readonly onInterrupt: (callback: () => void) => () => void;
}

export interface TerminalOutput {
  /** Standard output throws an OutputError on failure. */
  write(text: string): void;
  readonly isTTY: boolean;
  readonly columns: number | undefined;
}

export interface CommandContext {
  readonly host: TerminalHost;
  readonly file: string;
  readonly json: boolean;
  readonly reveal: boolean;
}

/** The exit code of a finished command whose answer could not be written. */
export const unwrittenExitCode = 3;

/** The message says what was done in spite of the error. */
export class OutputError extends UserError {
  constructor(cause: unknown, done = '') {
    const why = `The answer could not be written: ${reason(cause)}.`;
    super(done === '' ? why : `${why} ${done}`, { cause });
  }
}
