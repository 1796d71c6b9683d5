import { t } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import { isEqual } from '../../base/same.ts';
import { present } from '../../base/parts.ts';
import { type Conversation, keyOf } from '../../service/model/entities.ts';
import {
  contentsCommand,
  keepCommand,
  readContents,
  worktreeOf,
} from '../../state/conversation/worktree.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { forgetRulesOf } from '../approvals/ruleSettings.ts';
import { askModal, showInformation, withProgress } from '../ui/messages.ts';
import { serviceOf } from '../ui/pickFromList.ts';
import { runOwnCommand } from '../ui/runOwnCommand.ts';
import { titleOf } from '../words/conversations/conversationWords.ts';
import {
  type DeletedWorktree,
  deletionQuestion,
} from '../words/conversations/deletionWords.ts';

/**
 * Says what is lost with the conversations, and deletes them if the user
 * agrees.
 */
export async function deleteConversations(
  switchboard: Switchboard,
  conversations: readonly Conversation[],
): Promise<void> {
  const look = () =>
    withProgress(t('Looking for other files that would be deleted'), (signal) =>
      deletedWorktrees(switchboard, conversations, signal),
    );
  const keep = t('Keep as a Commit on Its Branch');
  const takeOver = t('Take Over First');
  const ask = async (
    worktrees: readonly DeletedWorktree[],
    note: readonly string[] = [],
  ): Promise<{
    readonly answer: string | undefined;
    readonly canKeep: readonly DeletedWorktree[];
  }> => {
    const { text, detail, canKeep, canTakeOver } = deletionQuestion(
      conversations,
      worktrees,
    );
    const buttons = present(
      canKeep.length > 0 && keep,
      canTakeOver && takeOver,
      t('Delete'),
    );
    const answer = await askModal(text, [...note, ...detail], ...buttons);
    if (answer === undefined || answer === takeOver) return { answer, canKeep };
    // An agent may have written more while the question was open.
    const current = await look();
    return isEqual(current, worktrees)
      ? { answer, canKeep }
      : await ask(current, [t('The files have changed since you were asked.')]);
  };
  const [only] = conversations;
  const { answer, canKeep } = await ask(await look());
  if (answer === undefined || !only) return;
  if (answer === takeOver) {
    await runOwnCommand('switchboard.conversations.takeOver', keyOf(only));
    return;
  }
  const branches = answer === keep ? await keepFiles(switchboard, canKeep) : [];
  for (const conversation of conversations) {
    const service = serviceOf(switchboard, conversation);
    await withProgress(t('Deleting “{0}”', titleOf(conversation)), (signal) =>
      service.conversations.remove(conversation, signal),
    );
    const key = keyOf(conversation);
    switchboard.queuedMessages.forget(key);
    const { reviews } = switchboard;
    await reviews.remove(reviews.of(key).map(({ id }) => id));
    await (await switchboard.progress()).forget(key);
    await forgetRulesOf(key);
  }
  if (branches.length > 0)
    void showInformation(
      t('The files are kept on branch {0}.', branches.join(', ')),
    );
}

async function deletedWorktrees(
  switchboard: Switchboard,
  conversations: readonly Conversation[],
  signal: AbortSignal,
): Promise<readonly DeletedWorktree[]> {
  const deleted = new Set(conversations.map(keyOf));
  const byWorktree = new Map<string, Conversation>();
  for (const conversation of conversations) {
    const worktree = worktreeOf(conversation);
    const hasWorktree =
      worktree !== undefined &&
      conversation.sandboxId === undefined &&
      switchboard.whyNoFolder(conversation) === undefined;
    if (hasWorktree)
      byWorktree.set(`${conversation.service} ${worktree}`, conversation);
  }
  const look = async (
    conversation: Conversation,
  ): Promise<DeletedWorktree | readonly []> => {
    try {
      const agents = await serviceOf(switchboard, conversation).steering();
      const neighbours = await agents.worktrees.neighbours(
        conversation,
        signal,
      );
      const isShared = neighbours.some(
        (row) =>
          !deleted.has(keyOf(row)) &&
          worktreeOf(row) === worktreeOf(conversation),
      );
      if (isShared) return [];
      const contents = readContents(
        await agents.worktrees.runGit(conversation, contentsCommand, signal),
      );
      return contents?.isWorktree === false ? [] : { conversation, contents };
    } catch {
      signal.throwIfAborted();
      return { conversation, contents: undefined };
    }
  };
  return (await Promise.all([...byWorktree.values()].map(look))).flat();
}

/** Commits the files at the service, and returns the names of the branches. */
async function keepFiles(
  switchboard: Switchboard,
  worktrees: readonly DeletedWorktree[],
): Promise<string[]> {
  const branches: string[] = [];
  for (const { conversation } of worktrees) {
    const output = await withProgress(
      t('Committing the files of “{0}”', titleOf(conversation)),
      async (signal) =>
        (
          await serviceOf(switchboard, conversation).steering()
        ).worktrees.runGit(conversation, keepCommand(Date.now()), signal),
    );
    branches.push(`“${plainText(output.trim(), 100)}”`);
  }
  return branches;
}
