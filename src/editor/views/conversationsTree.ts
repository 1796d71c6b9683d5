import { ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { t } from '../../base/l10n.ts';
import { type Conversation, idKey } from '../../service/entities.ts';
import { arrange, type Group, isFiltered, isFilteredHere } from '../../state/conversationRows.ts';
import type { PendingStart } from '../../state/pendingStarts.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { CommandId } from '../manifest.ts';
import { activityIcons, conversationIcon, pendingIcon } from './icons.ts';
import { problemItem } from './problemItem.ts';
import { type Layout, type Row, RowTree } from './rowTree.ts';
import { filterWords, groupLabel } from '../words/arrangementWords.ts';
import {
  conversationDescription,
  conversationLabel,
  factsOf,
  pendingTitle,
  pendingWord,
  titleOf,
} from '../words/conversationWords.ts';
import { factLines } from '../words/facts.ts';

export type ConversationRow = Row &
  (
    | { readonly kind: 'conversation'; readonly id: string }
    | { readonly kind: 'pending'; readonly id: string }
    | { readonly kind: 'group'; readonly key: string }
    | { readonly kind: 'problem' | 'filter' | 'more' }
  );

export class ConversationsTree extends RowTree<ConversationRow> {
  readonly #switchboard: Switchboard;
  readonly #clock: Clock;
  #groups: readonly Group[] = [];

  constructor(switchboard: Switchboard, clock: Clock) {
    super();
    this.#switchboard = switchboard;
    this.#clock = clock;
  }

  /** How many of the loaded conversations are shown. */
  get shown(): number {
    return this.#groups.reduce((sum, { rows }) => sum + rows.length, 0);
  }

  protected layOut(): Layout<ConversationRow> {
    const { connection, conversations, arrangement, starts } = this.#switchboard;
    if (!connection) return { roots: [], children: new Map() };
    this.#groups = arrange(conversations.rows.values(), arrangement);
    const pending = starts.of(connection.address).map((start): ConversationRow => {
      return { kind: 'pending', id: start.id, rowId: `pending:${start.id}` };
    });
    const lists = this.#groups.map(({ rows }) =>
      rows.map(({ id }): ConversationRow => ({
        kind: 'conversation',
        id,
        rowId: `conversation:${idKey(id)}`,
      })),
    );
    const groups = this.#groups.map(({ key }): ConversationRow => ({
      kind: 'group',
      key,
      rowId: `group:${key}`,
    }));
    const grouped = arrangement.grouping !== 'none';
    const loaded = conversations.asOf !== undefined;
    return {
      roots: [
        ...(conversations.error ? [{ kind: 'problem', rowId: 'problem' } as const] : []),
        ...(loaded && isFiltered(arrangement.filter) ? [{ kind: 'filter', rowId: 'filter' } as const] : []),
        ...pending,
        ...(grouped ? groups : lists.flat()),
        ...(conversations.more ? [{ kind: 'more', rowId: 'more' } as const] : []),
      ],
      children: new Map(grouped ? groups.map(({ rowId }, index) => [rowId, lists[index] ?? []]) : []),
    };
  }

  protected draw(row: ConversationRow): TreeItem {
    switch (row.kind) {
      case 'conversation':
        return this.#conversation(this.#switchboard.conversations.rows.get(idKey(row.id)), row.id);
      case 'pending':
        return this.#pending(row.id);
      case 'group':
        return this.#group(row.key);
      case 'filter':
        return this.#filter();
      case 'more':
        return this.#more();
      case 'problem': {
        const { error, asOf } = this.#switchboard.conversations;
        return error ? problemItem(error, asOf, this.#clock.now()) : new TreeItem('');
      }
    }
  }

  #conversation(conversation: Conversation | undefined, id: string): TreeItem {
    if (!conversation) return new TreeItem(id);
    const now = this.#clock.now();
    const item = new TreeItem(titleOf(conversation));
    item.description = conversationDescription(conversation, now, this.#switchboard.arrangement.grouping);
    item.tooltip = `${titleOf(conversation)}\n\n${factLines(factsOf(conversation, now))}`;
    item.iconPath = conversationIcon(conversation);
    item.accessibilityInformation = { label: conversationLabel(conversation, now) };
    item.contextValue = [
      'conversation',
      conversation.link && 'link',
      conversation.pullRequests.length > 0 && conversation.repository && 'pull',
      this.#isPaused(conversation) && 'paused',
    ]
      .filter(Boolean)
      .join(' ');
    item.command = command('switchboard.conversations.showDetails', t('Show Details'), id);
    return item;
  }

  #isPaused({ sandboxId }: Conversation): boolean {
    return sandboxId !== undefined && this.#switchboard.sandboxes.rows.get(sandboxId)?.status === 'paused';
  }

  #pending(id: string): TreeItem {
    const start = this.#start(id);
    if (!start) return new TreeItem('');
    const title = pendingTitle(start);
    const state = pendingWord(start);
    const item = new TreeItem(title);
    item.description = [state, start.wanted.repository].filter(Boolean).join(' · ');
    item.tooltip = [title, start.error ?? start.task?.detail ?? `${state} …`].join('\n\n');
    item.iconPath = pendingIcon(start);
    item.contextValue = ['pending', start.error !== undefined && 'failed'].filter(Boolean).join(' ');
    item.accessibilityInformation = { label: [title, state, start.error].filter(Boolean).join(', ') };
    if (start.error !== undefined)
      item.command = command('switchboard.conversations.new', t('Try Again'), id);
    return item;
  }

  #start(id: string): PendingStart | undefined {
    const { connection, starts } = this.#switchboard;
    return starts.of(connection?.address ?? '').find((start) => start.id === id);
  }

  #group(key: string): TreeItem {
    const rows = this.#groups.find((group) => group.key === key)?.rows ?? [];
    const label = groupLabel(key, this.#switchboard.arrangement.grouping, this.#clock.now());
    const item = new TreeItem(label, TreeItemCollapsibleState.Expanded);
    item.description = String(rows.length);
    item.contextValue = 'group';
    item.accessibilityInformation = { label: t('{0}, {1} loaded', label, rows.length) };
    return item;
  }

  #filter(): TreeItem {
    const { connection, arrangement, conversations } = this.#switchboard;
    const here = isFilteredHere(connection?.client.service?.conversations.filters, arrangement.filter);
    const filter = filterWords(arrangement.filter);
    const { shown } = this;
    const loaded = conversations.rows.size;
    const none = here ? t('none among {0} loaded', loaded) : t('none loaded');
    const some = here ? t('{0} among {1} loaded', shown, loaded) : t('{0} loaded', shown);
    const item = new TreeItem(filter);
    item.description = shown === 0 ? none : some;
    item.tooltip = t(
      'Only these are shown: {0}. Choose this row to change that; the button in it shows all again.',
      filter,
    );
    item.iconPath = new ThemeIcon('filter-filled');
    item.contextValue = 'filter';
    item.accessibilityInformation = { label: t('Filter: {0}, {1}', filter, item.description) };
    item.command = command('switchboard.conversations.filter', t('Filter'));
    return item;
  }

  #more(): TreeItem {
    const { conversations } = this.#switchboard;
    const { isLoadingMore, error } = conversations;
    const loaded = t('{0} loaded', conversations.rows.size);
    const [label, spoken] = isLoadingMore
      ? [t('Loading More …'), t('Loading more conversations')]
      : error
        ? [t('Try Again to Load More'), t('Try again to load more conversations')]
        : [t('Load More'), t('Load more conversations')];
    const item = new TreeItem(label);
    item.description = loaded;
    item.tooltip =
      error && !isLoadingMore
        ? error.message
        : t('{0} loaded. The service has more of them.', conversations.rows.size);
    item.iconPath = isLoadingMore ? activityIcons.starting : new ThemeIcon(error ? 'refresh' : 'fold-down');
    item.contextValue = 'more';
    item.accessibilityInformation = { label: `${spoken}, ${loaded}` };
    item.command = command('switchboard.conversations.loadMore', t('Load More'));
    return item;
  }

  /** For the row of a conversation, what `reveal` wants. */
  rowOf(id: string): ConversationRow | undefined {
    return this.row(`conversation:${idKey(id)}`);
  }
}

function command(id: CommandId, title: string, ...args: string[]) {
  return { command: id, title, arguments: args };
}
