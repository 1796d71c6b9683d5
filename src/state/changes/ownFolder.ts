import { type Conversation, idKey, keyOf } from '../../service/entities.ts';

/** True if no other of these conversations works in the same place, which is a Git worktree or sandbox of its own. */
export function hasOwnFolder(conversation: Conversation, others: Iterable<Conversation>): boolean {
  const { id, service, folder, sandboxId } = conversation;
  // Services name a worktree after its conversation.
  const isNamedAfterIt = (part: string) => idKey(part) === idKey(id);
  if (folder !== undefined && !folder.split(/[/\\]/).some(isNamedAfterIt)) return false;
  for (const other of others) {
    if (other.service !== service || keyOf(other) === keyOf(conversation)) continue;
    if (folder !== undefined && other.folder === folder) return false;
    if (sandboxId !== undefined && other.sandboxId === sandboxId) return false;
  }
  return true;
}
