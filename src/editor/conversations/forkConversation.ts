import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import type { Commit } from '../../service/abilities/fileChanges.ts';
import type { Conversation } from '../../service/model/entities.ts';
import { hasWorktree } from '../../state/changes/ownFolder.ts';
import {
  commitAt,
  type FilesReset,
  reflogCommand,
  resetTo,
  stateIn,
  undoResetCommand,
} from '../../state/conversation/worktree.ts';
import type { AgentSteering } from '../../state/steering/agentSteering.ts';
import {
  askModal,
  offerUndo,
  showInformation,
  showWarning,
  withProgress,
} from '../ui/messages.ts';
import { serviceOf } from '../ui/pickFromList.ts';
import { limitFork } from './costLimits.ts';
import { titleOf } from '../words/conversations/conversationWords.ts';
import { linkedPicturesNote } from '../words/conversations/eventWords.ts';
import type { ConversationParts } from './page/conversationPages.ts';

/**
 * Forks a conversation from an event, or before its message to edit that. Shows
 * the page of the fork.
 */
export async function forkConversation(
  { switchboard, conversationPages }: ConversationParts,
  conversation: Conversation,
  eventId: string | undefined,
  isBefore: boolean,
): Promise<void> {
  const why = switchboard.whyNoFolder(conversation);
  if (why !== undefined) throw new UserError(why);
  const agents = await serviceOf(switchboard, conversation).steering();
  const edit = isBefore
    ? await askToEdit(agents, conversation, eventId ?? '')
    : undefined;
  if (isBefore && !edit) return;
  const title = titleOf(conversation);
  const forkTitle = t('{0} (fork)', plainText(title, 150));
  const from = edit ? edit.message.parentId : eventId;
  const fork = await withProgress(t('Forking “{0}”', title), (signal) =>
    agents.fork(conversation, forkTitle, from, signal),
  );
  const pages = await conversationPages();
  try {
    await limitFork(switchboard, conversation, fork);
    // Resets the files before the page opens, because the page can send.
    if (edit?.reset) await resetFiles(agents, fork, edit.reset);
  } finally {
    await (edit ? pages.showUnsent(fork, edit.message) : pages.show(fork));
  }
}

/**
 * Asks whether to edit a message in a fork, and whether to reset the files of
 * its worktree.
 */
async function askToEdit(
  agents: AgentSteering,
  conversation: Conversation,
  eventId: string,
) {
  const { message, reset } = await withProgress(
    t('Reading the message'),
    async (signal) => {
      const message = await agents.message(conversation, eventId, signal);
      if (!hasWorktree(conversation)) return { message };
      const read = async () => {
        if (await agents.worktrees.isInUse(conversation, signal))
          return undefined;
        return commitAt(
          await agents.worktrees.runGit(conversation, reflogCommand, signal),
          message.at,
        );
      };
      const commit = await read().catch(() => undefined);
      return { message, reset: commit && resetTo(commit, Date.now()) };
    },
  );
  const orReset = (commit: string) =>
    t(
      'Or reset the files of both to {0}, where the worktree was before the message. Later commits and other changes stay on a branch:',
      commit,
    );
  const detail = [
    t(
      'The fork contains everything before this message, which you can then edit. Nothing is sent yet.',
    ),
    t(
      'Files stay as they are: both conversations work in the same folder, and no change is undone.',
    ),
    linkedPicturesNote(message.images),
    reset && orReset(commitName(reset.commit)),
    reset?.command,
  ];
  const edit = t('Fork and Edit');
  const editAndReset = t('Fork, Reset Files and Edit');
  const answer = await askModal(
    t('Edit this message in a fork of “{0}”?', titleOf(conversation)),
    detail,
    edit,
    ...(reset ? [editAndReset] : []),
  );
  if (answer === undefined) return undefined;
  return { message, reset: answer === editAndReset ? reset : undefined };
}

async function resetFiles(
  agents: AgentSteering,
  fork: Conversation,
  reset: FilesReset,
) {
  const output = await withProgress(
    t('Resetting the files of “{0}”', titleOf(fork)),
    (signal) => agents.worktrees.resetFiles(fork, reset.command, signal),
  );
  const state = stateIn(output);
  const message = t(
    'The files are as they were at commit {0}.',
    commitName(reset.commit),
  );
  if (state === undefined) void showInformation(message);
  else
    offerUndo(
      message,
      () => undoReset(agents, fork, reset, state),
      t('Undo Reset'),
    );
}

async function undoReset(
  agents: AgentSteering,
  fork: Conversation,
  reset: FilesReset,
  state: string,
) {
  const output = await withProgress(
    t('Undoing the reset of “{0}”', titleOf(fork)),
    (signal) =>
      agents.worktrees.resetFiles(fork, undoResetCommand(reset, state), signal),
  );
  if (stateIn(output) === state) {
    void showInformation(t('The files are as they were before the reset.'));
    return;
  }
  void showWarning(
    t(
      'The reset was not undone, because the files have changed since. Their state before it is on branch {0}.',
      `“${reset.branch}”`,
    ),
  );
}

function commitName({ sha, subject }: Commit): string {
  return `${sha.slice(0, 8)} “${subject}”`;
}
