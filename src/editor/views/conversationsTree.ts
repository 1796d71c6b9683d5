import { ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { t } from '../../base/l10n.ts';
import { type Conversation, idKey, type Time } from '../../service/entities.ts';
import {
  arrange,
  type Arrangement,
  type Group,
  isFiltered,
  isFilteredHere,
} from '../../state/conversationRows.ts';
import { isAgeOnly, type ListChange } from '../../state/remoteList.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { CommandId } from '../manifest.ts';
import { activityIcons, conversationIcon, requestedIcon } from './icons.ts';
import { problemItem } from './problemItem.ts';
import { type Layout, type Row, RowTree } from './rowTree.ts';
import { filterWords, groupLabel } from '../words/arrangementWords.ts';
import {
  conversationDescription,
  conversationLabel,
  requestedTitle,
  requestedWord,
  factsEnd,
  factsOf,
  titleOf,
} from '../words/conversationWords.ts';
import { factLines } from '../words/facts.ts';
import { dayEnds } from '../words/times.ts';

type ConversationRow = Row &
  (
    | { readonly kind: 'conversation'; readonly id: string }
    | { readonly kind: 'requested'; readonly id: string }
    | { readonly kind: 'group'; readonly key: string }
    | { readonly kind: 'problem' | 'filter' | 'more' }
  );

/** The rows of the conversations, valid until these or their arrangement change. */
interface Arranged {
  readonly rows: ReadonlyMap<string, Conversation>;
  readonly arrangement: Arrangement;
  readonly groups: readonly Group[];
  readonly headings: readonly ConversationRow[];
  /** Of each group. */
  readonly lists: readonly (readonly ConversationRow[])[];
}

export class ConversationsTree extends RowTree<ConversationRow> {
  readonly #switchboard: Switchboard;
  readonly #stops: readonly (() => void)[];
  #arranged: Arranged | undefined;
  /** Of the sandboxes: a conversation whose sandbox is paused can be resumed. */
  #paused: { readonly rows: unknown; readonly ids: ReadonlySet<string> } = {
    rows: undefined,
    ids: new Set(),
  };

  constructor(switchboard: Switchboard, clock: Clock) {
    super(clock);
    this.#switchboard = switchboard;
    const { conversations, sandboxes, requested } = switchboard;
    this.#stops = [
      conversations.onChange((change) => {
        if (isAgeOnly(change)) this.timePassed();
        else this.changed(rowsOf(change));
      }),
      sandboxes.onChange(({ rows, structure }) => {
        if (structure || rows.size > 0) this.changed();
      }),
      requested.onChange(() => {
        this.changed(requested.all.map(({ id }) => `requested:${id}`));
      }),
      switchboard.onConnection(() => {
        this.changed();
      }),
      switchboard.onArrangement(() => {
        this.allChanged();
      }),
    ];
  }

  override dispose(): void {
    for (const stop of this.#stops) stop();
    super.dispose();
  }

  /** How many of the loaded conversations are shown. */
  get shown(): number {
    return this.#arrange().groups.reduce((sum, { rows }) => sum + rows.length, 0);
  }

  protected layOut(): Layout<ConversationRow> {
    const { connection, conversations, arrangement, requested } = this.#switchboard;
    if (!connection) return { roots: [], children: new Map() };
    const { headings, lists } = this.#arrange();
    const beingCreated = requested.of(connection.address).map(({ id }): ConversationRow => {
      return { kind: 'requested', id, rowId: `requested:${id}` };
    });
    const grouped = arrangement.grouping !== 'none';
    const loaded = conversations.asOf !== undefined;
    return {
      roots: [
        ...(conversations.error ? [{ kind: 'problem', rowId: 'problem' } as const] : []),
        ...(loaded && isFiltered(arrangement.filter) ? [{ kind: 'filter', rowId: 'filter' } as const] : []),
        ...beingCreated,
        ...(grouped ? headings : lists.flat()),
        ...(conversations.more ? [{ kind: 'more', rowId: 'more' } as const] : []),
      ],
      children: new Map(grouped ? headings.map(({ rowId }, index) => [rowId, lists[index] ?? []]) : []),
      different: this.#pausedOrResumed(),
    };
  }

  #arrange(): Arranged {
    const { conversations, arrangement } = this.#switchboard;
    const { rows } = conversations;
    if (this.#arranged?.rows === rows && this.#arranged.arrangement === arrangement) return this.#arranged;
    const groups = arrange(rows.values(), arrangement);
    const headings = groups.map(({ key }) => ({ kind: 'group', key, rowId: `group:${key}` }) as const);
    const lists = groups.map((group) =>
      group.rows.map(({ id }) => ({ kind: 'conversation', id, rowId: rowIdOf(idKey(id)) }) as const),
    );
    return (this.#arranged = { rows, arrangement, groups, headings, lists });
  }

  /** The rows of conversations whose sandbox was paused, or runs again, since the last call. */
  #pausedOrResumed(): string[] {
    const { sandboxes, conversations } = this.#switchboard;
    const before = this.#paused;
    if (before.rows === sandboxes.rows) return [];
    const ids = new Set<string>();
    for (const { id, status } of sandboxes.rows.values()) if (status === 'paused') ids.add(id);
    this.#paused = { rows: sandboxes.rows, ids };
    const isDifferent = ({ sandboxId = '' }: Conversation) =>
      before.ids.has(sandboxId) !== ids.has(sandboxId);
    return [...conversations.rows].filter(([, row]) => isDifferent(row)).map(([key]) => rowIdOf(key));
  }

  protected until(row: ConversationRow, now: Time): Time {
    switch (row.kind) {
      case 'conversation': {
        const conversation = this.#switchboard.conversations.rows.get(idKey(row.id));
        return conversation ? factsEnd(conversation, now) : Infinity;
      }
      case 'group':
        return this.#switchboard.arrangement.grouping === 'day' ? dayEnds(now) : Infinity;
      case 'problem':
        return dayEnds(now);
      case 'requested':
      case 'filter':
      case 'more':
        return Infinity;
    }
  }

  protected draw(row: ConversationRow, now: Time): TreeItem {
    switch (row.kind) {
      case 'conversation':
        return this.#conversation(this.#switchboard.conversations.rows.get(idKey(row.id)), row.id, now);
      case 'requested':
        return this.#requested(row.id);
      case 'group':
        return this.#group(row.key, now);
      case 'filter':
        return this.#filter();
      case 'more':
        return this.#more();
      case 'problem': {
        const { error, asOf } = this.#switchboard.conversations;
        return error ? problemItem(error, asOf, now) : new TreeItem('');
      }
    }
  }

  #conversation(conversation: Conversation | undefined, id: string, now: Time): TreeItem {
    if (!conversation) return new TreeItem(id);
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

  #requested(id: string): TreeItem {
    const requested = this.#switchboard.requested.all.find((each) => each.id === id);
    if (!requested) return new TreeItem('');
    const title = requestedTitle(requested);
    const state = requestedWord(requested);
    const item = new TreeItem(title);
    item.description = [state, requested.wanted.repository].filter(Boolean).join(' · ');
    item.tooltip = [title, requested.error ?? requested.task?.detail ?? `${state} …`].join('\n\n');
    item.iconPath = requestedIcon(requested);
    item.contextValue = ['requested', requested.error !== undefined && 'failed'].filter(Boolean).join(' ');
    item.accessibilityInformation = { label: [title, state, requested.error].filter(Boolean).join(', ') };
    if (requested.error !== undefined)
      item.command = command('switchboard.conversations.new', t('Try Again'), id);
    return item;
  }

  #group(key: string, now: Time): TreeItem {
    const rows = this.#arrange().groups.find((group) => group.key === key)?.rows ?? [];
    const label = groupLabel(key, this.#switchboard.arrangement.grouping, now);
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
      'Only these are shown: {0}. Select this row to change the filter, or use its button to show all.',
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
        : t('{0} loaded. The service has more.', conversations.rows.size);
    item.iconPath = isLoadingMore ? activityIcons.starting : new ThemeIcon(error ? 'refresh' : 'fold-down');
    item.contextValue = 'more';
    item.accessibilityInformation = { label: `${spoken}, ${loaded}` };
    item.command = command('switchboard.conversations.loadMore', t('Load More'));
    return item;
  }

  /** The row of a conversation, for `reveal`. */
  rowOf(id: string): ConversationRow | undefined {
    return this.row(rowIdOf(idKey(id)));
  }
}

function rowIdOf(key: string): string {
  return `conversation:${key}`;
}

/** The rows that look different after a change of the list. */
function rowsOf({ rows, structure, state }: ListChange): string[] {
  const ids = [...rows].map(rowIdOf);
  if (structure || rows.size > 0) ids.push('filter');
  if (structure || state.has('isLoadingMore') || state.has('error')) ids.push('more');
  if (state.has('error')) ids.push('problem');
  return ids;
}

function command(id: CommandId, title: string, ...args: string[]) {
  return { command: id, title, arguments: args };
}
