/** The calls of the file system that this folder makes, as one object, so that a test can make each of them fail. */
import { lstatSync, readFileSync, renameSync, type Stats } from 'node:fs';
import * as promises from 'node:fs/promises';

export interface Disk {
  stat(path: string): Promise<Stats>;
  lstat(path: string): Promise<Stats>;
  realpath(path: string): Promise<string>;
  access(path: string, mode: number): Promise<void>;
  readFile(path: string): Promise<Buffer>;
  readdir(path: string): Promise<string[]>;
  /** Makes the folders above it too. Resolves to the first folder that it made. */
  mkdir(
    path: string,
    options: { readonly recursive: true; readonly mode: number },
  ): Promise<string | undefined>;
  chmod(path: string, mode: number): Promise<void>;
  open(path: string, flags: 'r' | 'wx', mode?: number): Promise<OpenFile>;
  link(existing: string, path: string): Promise<void>;
  unlink(path: string): Promise<void>;
  // Without waiting, for what must happen with as little as possible in between.
  lstatSync(path: string): Stats;
  readFileSync(path: string): Buffer;
  renameSync(from: string, to: string): void;
}

export type OpenFile = Pick<
  promises.FileHandle,
  'stat' | 'read' | 'writeFile' | 'chown' | 'chmod' | 'sync' | 'close'
>;

export const disk: Disk = { ...promises, lstatSync, readFileSync, renameSync };
