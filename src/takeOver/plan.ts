/**
 * Plans taking over: merges Git objects only, and leaves the repository
 * unchanged.
 */
import type { UserError } from '../base/errors.ts';
import { userError } from '../base/l10n.ts';
import type { Patch } from '../service/abilities/fileChanges.ts';
import { gitModes } from '../service/git/patch.ts';
import { agentChanges } from './agentChanges.ts';
import { GitFailed } from './localGit.ts';
import { type Conflict, type Labels, merge, type Trees } from './merge.ts';
import {
  foldersOf,
  invalidPath,
  isUnsafe,
  leadsOut,
  obstacleAbove,
  pathText,
  type RawPath,
  shownRawPath,
  statOf,
} from './rawPaths.ts';
import { type RawChange, type Scratch, type TreeEntry } from './scratch.ts';

export interface Plan {
  /** Files that the agent changed, each once, in the order of their paths. */
  readonly files: readonly PlannedFile[];
  /** Changes of the working tree. */
  readonly writes: readonly RawChange[];
  /** The Git tree with the written files. */
  readonly result: string;
  readonly conflicts: readonly Conflict[];
  /** Signatures of these paths at planning time. */
  readonly seen: ReadonlyMap<RawPath, string>;
}

export interface PlannedFile {
  readonly path: RawPath;
  readonly from: RawPath | undefined;
  readonly status: 'added' | 'updated' | 'deleted' | 'moved';
  readonly binary: boolean;
  /** The new mode, if it changed: true if the file can now be run. */
  readonly executable: boolean | undefined;
  /** Present for a link. */
  readonly link:
    { readonly target: string; readonly leadsOut: boolean } | undefined;
  readonly here: 'unchanged' | 'uncommitted' | 'same' | 'conflict';
}

/**
 * Plans all files, or the `chosen` ones. Throws a UserError if they cannot be
 * applied as a whole.
 */
export async function planTakeOver(
  scratch: Scratch,
  patch: Patch,
  labels: Labels,
  chosen?: ReadonlySet<RawPath>,
): Promise<Plan> {
  const { base, changes } = await agentChanges(scratch, patch);
  const selection = chosen
    ? changes.filter(({ path }) => chosen.has(path))
    : changes;
  const theirs = await treeWith(scratch, base, selection);
  const touched = [
    ...new Set(
      selection.flatMap(({ path, from }) =>
        from === undefined ? [path] : [path, from],
      ),
    ),
  ];
  const seen = new Map<RawPath, string>();
  for (const path of touched)
    seen.set(path, await signature(scratch.git.root, path));
  const ours = await treeHere(scratch, selection, touched);
  const { result, conflicts } = await merge(
    scratch,
    { base, ours, theirs },
    labels,
  );
  const writes = await scratch.difference(ours, result, '--no-renames');
  for (const { path } of writes)
    if (!seen.has(path))
      seen.set(path, await signature(scratch.git.root, path));
  await refuseImpossible(scratch.git.root, writes);
  const files = await describe(scratch, { base, ours, theirs }, selection, {
    writes,
    conflicts,
  });
  return { files, writes, result, conflicts, seen };
}

/** Identifies the state of a path: any change of it changes the signature. */
export async function signature(root: string, path: RawPath): Promise<string> {
  if ((await obstacleAbove(root, path)) !== undefined) return 'none';
  const stat = await statOf(root, path);
  if (!stat || stat.isDirectory()) return stat ? 'folder' : 'none';
  return [stat.ino, stat.mode, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ');
}

async function treeWith(
  scratch: Scratch,
  base: string,
  changes: readonly RawChange[],
): Promise<string> {
  await scratch.run(['read-tree', base], 'wanted');
  const gone = changes.flatMap(({ path, from, after }) => {
    if (from !== undefined) return [{ path: from }];
    return after ? [] : [{ path }];
  });
  const newEntries = changes.flatMap(({ path, after }) =>
    after ? [{ path, ...after }] : [],
  );
  try {
    await scratch.setEntries('wanted', [...gone, ...newEntries]);
    return await scratch.word(['write-tree'], 'wanted');
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    throw userError(
      'Nothing was taken over: some of these files need others. Select those too, and try again.',
    );
  }
}

/** The tree of the working tree now: files known to Git, and these paths. */
async function treeHere(
  scratch: Scratch,
  selection: readonly RawChange[],
  touched: readonly RawPath[],
): Promise<string> {
  const { root } = scratch.git;
  await scratch.copyIndex('here');
  const hidden = await scratch.hiddenEntries('here');
  const deleted = new Set(
    selection.flatMap(({ path, after }) => (after ? [] : [path])),
  );
  const paths: RawPath[] = [];
  const visible: (TreeEntry & { readonly path: RawPath })[] = [];
  for (const path of touched) {
    if ((await obstacleAbove(root, path)) !== undefined) continue;
    const stat = await statOf(root, path);
    const entry = hidden.get(path);
    // A file outside a sparse checkout is unchanged, and not deleted.
    if (!stat && entry?.isSkipped && !deleted.has(path)) continue;
    if (stat && entry) visible.push({ path, ...entry });
    if (!stat || stat.isFile() || stat.isSymbolicLink()) paths.push(path);
  }
  // Git takes no changes from files that it does not look at.
  if (visible.length > 0) await scratch.setEntries('here', visible);
  await scratch.run(['add', '-u'], 'here');
  const args = ['update-index', '--add', '--replace', '--remove'];
  await scratch.runOn(paths, args, 'here');
  return await scratch.word(['write-tree'], 'here');
}

/** Throws a UserError if a write has no place. */
async function refuseImpossible(
  root: string,
  writes: readonly RawChange[],
): Promise<void> {
  const gone = new Set(
    writes.filter(({ after }) => !after).map(({ path }) => path),
  );
  for (const { path, before, after } of writes) {
    if (
      before?.mode === gitModes.repository ||
      after?.mode === gitModes.repository ||
      isUnsafe(path)
    )
      throw invalidPath(path);
    const obstacle = await obstacleAbove(root, path);
    if (obstacle !== undefined && !gone.has(obstacle)) throw inTheWay(obstacle);
    if (!after || before) continue;
    const stat = obstacle === undefined ? await statOf(root, path) : undefined;
    const becomesFree =
      stat?.isDirectory() &&
      [...gone].some((removedPath) => foldersOf(removedPath).includes(path));
    if (stat && !becomesFree) throw inTheWay(path);
  }
}

function inTheWay(path: RawPath): UserError {
  return userError(
    'Nothing was taken over: “{0}” is in the way. Move it or delete it, and try again.',
    shownRawPath(path),
  );
}

async function describe(
  scratch: Scratch,
  trees: Trees,
  selection: readonly RawChange[],
  { writes, conflicts }: Pick<Plan, 'writes' | 'conflicts'>,
): Promise<PlannedFile[]> {
  const head = await scratch.git.maybe([
    'rev-parse',
    '--verify',
    '--quiet',
    'HEAD^{tree}',
  ]);
  const committed = head ?? (await scratch.word(['mktree'], undefined, ''));
  const uncommitted = new Set(
    (await scratch.difference(committed, trees.ours, '--no-renames')).map(
      ({ path }) => path,
    ),
  );
  const conflicted = new Set(conflicts.map(({ path }) => path));
  const written = new Set(writes.map(({ path }) => path));
  const binary = await binaries(scratch, trees.base, trees.theirs);
  const { root } = scratch.git;
  const links = selection.flatMap(({ path, after }) =>
    after?.mode === gitModes.link ? [path] : [],
  );
  const files: PlannedFile[] = [];
  const has = (set: ReadonlySet<RawPath>, { path, from }: RawChange) =>
    set.has(path) || (from !== undefined && set.has(from));
  const stateHere = (change: RawChange): PlannedFile['here'] => {
    if (has(conflicted, change)) return 'conflict';
    if (!has(written, change)) return 'same';
    return has(uncommitted, change) ? 'uncommitted' : 'unchanged';
  };
  for (const change of selection) {
    const { path, from, before, after } = change;
    const target =
      after?.mode === gitModes.link
        ? await scratch.blob(after.hash)
        : undefined;
    const turned =
      before &&
      after &&
      (before.mode === gitModes.executable) !==
        (after.mode === gitModes.executable);
    files.push({
      path,
      from,
      status: statusOf(change),
      binary: has(binary, change),
      executable: turned ? after.mode === gitModes.executable : undefined,
      link:
        target === undefined
          ? undefined
          : {
              target: pathText(target),
              leadsOut: await leadsOut(root, path, target, links),
            },
      here: stateHere(change),
    });
  }
  return files;
}

function statusOf({ before, after, from }: RawChange): PlannedFile['status'] {
  if (!before) return 'added';
  if (!after) return 'deleted';
  return from === undefined ? 'updated' : 'moved';
}

/** The paths of files that Git does not show as text. */
async function binaries(
  scratch: Scratch,
  fromTree: string,
  toTree: string,
): Promise<ReadonlySet<RawPath>> {
  const args = [
    'diff-tree',
    '-r',
    '-z',
    '--numstat',
    '--no-ext-diff',
    '--no-textconv',
    '--no-renames',
  ];
  const text = await scratch.text([...args, fromTree, toTree]);
  return new Set(
    text
      .split('\0')
      .flatMap((line) => (line.startsWith('-\t-\t') ? [line.slice(4)] : [])),
  );
}
