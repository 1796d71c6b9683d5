/** Changing the configuration file: read, change and replace it under its lock. */
import { basename, dirname, join } from 'node:path';
import { UserError } from '../base/errors.ts';
import { t } from '../base/l10n.ts';
import { Refusal } from '../mcp/text/refusal.ts';
import { openLateWrites } from './lateWrites.ts';
import { lockFile, type Lock } from './lock.ts';
import type { Loss } from './losses.ts';
import { thisMachine, type Machine } from './machine.ts';
import { maxConfigSize, readUntilStable, snapshot, tooBig, type Snapshot } from './read.ts';
import { replaceFile } from './replace.ts';
import { removeAbandonedFiles } from './abandonedFiles.ts';
import { withFileErrors, fileError } from './fileErrors.ts';
import { unlessMissing } from './systemErrors.ts';

interface Updated {
  /** The source of `after`; undefined if there was no file. */
  readonly before: string | undefined;
  /** The contents of the file now. */
  readonly after: string;
  /** True if other users may read the file. */
  readonly openToOthers: boolean;
  readonly losses: readonly Loss[];
}

/** From the text of the file, '' if there is none, to the text that replaces it. May be called more than once. */
type NewText = (text: string) => string;

/** Attempts of a change while other programs write the file in between. */
const maxAttempts = 50;

/**
 * Passes on what `change` throws, with nothing written. The same text again writes nothing. A Refusal for the syntax, and
 * an empty file, are only believed if they last for a while: the file may be half written.
 */
export async function updateConfig(
  path: string,
  change: NewText,
  options: Partial<Machine> = {},
): Promise<Updated> {
  const machine = { ...thisMachine, ...options };
  return await withFileErrors(path, 'written', async () => {
    // No folder is made for a change that changes nothing.
    const there = await locate(path, machine);
    if (there === undefined && change('') === '')
      return { before: undefined, after: '', openToOthers: false, losses: [] };
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

/** Makes a configuration without servers that only its owner can read. A file that is not empty stays as it is. */
export async function createConfigFile(
  path: string,
  options: Partial<Machine> = {},
): Promise<'created' | 'existed'> {
  const { disk } = { ...thisMachine, ...options };
  // The update says what is wrong with a file that cannot be looked at.
  const found = await disk.stat(path).catch(() => undefined);
  if (found && !(found.isFile() && found.size === 0)) return 'existed';
  const { before } = await updateConfig(path, (text) => text || empty, options);
  return before ? 'existed' : 'created';
}

/** Lets only its owner read and write the configuration. A link stays a link; its target changes. */
export async function makePrivate(path: string, options: Partial<Machine> = {}): Promise<void> {
  const { disk, platform } = { ...thisMachine, ...options };
  // There, a mode says only whether a file can be written.
  if (platform === 'win32') {
    throw new UserError(
      t('On Windows, the properties of a file say who can read it. Change the properties of {0}.', path),
    );
  }
  await withFileErrors(path, 'madePrivate', () => disk.chmod(path, 0o600));
}

async function updateLocked(target: string, change: NewText, lock: Lock, machine: Machine): Promise<Updated> {
  const losses = new Set<Loss>();
  for (let tried = 0; tried < maxAttempts; tried++) {
    const { read, after } = await changed(target, change, machine);
    // A new file is for its owner only, and an existing one keeps its mode, unless that is lost.
    const updated = () => {
      const openToOthers = read?.openToOthers === true && !losses.has('access');
      return { before: read?.text, after, openToOthers, losses: [...losses] };
    };
    if (after === (read?.text ?? '')) return updated();
    if (Buffer.byteLength(after) > maxConfigSize) throw tooBig(target, 'written');
    if (tried === 0) await removeAbandonedFiles(target, lock, machine);
    const lateWrites = read && (await unlessMissing(openLateWrites(target, read, machine)));
    try {
      const lost = await replaceFile(target, read, after, lock, machine);
      if (!lost) continue;
      for (const loss of lost) losses.add(loss);
      const late = await lateWrites?.find((text) => isWhole(text, change));
      if (late === undefined) return updated();
      // It is put back, and then changed, as if it had been written in time.
      const ours = await snapshot(target, 'written', machine);
      if (ours?.text === after) await replaceFile(target, ours, late, lock, machine);
    } finally {
      await lateWrites?.close();
    }
  }
  const why = t('another program keeps writing to it. Try again when that program is done.');
  throw fileError(target, 'written', why);
}

/** The file and its new text. */
async function changed(
  target: string,
  change: NewText,
  machine: Machine,
): Promise<{ read: Snapshot | undefined; after: string }> {
  const { read, after } = await readUntilStable(
    async () => {
      const read = await snapshot(target, 'written', machine);
      return { read, after: attempt(change, read?.text ?? '') };
    },
    ({ read, after }) => typeof after === 'string' && read?.text !== '',
    machine.clock,
  );
  if (typeof after !== 'string') throw after;
  return { read, after };
}

/** The new text, or why the text may be half written. */
function attempt(change: NewText, text: string): string | Refusal {
  try {
    return change(text);
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'syntax') return error;
    throw error;
  }
}

function isWhole(text: string, change: NewText): boolean {
  try {
    return text !== '' && typeof attempt(change, text) === 'string';
  } catch {
    // Refused, but not for its syntax.
    return true;
  }
}

/** The file itself, through links. Undefined if not even its folder exists. */
async function locate(path: string, { disk }: Machine): Promise<string | undefined> {
  const found = await unlessMissing(disk.realpath(path));
  if (found !== undefined) return found;
  const folder = await unlessMissing(disk.realpath(dirname(path)));
  return folder === undefined ? undefined : join(folder, basename(path));
}

async function makeFolder(path: string, { disk }: Machine): Promise<string> {
  const folder = dirname(path);
  const made = await disk.mkdir(folder, { recursive: true, mode: 0o700 });
  // The umask may have removed too much.
  if (made !== undefined) await disk.chmod(folder, 0o700);
  return join(await disk.realpath(folder), basename(path));
}
