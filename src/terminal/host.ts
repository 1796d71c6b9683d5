import type { Disk } from '../files/disk.ts';

/** What a command of the terminal runs in, as a parameter. */
export interface Host {
  /** What follows the name of the program. */
  readonly args: readonly string[];
  readonly env: Readonly<Partial<Record<string, string>>>;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** Throws where the folder that the program was started in is gone. */
  readonly workingFolder: () => string;
  readonly version: () => string;
  readonly disk: Disk;
  readonly stdout: Output;
  readonly stderr: Output;
}

export interface Output {
  write(text: string): void;
  /** Whether a person reads it, in a terminal. */
  readonly isTTY: boolean;
  /** How wide the terminal is, where it is one. */
  readonly columns: number | undefined;
}
