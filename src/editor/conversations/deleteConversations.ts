import { commands } from 'vscode';
import { t } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import { type Conversation, keyOf } from '../../service/model/entities.ts';
import {
  contentsCommand,
  type Counted,
  keepCommand,
  readContents,
  type WorktreeContents,
  worktreeOf,
} from '../../state/conversation/worktree.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { askModal, showInformation, withProgress } from '../ui/messages.ts';
import { serviceOf } from '../ui/pickFromList.ts';
import { titleOf } from '../words/conversations/conversationWords.ts';

/** A worktree that the service deletes with its last conversation. */
interface DeletedWorktree {
  readonly conversation: Conversation;
  /** `undefined` if they cannot be read. */
  readonly contents: WorktreeContents | undefined;
}

/**
 * Says what is lost with the conversations, and deletes them if the user
 * agrees.
 */
export async function deleteConversations(
  switchboard: Switchboard,
  conversations: readonly Conversation[],
): Promise<void> {
  const worktrees = await withProgress(
    t('Looking for other files that would be deleted'),
    (signal) => deletedWorktrees(switchboard, conversations, signal),
  );
  const unsaved = worktrees.filter(
    ({ contents }) => contents && !isSaved(contents),
  );
  const [only, ...rest] = conversations;
  const isLossy = worktrees.some(
    ({ contents }) => !contents || !isSaved(contents),
  );
  const keep = t('Keep as a Commit on Its Branch');
  const takeOver = t('Take Over First');
  const buttons = [
    ...(unsaved.length > 0 ? [keep] : []),
    ...(isLossy && rest.length === 0 ? [takeOver] : []),
    t('Delete'),
  ];
  const answer = await askModal(
    questionOf(conversations),
    detailOf(conversations, worktrees),
    ...buttons,
  );
  if (answer === undefined || !only) return;
  if (answer === takeOver) {
    await commands.executeCommand(
      'switchboard.conversations.takeOver',
      keyOf(only),
    );
    return;
  }
  const branches = answer === keep ? await keepFiles(switchboard, unsaved) : [];
  for (const conversation of conversations) {
    const service = serviceOf(switchboard, conversation);
    await withProgress(t('Deleting “{0}”', titleOf(conversation)), (signal) =>
      service.conversations.remove(conversation, signal),
    );
    switchboard.queuedMessages.forget(keyOf(conversation));
    await (await switchboard.progress()).forget(keyOf(conversation));
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
    if (worktree !== undefined && conversation.sandboxId === undefined)
      byWorktree.set(`${conversation.service} ${worktree}`, conversation);
  }
  const look = async (
    conversation: Conversation,
  ): Promise<DeletedWorktree | readonly []> => {
    try {
      const agents = await serviceOf(switchboard, conversation).steering();
      const neighbours = await agents.neighbours(conversation, signal);
      const isShared = neighbours.some(
        (row) =>
          !deleted.has(keyOf(row)) &&
          worktreeOf(row) === worktreeOf(conversation),
      );
      if (isShared) return [];
      const contents = readContents(
        await agents.runGit(conversation, contentsCommand, signal),
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
        (await serviceOf(switchboard, conversation).steering()).runGit(
          conversation,
          keepCommand(Date.now()),
          signal,
        ),
    );
    branches.push(`“${plainText(output.trim(), 100)}”`);
  }
  return branches;
}

function isSaved({ files, commits }: WorktreeContents): boolean {
  return files.count + commits.count === 0;
}

function questionOf(conversations: readonly Conversation[]): string {
  const [first, second] = conversations;
  return first && !second
    ? t(
        'Delete {0}? Everything that was said and done in it is lost.',
        `“${titleOf(first)}”`,
      )
    : t(
        'Delete {0} conversations? Everything that was said and done in them is lost.',
        conversations.length,
      );
}

function detailOf(
  conversations: readonly Conversation[],
  worktrees: readonly DeletedWorktree[],
): readonly string[] {
  const names = conversations.map(
    (conversation) => `“${titleOf(conversation)}”`,
  );
  return [
    ...(names.length > 1 ? [`${names.join(', ')}.`] : []),
    ...worktrees.map(worktreeText),
    conversations.some(({ sandboxId }) => sandboxId !== undefined)
      ? t(
          'A sandbox that runs nothing else may be deleted, too. This cannot be undone.',
        )
      : t('This cannot be undone.'),
  ];
}

function worktreeText({ conversation, contents }: DeletedWorktree): string {
  const title = titleOf(conversation);
  if (!contents)
    return t(
      'The worktree of “{0}” is deleted with everything in it. It is unknown whether it has uncommitted files.',
      title,
    );
  const { files, commits } = contents;
  const lost = [filesText(files), commitsText(commits)].filter(
    (text) => text !== undefined,
  );
  if (lost.length === 0)
    return t(
      'The worktree of “{0}” is deleted. Its commits stay on a branch; only ignored files are lost.',
      title,
    );
  return t(
    'The worktree of “{0}” is deleted with {1}.',
    title,
    lost.join(t(' and ')),
  );
}

function filesText({ count, names }: Counted): string | undefined {
  if (count === 0) return undefined;
  const what =
    count === 1
      ? t('1 file that was never committed')
      : t('{0} files that were never committed', count);
  return `${what} (${someNames(count, names)})`;
}

function commitsText({ count, names }: Counted): string | undefined {
  if (count === 0) return undefined;
  const what =
    count === 1
      ? t('1 commit that is on no branch')
      : t('{0} commits that are on no branch', count);
  return `${what} (${someNames(count, names)})`;
}

function someNames(count: number, names: readonly string[]): string {
  const shortened = names.map((name) => plainText(name, 80));
  return [...shortened, ...(count > names.length ? ['…'] : [])].join(', ');
}
