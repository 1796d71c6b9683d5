/** Says what is lost with a worktree, and why one is protected. */
import { formats, plural, t, words } from '../../../base/l10n.ts';
import { joinParts, present } from '../../../base/parts.ts';
import type { Conversation, Time } from '../../../service/model/entities.ts';
import type {
  AgentWorktree,
  Protection,
  ReadWorktree,
  WorktreeState,
} from '../../../state/conversation/worktreeRemoval.ts';
import { shortAge } from '../times.ts';
import { titleOf } from './conversationWords.ts';
import { filesText, someNames, withNames } from './deletionWords.ts';

const protectionWords = words({
  locked: 'It is locked.',
  operation: 'A merge or rebase is under way.',
  nested: 'It contains another repository or a submodule.',
  hidden: 'Git hides changes to some of its files.',
  unreadable: 'It could not be read, or not in time.',
  working: 'An agent works in it.',
  waiting: 'An agent waits for you.',
  unknown: 'The state of its agent is unknown.',
  shared: 'Another conversation uses it, too.',
  pinned: 'Its conversation is pinned.',
  unmerged: 'It has commits that are nowhere else.',
});

export function protectionText(
  protection: Protection,
  { state }: AgentWorktree,
): string {
  if (protection !== 'unmerged' || !state) return protectionWords[protection];
  const { commits } = state;
  return plural(
    commits.count,
    '1 commit is nowhere else: {1}',
    '{0} commits are nowhere else: {1}',
    someNames(commits),
  );
}

/** Names what a removal loses. */
export function worktreeLosses({ files, ignored }: WorktreeState): string {
  const lost = joinParts(t(' and '), filesText(files), ignoredText(ignored));
  return lost || t('Nothing would be lost');
}

function ignoredText(ignored: WorktreeState['ignored']): string {
  return withNames(
    ignored,
    plural(
      ignored.count,
      '1 ignored file or folder',
      '{0} ignored files or folders',
    ),
  );
}

export function worktreeName(owners: readonly Conversation[]): string {
  const names = owners.map((owner) => titleOf(owner));
  return names.length === 0 ? t('Conversation is gone') : names.join(', ');
}

/** The size, the age and the branch, or the folder of one that is unreadable. */
export function worktreeDescription(
  { folder, state }: AgentWorktree,
  owners: readonly Conversation[],
  now: Time,
): string {
  const times = [
    state?.changedAt,
    ...owners.map(({ updatedAt }) => updatedAt),
  ].filter((time) => time !== undefined);
  return joinParts(
    ' · ',
    state && sizeWord(state),
    times.length > 0 && shortAge(Math.max(...times), now),
    state ? branchWord(state) : folder,
  );
}

function branchWord({ branch, isMerged }: WorktreeState): string {
  if (branch === undefined) return t('No branch');
  return isMerged ? t('{0} (merged)', branch) : branch;
}

const sizes = formats((language) => ({
  KB: sizeFormat(language, 'kilobyte'),
  MB: sizeFormat(language, 'megabyte'),
  GB: sizeFormat(language, 'gigabyte'),
}));

function sizeFormat(language: string, unit: string): Intl.NumberFormat {
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit,
    maximumSignificantDigits: 3,
  });
}

function sizeWord({ kilobytes }: WorktreeState): string {
  if (kilobytes === undefined) return t('Size unknown');
  if (kilobytes < 1_000) return sizes().KB.format(kilobytes);
  const megabytes = kilobytes / 1_024;
  return megabytes < 1_000
    ? sizes().MB.format(megabytes)
    : sizes().GB.format(megabytes / 1_024);
}

/** Lines of the question before a worktree is removed with archiving. */
export function archiveLosses(
  worktree: ReadWorktree,
  branch: string,
  now: Time,
): readonly string[] {
  const { folder, state } = worktree;
  const kept = filesText(state.files);
  const ignored = ignoredText(state.ignored);
  const isNew = state.branch === undefined;
  return present(
    `${folder} (${worktreeDescription(worktree, [], now)})`,
    isNew &&
      t(
        'The worktree is on no branch, so the branch “{0}” is created.',
        branch,
      ),
    kept === ''
      ? t('No file is uncommitted. The branch “{0}” stays.', branch)
      : t('Committed to branch “{0}” first: {1}.', branch, kept),
    ignored === '' ? t('No file is lost.') : t('These are lost: {0}.', ignored),
    t(
      'The agent has no folder to work in until you unarchive the conversation. That makes the worktree again at the same place, with uncommitted files as they are now.',
    ),
  );
}

/** Says what is lost with each of these. */
export function cleanUpLosses(
  worktrees: readonly {
    readonly worktree: ReadWorktree;
    readonly owners: readonly Conversation[];
  }[],
): readonly string[] {
  return worktrees.map(({ worktree, owners }) => {
    const { folder, state } = worktree;
    const name =
      owners.length === 0 ? folder : `“${worktreeName(owners)}” (${folder})`;
    return t('{0}: {1}', name, worktreeLosses(state));
  });
}
