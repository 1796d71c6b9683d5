/** Removes the worktree of an archived conversation, and makes it again. */
import { t, userError } from '../../base/l10n.ts';
import { type Conversation, keyOf } from '../../service/model/entities.ts';
import { ServiceError } from '../../service/http/serviceError.ts';
import { hasWorktree } from '../../state/changes/ownFolder.ts';
import { neighboursOf, worktreeOf } from '../../state/conversation/worktree.ts';
import {
  type AgentWorktree,
  keepAndRemove,
  protectionOf,
  readRemoval,
  readWorktrees,
  readWorktreesCommand,
  restoreCommand,
  restoredFiles,
} from '../../state/conversation/worktreeRemoval.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import {
  confirm,
  offerAction,
  offerUndo,
  showError,
  showInformation,
  showWarning,
  withProgress,
} from '../ui/messages.ts';
import { serviceOf } from '../ui/pickFromList.ts';
import { titleOf } from '../words/conversations/conversationWords.ts';
import {
  archiveLosses,
  protectionText,
} from '../words/conversations/worktreeWords.ts';

/** True if a conversation has a worktree that no other listed one uses. */
export function canRemoveWorktree(
  switchboard: Switchboard,
  conversation: Conversation,
): boolean {
  const { service } = switchboard.service(conversation.service)?.client ?? {};
  return (
    service?.creation?.folders !== undefined &&
    hasWorktree(conversation) &&
    switchboard.removedWorktrees.get(keyOf(conversation)) === undefined &&
    neighboursOf(conversation, switchboard.conversations.rows.values())
      .length === 0
  );
}

/** Says what is lost with the worktree, and removes it if the user agrees. */
export async function removeArchivedWorktree(
  switchboard: Switchboard,
  conversation: Conversation,
  unarchive: () => Promise<unknown>,
): Promise<void> {
  const { removedWorktrees } = switchboard;
  const key = keyOf(conversation);
  const title = titleOf(conversation);
  const folder = worktreeOf(conversation) ?? '';
  const agents = await serviceOf(switchboard, conversation).steering();
  const whyProtected = (
    worktree: AgentWorktree,
    conversations: readonly Conversation[],
  ) =>
    neighboursOf(conversation, conversations).length > 0
      ? 'shared'
      : protectionOf(worktree, conversations);
  const { worktree, protection } = await withProgress(
    t('Reading the worktree of “{0}”', title),
    async (signal) => {
      const output = await agents.worktrees.runGitAtService(
        readWorktreesCommand({ folders: [folder] }),
        signal,
      );
      const [worktree = { folder, state: undefined }] = readWorktrees(output);
      const conversations = await agents.worktrees.allConversations(signal);
      return { worktree, protection: whyProtected(worktree, conversations) };
    },
  );
  const { state } = worktree;
  if (protection || !state)
    throw userError(
      'The worktree of “{0}” was not removed. {1}',
      title,
      protectionText(protection ?? 'unreadable', worktree),
    );
  const now = Date.now();
  const { command, removed } = keepAndRemove({ ...worktree, state }, now);
  const isAgreed = await confirm(
    t('Remove the worktree of “{0}”?', title),
    [
      ...archiveLosses({ ...worktree, state }, removed.branch, now),
      t('This runs at the service:'),
      ...command.split('\n'),
    ],
    t('Remove Worktree'),
  );
  if (!isAgreed) return;
  // Remembered first: the answer to the command may be lost.
  await removedWorktrees.remember(key, removed);
  const outcome = await withProgress(
    t('Removing the worktree of “{0}”', title),
    async (signal) =>
      readRemoval(
        (await agents.worktrees.remove(
          [conversation],
          command,
          (conversations) => !whyProtected(worktree, conversations),
          signal,
        )) ?? '',
      ),
  ).catch(async (error: unknown) => {
    const isUnknown =
      error instanceof ServiceError && error.circumstances.outcomeUnknown;
    if (!isUnknown) await removedWorktrees.forget(removed);
    throw error;
  });
  if (outcome === 'removed' || outcome === 'removedPartly') {
    const message = removed.hasFiles
      ? t(
          'The worktree of “{0}” was removed. Its files are committed to branch “{1}”.',
          title,
          removed.branch,
        )
      : t('The worktree of “{0}” was removed.', title);
    if (outcome === 'removed') offerUndo(message, unarchive);
    else void showWarning([message, someLeft()].join(' '));
    return;
  }
  await removedWorktrees.forget(removed);
  void showWarning(
    t(
      'The worktree of “{0}” was not removed, because it has changed since.',
      title,
    ),
  );
}

/** Says that files of a removed worktree are still in its folder. */
export function someLeft(): string {
  return t('Some files in its folder could not be deleted.');
}

/** Makes the worktree of a conversation again if it was removed. */
export async function restoreWorktree(
  switchboard: Switchboard,
  conversation: Conversation,
): Promise<void> {
  const { removedWorktrees } = switchboard;
  const removed = removedWorktrees.get(keyOf(conversation));
  if (!removed) return;
  const title = titleOf(conversation);
  const agents = await serviceOf(switchboard, conversation).steering();
  const output = await withProgress(
    t('Making the worktree of “{0}” again', title),
    (signal) =>
      agents.worktrees.runGitAtService(restoreCommand(removed), signal),
  ).catch((error: unknown) => {
    if (!(error instanceof ServiceError) || error.kind !== 'rejected')
      throw error;
    void offerAction(
      showError,
      t('The worktree of “{0}” was not made again. {1}', title, error.message),
      t('Continue Without It'),
      () => removedWorktrees.forget(removed),
    );
    return undefined;
  });
  if (output === undefined) return;
  await removedWorktrees.forget(removed);
  if (removed.hasFiles && !restoredFiles(output))
    void showWarning(
      t(
        'The worktree of “{0}” was made again. Its files stay committed, because branch “{1}” has changed since.',
        title,
        removed.branch,
      ),
    );
  else
    void showInformation(
      t('The worktree of “{0}” was made again at {1}.', title, removed.folder),
    );
}
