import {
  type Disposable,
  FileDecoration,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  Uri,
  window,
} from 'vscode';
import { t } from '../../base/l10n.ts';
import { joinParts } from '../../base/parts.ts';
import type {
  ConversationKey,
  Conversation,
} from '../../service/model/entities.ts';
import type { ChangedFile } from '../../service/abilities/fileChanges.ts';
import type { ReviewState } from '../../state/changes/fileReviews.ts';
import type { ServiceError } from '../../service/http/serviceError.ts';
import { activityOf } from '../../state/lists/activity.ts';
import type { RemoteList } from '../../state/lists/remoteList.ts';
import {
  keyOfRequested,
  type RequestedConversation,
} from '../../state/newConversation/requestedConversations.ts';
import { aClick, changedFileScheme, unreadScheme } from '../manifest.ts';
import {
  fileStatusWord,
  linesWord,
  reviewStateWords,
  shownFilePath,
} from '../words/conversations/changeWords.ts';
import {
  requestedTitle,
  requestedWord,
  rowTitle,
} from '../words/conversations/conversationWords.ts';
import { activityIcons, requestedIcon } from '../ui/icons.ts';
import { checkBox, rowCommand, treeItem } from '../ui/treeItem.ts';
import { occasionWord } from '../words/stateWords.ts';

export function requestedItem(requested: RequestedConversation): TreeItem {
  const title = requestedTitle(requested);
  const state = requestedWord(requested);
  const { isDraft, error, task } = requested;
  const doing = isDraft ? t('Nothing has been sent yet.') : `${state}…`;
  return treeItem(rowTitle(title), {
    description: joinParts(' · ', state, requested.wanted.repository),
    tooltip: [title, error ?? task?.detail ?? doing].join('\n'),
    iconPath: requestedIcon(requested),
    context: ['requested', error !== undefined && 'failed'],
    spoken: joinParts(', ', title, state, error),
    command: rowCommand(
      'switchboard.conversations.showDetails',
      t('Show Details'),
      keyOfRequested(requested),
      aClick,
    ),
  });
}

/**
 * State of loading the changes of a conversation. `problem`: the error message.
 */
export interface ChangesState {
  readonly isLoading: boolean;
  readonly problem?: string;
}

/** The row below a conversation without changed files. */
export function changesItem(
  key: ConversationKey,
  { isLoading, problem }: ChangesState = { isLoading: true },
): TreeItem {
  const item = new TreeItem(t('No changes yet'));
  item.iconPath = new ThemeIcon('diff');
  item.contextValue = 'changes';
  if (isLoading) {
    item.label = t('Loading changes…');
    item.iconPath = activityIcons.starting;
  } else if (problem !== undefined) {
    item.label = t('Could not load changes');
    item.description = problem;
    item.tooltip = problem;
    item.iconPath = new ThemeIcon('warning');
    item.command = rowCommand(
      'switchboard.conversations.showChanges',
      t('Show Changes'),
      key,
    );
  }
  return item;
}

export function changedFileItem(
  file: ChangedFile,
  id: string,
  state: ReviewState,
): TreeItem {
  const path = shownFilePath(file.path);
  const slash = path.lastIndexOf('/');
  const status = fileStatusWord(file.status);
  const from =
    file.from === undefined
      ? undefined
      : t('moved from {0}', shownFilePath(file.from));
  const review = reviewStateWords[state];
  const isReviewed = state === 'reviewed';
  const item = treeItem(path.slice(slash + 1), {
    description: joinParts(
      ' · ',
      linesWord([file]),
      state === 'changedAgain' && t('changed again'),
      path.slice(0, Math.max(0, slash)),
      !decorations.has(file.status) && status,
    ),
    tooltip: joinParts('\n', path, from ?? status, state !== 'new' && review),
    iconPath: ThemeIcon.File,
    context: ['changedFile'],
    spoken: joinParts(', ', path, from ?? status, review, linesLabel(file)),
    command: rowCommand(
      'switchboard.conversations.openChangedFile',
      t('Show Changes'),
      id,
    ),
    checkboxState: checkBox(
      isReviewed,
      isReviewed
        ? t('Mark {0} as not reviewed', path)
        : t('Mark {0} as reviewed', path),
      t('Reviewed'),
    ),
  });
  item.resourceUri = Uri.from({
    scheme: changedFileScheme,
    path: `/${path}`,
    query: file.status,
  });
  return item;
}

function linesLabel({ lines }: ChangedFile): string | undefined {
  return lines && t('{0} lines added, {1} removed', lines.added, lines.removed);
}

/** Letters and colors of Source Control, by status. */
const decorations: ReadonlyMap<string, FileDecoration> = new Map(
  Object.entries({
    added: new FileDecoration(
      'A',
      undefined,
      new ThemeColor('gitDecoration.addedResourceForeground'),
    ),
    updated: new FileDecoration(
      'M',
      undefined,
      new ThemeColor('gitDecoration.modifiedResourceForeground'),
    ),
    deleted: new FileDecoration(
      'D',
      undefined,
      new ThemeColor('gitDecoration.deletedResourceForeground'),
    ),
    moved: new FileDecoration(
      'R',
      undefined,
      new ThemeColor('gitDecoration.renamedResourceForeground'),
    ),
  }),
);

const unread = new FileDecoration(
  '●',
  undefined,
  new ThemeColor('textLink.foreground'),
);

export function registerFileDecorations(): Disposable {
  return window.registerFileDecorationProvider({
    provideFileDecoration: ({ scheme, query }) => {
      if (scheme === changedFileScheme) return decorations.get(query);
      return scheme === unreadScheme ? unread : undefined;
    },
  });
}

export function groupItem(
  label: string,
  count: number,
  isService: boolean,
): TreeItem {
  return treeItem(label, {
    description: String(count),
    collapsibleState: TreeItemCollapsibleState.Expanded,
    context: ['group', isService && 'service'],
    spoken: t('{0}, {1} loaded', label, count),
  });
}

interface FilterResult {
  readonly shown: number;
  readonly loaded: number;
  /**
   * True if the filter applies to loaded rows only, because the service cannot
   * filter.
   */
  readonly isFilteredHere: boolean;
}

export function filterItem(
  filter: string,
  { shown, loaded, isFilteredHere }: FilterResult,
): TreeItem {
  const none = isFilteredHere
    ? t('none of {0} loaded', loaded)
    : t('none loaded');
  const some = isFilteredHere
    ? t('{0} of {1} loaded', shown, loaded)
    : t('{0} loaded', shown);
  const description = shown === 0 ? none : some;
  return treeItem(filter, {
    description,
    tooltip: t(
      'Filtered by: {0}. Click to change the filter, or use × to clear it.',
      filter,
    ),
    iconPath: new ThemeIcon('filter-filled'),
    context: ['filter'],
    spoken: t('Filter: {0}, {1}', filter, description),
    command: rowCommand('switchboard.conversations.filter', t('Filter')),
  });
}

export function archivedItem(archived: readonly Conversation[]): TreeItem {
  const label = t('{0} archived', archived.length);
  const waiting = archived.filter(
    (conversation) => activityOf(conversation) === 'waiting',
  ).length;
  const description = occasionWord('waits', waiting) ?? '';
  return treeItem(label, {
    description,
    tooltip: t('Select this row to show only archived conversations.'),
    iconPath: activityIcons.archived,
    context: ['archive'],
    spoken: joinParts(', ', label, description),
    command: rowCommand(
      'switchboard.conversations.filter',
      t('Show Archived'),
      'archived',
    ),
  });
}

export function moreItem(
  {
    isLoadingMore,
    rows,
  }: Pick<RemoteList<Conversation>, 'isLoadingMore' | 'rows'>,
  error: ServiceError | undefined,
): TreeItem {
  const loaded = t('{0} loaded', rows.size);
  const { label, spoken } = moreWords(isLoadingMore, error !== undefined);
  return treeItem(label, {
    description: loaded,
    tooltip:
      error && !isLoadingMore
        ? error.message
        : t('{0} loaded. The service has more.', rows.size),
    iconPath: isLoadingMore
      ? activityIcons.starting
      : new ThemeIcon(error ? 'refresh' : 'fold-down'),
    context: ['more'],
    spoken: `${spoken}, ${loaded}`,
    command: rowCommand('switchboard.conversations.loadMore', t('Load More')),
  });
}

function moreWords(isLoading: boolean, hasFailed: boolean) {
  if (isLoading)
    return {
      label: t('Loading More…'),
      spoken: t('Loading more conversations'),
    };
  if (!hasFailed)
    return { label: t('Load More'), spoken: t('Load more conversations') };
  return {
    label: t('Try Again to Load More'),
    spoken: t('Try again to load more conversations'),
  };
}
