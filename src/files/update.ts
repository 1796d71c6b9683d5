import { basename, dirname, join } from 'node:path';
import { t, userError } from '../base/l10n.ts';
import { Refusal } from '../mcp/text/refusal.ts';
import { readOpenFile } from './disk.ts';
import { lockFile, removeAbandonedFiles, type Lock } from './lock.ts';
import type { Loss } from './losses.ts';
import { thisMachine, type Machine } from './machine.ts';
import {
  maxConfigSize,
  readUntilStable,
  snapshot,
  tooBig,
  type Snapshot,
} from './read.ts';
import { replaceFile } from './replace.ts';
import { withFileErrors, fileError } from './fileErrors.ts';
import { unlessMissing } from './systemErrors.ts';

interface Updated<T> {
  /** The source of `after`; undefined if there was no file. */
  readonly before: string | undefined;
  /** The result of `change` whose text is in the file now. */
  readonly after: T;
  /** True if other users may read the file. */
  readonly openToOthers: boolean;
  readonly losses: readonly Loss[];
}

/** The text for the file, alone or with other results of the change. */
type NewText = string | { readonly text: string };

/**
 * Gets the text of the file, '' if there is none. May be called more than once.
 */
type Change<T extends NewText> = (text: string) => T;

function textOf(result: NewText): string {
  return typeof result === 'string' ? result : result.text;
}

/** Attempts of a change while other programs write the file in between. */
const maxAttempts = 50;

/**
 * Writes nothing if `change` throws, or returns the same text. A Refusal for
 * the syntax, and an empty file, are only believed if they last for a while:
 * the file may be half written.
 */
export async function updateConfig<T extends NewText>(
  path: string,
  change: Change<T>,
  options: Partial<Machine> = {},
): Promise<Updated<T>> {
  const machine = { ...thisMachine, ...options };
  return await withFileErrors(path, 'written', async () => {
    // Makes no folder for an empty change.
    const there = await locate(path, machine);
    if (there === undefined) {
      const after = change('');
      if (textOf(after) === '')
        return { before: undefined, after, openToOthers: false, losses: [] };
    }
    const target = there ?? (await makeFolder(path, machine));
    const lock = await lockFile(target, machine);
    try {
      return await updateLocked(target, change, lock, machine);
    } finally {
      await lock.release();
    }
  });
}

const empty = `${JSON.stringify({ mcpServers: {} }, undefined, 2)}\n`;

/**
 * The text that an undo writes: a configuration without servers if there was
 * no text, because agents reject an empty file.
 */
export function restoredConfig(before: string): string {
  return before.trim() === '' ? empty : before;
}

/**
 * Makes a configuration without servers that only its owner can read. A file
 * that is not empty stays as it is.
 */
export async function createConfigFile(
  path: string,
  options: Partial<Machine> = {},
): Promise<'created' | 'existed'> {
  const { disk } = { ...thisMachine, ...options };
  // The update explains what is wrong with an unreadable file.
  const stats = await disk.stat(path).catch(() => undefined);
  if (stats && !(stats.isFile() && stats.size === 0)) return 'existed';
  const { before } = await updateConfig(path, (text) => text || empty, options);
  return before ? 'existed' : 'created';
}

/**
 * Lets only its owner read and write the configuration. A link stays a link;
 * its target changes.
 */
export async function makePrivate(
  path: string,
  options: Partial<Machine> = {},
): Promise<void> {
  const { disk, platform } = { ...thisMachine, ...options };
  // A mode of Windows only controls writing.
  if (platform === 'win32') {
    throw userError(
      'On Windows, the properties of a file say who can read it. Change the properties of {0}.',
      path,
    );
  }
  await withFileErrors(path, 'madePrivate', () => disk.chmod(path, 0o600));
}

async function updateLocked<T extends NewText>(
  target: string,
  change: Change<T>,
  lock: Lock,
  machine: Machine,
): Promise<Updated<T>> {
  const losses = new Set<Loss>();
  for (let tried = 0; tried < maxAttempts; tried++) {
    const { read, after } = await changed(target, change, machine);
    const newText = textOf(after);
    // A new file is for its owner only, and an existing one keeps its mode,
    // unless that is lost.
    const updated = () => {
      const openToOthers = read?.openToOthers === true && !losses.has('access');
      return { before: read?.text, after, openToOthers, losses: [...losses] };
    };
    if (newText === (read?.text ?? '')) return updated();
    if (Buffer.byteLength(newText) > maxConfigSize)
      throw tooBig(target, 'written');
    if (tried === 0) await removeAbandonedFiles(target, lock, machine);
    const lateWrites =
      read && (await unlessMissing(openLateWrites(target, read, machine)));
    try {
      const lost = await replaceFile(target, read, newText, lock, machine);
      if (!lost) continue;
      for (const loss of lost) losses.add(loss);
      const late = await lateWrites?.find((text) => isWhole(text, change));
      if (late === undefined) return updated();
      // Restores the late write, then changes it as if it had been in time.
      const ours = await snapshot(target, 'written', machine);
      if (ours?.text === newText)
        await replaceFile(target, ours, late, lock, machine);
    } finally {
      await lateWrites?.close();
    }
  }
  const why = t(
    'another program keeps writing to it. Try again when that program is done.',
  );
  throw fileError(target, 'written', why);
}

/** Reads and changes the file once it is whole. */
async function changed<T extends NewText>(
  target: string,
  change: Change<T>,
  machine: Machine,
): Promise<{ read: Snapshot | undefined; after: T }> {
  let refusal: unknown;
  const result = await readUntilStable(
    async () => {
      const read = await snapshot(target, 'written', machine);
      try {
        return { read, after: change(read?.text ?? '') };
      } catch (error) {
        if (!isSyntaxRefusal(error)) throw error;
        refusal = error;
        return undefined;
      }
    },
    (now) => now !== undefined && now.read?.text !== '',
    machine.clock,
  );
  if (!result) throw refusal;
  return result;
}

function isSyntaxRefusal(error: unknown): boolean {
  return error instanceof Refusal && error.kind === 'syntax';
}

function isWhole(text: string, change: Change<NewText>): boolean {
  if (text === '') return false;
  try {
    change(text);
    return true;
  } catch (error) {
    return !isSyntaxRefusal(error);
  }
}

/** The file itself, through links. Undefined if not even its folder exists. */
async function locate(
  path: string,
  { disk }: Machine,
): Promise<string | undefined> {
  const target = await unlessMissing(disk.realpath(path));
  if (target !== undefined) return target;
  const folder = await unlessMissing(disk.realpath(dirname(path)));
  return folder === undefined ? undefined : join(folder, basename(path));
}

async function makeFolder(path: string, { disk }: Machine): Promise<string> {
  const folder = dirname(path);
  const createdFolder = await disk.mkdir(folder, 0o700);
  // The umask may have removed too much.
  if (createdFolder !== undefined) await disk.chmod(folder, 0o700);
  return join(await disk.realpath(folder), basename(path));
}

/**
 * Finds late writes into the file that we replace: a program that does not lock
 * can open the file just before, and write into the replaced one. Keeping that
 * open shows what would be lost.
 *
 * Call it before replacing. Undefined on Windows, where an open file cannot be
 * replaced.
 */
async function openLateWrites(
  target: string,
  read: Snapshot,
  machine: Machine,
) {
  if (machine.platform === 'win32') return undefined;
  const file = await machine.disk.open(target, 'r');
  // Something too large could not be put back.
  const bytesNow = async () =>
    (await readOpenFile(file, maxConfigSize)).bytes ?? Buffer.alloc(0);
  return {
    /**
     * The contents, if they were written since the file was read and are whole.
     */
    find: async (
      isWhole: (text: string) => boolean,
    ): Promise<Buffer | undefined> => {
      try {
        if (read.bytes.equals(await bytesNow())) return undefined;
        const acceptable = (bytes: Buffer) => isWhole(bytes.toString());
        const bytes = await readUntilStable(
          bytesNow,
          acceptable,
          machine.clock,
        );
        return acceptable(bytes) ? bytes : undefined;
      } catch {
        // Must not fail, because our change is written.
        return undefined;
      }
    },
    close: () => file.close().catch(() => undefined),
  };
}
