import {
  type Disposable,
  FileDecoration,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCheckboxState,
  TreeItemCollapsibleState,
  Uri,
  window,
} from 'vscode';
import { t } from '../../base/l10n.ts';
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
import {
  aClick,
  changedFileScheme,
  type CommandId,
  unreadScheme,
} from '../manifest.ts';
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
import { occasionWord } from '../words/stateWords.ts';

export function requestedItem(requested: RequestedConversation): TreeItem {
  const title = requestedTitle(requested);
  const state = requestedWord(requested);
  const item = new TreeItem(rowTitle(title));
  item.description = [state, requested.wanted.repository]
    .filter(Boolean)
    .join(' · ');
  const { isDraft, error, task } = requested;
  const doing = isDraft ? t('Nothing has been sent yet.') : `${state}…`;
  item.tooltip = [title, error ?? task?.detail ?? doing].join('\n');
  item.iconPath = requestedIcon(requested);
  item.contextValue = ['requested', error !== undefined && 'failed']
    .filter(Boolean)
    .join(' ');
  item.accessibilityInformation = {
    label: [title, state, error].filter(Boolean).join(', '),
  };
  item.command = command(
    'switchboard.conversations.showDetails',
    t('Show Details'),
    keyOfRequested(requested),
    aClick,
  );
  return item;
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
  const failed = problem !== undefined && t('Could not load changes');
  const item = new TreeItem(
    isLoading ? t('Loading changes…') : failed || t('No changes yet'),
  );
  item.description = problem ?? '';
  item.tooltip = problem ?? '';
  item.iconPath = isLoading
    ? activityIcons.starting
    : new ThemeIcon(failed ? 'warning' : 'diff');
  item.contextValue = 'changes';
  if (failed)
    item.command = command(
      'switchboard.conversations.showChanges',
      t('Show Changes'),
      key,
    );
  return item;
}

export function changedFileItem(
  file: ChangedFile,
  id: string,
  state: ReviewState,
): TreeItem {
  const path = shownFilePath(file.path);
  const slash = path.lastIndexOf('/');
  const item = new TreeItem(path.slice(slash + 1));
  const status = fileStatusWord(file);
  const word = decorations.has(file.status) ? undefined : status;
  const again = state === 'changedAgain' ? t('changed again') : undefined;
  item.description = [
    linesWord([file]),
    again,
    path.slice(0, Math.max(0, slash)),
    word,
  ]
    .filter(Boolean)
    .join(' · ');
  const from =
    file.from === undefined
      ? undefined
      : t('moved from {0}', shownFilePath(file.from));
  const review = reviewStateWords[state];
  item.tooltip = [
    path,
    from ?? status,
    ...(state === 'new' ? [] : [review]),
  ].join('\n');
  const isReviewed = state === 'reviewed';
  item.checkboxState = {
    state: isReviewed
      ? TreeItemCheckboxState.Checked
      : TreeItemCheckboxState.Unchecked,
    tooltip: isReviewed
      ? t('Mark {0} as not reviewed', path)
      : t('Mark {0} as reviewed', path),
    accessibilityInformation: { label: t('Reviewed') },
  };
  item.resourceUri = Uri.from({
    scheme: changedFileScheme,
    path: `/${path}`,
    query: file.status,
  });
  item.iconPath = ThemeIcon.File;
  item.contextValue = 'changedFile';
  item.accessibilityInformation = {
    label: [path, from ?? status, review, linesLabel(file)]
      .filter(Boolean)
      .join(', '),
  };
  item.command = command(
    'switchboard.conversations.openChangedFile',
    t('Show Changes'),
    id,
  );
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
  const item = new TreeItem(label, TreeItemCollapsibleState.Expanded);
  item.description = String(count);
  item.contextValue = ['group', isService && 'service']
    .filter(Boolean)
    .join(' ');
  item.accessibilityInformation = { label: t('{0}, {1} loaded', label, count) };
  return item;
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
  const item = new TreeItem(filter);
  item.description = shown === 0 ? none : some;
  item.tooltip = t(
    'Filtered by: {0}. Click to change the filter, or use × to clear it.',
    filter,
  );
  item.iconPath = new ThemeIcon('filter-filled');
  item.contextValue = 'filter';
  item.accessibilityInformation = {
    label: t('Filter: {0}, {1}', filter, item.description),
  };
  item.command = command('switchboard.conversations.filter', t('Filter'));
  return item;
}

export function archivedItem(archived: readonly Conversation[]): TreeItem {
  const label = t('{0} archived', archived.length);
  const item = new TreeItem(label);
  const waiting = archived.filter(
    (conversation) => activityOf(conversation) === 'waiting',
  ).length;
  item.description = occasionWord('waits', waiting) ?? '';
  item.tooltip = t('Select this row to show only archived conversations.');
  item.iconPath = activityIcons.archived;
  item.contextValue = 'archive';
  item.accessibilityInformation = {
    label: [label, item.description].filter(Boolean).join(', '),
  };
  item.command = command(
    'switchboard.conversations.filter',
    t('Show Archived'),
    'archived',
  );
  return item;
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
  const item = new TreeItem(label);
  item.description = loaded;
  item.tooltip =
    error && !isLoadingMore
      ? error.message
      : t('{0} loaded. The service has more.', rows.size);
  item.iconPath = isLoadingMore
    ? activityIcons.starting
    : new ThemeIcon(error ? 'refresh' : 'fold-down');
  item.contextValue = 'more';
  item.accessibilityInformation = { label: `${spoken}, ${loaded}` };
  item.command = command('switchboard.conversations.loadMore', t('Load More'));
  return item;
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

function command(id: CommandId, title: string, ...args: string[]) {
  return { command: id, title, arguments: args };
}
