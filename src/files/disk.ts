/** The file system calls that this folder makes, as one object, so that a test can make each of them fail. */
import * as fs from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

export interface Disk {
  stat(path: string): Promise<fs.Stats>;
  lstat(path: string): Promise<fs.Stats>;
  realpath(path: string): Promise<string>;
  access(path: string, mode: number): Promise<void>;
  /** Never blocks, whatever is there, and reads no more than `most` bytes. */
  readFile(path: string, most: number): Promise<FileRead>;
  readdir(path: string): Promise<string[]>;
  /** Makes the folders above it too. Resolves to the first folder that it made. */
  mkdir(
    path: string,
    options: { readonly recursive: true; readonly mode: number },
  ): Promise<string | undefined>;
  chmod(path: string, mode: number): Promise<void>;
  /** Never blocks when reading. */
  open(path: string, flags: 'r' | 'wx', mode?: number): Promise<OpenFile>;
  link(existing: string, path: string): Promise<void>;
  unlink(path: string): Promise<void>;
  // Synchronous, for what must happen with as little as possible in between.
  lstatSync(path: string): fs.Stats;
  readFileSync(path: string, most: number): FileRead;
  renameSync(from: string, to: string): void;
}

/** The stats of a path, and its bytes if it is a file. */
interface FileRead {
  readonly stats: fs.Stats;
  /** Undefined for a folder, a pipe and a device, and for a file with more than `most` bytes. */
  readonly bytes: Buffer | undefined;
}

export type OpenFile = Pick<FileHandle, 'stat' | 'read' | 'writeFile' | 'chown' | 'chmod' | 'sync' | 'close'>;

/** Opening a pipe waits for a writer, unless told not to. (Windows has neither constant, and no such pipes.) */
const toRead = fs.constants.O_RDONLY | fs.constants.O_NONBLOCK | fs.constants.O_NOCTTY;

/** `fs.promises` is looked up in each call, because Node loads it then: that takes longer than a list in the terminal. */
export const disk: Disk = {
  stat: (path) => fs.promises.stat(path),
  lstat: (path) => fs.promises.lstat(path),
  realpath: (path) => fs.promises.realpath(path),
  access: (path, mode) => fs.promises.access(path, mode),
  readFile: async (path, most) => {
    // Before it is opened, because opening a device can set it off.
    const stats = await fs.promises.stat(path);
    if (!stats.isFile()) return { stats, bytes: undefined };
    const file = await fs.promises.open(path, toRead);
    try {
      return await readOpenFile(file, most);
    } finally {
      await file.close();
    }
  },
  readdir: (path) => fs.promises.readdir(path),
  mkdir: (path, options) => fs.promises.mkdir(path, options),
  chmod: (path, mode) => fs.promises.chmod(path, mode),
  open: (path, flags, mode) => fs.promises.open(path, flags === 'r' ? toRead : flags, mode),
  link: (existing, path) => fs.promises.link(existing, path),
  unlink: (path) => fs.promises.unlink(path),
  lstatSync: (path) => fs.lstatSync(path),
  readFileSync: (path, most) => {
    const stats = fs.statSync(path);
    if (!stats.isFile()) return { stats, bytes: undefined };
    const file = fs.openSync(path, toRead);
    try {
      const opened = fs.fstatSync(file);
      const reads = readsOf(opened, most);
      let read = reads.next();
      while (read.done !== true) {
        const { buffer, position } = read.value;
        read = reads.next(fs.readSync(file, buffer, 0, buffer.length, position));
      }
      return { stats: opened, bytes: read.value };
    } finally {
      fs.closeSync(file);
    }
  },
  renameSync: (from, to) => {
    fs.renameSync(from, to);
  },
};

/** The disk for a program that has nothing else to do while it reads: it does not pay for threads. */
export const blockingDisk: Disk = {
  ...disk,
  lstat: (path) => settledBy(() => fs.lstatSync(path)),
  readFile: (path, most) => settledBy(() => disk.readFileSync(path, most)),
};

/** From its beginning. */
export async function readOpenFile(file: Pick<OpenFile, 'stat' | 'read'>, most: number): Promise<FileRead> {
  const stats = await file.stat();
  const reads = readsOf(stats, most);
  let read = reads.next();
  while (read.done !== true) {
    const { buffer, position } = read.value;
    read = reads.next((await file.read(buffer, 0, buffer.length, position)).bytesRead);
  }
  return { stats, bytes: read.value };
}

interface Read {
  readonly buffer: Buffer;
  readonly position: number;
}

/** The reads that a file takes, each answered with how many bytes it brought. Returns all of them. */
function* readsOf(stats: fs.Stats, most: number): Generator<Read, Buffer | undefined, number> {
  if (!stats.isFile() || stats.size > most) return undefined;
  // With room for a byte more than there should be, in which a file that grows is noticed.
  let bytes = Buffer.alloc(stats.size + 1);
  let length = 0;
  for (;;) {
    const count = yield { buffer: bytes.subarray(length), position: length };
    length += count;
    // Not one read more than needed: it could bring what another program has appended by then.
    if (count === 0 || length === stats.size) return bytes.subarray(0, length);
    if (length > most) return undefined;
    bytes = Buffer.concat([bytes], Math.min(2 * length, most + 1));
  }
}

function settledBy<T>(call: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(call());
  });
}
