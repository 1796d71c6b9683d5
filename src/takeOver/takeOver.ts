/** Applies the changes of an agent, all or none, and undoes them. */
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { reason, UserError } from '../base/errors.ts';
import { t, userError } from '../base/l10n.ts';
import { joinParts } from '../base/parts.ts';
import type { Patch } from '../service/abilities/fileChanges.ts';
import { gitModes } from '../service/git/patch.ts';
import {
  type HeldFile,
  isSame,
  readHeld,
  removeEmpty,
  sha256,
  writeHeld,
} from './heldFiles.ts';
import type { LocalGit } from './localGit.ts';
import type { Labels } from './merge.ts';
import {
  foldersOf,
  onDisk,
  type RawPath,
  shownRawPath,
  statOf,
} from './rawPaths.ts';
import { type Plan, planTakeOver, signature } from './plan.ts';
import { Scratch } from './scratch.ts';

export interface TakeOverResult {
  readonly plan: Plan;
  /** Chosen files that are now as the agent has them, or have both changes. */
  readonly count: number;
}

interface UndoEntry {
  readonly path: RawPath;
  readonly before: HeldFile;
  readonly after: HeldFile;
}

interface UndoRecord {
  readonly version: 1;
  readonly root: string;
  /** Description of the change. */
  readonly title: string;
  readonly entries: readonly UndoEntry[];
  /** New folders. */
  readonly madeFolders: readonly RawPath[];
  /** Existing folders, which may be removed. */
  readonly folders: readonly {
    readonly path: RawPath;
    readonly mode: number;
  }[];
}

/** Limit of the old contents that an undo record keeps. */
const maxKeptBytes = 500_000_000;

const maxKeptMs = 30 * 24 * 3_600_000;

export interface TakeOverOptions {
  /** The folder of the undo records of all repositories. */
  readonly storage: string;
  readonly labels: Labels;
  readonly title: string;
  readonly chosen?: ReadonlySet<RawPath>;
  readonly signal?: AbortSignal;
  readonly report?: (done: number, all: number) => void;
}

/** Plans without writing. */
export async function preview(
  git: LocalGit,
  patch: Patch,
  labels: Labels,
  signal?: AbortSignal,
): Promise<Plan> {
  return await Scratch.use(git, signal, (scratch) =>
    planTakeOver(scratch, patch, labels),
  );
}

export async function takeOver(
  git: LocalGit,
  patch: Patch,
  options: TakeOverOptions,
): Promise<TakeOverResult> {
  const { storage, signal, labels, chosen } = options;
  return await Scratch.use(git, signal, async (scratch) => {
    const plan = await planTakeOver(scratch, patch, labels, chosen);
    if (plan.writes.length === 0) return { plan, count: 0 };
    const newFiles = await materialise(scratch, plan);
    const [record, bytes] = await captureBefore(
      git.root,
      plan,
      newFiles,
      options.title,
    );
    for (const [path, before] of plan.seen)
      if ((await signature(git.root, path)) !== before)
        throw changedMeanwhile(path);
    signal?.throwIfAborted();
    const place = placeOf(storage, git.root);
    await forgetOld(storage);
    await writeUndoRecord(place, record, bytes);
    const begun: UndoEntry[] = [];
    try {
      // Deletions make room for folders.
      const ordered = [...record.entries].sort(
        (a, b) =>
          Number(a.after.kind !== 'none') - Number(b.after.kind !== 'none'),
      );
      for (const [index, entry] of ordered.entries()) {
        const { path, before, after } = entry;
        signal?.throwIfAborted();
        if (!isSame((await readHeld(git.root, path)).held, before))
          throw changedMeanwhile(path);
        begun.push(entry);
        await writeHeld(git.root, path, after, newFiles.get(path)?.file);
        if (after.kind === 'none') await removeEmpty(git.root, foldersOf(path));
        options.report?.(index + 1, ordered.length);
      }
    } catch (error) {
      const changed = await putBackBegun(place, record, begun).catch(
        (cause: unknown) => {
          const why = t(
            'Not all of it was taken over, and not all files could be put back: {0}',
            reason(cause),
          );
          throw new UserError(
            [why, t('Undo Take Over tries it again.')].join(' '),
            { cause },
          );
        },
      );
      if (changed.length > 0)
        throw filesLeft(changed, error, signal?.aborted === true);
      await forget(place);
      if (signal?.aborted || error instanceof UserError) throw error;
      throw new UserError(
        t(
          'Nothing was taken over, and all files are as they were: {0}',
          reason(error),
        ),
        {
          cause: error,
        },
      );
    }

    await rm(`${place}.old`, { recursive: true, force: true });
    return { plan, count: countOf(plan) };
  });
}

function countOf({ files, conflicts }: Plan): number {
  const unmerged = new Set(
    conflicts.flatMap(({ path, isMarked }) => (isMarked ? [] : [path])),
  );
  return files.filter(
    ({ path, here }) => here !== 'same' && !unmerged.has(path),
  ).length;
}

function changedMeanwhile(path: RawPath): UserError {
  return userError(
    'Nothing was taken over: “{0}” was changed in the meantime. Try again.',
    shownRawPath(path),
  );
}

function filesLeft(
  changed: readonly RawPath[],
  error: unknown,
  isCancelled: boolean,
): UserError {
  const names = changed.map(shownRawPath);
  const why =
    error instanceof UserError
      ? error.message
      : t('Not all of it was taken over: {0}.', reason(error));
  const left = t(
    'Files that you changed in the meantime were left as they are: {0}. Undo Take Over restores what was there before.',
    joinParts(', ', ...names.slice(0, 5), names.length > 5 && '…'),
  );
  return new UserError(joinParts(' ', !isCancelled && why, left), {
    cause: error,
  });
}

interface NewFile {
  readonly held: HeldFile;
  /** The file with its contents. */
  readonly file: string | Buffer | undefined;
}

/**
 * Writes the new files beside the repository, as Git would check them out with
 * the attributes that are here. Those that come with the change could enable a
 * filter of the user's configuration, and so run a program.
 */
async function materialise(
  scratch: Scratch,
  plan: Plan,
): Promise<ReadonlyMap<RawPath, NewFile>> {
  const { root } = scratch.git;
  await scratch.run(['read-tree', plan.result], 'result');
  const attributes = plan.writes.filter(({ path }) => isAttributes(path));
  const asHere = attributes.map(({ path, before }) => ({ path, ...before }));
  if (asHere.length > 0) await scratch.setEntries('result', asHere);
  const files = plan.writes.filter(
    ({ path, after }) => after?.mode.startsWith('100') && !isAttributes(path),
  );
  const out = join(scratch.folder, 'out');
  await scratch.runOn(
    files.map(({ path }) => path),
    ['checkout-index', `--prefix=${out}/`],
    'result',
  );
  for (const { path, after } of attributes) {
    if (!after?.mode.startsWith('100')) continue;
    await mkdir(onDisk(out, foldersOf(path).at(-1) ?? ''), { recursive: true });
    await writeFile(
      onDisk(out, path),
      await scratch.run(['cat-file', 'blob', after.hash]),
    );
  }
  const keepsModes =
    (await scratch.git.maybe(['config', '--type=bool', 'core.fileMode'])) ===
    'false';
  const newFiles = new Map<RawPath, NewFile>();
  for (const { path, after } of plan.writes) {
    if (!after) newFiles.set(path, { held: { kind: 'none' }, file: undefined });
    else if (after.mode === gitModes.link) {
      const target = await scratch.blob(after.hash);
      newFiles.set(path, { held: { kind: 'link', target }, file: undefined });
    } else {
      const file = onDisk(out, path);
      const mode = await modeFor(
        { root, out },
        path,
        after.mode === gitModes.executable,
        keepsModes,
      );
      newFiles.set(path, {
        held: { kind: 'file', mode, sha256: sha256(await readFile(file)) },
        file,
      });
    }
  }
  return newFiles;
}

function isAttributes(path: RawPath): boolean {
  return /(?:^|\/)\.gitattributes$/i.test(path);
}

/**
 * The mode of the existing file; an executable one can be run by all who can
 * read it.
 */
async function modeFor(
  { root, out }: { readonly root: string; readonly out: string },
  path: RawPath,
  isExecutable: boolean,
  keepsModes: boolean,
): Promise<number> {
  const there = await statOf(root, path);
  const isFile = there?.isFile() === true;
  const now =
    Number((isFile ? there : await statOf(out, path))?.mode ?? 0o600) & 0o777;
  const runs = (now & 0o111) !== 0;
  if (isExecutable === runs || (keepsModes && isFile)) return now;
  return isExecutable ? now | ((now & 0o444) >> 2) : now & ~0o111;
}

async function captureBefore(
  root: string,
  { writes }: Plan,
  newFiles: ReadonlyMap<RawPath, NewFile>,
  title: string,
): Promise<[UndoRecord, ReadonlyMap<string, Buffer>]> {
  const bytes = new Map<string, Buffer>();
  const entries: UndoEntry[] = [];
  const madeFolders = new Set<RawPath>();
  const folders = new Map<RawPath, number>();
  let size = 0;
  for (const { path } of writes) {
    const before = await readHeld(root, path);
    if (before.held.kind === 'file' && before.bytes) {
      bytes.set(before.held.sha256, before.bytes);
      size += before.bytes.byteLength;
    }
    if (size > maxKeptBytes)
      throw userError(
        'Nothing was taken over: the files that would be changed are too large to be kept for Undo.',
      );
    entries.push({
      path,
      before: before.held,
      after: newFiles.get(path)?.held ?? { kind: 'none' },
    });
    for (const folder of [...foldersOf(path), path]) {
      const stat = await statOf(root, folder);
      if (stat?.isDirectory()) folders.set(folder, Number(stat.mode) & 0o7777);
      else if (folder !== path) madeFolders.add(folder);
    }
  }
  const record: UndoRecord = {
    version: 1,
    root,
    title,
    entries,
    madeFolders: [...madeFolders],
    folders: [...folders].map(([path, mode]) => ({ path, mode })),
  };
  return [record, bytes];
}

function placeOf(storage: string, root: string): string {
  return join(
    storage,
    createHash('sha256').update(root).digest('hex').slice(0, 32),
  );
}

/** Removes records that are older than `maxKeptMs`. */
async function forgetOld(storage: string): Promise<void> {
  const oldest = Date.now() - maxKeptMs;
  for (const name of await readdir(storage).catch(() => [])) {
    const file = await stat(join(storage, name, 'undo.json')).catch(
      () => undefined,
    );
    if (file && file.mtimeMs < oldest)
      await rm(join(storage, name), { recursive: true, force: true });
  }
}

/** Replaces an older record only when this one is written. */
async function writeUndoRecord(
  place: string,
  record: UndoRecord,
  bytes: ReadonlyMap<string, Buffer>,
): Promise<void> {
  const fresh = `${place}.new`;
  await rm(fresh, { recursive: true, force: true });
  await mkdir(fresh, { recursive: true, mode: 0o700 });
  for (const [hash, contents] of bytes)
    await writeFile(join(fresh, hash), contents, { mode: 0o600 });
  await writeFile(join(fresh, 'undo.json'), JSON.stringify(record), {
    mode: 0o600,
  });
  await rm(`${place}.old`, { recursive: true, force: true });
  await rename(place, `${place}.old`).catch(() => undefined);
  await rename(fresh, place);
}

/** Removes the record and restores the previous one. */
async function forget(place: string): Promise<void> {
  await rm(place, { recursive: true, force: true });
  await rename(`${place}.old`, place).catch(() => undefined);
}

/**
 * Puts files back after a failure, except those that the user has changed
 * since. Returns those, for which the record stays.
 */
async function putBackBegun(
  place: string,
  record: UndoRecord,
  begun: readonly UndoEntry[],
): Promise<readonly RawPath[]> {
  await narrowUndoRecord(place, recordOf(record, begun));
  const changed: RawPath[] = [];
  for (const { path, before, after } of begun) {
    const { held: now } = await readHeld(record.root, path);
    if (!isSame(now, after) && !isSame(now, before)) changed.push(path);
  }
  // A file may have taken the place of a folder, or the other way round.
  const isLeft = ({ path }: UndoEntry) =>
    changed.some(
      (other) =>
        other === path ||
        foldersOf(other).includes(path) ||
        foldersOf(path).includes(other),
    );
  const restorable = begun.filter((entry) => !isLeft(entry));
  await putBack(place, recordOf(record, restorable));
  if (changed.length > 0)
    await narrowUndoRecord(place, recordOf(record, begun.filter(isLeft)));
  return changed;
}

/** The record of only these entries and their folders. */
function recordOf(
  record: UndoRecord,
  entries: readonly UndoEntry[],
): UndoRecord {
  const places = new Set(
    entries.flatMap(({ path }) => [...foldersOf(path), path]),
  );
  return {
    ...record,
    entries,
    madeFolders: record.madeFolders.filter((path) => places.has(path)),
    folders: record.folders.filter(({ path }) => places.has(path)),
  };
}

/** Keeps the previous record if this one cannot be written. */
async function narrowUndoRecord(
  place: string,
  record: UndoRecord,
): Promise<void> {
  const fresh = join(place, 'undo.json.new');
  await writeFile(fresh, JSON.stringify(record), { mode: 0o600 })
    .then(() => rename(fresh, join(place, 'undo.json')))
    .catch(() => undefined);
}

async function putBack(
  place: string,
  { root, entries, madeFolders, folders }: UndoRecord,
): Promise<void> {
  const gone = entries.filter(({ before }) => before.kind === 'none');
  for (const { path, before } of gone) await writeHeld(root, path, before);
  await removeEmpty(root, madeFolders);
  const byDepth = [...folders].sort((a, b) => a.path.length - b.path.length);
  const restored: typeof byDepth = [];
  for (const folder of byDepth) {
    if (await statOf(root, folder.path)) {
      const isTaken = entries.some(
        ({ path, after }) => path === folder.path && after.kind !== 'none',
      );
      if (!isTaken) continue;
      await writeHeld(root, folder.path, { kind: 'none' });
    }
    await mkdir(onDisk(root, folder.path));
    restored.push(folder);
  }
  for (const { path, before } of entries)
    if (
      before.kind !== 'none' &&
      !isSame((await readHeld(root, path)).held, before)
    )
      await writeHeld(
        root,
        path,
        before,
        before.kind === 'file' ? join(place, before.sha256) : undefined,
      );
  for (const { path, mode } of restored.reverse())
    await chmod(onDisk(root, path), mode);
}

/** The change that can be undone in this repository. */
export interface Undoable {
  readonly title: string;
  readonly paths: readonly RawPath[];
  /** Files that were changed since, in words. */
  readonly changed: readonly string[];
  /**
   * Restores the previous contents, including files that were changed since.
   */
  undo(): Promise<void>;
}

export async function undoable(
  storage: string,
  root: string,
): Promise<Undoable | undefined> {
  const place = placeOf(storage, root);
  const record = await readUndoRecord(place);
  if (record?.root !== root) return undefined;
  const changed: string[] = [];
  for (const { path, before, after } of record.entries) {
    const { held: now } = await readHeld(root, path);
    // A file that equals `before` was never written, because the change was
    // interrupted.
    if (!isSame(now, after) && !isSame(now, before))
      changed.push(shownRawPath(path));
  }
  return {
    title: record.title,
    paths: record.entries.map(({ path }) => path),
    changed,
    undo: async () => {
      await putBack(place, record);
      await rm(place, { recursive: true, force: true });
    },
  };
}

async function readUndoRecord(place: string): Promise<UndoRecord | undefined> {
  try {
    const record = JSON.parse(
      await readFile(join(place, 'undo.json'), 'utf8'),
    ) as UndoRecord;
    return (record.version as number) === 1 ? record : undefined;
  } catch {
    return undefined;
  }
}
