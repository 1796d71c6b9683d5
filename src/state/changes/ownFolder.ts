import { type Conversation, idKey, keyOf } from '../../service/entities.ts';
import type { Commit } from '../../service/fileChanges.ts';

/** True if no other of these conversations works in the same place, which is a Git worktree or sandbox of its own. */
export function hasOwnFolder(conversation: Conversation, others: Iterable<Conversation>): boolean {
  const { service, folder, sandboxId } = conversation;
  if (folder !== undefined && !hasWorktree(conversation)) return false;
  for (const other of others) {
    if (other.service !== service || keyOf(other) === keyOf(conversation)) continue;
    if (folder !== undefined && other.folder === folder) return false;
    if (sandboxId !== undefined && other.sandboxId === sandboxId) return false;
  }
  return true;
}

/** True if the service has made a Git worktree for this conversation. */
export function hasWorktree({ id, folder = '' }: Conversation): boolean {
  // Services name a worktree after its conversation.
  return folder.split(/[/\\]/).some((part) => idKey(part) === idKey(id));
}

interface WorktreeReset {
  readonly commit: Commit;
  /** For a shell in the worktree. It keeps later commits on a branch and other changes in a stash. */
  readonly command: string;
}

/** Takes a worktree back to its last commit before a time; undefined if that is not known. */
export function worktreeReset(
  commits: readonly Commit[],
  before: number | undefined,
  now: number,
): WorktreeReset | undefined {
  const commit = commits.find(({ at }) => at !== undefined && before !== undefined && at <= before);
  if (!commit) return undefined;
  const name = `before-fork-${new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')}`;
  const stash = ['stash', 'push', '--include-untracked', '--message', name];
  const all = [['branch', name], stash, ['reset', '--hard', commit.sha]];
  return { commit, command: all.map((words) => ['git', ...words].join(' ')).join(' && ') };
}
