/**
 * A small file that the windows of the machine share. One changes it at a time,
 * and none reads it half written.
 */
import { renameSync } from 'node:fs';
import { mkdir, readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { lockFile, removeAbandonedFiles } from './lock.ts';
import { type Machine, thisMachine } from './machine.ts';
import { createTemporary, temporaryPath } from './temporary.ts';

export interface SharedText {
  /** Empty if there is no such file. */
  readonly text: string;
  /**
   * The last write or touch, in milliseconds since 1970; 0 if there is no such
   * file.
   */
  readonly touched: number;
}

export async function readShared(path: string): Promise<SharedText> {
  try {
    const [text, { mtimeMs }] = await Promise.all([
      readFile(path, 'utf8'),
      stat(path),
    ]);
    return { text, touched: mtimeMs };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      return { text: '', touched: 0 };
    throw error;
  }
}

/** Writes the result of `change`; undefined leaves the file as it is. */
export async function changeShared(
  path: string,
  change: (before: SharedText) => string | undefined,
  machine: Machine = thisMachine,
): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const lock = await lockFile(path, machine);
  try {
    const text = change(await readShared(path));
    if (text === undefined) return;
    await removeAbandonedFiles(path, lock, machine);
    const temporary = temporaryPath(path, machine);
    await createTemporary(temporary, text, machine);
    // A sleep may have lost the lock.
    if (lock.held()) renameSync(temporary, path);
    else await machine.disk.unlink(temporary);
  } finally {
    await lock.release();
  }
}
