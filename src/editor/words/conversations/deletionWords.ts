/** The question before conversations are deleted: it says what is lost. */
import { plural, t } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import { joinParts, present } from '../../../base/parts.ts';
import type { Conversation } from '../../../service/model/entities.ts';
import type {
  Counted,
  WorktreeContents,
} from '../../../state/conversation/worktree.ts';
import { titleOf } from './conversationWords.ts';

/** A worktree that the service deletes with its last conversation. */
export interface DeletedWorktree {
  readonly conversation: Conversation;
  /** `undefined` if they cannot be read. */
  readonly contents: WorktreeContents | undefined;
}

interface DeletionQuestion {
  readonly text: string;
  readonly detail: readonly string[];
  /**
   * Worktrees with files or commits that a commit on a branch would keep; none
   * if that would not keep everything.
   */
  readonly canKeep: readonly DeletedWorktree[];
  /** True for one conversation that may have something to take over. */
  readonly canTakeOver: boolean;
}

export function deletionQuestion(
  conversations: readonly Conversation[],
  worktrees: readonly DeletedWorktree[],
): DeletionQuestion {
  const mayLose = worktrees.filter(
    ({ contents }) => !contents || !isSaved(contents),
  );
  return {
    text: questionOf(conversations),
    detail: detailOf(conversations, worktrees),
    canKeep: mayLose.some(({ contents }) => contents?.repositories.count)
      ? []
      : mayLose.filter(({ contents }) => contents !== undefined),
    canTakeOver: mayLose.length > 0 && conversations.length === 1,
  };
}

function isSaved({ files, repositories, commits }: WorktreeContents): boolean {
  return files.count + repositories.count + commits.count === 0;
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
  return present(
    names.length > 1 && `${names.join(', ')}.`,
    ...worktrees.map(worktreeText),
    conversations.some(({ sandboxId }) => sandboxId !== undefined)
      ? t(
          'A sandbox that runs nothing else may be deleted, too. This cannot be undone.',
        )
      : t('This cannot be undone.'),
  );
}

function worktreeText({ conversation, contents }: DeletedWorktree): string {
  const title = titleOf(conversation);
  if (!contents)
    return t(
      'The worktree of “{0}” is deleted with everything in it. It is unknown whether it has uncommitted files.',
      title,
    );
  const { files, repositories, commits } = contents;
  const lost = joinParts(
    t(' and '),
    filesText(files),
    withNames(
      repositories,
      plural(
        repositories.count,
        '1 repository in it that no commit can keep',
        '{0} repositories in it that no commit can keep',
      ),
    ),
    withNames(
      commits,
      plural(
        commits.count,
        '1 commit that is on no branch',
        '{0} commits that are on no branch',
      ),
    ),
  );
  return lost === ''
    ? t(
        'The worktree of “{0}” is deleted. Its commits stay on a branch; only ignored files are lost.',
        title,
      )
    : t('The worktree of “{0}” is deleted with {1}.', title, lost);
}

export function filesText(files: Counted): string {
  return withNames(
    files,
    plural(files.count, '1 uncommitted file', '{0} uncommitted files'),
  );
}

/** Empty for nothing. */
export function withNames(counted: Counted, what: string): string {
  return counted.count === 0 ? '' : `${what} (${someNames(counted)})`;
}

export function someNames({ count, names }: Counted): string {
  return joinParts(
    ', ',
    ...names.map((name) => plainText(name, 80)),
    count > names.length && '…',
  );
}
