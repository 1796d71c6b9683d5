import { userError } from '../base/l10n.ts';
import { plainText } from '../base/plainText.ts';
import { gitModes } from '../service/git/patch.ts';
import { GitFailed } from './localGit.ts';
import { type RawPath, rawPath, shownRawPath } from './rawPaths.ts';
import { type Scratch, type TreeEntry } from './scratch.ts';

export interface Conflict {
  readonly path: RawPath;
  /**
   * True if the file has both versions between markers. Otherwise it has ours,
   * or the only version.
   */
  readonly isMarked: boolean;
}

export interface Labels {
  readonly here: string;
  readonly agent: string;
}

/** Three trees: before all changes, and with those of each side. */
export interface Trees {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/** Merges both trees. */
export async function merge(
  scratch: Scratch,
  { base, ours, theirs }: Trees,
  labels: Labels,
): Promise<{ result: string; conflicts: readonly Conflict[] }> {
  const begin = await scratch.word(['commit-tree', base, '-m', 'base']);
  const commit = (tree: string, name: string) =>
    scratch.word(['commit-tree', tree, '-p', begin, '-m', name]);
  const here = await commit(ours, 'here');
  const agent = await commit(theirs, 'agent');
  const printed = await mergeTree(scratch, here, agent);
  const [merged = '', ...listed] = printed.toString('latin1').split('\0');
  const conflicted = new Set(
    listed.flatMap(
      (line) => /^\d+ [0-9a-f]+ [123]\t(.*)$/s.exec(line)?.[1] ?? [],
    ),
  );
  if (conflicted.size === 0) return { result: merged, conflicts: [] };
  await scratch.run(['read-tree', merged], 'merged');
  const entries = await scratch.entriesOf(merged);
  const conflicts: Conflict[] = [];
  for (const path of conflicted) {
    // Git renames a file that conflicts with a folder.
    if (path.endsWith(`~${here}`) || path.endsWith(`~${agent}`))
      throw userError(
        'Nothing was taken over: “{0}” is a folder on one side and a file on the other.',
        shownRawPath(path.replace(/~[0-9a-f]+$/, '')),
      );
    const entry = entries.get(path);
    const marked =
      entry &&
      (await withLabels(scratch, entry, {
        [here]: labels.here,
        [agent]: labels.agent,
      }));
    if (entry && marked !== undefined)
      await scratch.setEntries('merged', [
        { path, mode: entry.mode, hash: marked },
      ]);
    conflicts.push({ path, isMarked: marked !== undefined });
  }
  return { result: await scratch.word(['write-tree'], 'merged'), conflicts };
}

async function mergeTree(
  scratch: Scratch,
  here: string,
  agent: string,
): Promise<Buffer> {
  try {
    return await scratch.run([
      'merge-tree',
      '--write-tree',
      '-z',
      '--no-messages',
      here,
      agent,
    ]);
  } catch (error) {
    if (!(error instanceof GitFailed)) throw error;
    if (error.code === 1) return error.output;
    if (/usage|unknown|not a valid object/i.test(error.message))
      throw userError(
        'Git 2.38 or newer is needed to apply changes. Update Git and try again.',
      );
    throw userError(
      'Nothing was taken over: Git cannot merge this. {0}',
      plainText(error.message, 300),
    );
  }
}

/**
 * Replaces commits in conflict markers by labels, and returns the new hash;
 * undefined without markers.
 */
async function withLabels(
  scratch: Scratch,
  { mode, hash }: TreeEntry,
  labels: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  if (mode === gitModes.link || mode === gitModes.repository) return undefined;
  const text = await scratch.blob(hash);
  const labelled = text.replace(
    /^([<>]{7,}) ([0-9a-f]{40,64})(?=[:\r\n]|$)/gm,
    (whole, sign: string, id: string) =>
      labels[id] === undefined
        ? whole
        : `${sign} ${rawPath(plainText(labels[id], 80))}`,
  );
  if (labelled === text) return undefined;
  return await scratch.word(
    ['hash-object', '-w', '--stdin'],
    undefined,
    Buffer.from(labelled, 'latin1'),
  );
}
