/** The file system calls that this folder makes, as one object, so that a test can make each of them fail. */
import * as fs from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

export interface Disk {
  stat(path: string): Promise<fs.Stats>;
  lstat(path: string): Promise<fs.Stats>;
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
  // Synchronous, for what must happen with as little as possible in between.
  lstatSync(path: string): fs.Stats;
  readFileSync(path: string): Buffer;
  renameSync(from: string, to: string): void;
}

export type OpenFile = Pick<FileHandle, 'stat' | 'read' | 'writeFile' | 'chown' | 'chmod' | 'sync' | 'close'>;

/** `fs.promises` is looked up in each call, because Node loads it then: that takes longer than a list in the terminal. */
export const disk: Disk = {
  stat: (path) => fs.promises.stat(path),
  lstat: (path) => fs.promises.lstat(path),
  realpath: (path) => fs.promises.realpath(path),
  access: (path, mode) => fs.promises.access(path, mode),
  readFile: (path) => fs.promises.readFile(path),
  readdir: (path) => fs.promises.readdir(path),
  mkdir: (path, options) => fs.promises.mkdir(path, options),
  chmod: (path, mode) => fs.promises.chmod(path, mode),
  open: (path, flags, mode) => fs.promises.open(path, flags, mode),
  link: (existing, path) => fs.promises.link(existing, path),
  unlink: (path) => fs.promises.unlink(path),
  lstatSync: (path) => fs.lstatSync(path),
  readFileSync: (path) => fs.readFileSync(path),
  renameSync: (from, to) => {
    fs.renameSync(from, to);
  },
};

/** The disk for a program that has nothing else to do while it reads: it does not pay for threads. */
export const blockingDisk: Disk = {
  ...disk,
  stat: (path) => settledBy(() => fs.statSync(path)),
  lstat: (path) => settledBy(() => fs.lstatSync(path)),
  readFile: (path) => settledBy(() => fs.readFileSync(path)),
};

function settledBy<T>(call: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(call());
  });
}
