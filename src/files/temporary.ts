/** Files that exist for a moment beside the file that is written. */
import { basename, dirname, join } from 'node:path';
import { sleep } from '../base/clock.ts';
import type { OpenFile } from './disk.ts';
import type { Machine } from './machine.ts';
import { codeOf } from './systemErrors.ts';

/** Sixteen random hexadecimal digits. Not a secret. */
export function newToken(): string {
  return crypto.randomUUID().replaceAll('-', '').slice(-16);
}

/**
 * The path of a future `path`, next to it. Its name identifies the owner for
 * `removeAbandonedFiles`.
 */
export function temporaryPath(
  path: string,
  { pid, pidSpace }: Machine,
  token = newToken(),
): string {
  return join(
    dirname(path),
    `.${basename(path)}.${pidSpace()}.${pid}.${token}.tmp`,
  );
}

/**
 * Makes a file that only its owner can read. Fails if there is one already;
 * after any other failure there is none. `finish` is called with the file
 * before it is closed.
 */
export async function createTemporary(
  path: string,
  text: string | Buffer,
  machine: Machine,
  finish?: (file: OpenFile) => Promise<void>,
): Promise<void> {
  const file = await machine.disk.open(path, 'wx', 0o600);
  try {
    try {
      await file.writeFile(text);
      await finish?.(file);
    } finally {
      await file.close();
    }
  } catch (error) {
    await removeIfPossible(path, machine);
    throw error;
  }
}

export async function removeIfPossible(
  path: string,
  machine: Machine,
): Promise<void> {
  await retryRemoval(() => machine.disk.unlink(path), machine);
}

/**
 * Tries a few times, because on Windows a file cannot be removed while another
 * program reads it. Never fails: the next write removes what is left.
 */
export async function retryRemoval(
  removal: () => Promise<void>,
  { clock }: Machine,
): Promise<void> {
  for (let tried = 0; tried < 5; tried++) {
    try {
      await removal();
      return;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return;
      await sleep(clock, 10);
    }
  }
}
