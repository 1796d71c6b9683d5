/** The changes that one can choose to see. */
import { t } from '../../base/l10n.ts';
import { joinParts, present } from '../../base/parts.ts';
import type { Commit } from '../../service/abilities/fileChanges.ts';
import type { Time } from '../../service/model/entities.ts';
import type { ChangesScope } from '../../state/changes/changesScope.ts';
import { toReviewWord } from '../words/conversations/changeWords.ts';
import { inPick } from '../words/foreignText.ts';
import { dateAndTime } from '../words/times.ts';

export interface ScopeChoice {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly scope: ChangesScope;
}

interface ChangesHistory {
  readonly commits: readonly Commit[];
  readonly knowsMessage: boolean;
  /** The number of files left to review, and of all. */
  readonly progress:
    { readonly left: number; readonly all: number } | undefined;
  /** True if only this conversation works in the folder. */
  readonly isOwn: boolean;
}

/** The choices that are remembered for the conversation. */
export function namedChoices({
  knowsMessage,
  progress,
  isOwn,
}: Omit<ChangesHistory, 'commits'>): readonly ScopeChoice[] {
  return present(
    {
      label: t('To Review'),
      description: progress ? toReviewWord(progress.left, progress.all) : '',
      scope: 'reviewed',
    },
    {
      label: t('All Changes'),
      description: t('Since the conversation began'),
      ...(!isOwn && {
        detail: t(
          'Includes changes that were already uncommitted in this folder: the service does not record them',
        ),
      }),
      scope: 'start',
    },
    knowsMessage && {
      label: t('Since My Last Message'),
      scope: 'message',
    },
    { label: t('Since Its Last Commit'), scope: 'lastCommit' },
  );
}

/** Leaves out commits from before the conversation. */
export function commitChoices(
  commits: readonly Commit[],
  createdAt: Time | undefined,
  scopeOf: (sha: string) => ChangesScope,
): readonly ScopeChoice[] {
  // Git's times are in whole seconds.
  const own = commits.filter(
    ({ at }) =>
      at === undefined || createdAt === undefined || at >= createdAt - 1_000,
  );
  return own.map(({ sha, subject, author, at }) => ({
    label: inPick(subject),
    description: joinParts(
      ' · ',
      sha.slice(0, 8),
      inPick(author ?? ''),
      at !== undefined && dateAndTime(at),
    ),
    scope: scopeOf(sha),
  }));
}
