import type { Stats } from 'node:fs';
import { sleep, type Clock } from '../base/clock.ts';
import { t } from '../base/l10n.ts';
import { outline, type Outline } from '../mcp/format/outline.ts';
import { Refusal } from '../mcp/text/refusal.ts';
import { thisMachine, type Machine } from './machine.ts';
import { withFileErrors, fileError, type FileAction } from './fileErrors.ts';
import { codeOf, unlessMissing } from './systemErrors.ts';

/**
 * A file at one moment. Equal bytes in the same file mean that no program wrote
 * in between.
 */
export interface Snapshot {
  readonly stats: Stats;
  readonly bytes: Buffer;
  /** Keeps the byte order mark of the file. */
  readonly text: string;
  /**
   * True if other users may read the file. Only known on platforms with file
   * modes.
   */
  readonly openToOthers: boolean;
}

/** Larger files are not configurations, and would keep the editor busy. */
export const maxConfigSize = 16 * 1024 * 1024;

/**
 * The configuration, through links; undefined if there is no such file. A text
 * that cannot be whole is read again for a while, because a program that writes
 * without care leaves half a file for a moment; what is there then counts.
 */
export async function readConfig(path: string, options: Partial<Machine> = {}) {
  const machine = { ...thisMachine, ...options };
  const read = async () => {
    const file = await snapshot(path, 'read', machine);
    return file && { file, found: outlineOrRefusal(file.text) };
  };
  const config = await withFileErrors(path, 'read', () =>
    readUntilStable(
      read,
      (config) => !config || isWhole(config.file.text, config.found),
      machine.clock,
    ),
  );
  return config && { ...config.file, found: config.found };
}

function outlineOrRefusal(text: string): Outline | Refusal {
  try {
    return outline(text);
  } catch (error) {
    return error as Refusal;
  }
}

function isWhole(text: string, outcome: Outline | Refusal): boolean {
  return (
    text !== '' && !(outcome instanceof Refusal && outcome.kind === 'syntax')
  );
}

/**
 * More reads than one, because a busy machine can hold up this process while
 * the other one writes.
 */
const minReads = 5;

/**
 * The result of `read` as soon as it is acceptable, or the last one after 300
 * ms and `minReads` reads.
 */
export async function readUntilStable<T>(
  read: () => Promise<T>,
  acceptable: (value: T) => boolean,
  clock: Clock,
): Promise<T> {
  const end = clock.now() + 300;
  let reads = 0;
  for (;;) {
    const value = await read();
    reads++;
    if (acceptable(value) || (reads >= minReads && clock.now() >= end))
      return value;
    await sleep(clock, 30);
  }
}

/**
 * Throws system errors as they are; `doing` is for anything else that is wrong
 * with the file.
 */
export async function snapshot(
  path: string,
  doing: FileAction,
  machine: Machine,
): Promise<Snapshot | undefined> {
  const { disk, platform } = machine;
  try {
    const { stats, bytes } = await disk.readFile(path, maxConfigSize);
    if (stats.isDirectory()) {
      throw fileError(path, doing, t('it is a folder. Choose a file.'));
    }
    if (!stats.isFile()) {
      throw fileError(
        path,
        doing,
        t('it is a device or a pipe. Choose a file.'),
      );
    }
    if (!bytes) throw tooBig(path, doing);
    return {
      stats,
      bytes,
      text: decode(bytes, path, doing),
      openToOthers: platform !== 'win32' && (stats.mode & 0o044) !== 0,
    };
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    await refuseDangling(path, doing, machine);
    return undefined;
  }
}

/** Refuses a link to a missing file. */
async function refuseDangling(
  path: string,
  doing: FileAction,
  { disk }: Machine,
): Promise<void> {
  const link = await unlessMissing(disk.lstat(path));
  if (!link?.isSymbolicLink()) return;
  const why = t(
    'it is a link to a file that does not exist. Create that file, or remove the link.',
  );
  throw fileError(path, doing, why);
}

export function tooBig(path: string, doing: FileAction) {
  return fileError(
    path,
    doing,
    t('it is larger than 16 MB. Choose another file.'),
  );
}

function decode(bytes: Buffer, path: string, doing: FileAction): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      bytes,
    );
  } catch (error) {
    throw fileError(
      path,
      doing,
      t('it is not UTF-8 text. Save it as UTF-8 in the editor.'),
      error,
    );
  }
}
