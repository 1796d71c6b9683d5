/**
 * The file system calls that this folder makes, as one object, so that a test
 * can make each of them fail.
 */
import * as fs from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

/** The stats of a path, and its bytes if it is a file. */
interface FileRead {
  readonly stats: fs.Stats;
  /**
   * Undefined for a folder, a pipe and a device, and for a file with more than
   * `most` bytes.
   */
  readonly bytes: Buffer | undefined;
}

export type OpenFile = Pick<
  FileHandle,
  'stat' | 'read' | 'writeFile' | 'chown' | 'chmod' | 'sync' | 'close'
>;

/**
 * Opening a pipe waits for a writer, unless told not to. (Windows has neither
 * constant, and no such pipes.)
 */
const toRead =
  fs.constants.O_RDONLY | fs.constants.O_NONBLOCK | fs.constants.O_NOCTTY;

/**
 * `fs.promises` is looked up in each call, because Node loads it then: that
 * takes longer than a list in the terminal.
 */
export const disk = {
  stat: (path: string) => fs.promises.stat(path),
  lstat: (path: string) => fs.promises.lstat(path),
  realpath: (path: string) => fs.promises.realpath(path),
  access: (path: string, mode: number) => fs.promises.access(path, mode),
  /** Never blocks on any kind of file, and reads at most `most` bytes. */
  readFile: async (path: string, most: number): Promise<FileRead> => {
    // Checks the file first, because opening a device can trigger it.
    const stats = await fs.promises.stat(path);
    if (!stats.isFile()) return { stats, bytes: undefined };
    const file = await fs.promises.open(path, toRead);
    try {
      return await readOpenFile(file, most);
    } finally {
      await file.close();
    }
  },
  readdir: (path: string) => fs.promises.readdir(path),
  /**
   * Makes the folders above it too. Resolves to the first folder that it made.
   */
  mkdir: (path: string, mode: number) =>
    fs.promises.mkdir(path, { recursive: true, mode }),
  chmod: (path: string, mode: number) => fs.promises.chmod(path, mode),
  /** Never blocks when reading. */
  open: (path: string, flags: 'r' | 'wx', mode?: number): Promise<OpenFile> =>
    fs.promises.open(path, flags === 'r' ? toRead : flags, mode),
  link: (existing: string, path: string) => fs.promises.link(existing, path),
  unlink: (path: string) => fs.promises.unlink(path),
  // Synchronous, for what must happen with as little as possible in between.
  lstatSync: (path: string) => fs.lstatSync(path),
  readFileSync: (path: string, most: number): FileRead => {
    const stats = fs.statSync(path);
    if (!stats.isFile()) return { stats, bytes: undefined };
    const file = fs.openSync(path, toRead);
    try {
      const opened = fs.fstatSync(file);
      const reads = readsOf(opened, most);
      let read = reads.next();
      while (!read.done) {
        const { buffer, position } = read.value;
        read = reads.next(
          fs.readSync(file, buffer, 0, buffer.length, position),
        );
      }
      return { stats: opened, bytes: read.value };
    } finally {
      fs.closeSync(file);
    }
  },
  renameSync: (from: string, to: string) => {
    fs.renameSync(from, to);
  },
} as const;

export type Disk = typeof disk;

/**
 * The disk for a program that has nothing else to do while it reads: it does
 * not pay for threads.
 */
export const blockingDisk: Disk = {
  ...disk,
  lstat: (path) => settledBy(() => fs.lstatSync(path)),
  readFile: (path, most) => settledBy(() => disk.readFileSync(path, most)),
};

/** Reads an open file from its beginning. */
export async function readOpenFile(
  file: Pick<OpenFile, 'stat' | 'read'>,
  most: number,
): Promise<FileRead> {
  const stats = await file.stat();
  const reads = readsOf(stats, most);
  let read = reads.next();
  while (!read.done) {
    const { buffer, position } = read.value;
    read = reads.next(
      (await file.read(buffer, 0, buffer.length, position)).bytesRead,
    );
  }
  return { stats, bytes: read.value };
}

interface Read {
  readonly buffer: Buffer;
  readonly position: number;
}

/**
 * The reads that a file takes, each answered with how many bytes it brought.
 * Returns all of them.
 */
function* readsOf(
  stats: fs.Stats,
  most: number,
): Generator<Read, Buffer | undefined, number> {
  if (!stats.isFile() || stats.size > most) return undefined;
  // One byte more than expected shows that a file grows.
  let bytes = Buffer.alloc(stats.size + 1);
  let length = 0;
  for (;;) {
    const count = yield { buffer: bytes.subarray(length), position: length };
    length += count;
    // Avoids a needless read, which could return what another program has just
    // appended.
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
