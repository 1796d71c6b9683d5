import {
  type Conversation,
  idKey,
  keyOf,
} from '../../service/model/entities.ts';

/**
 * True if the conversation works in a Git worktree or sandbox that none of
 * these others uses.
 */
export function hasOwnFolder(
  conversation: Conversation,
  conversations: Iterable<Conversation>,
): boolean {
  const { service, folder, sandboxId } = conversation;
  if (folder !== undefined && !hasWorktree(conversation)) return false;
  for (const other of conversations) {
    if (other.service !== service || keyOf(other) === keyOf(conversation))
      continue;
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
