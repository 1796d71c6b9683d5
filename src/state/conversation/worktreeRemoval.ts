/**
 * Fixed POSIX shell commands that read, remove and restore worktrees of agents,
 * and parsers of their output.
 */
import type { Conversation, Time } from '../../service/model/entities.ts';
import { branchName, type Counted, counted, usersOf } from './worktree.ts';

/** The default folder of an Agent Server for worktrees. */
export const defaultWorktreeRoot = '/tmp/conversation-worktrees';

/** States in which Git or we would lose what no question can name. */
const obstacles = ['locked', 'operation', 'nested', 'hidden'] as const;

type Obstacle = (typeof obstacles)[number];

export interface WorktreeState {
  /** The folder of the repository that Git keeps its data in. */
  readonly repository: string;
  /** `undefined` on a detached head. */
  readonly branch: string | undefined;
  /** A hash of everything that a removal loses. */
  readonly state: string;
  /** The last commit or checkout. */
  readonly changedAt: Time | undefined;
  /** `undefined` if it takes too long to read. */
  readonly kilobytes: number | undefined;
  readonly obstacle: Obstacle | undefined;
  /** True if `git branch -d` in the repository would delete the branch. */
  readonly isMerged: boolean;
  readonly files: Counted;
  /** Ignored files; a folder of them counts once. */
  readonly ignored: Counted;
  /** Commits that no other branch, remote branch or tag contains. */
  readonly commits: Counted;
}

export interface AgentWorktree {
  readonly folder: string;
  /** `undefined` if it cannot be read, or not in time. */
  readonly state: WorktreeState | undefined;
}

/** A later worktree is listed without its state. */
const readingSeconds = 4;

const readers = [
  'export LC_ALL=C',
  'git() { command git --no-optional-locks -c core.fsmonitor=false -c core.hooksPath=/dev/null -c core.quotePath=false -c status.renames=false -c log.showSignature=false "$@"; }',
  "names() { grep . | sed -n '1,5p;$='; }",
  // A deleted and untracked file has two lines of status.
  "paths() { sed 's/^.../- /' | sort -u | names; }",
  "tab=$(printf '\\t')",
  'is() { test ! -e "$gitdir/$2" || echo "$1"; }',
  'obstacles() { is locked locked',
  'for name in MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD BISECT_LOG rebase-merge rebase-apply sequencer; do is operation $name; done',
  `printf '%s\\n' "$files" | grep '^?? .*/"\\{0,1\\}$' | sed 's/.*/nested/'`,
  'git ls-files -s -v | grep -v \'^H 1[02]0\' | while IFS= read -r line; do path=${line#*"$tab"}; case $line in [a-z]* | *"$tab\\""*) echo hidden;; M*) echo operation;; S*) test ! -e "$path" || echo hidden;; *) test ! -e "$path/.git" || echo nested;; esac; done; }',
  'look() { cd "$1" && gitdir=$(git rev-parse --path-format=absolute --git-dir) && repository=$(git rev-parse --path-format=absolute --git-common-dir) && head=$(git rev-parse --verify HEAD) && branch=$(git symbolic-ref -q HEAD || echo) && short=${branch#refs/heads/} &&',
  'files=$(git status --porcelain --untracked-files=all --ignored=matching --ignore-submodules=none) &&',
  'commits=$(git log --format=\'%h %s\' HEAD --not ${branch:+"--exclude=$short"} --branches --remotes --tags) &&',
  'obstacles=$(obstacles) && state=$(printf \'%s\\n\' "$head" "$branch" "$files" "$commits" "$obstacles" | git hash-object --stdin); }',
  'merged() { test -n "$branch" && cd "$repository" && git merge-base --is-ancestor "$branch" HEAD && up=$(git for-each-ref --format=\'%(upstream)\' "$branch") && { test -z "$up" || git merge-base --is-ancestor "$branch" "$up"; }; }',
];

const reporters = [
  'start=$(date +%s)',
  `report() ( printf '%s\\n' "worktree $1"; test $(($(date +%s) - start)) -lt ${readingSeconds} && look "$1" 2>/dev/null || exit 0`,
  'size=$( { du -sk . & du=$!; (sleep 1; kill $du) >/dev/null & wait $du; kill $!; } 2>/dev/null | cut -f 1)',
  'printf \'%s\\n\' "$repository" "$branch" "$state" "$(git log -g -1 --format=%gd --date=unix HEAD)" "$size" "$(merged 2>/dev/null && echo merged)" "$(printf \'%s\\n\' "$obstacles" | sed -n 1p)"',
  "echo files; printf '%s\\n' \"$files\" | grep -v '^!! ' | paths; echo ignored; printf '%s\\n' \"$files\" | grep '^!! ' | paths; echo commits; printf '%s\\n' \"$commits\" | names; echo end )",
];

/** Several at a time; each part waits for the output of the parts after it. */
const inParts = [
  'part() { n=0; for dir in "$@"; do n=$((n + 1)); test $((n % 4)) -ne $part || test -L "$dir" || test ! -f "$dir/.git" || report "$dir"; done; }',
  'all() { test $part -eq 4 || part "$@" | { part=$((part + 1)); rest=$(all "$@"); cat; printf \'%s\\n\' "$rest"; }; }',
];

/** Keeps every line short enough to be shown in full. */
const lineBreak = ' \\\n';

/**
 * Prints the states of the worktrees in these folders, each of which contains
 * those of one conversation, or in all such folders below a root.
 */
export function readWorktreesCommand({
  folders = [],
  roots = [],
}: {
  readonly folders?: readonly string[];
  readonly roots?: readonly string[];
}): string {
  const patterns = [
    ...folders.map((folder) => `${quoted(folder)}/*`),
    ...roots.map((root) => `${quoted(root)}/*/*`),
  ];
  return [...readers, ...reporters, ...inParts]
    .concat(`part=0; all ${patterns.join(lineBreak)}`)
    .join('\n');
}

/** Parses the output of `readWorktreesCommand`. */
export function readWorktrees(output: string): readonly AgentWorktree[] {
  return output
    .split(/^worktree (?=\/)/m)
    .slice(1)
    .flatMap((record) => {
      const [folder = '', ...lines] = record.trimEnd().split('\n');
      return isNamedAfterConversation(folder)
        ? [{ folder, state: stateOf(lines) }]
        : [];
    });
}

function isNamedAfterConversation(folder: string): boolean {
  return /\/(?:[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/[^/]+$/i.test(
    folder,
  );
}

function stateOf(lines: readonly string[]): WorktreeState | undefined {
  const [repository = '', branch = '', state = '', changed = '', ...more] =
    lines;
  const [size = '', merged, obstacle = '', title, ...names] = more;
  const ignoredAt = names.indexOf('ignored');
  const commitsAt = names.indexOf('commits', ignoredAt);
  const files = counted(names.slice(0, Math.max(ignoredAt, 0)));
  const ignored = counted(names.slice(ignoredAt + 1, commitsAt));
  const commits = counted(names.slice(commitsAt + 1, -1));
  const isComplete =
    repository.startsWith('/') &&
    /^(?:refs\/heads\/.+)?$/.test(branch) &&
    /^[0-9a-f]{40,64}$/.test(state) &&
    /^\d*$/.test(size) &&
    (merged === 'merged' || merged === '') &&
    title === 'files' &&
    ignoredAt >= 0 &&
    commitsAt > ignoredAt &&
    names.at(-1) === 'end';
  if (!isComplete || !files || !ignored || !commits) return undefined;
  const seconds = /\{(\d+)\}$/.exec(changed)?.[1];
  return {
    repository,
    branch: branch === '' ? undefined : branch.slice('refs/heads/'.length),
    state,
    changedAt: seconds === undefined ? undefined : Number(seconds) * 1_000,
    kilobytes: size === '' ? undefined : Number(size),
    // An unknown one protects, too.
    obstacle:
      obstacle === ''
        ? undefined
        : (obstacles.find((known) => known === obstacle) ?? 'hidden'),
    isMerged: merged === 'merged',
    files: pathsOf(files),
    ignored: pathsOf(ignored),
    commits,
  };
}

function pathsOf({ count, names }: Counted): Counted {
  return { count, names: names.map((name) => name.slice('- '.length)) };
}

/** The reasons for which a worktree is not removed. */
export type Protection =
  | Obstacle
  | 'unreadable'
  | 'working'
  | 'waiting'
  | 'unknown'
  | 'shared'
  | 'pinned'
  | 'unmerged';

/** The reason for which nothing may remove a worktree at the moment. */
export function protectionOf(
  { folder, state }: AgentWorktree,
  conversations: Iterable<Conversation>,
): Protection | undefined {
  const users = usersOf(conversationFolder(folder), conversations);
  const isAny = (execution: Conversation['execution']) =>
    users.some((user) => user.execution === execution);
  if (isAny('running')) return 'working';
  if (isAny('waitingForConfirmation')) return 'waiting';
  const isKnown = users.every(({ execution = '' }) => atRest.has(execution));
  if (!isKnown) return 'unknown';
  return state ? state.obstacle : 'unreadable';
}

const atRest: ReadonlySet<string> = new Set([
  'idle',
  'paused',
  'finished',
  'error',
  'stuck',
]);

/**
 * Like `protectionOf`, but also protects what the user has pinned, and commits
 * that are nowhere else.
 */
export function cleanUpProtectionOf(
  worktree: AgentWorktree,
  conversations: readonly Conversation[],
): Protection | undefined {
  const protection = protectionOf(worktree, conversations);
  if (protection) return protection;
  if (ownersOf(worktree, conversations).some(({ isPinned }) => isPinned))
    return 'pinned';
  return worktree.state?.commits.count === 0 ? undefined : 'unmerged';
}

/** The conversations that work in a worktree: the original and its forks. */
export function ownersOf(
  { folder }: AgentWorktree,
  conversations: readonly Conversation[],
): readonly Conversation[] {
  return usersOf(conversationFolder(folder), conversations, false);
}

function conversationFolder(folder: string): string {
  return folder.slice(0, folder.lastIndexOf('/'));
}

/** A worktree that was read completely. */
export interface ReadWorktree extends AgentWorktree {
  readonly state: WorktreeState;
}

const unlessChanged = ({ folder, state }: ReadWorktree) => [
  ...readers,
  `dir=${quoted(folder)}`,
  `look "$dir" && test "$state" = ${state.state} || { echo changed; exit 0; }`,
];

const finish = 'rmdir "${dir%/*}" 2>/dev/null; echo removed';

/** Git forgets a worktree even if it cannot delete all of its files. */
const unlessPartly = 'test -d "$gitdir" || { echo partly; exit 0; };';

/**
 * Removes a worktree with everything in it, and with its branch if that is
 * merged. Prints the outcome, which `readRemoval` parses.
 */
export function removeCommand(
  worktree: ReadWorktree,
  isWithBranch: boolean,
): string {
  const removeBranch =
    'merged && git branch -q -d -- "$short" >/dev/null && echo branch; exit 0';
  return [
    ...unlessChanged(worktree),
    `cd "$repository" && git worktree remove --force "$dir" || { ${unlessPartly} exit 1; }`,
    finish,
    ...(isWithBranch && worktree.state.isMerged ? [removeBranch] : []),
  ].join('\n');
}

const stagedMessage = 'Keep staged files of an archived conversation';
const filesMessage = 'Keep files of an archived conversation';
const committer = 'switchboard@localhost';

/**
 * A worktree that can be made again. Its branch tells the rest: the commits
 * that keep files have messages of ours.
 */
export interface RemovedWorktree {
  readonly repository: string;
  readonly folder: string;
  readonly branch: string;
  readonly isDetached: boolean;
  /** True if files were committed. */
  readonly hasFiles: boolean;
}

/**
 * Commits everything but ignored files to the branch of a worktree, staged ones
 * as a separate commit, and removes it. Changes nothing if Git then finds
 * another file.
 */
export function keepAndRemove(
  worktree: ReadWorktree,
  now: number,
): { readonly command: string; readonly removed: RemovedWorktree } {
  const { folder, state } = worktree;
  const isDetached = state.branch === undefined;
  const branch = state.branch ?? branchName('kept', now);
  const updateNew = `git update-ref ${quoted(`refs/heads/${branch}`)} "$last" '' && `;
  const deleteNew = `git update-ref -d ${quoted(`refs/heads/${branch}`)} "$last"; `;
  const command = [
    ...unlessChanged(worktree),
    `save() { tree=$(git write-tree) && if test "$tree" = "$(git rev-parse "$1^{tree}")"; then echo "$1"; else git -c user.name=switchboard -c user.email=${committer} commit-tree -p "$1" -m "$2" "$tree"; fi; }`,
    `staged=$(save "$head" '${stagedMessage}') && cp "$gitdir/index" "$gitdir/index.new" && cp "$gitdir/index" "$gitdir/index.old" &&`,
    `last=$(export GIT_INDEX_FILE="$gitdir/index.new"; git add --all && save "$staged" '${filesMessage}') && mv "$gitdir/index.new" "$gitdir/index" || exit`,
    'git update-ref -m kept HEAD "$last" "$head" &&',
    `${isDetached ? updateNew : ''}test -z "$(git status --porcelain --untracked-files=all --ignore-submodules=none)" && (cd "$repository" && git worktree remove --force "$dir") || { ${unlessPartly} ${isDetached ? deleteNew : ''}git update-ref HEAD "$head" "$last"; mv "$gitdir/index.old" "$gitdir/index"; exit 1; }`,
    finish,
  ].join('\n');
  const { repository, files } = state;
  const hasFiles = files.count > 0;
  return {
    command,
    removed: { repository, folder, branch, isDetached, hasFiles },
  };
}

/** The outcome of `removeCommand` or `keepAndRemove`. */
export function readRemoval(
  output: string,
): 'removed' | 'removedWithBranch' | 'removedPartly' | 'changed' | undefined {
  const lines = output.trim().split('\n');
  if (lines[0] === 'changed') return 'changed';
  if (lines[0] === 'partly') return 'removedPartly';
  if (lines[0] !== 'removed') return undefined;
  return lines[1] === 'branch' ? 'removedWithBranch' : 'removed';
}

/**
 * Makes a worktree again if it is removed, and undoes the commits of `keepAndRemove` if
 * they are still the last ones of the branch: `restoredFiles` is true then.
 * Fails with the reason of Git, without a change.
 */
export function restoreCommand(removed: RemovedWorktree): string {
  const { repository, folder, branch, isDetached } = removed;
  const undo = [
    'git reset --quiet --soft "$base" && git read-tree "$index" && { git update-index -q --refresh || :; } && echo undone',
    ...(isDetached ? [`git branch -q -D -- ${quoted(branch)}`] : []),
  ].join(' && ');
  return [
    ...readers.slice(0, 2),
    `dir=${quoted(folder)}`,
    // The worktree may be there, if an answer about it was lost.
    `if test -f "$dir/.git" && test "$(git -C "$dir" rev-parse --path-format=absolute --git-common-dir)" = ${quoted(repository)}; then echo undone; exit 0; fi`,
    // The service makes an empty repository when it loads the conversation.
    'case "$(ls -A "$dir" 2>/dev/null)" in .git) test ! -d "$dir/.git" || test -n "$(find "$dir/.git/objects" "$dir/.git/refs" "$dir/.git/index" -type f 2>/dev/null)" || rm -rf "$dir";; esac',
    `cd ${quoted(repository)} && git worktree add --quiet ${isDetached ? '--detach ' : ''}"$dir" ${quoted(branch)} >&2 && cd "$dir" && base=$(git rev-parse HEAD) && index=$base || exit`,
    `is() { test "$(git log -1 --format='%ce %s' "$base")" = "${committer} $1"; }`,
    `if is '${filesMessage}'; then base=$(git rev-parse "$base~1") index=; fi`,
    `if is '${stagedMessage}'; then index=$base base=$(git rev-parse "$base~1"); fi`,
    ': "${index:=$base}"',
    `test "$base" = "$(git rev-parse HEAD)" || { ${undo}; }`,
  ].join('\n');
}

/** True if `restoreCommand` has made committed files uncommitted again. */
export function restoredFiles(output: string): boolean {
  return output.trim() === 'undone';
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
