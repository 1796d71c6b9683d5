/**
 * Git worktrees of conversations: fixed shell commands for them, and parsers of
 * their output.
 */
import {
  type Conversation,
  keyOf,
  sameId,
} from '../../service/model/entities.ts';
import type { Commit } from '../../service/abilities/fileChanges.ts';

const uuid =
  /^[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}$/i;

/**
 * The folder of a worktree, named after its conversation. A fork works in the
 * worktree of its original.
 */
export function worktreeOf({
  id,
  folder = '',
}: Conversation): string | undefined {
  const parts = folder.split(/[/\\]/);
  const last = parts.findLastIndex(
    (part) => uuid.test(part) || sameId(part, id),
  );
  return last < 0 ? undefined : parts.slice(0, last + 1).join('/');
}

const temporary =
  /^(?:\/private)?\/(?:tmp|var\/folders)\/|\/AppData\/Local\/Temp\//i;

/**
 * The folder with the worktrees of a service, if a restart of its machine may
 * empty that.
 */
export function temporaryWorktrees(
  conversation: Conversation,
): string | undefined {
  const worktree = worktreeOf(conversation);
  return worktree !== undefined && temporary.test(worktree)
    ? worktree.slice(0, worktree.lastIndexOf('/'))
    : undefined;
}

/**
 * The other conversations that work in the worktree of this one, or above it.
 */
export function neighboursOf(
  conversation: Conversation,
  conversations: Iterable<Conversation>,
): readonly Conversation[] {
  const worktree = worktreeOf(conversation);
  if (worktree === undefined) return [];
  return usersOf(worktree, conversations).filter(
    (other) =>
      other.service === conversation.service &&
      keyOf(other) !== keyOf(conversation),
  );
}

/** The conversations that work in a folder, or also above it. */
export function usersOf(
  folder: string,
  conversations: Iterable<Conversation>,
  orAbove = true,
): readonly Conversation[] {
  return [...conversations].filter((user) => {
    const own = user.folder?.replaceAll('\\', '/');
    return (
      own !== undefined &&
      (isWithin(own, folder) || (orAbove && isWithin(folder, own)))
    );
  });
}

function isWithin(folder: string, parent: string): boolean {
  return `${folder}/`.startsWith(parent.endsWith('/') ? parent : `${parent}/`);
}

/** Prints each commit at which the worktree was, newest first. */
export const reflogCommand =
  "git reflog show HEAD --date=unix --format='%H %gd %s'";

/** Returns the worktree's commit at a time, if known. */
export function commitAt(
  reflog: string,
  time: number | undefined,
): Commit | undefined {
  if (time === undefined) return undefined;
  for (const line of reflog.split('\n')) {
    const [, sha, seconds, subject = ''] =
      /^([0-9a-f]{40,64}) HEAD@\{(\d+)\} ?(.*)$/.exec(line) ?? [];
    const at = Number(seconds) * 1_000;
    if (sha !== undefined && at <= time)
      return { sha, subject, author: undefined, at };
  }
  return undefined;
}

// Needs no user name in the Git configuration, and runs no hooks or signing. An
// index with conflicts has no tree.
const commitIndex =
  'git -c user.name=switchboard -c user.email=switchboard@localhost commit-tree -p HEAD -m "$1" ' +
  '$(git write-tree 2>/dev/null || git rev-parse HEAD^{tree})';

const statusCommand =
  'git --no-optional-locks -c core.fsmonitor=false -c core.quotePath=false -c status.renames=false ' +
  'status --porcelain --untracked-files=all';

/** Prints a hash of the branch, the commit and the names of changed files. */
const stateCommand = `{ git rev-parse HEAD; git symbolic-ref -q HEAD; ${statusCommand}; } | git hash-object --stdin`;

/** A reset of a worktree to a commit. */
export interface FilesReset {
  readonly commit: Commit;
  /**
   * Gets later commits and all other changes, staged ones as a separate commit.
   */
  readonly branch: string;
  /** Prints the state after the reset. */
  readonly command: string;
}

export function resetTo(commit: Commit, now: number): FilesReset {
  const branch = branchName('before-fork', now);
  // A file of the commit may be an ignored one now.
  const addOverwritten =
    `tree=$(git write-tree) && git diff-tree -r -z --name-only --no-renames --diff-filter=A $tree ${commit.sha} | ` +
    'git update-index --add --remove -z --stdin';
  const command = [
    `save() { git update-ref refs/heads/${branch} $(${commitIndex.replaceAll('HEAD', branch)}); }`,
    `git branch ${branch} && save staged && git add --all && ${addOverwritten} && save files && git reset --quiet --hard ${commit.sha} && ${stateCommand}`,
  ].join('; ');
  return { commit, branch, command };
}

/** The state that `FilesReset.command` or `undoResetCommand` prints. */
export function stateIn(output: string): string | undefined {
  return /^[0-9a-f]{40,64}$/m.exec(output)?.[0];
}

/**
 * Undoes a reset, unless the worktree is in another state by now. Prints the
 * state that it found. Fails without a change where it would overwrite an
 * ignored file.
 */
export function undoResetCommand(
  { branch }: Pick<FilesReset, 'branch'>,
  state: string,
): string {
  const undo = [
    'head=$(git symbolic-ref -q HEAD || echo)',
    `git -c core.hooksPath=/dev/null checkout --quiet --no-overwrite-ignore --detach ${branch}`,
    '{ test -z "$head" || git symbolic-ref HEAD $head; }',
    `git reset --quiet --soft ${branch}~2`,
    `git read-tree ${branch}~1`,
    `git branch --quiet -D ${branch}`,
  ].join(' && ');
  return `state=$(${stateCommand}) && echo $state && { test $state != ${state} || { ${undo}; }; }`;
}

/**
 * Prints the paths of repositories in the worktree that no commit of it keeps:
 * untracked ones, and those with changes or commits that no remote has.
 */
const repositoriesCommand =
  `{ ${statusCommand} | sed -n 's/^?? \\(.*\\/"\\{0,1\\}\\)$/\\1/p'; ` +
  'git ls-files -s | grep ^160 | cut -f 2- | while IFS= read -r path; do ' +
  `test ! -e "$path/.git" || test -z "$(cd "$path" && ${statusCommand} && git log --format=%h HEAD --branches --not --remotes)" || printf '%s\\n' "$path"; done; }`;

/**
 * Commits all files on the worktree's branch, creating one if needed. Prints
 * its name. Fails if that would not keep a repository in the worktree.
 */
export function keepCommand(now: number): string {
  const branch = branchName('kept', now);
  return [
    `save() { git update-ref -m kept HEAD $(${commitIndex}); }`,
    `test -z "$(${repositoriesCommand})" && git add --all && { git diff --cached --quiet || save "Keep files of a deleted conversation"; } && ` +
      `{ git symbolic-ref --quiet --short HEAD || { git branch ${branch} && echo ${branch}; }; }`,
  ].join('; ');
}

export function branchName(prefix: string, now: number): string {
  return `${prefix}-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}`;
}

const maxNames = 5;
/**
 * Prints the first lines of a variable and their number. Works in any shell,
 * without `pipefail`.
 */
const firstAndCount = (variable: string) =>
  `printf '%s\\n' "$${variable}" | grep . | sed -n '1,${maxNames}p;$='`;

/**
 * Prints the files and commits that deleting the worktree loses: the first
 * names, and the number.
 */
export const contentsCommand = [
  'git rev-parse --path-format=absolute --git-dir --git-common-dir',
  `files=$(${statusCommand})`,
  `repositories=$(${repositoriesCommand})`,
  "commits=$(git log --format='%h %s' HEAD --not --branches --remotes --tags)",
  'echo files',
  firstAndCount('files'),
  'echo repositories',
  firstAndCount('repositories'),
  'echo commits',
  firstAndCount('commits'),
].join(' && ');

export interface WorktreeContents {
  readonly isWorktree: boolean;
  /** Uncommitted files. */
  readonly files: Counted;
  /** Other repositories with something that is nowhere else. */
  readonly repositories: Counted;
  /** Commits that are on no branch. */
  readonly commits: Counted;
}

export interface Counted {
  readonly count: number;
  /** Has at most 5 names. */
  readonly names: readonly string[];
}

/** Parses the output of `contentsCommand`; `undefined` if malformed. */
export function readContents(output: string): WorktreeContents | undefined {
  const [gitFolder, commonFolder, title, ...lines] = output
    .trimEnd()
    .split('\n');
  const repositoriesAt = lines.indexOf('repositories');
  const commitsAt = lines.indexOf('commits', repositoriesAt);
  if (title !== 'files' || repositoriesAt < 0 || commitsAt < 0)
    return undefined;
  const files = counted(lines.slice(0, repositoriesAt));
  const repositories = counted(lines.slice(repositoriesAt + 1, commitsAt));
  const commits = counted(lines.slice(commitsAt + 1));
  if (!files || !repositories || !commits) return undefined;
  return {
    isWorktree: gitFolder !== commonFolder,
    files: {
      ...files,
      names: files.names.map((name) => name.slice('?? '.length)),
    },
    repositories,
    commits,
  };
}

export function counted(lines: readonly string[]): Counted | undefined {
  if (lines.length === 0) return { count: 0, names: [] };
  const names = lines.slice(0, -1);
  const count = Number(lines.at(-1));
  return Number.isInteger(count) &&
    count > 0 &&
    names.length === Math.min(count, maxNames)
    ? { count, names }
    : undefined;
}
