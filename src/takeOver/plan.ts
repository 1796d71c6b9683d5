/** What taking over would do: a merge of Git, of objects only. Nothing of the repository is changed by it. */
import { UserError } from '../base/errors.ts';
import { t } from '../base/l10n.ts';
import { plainText } from '../base/plainText.ts';
import { NoPatch, readPatch } from '../service/git/patch.ts';
import type { Patch } from '../service/fileChanges.ts';
import { type Entry, GitFailed, type RawChange, rawChanges, type RawPath, type Scratch } from './localGit.ts';
import { foldersOf, isUnsafe, leadsOut, obstacleAbove, pathText, rawPath, statOf } from './paths.ts';

export interface Plan {
  /** What the agent changed, each once, in the order of their paths. */
  readonly files: readonly PlannedFile[];
  /** What has to be different in the working tree. */
  readonly writes: readonly RawChange[];
  /** The tree of Git that has what is written. */
  readonly result: string;
  readonly conflicts: readonly Conflict[];
  /** What these paths were when it was planned. */
  readonly seen: ReadonlyMap<RawPath, string>;
}

export interface PlannedFile {
  readonly path: RawPath;
  readonly from: RawPath | undefined;
  readonly status: 'added' | 'updated' | 'deleted' | 'moved';
  readonly binary: boolean;
  /** It can be run by now, or no longer. */
  readonly executable: boolean | undefined;
  /** Where it is a link. */
  readonly link: { readonly target: string; readonly leadsOut: boolean } | undefined;
  readonly here: 'unchanged' | 'uncommitted' | 'same' | 'conflict';
}

export interface Conflict {
  readonly path: RawPath;
  /** The file has both, with marks. Otherwise what is here was kept, or the only version that there is. */
  readonly isMarked: boolean;
}

const link = '120000';
const repository = '160000';
const executable = '100755';

export interface Labels {
  readonly here: string;
  readonly agent: string;
}

/** With `chosen`, of those files only. Throws a UserError where it cannot be done as a whole. */
export async function planTakeOver(
  scratch: Scratch,
  patch: Patch,
  labels: Labels,
  chosen?: ReadonlySet<RawPath>,
): Promise<Plan> {
  const shown = refuseUnsafe(patch);
  const { base, changes } = await agentChanges(scratch, patch, shown);
  const wanted = chosen ? changes.filter(({ path }) => chosen.has(path)) : changes;
  const theirs = await treeWith(scratch, base, wanted);
  const touched = [
    ...new Set(wanted.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]))),
  ];
  const seen = new Map<RawPath, string>();
  for (const path of touched) seen.set(path, await signature(scratch.git.root, path));
  const ours = await treeHere(scratch, touched);
  const { result, conflicts } = await merge(scratch, { base, ours, theirs }, labels);
  const writes = await difference(scratch, ours, result, '--no-renames');
  for (const { path } of writes) if (!seen.has(path)) seen.set(path, await signature(scratch.git.root, path));
  await refuseImpossible(scratch.git.root, writes);
  const files = await describe(scratch, { base, ours, theirs, wanted, writes, conflicts });
  return { files, writes, result, conflicts, seen };
}

/** Different whenever what is there was changed. */
export async function signature(root: string, path: RawPath): Promise<string> {
  if ((await obstacleAbove(root, path)) !== undefined) return 'none';
  const stat = await statOf(root, path);
  if (!stat || stat.isDirectory()) return stat ? 'folder' : 'none';
  return [stat.ino, stat.mode, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ');
}

function named(path: RawPath): string {
  return plainText(pathText(path), 200);
}

/** The paths of the patch, none of which leads elsewhere. */
function refuseUnsafe({ bytes }: Patch): ReadonlySet<string> {
  try {
    const files = readPatch(bytes);
    const sides = files.flatMap(({ before, after }) => [before, after]).filter((side) => side !== undefined);
    for (const { path, mode } of sides) {
      if (isUnsafe(rawPath(path)))
        throw new UserError(
          t('Nothing was taken over: “{0}” is not a valid path in a repository.', plainText(path, 200)),
        );
      if (mode === repository)
        throw new UserError(
          t(
            'Nothing was taken over: “{0}” is another repository (a submodule). Take it over with Git.',
            plainText(path, 200),
          ),
        );
    }
    return new Set(sides.map(({ path }) => path));
  } catch (error) {
    if (error instanceof NoPatch) throw notUnderstood();
    throw error;
  }
}

function notUnderstood(detail = ''): UserError {
  const said = t('Nothing was taken over: Git does not understand the patch of the service.');
  return new UserError([said, plainText(detail, 300)].filter(Boolean).join(' '));
}

/** The patch as changes of a tree. Where the commit is not here, of a tree that has what the patch is about. */
async function agentChanges(
  scratch: Scratch,
  patch: Patch,
  shown: ReadonlySet<string>,
): Promise<{ base: string; changes: readonly RawChange[] }> {
  const base = await baseOf(scratch, patch);
  await scratch.run(['read-tree', base], 'theirs');
  if (patch.bytes.byteLength > 0) {
    const [first = ''] = Buffer.from(patch.bytes).subarray(0, 10_000).toString('latin1').split('\n');
    const strip = /^diff --git "?[a-z]\/.* "?[a-z]\//.test(first) ? '-p1' : '-p0';
    try {
      const args = ['apply', '--cached', '--whitespace=nowarn', '--allow-empty', strip, '-'];
      await scratch.run(args, 'theirs', patch.bytes);
    } catch (error) {
      if (error instanceof GitFailed) throw notUnderstood(error.message);
      throw error;
    }
  }
  const theirs = await scratch.word(['write-tree'], 'theirs');
  const changes = await difference(scratch, base, theirs, '-M');
  // What is made is what was shown.
  for (const { path, after } of changes) {
    if (isUnsafe(path) || after?.mode === repository || !shown.has(pathText(path)))
      throw new UserError(
        t('Nothing was taken over: “{0}” is not a valid path in a repository.', named(path)),
      );
  }
  return { base, changes };
}

async function baseOf(scratch: Scratch, { base, bytes }: Patch): Promise<string> {
  if (base !== undefined && (await isHere(scratch, `${base}^{commit}`)))
    return await scratch.word(['rev-parse', '--verify', `${base}^{tree}`]);
  const before = readPatch(bytes).flatMap(({ before: side }) => (side ? [side] : []));
  await scratch.run(['read-tree', '--empty'], 'base');
  for (const { path, mode, hash } of before) {
    if (hash === undefined || !(await isHere(scratch, `${hash}^{blob}`)))
      throw new UserError(
        t(
          'Nothing was taken over: this repository does not have commit {0}, at which the agent began. Fetch it from the remote and try again.',
          plainText((base ?? '?').slice(0, 12), 12),
        ),
      );
    const whole = await scratch.word(['rev-parse', '--verify', `${hash}^{blob}`]);
    await scratch.setEntries('base', [{ path: rawPath(path), mode: mode ?? '100644', hash: whole }]);
  }
  return await scratch.word(['write-tree'], 'base');
}

async function isHere(scratch: Scratch, what: string): Promise<boolean> {
  try {
    await scratch.run(['cat-file', '-e', what]);
    return true;
  } catch (error) {
    if (error instanceof GitFailed) return false;
    throw error;
  }
}

async function treeWith(scratch: Scratch, base: string, changes: readonly RawChange[]): Promise<string> {
  await scratch.run(['read-tree', base], 'wanted');
  const gone = changes.flatMap(({ path, from, after }) =>
    from === undefined ? (after ? [] : [{ path }]) : [{ path: from }],
  );
  const made = changes.flatMap(({ path, after }) => (after ? [{ path, ...after }] : []));
  try {
    await scratch.setEntries('wanted', [...gone, ...made]);
    return await scratch.word(['write-tree'], 'wanted');
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    throw new UserError(
      t('Nothing was taken over: some of these files need others. Select those too, and try again.'),
    );
  }
}

/** What is in the working tree now, of what Git knows and of these paths. */
async function treeHere(scratch: Scratch, touched: readonly RawPath[]): Promise<string> {
  const { root } = scratch.git;
  await scratch.copyIndex('here');
  await scratch.run(['add', '-u'], 'here');
  const asked: RawPath[] = [];
  for (const path of touched) {
    if ((await obstacleAbove(root, path)) !== undefined) continue;
    const stat = await statOf(root, path);
    if (!stat || stat.isFile() || stat.isSymbolicLink()) asked.push(path);
  }
  const input = Buffer.from(asked.map((path) => `${path}\0`).join(''), 'latin1');
  const args = ['update-index', '--add', '--replace', '--remove', '-z', '--stdin'];
  await scratch.run(args, 'here', input);
  return await scratch.word(['write-tree'], 'here');
}

async function merge(
  scratch: Scratch,
  { base, ours, theirs }: { base: string; ours: string; theirs: string },
  labels: Labels,
): Promise<{ result: string; conflicts: readonly Conflict[] }> {
  const begin = await scratch.word(['commit-tree', base, '-m', 'base']);
  const commit = (tree: string, name: string) => scratch.word(['commit-tree', tree, '-p', begin, '-m', name]);
  const [here, agent] = [await commit(ours, 'here'), await commit(theirs, 'agent')];
  const printed = await mergeTree(scratch, here, agent);
  const [merged = '', ...listed] = printed.toString('latin1').split('\0');
  const conflicted = new Set(listed.flatMap((line) => /^\d+ [0-9a-f]+ [123]\t(.*)$/s.exec(line)?.[1] ?? []));
  if (conflicted.size === 0) return { result: merged, conflicts: [] };
  await scratch.run(['read-tree', merged], 'merged');
  const entries = await entriesOf(scratch, merged);
  const conflicts: Conflict[] = [];
  for (const path of conflicted) {
    // It had to be given another name, because of a folder.
    if (path.endsWith(`~${here}`) || path.endsWith(`~${agent}`))
      throw new UserError(
        t(
          'Nothing was taken over: “{0}” is a folder on one side and a file on the other.',
          named(path.replace(/~[0-9a-f]+$/, '')),
        ),
      );
    const entry = entries.get(path);
    const marked =
      entry && (await withLabels(scratch, entry, { [here]: labels.here, [agent]: labels.agent }));
    if (entry && marked !== undefined)
      await scratch.setEntries('merged', [{ path, mode: entry.mode, hash: marked }]);
    conflicts.push({ path, isMarked: marked !== undefined });
  }
  return { result: await scratch.word(['write-tree'], 'merged'), conflicts };
}

async function mergeTree(scratch: Scratch, here: string, agent: string): Promise<Buffer> {
  try {
    return await scratch.run(['merge-tree', '--write-tree', '-z', '--no-messages', here, agent]);
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    if (error.code === 1) return error.output;
    if (/usage|unknown|not a valid object/i.test(error.message))
      throw new UserError(t('Git 2.38 or newer is needed to apply changes. Update Git and try again.'));
    throw new UserError(
      t('Nothing was taken over: Git cannot merge this. {0}', plainText(error.message, 300)),
    );
  }
}

/** The hash of the same with names in place of commits; undefined where nothing is marked. */
async function withLabels(
  scratch: Scratch,
  { mode, hash }: Entry,
  labels: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  if (mode === link || mode === repository) return undefined;
  const text = (await scratch.run(['cat-file', 'blob', hash])).toString('latin1');
  const said = text.replace(
    /^([<>]{7,}) ([0-9a-f]{40,64})(?=[:\r\n]|$)/gm,
    (whole, sign: string, id: string) =>
      labels[id] === undefined ? whole : `${sign} ${rawPath(plainText(labels[id], 80))}`,
  );
  if (said === text) return undefined;
  return await scratch.word(['hash-object', '-w', '--stdin'], undefined, Buffer.from(said, 'latin1'));
}

async function difference(
  scratch: Scratch,
  one: string,
  other: string,
  renames: '-M' | '--no-renames',
): Promise<RawChange[]> {
  const args = ['diff-tree', '-r', '-z', '--raw', '--full-index', '--no-ext-diff', renames, one, other];
  return rawChanges(await scratch.run(args));
}

async function entriesOf(scratch: Scratch, tree: string): Promise<ReadonlyMap<RawPath, Entry>> {
  const lines = (await scratch.run(['ls-tree', '-r', '-z', '--full-tree', tree]))
    .toString('latin1')
    .split('\0');
  return new Map(
    lines.flatMap((line) => {
      const [, mode, hash, path] = /^(\d+) \w+ ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
      return mode !== undefined && hash !== undefined && path !== undefined ? [[path, { mode, hash }]] : [];
    }),
  );
}

/** Before anything is touched: whether each write has its place. */
async function refuseImpossible(root: string, writes: readonly RawChange[]): Promise<void> {
  const gone = new Set(writes.filter(({ after }) => !after).map(({ path }) => path));
  for (const { path, before, after } of writes) {
    if (before?.mode === repository || after?.mode === repository || isUnsafe(path))
      throw new UserError(
        t('Nothing was taken over: “{0}” is not a valid path in a repository.', named(path)),
      );
    const obstacle = await obstacleAbove(root, path);
    if (obstacle !== undefined && !gone.has(obstacle)) throw inTheWay(obstacle);
    if (!after || before) continue;
    const stat = obstacle === undefined ? await statOf(root, path) : undefined;
    const becomesFree = stat?.isDirectory() && [...gone].some((each) => foldersOf(each).includes(path));
    if (stat && !becomesFree) throw inTheWay(path);
  }
}

function inTheWay(path: RawPath): UserError {
  return new UserError(
    t('Nothing was taken over: “{0}” is in the way. Move it or delete it, and try again.', named(path)),
  );
}

async function describe(
  scratch: Scratch,
  about: {
    readonly base: string;
    readonly ours: string;
    readonly theirs: string;
    readonly wanted: readonly RawChange[];
    readonly writes: readonly RawChange[];
    readonly conflicts: readonly Conflict[];
  },
): Promise<PlannedFile[]> {
  const { ours, wanted, writes, conflicts } = about;
  const head = await scratch.git.maybe(['rev-parse', '--verify', '--quiet', 'HEAD^{tree}']);
  const committed = head ?? (await scratch.word(['mktree'], undefined, ''));
  const uncommitted = new Set(
    (await difference(scratch, committed, ours, '--no-renames')).map(({ path }) => path),
  );
  const conflicted = new Set(conflicts.map(({ path }) => path));
  const written = new Set(writes.map(({ path }) => path));
  const binary = await binaries(scratch, about.base, about.theirs);
  const files: PlannedFile[] = [];
  for (const { path, from, before, after } of wanted) {
    const has = (set: ReadonlySet<RawPath>) => set.has(path) || (from !== undefined && set.has(from));
    const target =
      after?.mode === link
        ? (await scratch.run(['cat-file', 'blob', after.hash])).toString('utf8')
        : undefined;
    const turned = before && after && (before.mode === executable) !== (after.mode === executable);
    files.push({
      path,
      from,
      status: !before ? 'added' : !after ? 'deleted' : from === undefined ? 'updated' : 'moved',
      binary: has(binary),
      executable: turned ? after.mode === executable : undefined,
      link: target === undefined ? undefined : { target, leadsOut: leadsOut(path, target) },
      here: has(conflicted)
        ? 'conflict'
        : !has(written)
          ? 'same'
          : has(uncommitted)
            ? 'uncommitted'
            : 'unchanged',
    });
  }
  return files;
}

/** The paths of files that Git does not show as text. */
async function binaries(scratch: Scratch, one: string, other: string): Promise<ReadonlySet<RawPath>> {
  const args = ['diff-tree', '-r', '-z', '--numstat', '--no-ext-diff', '--no-textconv', '--no-renames'];
  const lines = (await scratch.run([...args, one, other])).toString('latin1').split('\0');
  return new Set(lines.flatMap((line) => (line.startsWith('-\t-\t') ? [line.slice(4)] : [])));
}
