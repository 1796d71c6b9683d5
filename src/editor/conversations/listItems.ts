/** The other rows in the list of conversations: requested ones, groups, the filter, and Load More. */
import { ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import { t } from '../../base/l10n.ts';
import type { Conversation } from '../../service/entities.ts';
import type { ServiceError } from '../../service/serviceError.ts';
import type { RemoteList } from '../../state/lists/remoteList.ts';
import {
  keyOfRequested,
  type RequestedConversation,
} from '../../state/newConversation/requestedConversations.ts';
import { aClick, type CommandId } from '../manifest.ts';
import { requestedTitle, requestedWord, rowTitle } from '../words/conversations/conversationWords.ts';
import { activityIcons, requestedIcon } from '../ui/icons.ts';

/** A conversation that is being created, or could not be created. */
export function requestedItem(requested: RequestedConversation): TreeItem {
  const title = requestedTitle(requested);
  const state = requestedWord(requested);
  const item = new TreeItem(rowTitle(title));
  item.description = [state, requested.wanted.repository].filter(Boolean).join(' · ');
  item.tooltip = [title, requested.error ?? requested.task?.detail ?? `${state}…`].join('\n');
  item.iconPath = requestedIcon(requested);
  item.contextValue = ['requested', requested.error !== undefined && 'failed'].filter(Boolean).join(' ');
  item.accessibilityInformation = { label: [title, state, requested.error].filter(Boolean).join(', ') };
  item.command = command(
    'switchboard.conversations.showDetails',
    t('Show Details'),
    keyOfRequested(requested),
    aClick,
  );
  return item;
}

/** State of loading the changes of a conversation. `problem` says why they could not be loaded. */
export interface ChangesState {
  readonly isLoading: boolean;
  readonly problem?: string;
}

/** The row below a conversation without files to list. */
export function changesItem(
  key: string,
  { isLoading, problem }: ChangesState = { isLoading: true },
): TreeItem {
  const failed = problem !== undefined && t('Could not load changes');
  const item = new TreeItem(isLoading ? t('Loading changes…') : failed || t('No changes yet'));
  item.description = problem ?? '';
  item.tooltip = problem ?? '';
  item.iconPath = isLoading ? activityIcons.starting : new ThemeIcon(failed ? 'warning' : 'diff');
  item.contextValue = 'changes';
  if (failed) item.command = command('switchboard.conversations.showChanges', t('Show Changes'), key);
  return item;
}

export function groupItem(label: string, count: number, isService: boolean): TreeItem {
  const item = new TreeItem(label, TreeItemCollapsibleState.Expanded);
  item.description = String(count);
  item.contextValue = ['group', isService && 'service'].filter(Boolean).join(' ');
  item.accessibilityInformation = { label: t('{0}, {1} loaded', label, count) };
  return item;
}

interface FilterResult {
  readonly shown: number;
  readonly loaded: number;
  /** Whether the filter is applied here, to what is loaded, and not by the service. */
  readonly isFilteredHere: boolean;
}

export function filterItem(filter: string, { shown, loaded, isFilteredHere }: FilterResult): TreeItem {
  const none = isFilteredHere ? t('none among {0} loaded', loaded) : t('none loaded');
  const some = isFilteredHere ? t('{0} among {1} loaded', shown, loaded) : t('{0} loaded', shown);
  const item = new TreeItem(filter);
  item.description = shown === 0 ? none : some;
  item.tooltip = t(
    'Only these are shown: {0}. Select this row to change the filter, or use its button to show all.',
    filter,
  );
  item.iconPath = new ThemeIcon('filter-filled');
  item.contextValue = 'filter';
  item.accessibilityInformation = { label: t('Filter: {0}, {1}', filter, item.description) };
  item.command = command('switchboard.conversations.filter', t('Filter'));
  return item;
}

export function moreItem(
  { isLoadingMore, rows }: Pick<RemoteList<Conversation>, 'isLoadingMore' | 'rows'>,
  error: ServiceError | undefined,
): TreeItem {
  const loaded = t('{0} loaded', rows.size);
  const [label, spoken] = isLoadingMore
    ? [t('Loading More…'), t('Loading more conversations')]
    : error
      ? [t('Try Again to Load More'), t('Try again to load more conversations')]
      : [t('Load More'), t('Load more conversations')];
  const item = new TreeItem(label);
  item.description = loaded;
  item.tooltip = error && !isLoadingMore ? error.message : t('{0} loaded. The service has more.', rows.size);
  item.iconPath = isLoadingMore ? activityIcons.starting : new ThemeIcon(error ? 'refresh' : 'fold-down');
  item.contextValue = 'more';
  item.accessibilityInformation = { label: `${spoken}, ${loaded}` };
  item.command = command('switchboard.conversations.loadMore', t('Load More'));
  return item;
}

function command(id: CommandId, title: string, ...args: string[]) {
  return { command: id, title, arguments: args };
}
