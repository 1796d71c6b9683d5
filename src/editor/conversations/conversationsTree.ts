import { TreeItem, TreeItemCollapsibleState, Uri } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { reason } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import { lazily } from '../../base/lazily.ts';
import { present } from '../../base/parts.ts';
import {
  type ConversationKey,
  type Conversation,
  keyOf,
  type Time,
} from '../../service/model/entities.ts';
import type { ChangedFile } from '../../service/abilities/fileChanges.ts';
import {
  arrange,
  type Arrangement,
  isFiltered,
  isFilteredHere,
  type ShownConversations,
} from '../../state/lists/conversationRows.ts';
import type { AutomationRow } from '../../state/serviceAutomations.ts';
import { progressOf } from '../../state/changes/fileReviews.ts';
import { activityOf } from '../../state/lists/activity.ts';
import { isAgeOnly, type ListChange } from '../../state/lists/remoteList.ts';
import { isFilled } from '../../state/newConversation/requestedConversations.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import {
  actionsOf,
  type WaitingAction,
} from '../../state/transcript/waiting.ts';
import { aClick, unreadScheme, views } from '../manifest.ts';
import { conversationIcon } from '../ui/icons.ts';
import { automationItem, automationsItem } from './automationItem.ts';
import { fileRowId } from './fileRow.ts';
import {
  archivedItem,
  changedFileItem,
  changesItem,
  type ChangesState,
  filterItem,
  groupItem,
  moreItem,
  requestedItem,
} from './listItems.ts';
import { problemId, problemItem, problemRows } from '../ui/problemItem.ts';
import { rowCommand, treeItem } from '../ui/treeItem.ts';
import { type TreeLayout, type TreeRow, RowTree } from '../ui/rowTree.ts';
import {
  filterWords,
  groupLabel,
} from '../words/conversations/arrangementWords.ts';
import {
  conversationDescription,
  conversationLabel,
  conversationTooltip,
  rowEnds,
  rowTitle,
  titleOf,
} from '../words/conversations/conversationWords.ts';
import type { wholeCommand } from '../words/conversations/noticeWords.ts';
import { nameOf, serviceName } from '../words/serviceWords.ts';
import { automationRowEnds } from '../words/automationWords.ts';
import { dayEnds } from '../words/times.ts';

/**
 * `id` is the argument of commands: the key of a conversation, an automation or
 * a group, or the address of a service.
 */
export type ConversationRow = TreeRow &
  (
    | {
        readonly kind: 'conversation' | 'changes' | 'automation';
        readonly id: ConversationKey;
      }
    | {
        readonly kind: 'requested' | 'group' | 'problem';
        readonly id: string;
      }
    | {
        readonly kind: 'changedFile';
        readonly id: string;
        readonly key: ConversationKey;
        readonly file: ChangedFile;
      }
    | { readonly kind: 'filter' | 'automations' | 'archived' | 'more' }
  );

/**
 * The arranged rows, valid until the conversations or their arrangement change.
 */
interface Arranged {
  readonly rows: ReadonlyMap<ConversationKey, Conversation>;
  readonly arrangement: Arrangement;
  readonly listing: ShownConversations;
  readonly roots: readonly ConversationRow[];
  readonly children: ReadonlyMap<string, readonly ConversationRow[]>;
}

export class ConversationsTree extends RowTree<ConversationRow> {
  readonly #switchboard: Switchboard;
  #arranged: Arranged | undefined;
  readonly #expanded = new Map<ConversationKey, ChangesState>();
  readonly #disposed = new AbortController();
  #wholeCommand: typeof wholeCommand | undefined;
  /** Loads the masks, which the first rows do without. */
  readonly #loadWords = lazily(async () => {
    ({ wholeCommand: this.#wholeCommand } =
      await import('../words/conversations/noticeWords.ts'));
    const waiting = [...this.#switchboard.conversations.rows].filter(
      ([, row]) => activityOf(row) === 'waiting',
    );
    this.maybeChanged(waiting.map(([key]) => rowIdOf(key)));
  });

  constructor(switchboard: Switchboard, clock: Clock) {
    super(views.conversations, clock);
    this.#switchboard = switchboard;
    const { conversations, sandboxes, requested, changes, reviews, unread } =
      switchboard;
    this.subscriptions.push(
      reviews.onChange((keys) => {
        this.changed([...keys].map(rowIdOf));
      }),
      unread.onChange((keys) => {
        this.#arranged = undefined;
        this.maybeChanged([...[...keys].map(rowIdOf), 'filter']);
      }),
      conversations.onChange((change) => {
        if (isAgeOnly(change)) this.timePassed();
        else
          this.maybeChanged([
            ...rowsOf(change),
            ...(change.state.has('error')
              ? switchboard.services.map(problemId)
              : []),
          ]);
      }),
      sandboxes.onChange(({ rows, structure }) => {
        if (!structure && rows.size === 0) return;
        // The conversations of paused sandboxes can be resumed.
        const all = [...conversations.rows].filter(
          ([, { sandboxId }]) => sandboxId !== undefined,
        );
        this.maybeChanged(all.map(([key]) => rowIdOf(key)));
      }),
      switchboard.removedWorktrees.onChange((key) => {
        this.maybeChanged([rowIdOf(key)]);
      }),
      requested.onChange(() => {
        this.changed(requested.all.map(({ id }) => `requested:${id}`));
      }),
      // Rows show the name of their service once there are two.
      switchboard.onServices(this.allChanged),
      changes.onChange(({ key, since }) => {
        if (since === 'start') this.changed([rowIdOf(key), changesId(key)]);
      }),
      changes.onLook((key) => {
        this.maybeChanged([rowIdOf(key)]);
      }),
      switchboard.onReviewed((key) => {
        this.changed([
          rowIdOf(key),
          ...this.#changedFiles(key).map((file) => rowOfFile(key, file).rowId),
        ]);
      }),
      switchboard.onArrangement(this.allChanged),
      switchboard.onAutomations(() => {
        const keys = switchboard.automations.map(({ key }) => key);
        this.maybeChanged(['automations', ...keys.map(automationId)]);
      }),
    );
  }

  override dispose(): void {
    this.#disposed.abort();
    super.dispose();
  }

  async expand(row: ConversationRow): Promise<void> {
    const conversation =
      row.kind === 'conversation' && this.#switchboard.conversation(row.id);
    if (!conversation) return;
    const show = (state: ChangesState) => {
      this.#expanded.set(row.id, state);
      this.changed([changesId(row.id)]);
    };
    show({ isLoading: true });
    try {
      const progress = await this.#switchboard.progress();
      await progress.readReviews(conversation, {
        signal: this.#disposed.signal,
      });
      show({ isLoading: false });
    } catch (error) {
      show({ isLoading: false, problem: reason(error) });
    }
  }

  get shown(): number {
    return this.#arrange().listing.count;
  }

  protected layOut(): TreeLayout<ConversationRow> {
    const { services, conversations, arrangement, requested } =
      this.#switchboard;
    if (services.length === 0) return { roots: [], children: new Map() };
    const arranged = this.#arrange();
    const beingCreated = requested.all
      .filter(
        (request) =>
          isFilled(request) &&
          (request.isDraft ?? this.#switchboard.service(request.address)),
      )
      .map(({ id }): ConversationRow => ({
        kind: 'requested',
        id,
        rowId: `requested:${id}`,
      }));
    const loaded = conversations.asOf !== undefined;
    const automations = isFiltered(arrangement.filter)
      ? []
      : this.#switchboard.automations.map(({ key }): ConversationRow => ({
          kind: 'automation',
          id: key,
          rowId: automationId(key),
        }));
    return {
      roots: present(
        ...problemRows(this.#switchboard, 'conversations'),
        loaded &&
          isFiltered(arrangement.filter) && { kind: 'filter', rowId: 'filter' },
        ...beingCreated,
        ...arranged.roots,
        arranged.listing.archived.length > 0 && {
          kind: 'archived',
          rowId: 'archived',
        },
        conversations.more && { kind: 'more', rowId: 'more' },
        automations.length > 0 && { kind: 'automations', rowId: 'automations' },
      ),
      children: new Map([
        ...arranged.children,
        ...this.#filesBelow(arranged.children),
        ['automations', automations],
      ]),
    };
  }

  #filesBelow(
    children: Arranged['children'],
  ): [string, readonly ConversationRow[]][] {
    const { changes, conversations } = this.#switchboard;
    return [...new Set([...changes.keys, ...this.#expanded.keys()])]
      .filter((key) => conversations.rows.has(key))
      .map((key) => {
        const files = this.#changedFiles(key).map((file) =>
          rowOfFile(key, file),
        );
        const state: readonly ConversationRow[] =
          files.length === 0 && this.#expanded.has(key)
            ? [{ kind: 'changes', id: key, rowId: changesId(key) }]
            : [];
        return [
          rowIdOf(key),
          [...(children.get(rowIdOf(key)) ?? []), ...files, ...state],
        ];
      });
  }

  /** Includes the files that were reviewed and have changed back since. */
  #changedFiles(key: ConversationKey): readonly ChangedFile[] {
    return (
      this.#switchboard.fileReviews(key)?.map(({ file }) => file) ??
      this.#switchboard.changes.known(key)?.files ??
      []
    );
  }

  #arrange(): Arranged {
    const { conversations, arrangement, services, unread } = this.#switchboard;
    const { rows } = conversations;
    if (
      this.#arranged?.rows === rows &&
      this.#arranged.arrangement === arrangement
    )
      return this.#arranged;
    const listing = arrange(
      rows.values(),
      arrangement,
      services.map(({ address }) => address),
      (key) => unread.has(key),
    );
    const isGrouped = arrangement.grouping !== 'none';
    const groups = listing.groups.map(
      (group): readonly [ConversationRow, readonly ConversationRow[]] => [
        { kind: 'group', id: group.key, rowId: `group:${group.key}` },
        group.rows.map(rowOfConversation),
      ],
    );
    const roots = groups.flatMap(([heading, list]) =>
      isGrouped ? [heading] : list,
    );
    const children = new Map<string, readonly ConversationRow[]>([
      ...[...listing.below].map(
        ([key, below]) => [rowIdOf(key), below.map(rowOfConversation)] as const,
      ),
      ...(isGrouped
        ? groups.map(([heading, list]) => [heading.rowId, list] as const)
        : []),
    ]);
    return (this.#arranged = { rows, arrangement, listing, roots, children });
  }

  protected until(row: ConversationRow, now: Time): Time {
    const { conversations, arrangement } = this.#switchboard;
    if (row.kind === 'conversation') {
      const conversation = conversations.rows.get(row.id);
      return conversation ? rowEnds(conversation, now) : Infinity;
    }
    if (row.kind === 'automation')
      return automationRowEnds(this.#automation(row.id), now);
    const namesDay =
      row.kind === 'problem' ||
      (row.kind === 'group' && arrangement.grouping === 'day');
    return namesDay ? dayEnds(now) : Infinity;
  }

  protected draw(row: ConversationRow, now: Time): TreeItem {
    switch (row.kind) {
      case 'conversation':
        return this.#conversation(
          this.#switchboard.conversations.rows.get(row.id),
          row.id,
          now,
        );
      case 'requested': {
        const requested = this.#switchboard.requested.all.find(
          ({ id }) => id === row.id,
        );
        return requested ? requestedItem(requested) : new TreeItem('');
      }
      case 'changedFile': {
        const review = this.#switchboard
          .fileReviews(row.key)
          ?.find(({ file }) => file.path === row.file.path);
        return changedFileItem(row.file, row.id, review?.state ?? 'new');
      }
      case 'changes': {
        const isKnown = this.#switchboard.changes.known(row.id) !== undefined;
        return changesItem(
          row.id,
          isKnown ? { isLoading: false } : this.#expanded.get(row.id),
        );
      }
      case 'group':
        return this.#group(row.id, now);
      case 'filter':
        return this.#filter();
      case 'automations':
        return automationsItem(this.#switchboard.automations);
      case 'automation': {
        const automation = this.#automation(row.id);
        return automation
          ? automationItem(
              automation,
              now,
              serviceName(this.#switchboard, automation.service),
            )
          : new TreeItem('');
      }
      case 'archived':
        return archivedItem(this.#arrange().listing.archived);
      case 'more': {
        const { conversations, services } = this.#switchboard;
        return moreItem(
          conversations,
          services.map((service) => service.conversations.error).find(Boolean),
        );
      }
      case 'problem':
        return problemItem(this.#switchboard, 'conversations', row.id, now);
    }
  }

  #conversation(
    conversation: Conversation | undefined,
    key: ConversationKey,
    now: Time,
  ): TreeItem {
    if (!conversation) return new TreeItem('');
    const switchboard = this.#switchboard;
    const service = serviceName(switchboard, conversation.service);
    const { approvals, demo } = switchboard.service(conversation.service) ?? {};
    const snapshot = switchboard.snapshot(conversation);
    const actions = actionsOf(snapshot?.waiting);
    const approval = snapshot?.approval ?? conversation.approval;
    const isLowered = approvals?.weakened(key, approval) !== undefined;
    const isUnread = switchboard.unread.has(key);
    const comments = switchboard.reviews.of(key).length;
    const progress = progressOf(switchboard.fileReviews(key));
    const beside = {
      service,
      grouping: switchboard.arrangement.grouping,
      files: switchboard.changes.known(key)?.files.length,
      comments,
      isUnread,
      review: progress && {
        ...progress,
        isStale: switchboard.changes.isStale(conversation),
      },
      isLowered,
    };
    const item = treeItem(rowTitle(titleOf(conversation)), {
      description: conversationDescription(conversation, now, beside),
      tooltip: conversationTooltip(conversation, now, {
        service:
          service && demo
            ? t('{0}, built in: its agents only pretend', service)
            : service,
        actions,
        isUnread,
        isLowered,
      }),
      iconPath: conversationIcon(conversation),
      // All rows can be expanded, so that their labels align.
      collapsibleState: TreeItemCollapsibleState.Collapsed,
      context: [
        'conversation',
        conversation.link && 'link',
        conversation.pullRequests.length > 0 &&
          conversation.repository &&
          'pull',
        switchboard.sandboxOf(conversation)?.status === 'paused' && 'paused',
        comments > 0 && 'reviewed',
        isUnread && 'unread',
        ...this.#actions(conversation, actions),
      ],
      spoken: conversationLabel(conversation, now, beside),
      command: rowCommand(
        'switchboard.conversations.showDetails',
        t('Show Details'),
        key,
        aClick,
      ),
    });
    if (isUnread)
      item.resourceUri = Uri.from({ scheme: unreadScheme, path: '/' });
    return item;
  }

  /**
   * Context values for the actions that the service supports in the current
   * state.
   */
  #actions(
    conversation: Conversation,
    pending: readonly WaitingAction[] | undefined,
  ): (string | false | undefined)[] {
    const { editing, agents } =
      this.#switchboard.service(conversation.service)?.client.service ?? {};
    const activity = activityOf(conversation);
    return [
      editing && 'editable',
      agents && conversation.status === 'running' && 'forkable',
      editing?.mark && 'markable',
      conversation.isPinned && 'pinned',
      conversation.isArchived && 'archived',
      this.#switchboard.whyNoFolder(conversation) && 'withoutWorktree',
      agents && 'steerable',
      agents && activity === 'waiting' && 'answerable',
      agents &&
        activity === 'waiting' &&
        this.#isShort(pending) &&
        'acceptable',
      agents && activity === 'working' && 'stoppable',
    ];
  }

  /** True if a question can show all pending actions. */
  #isShort(actions: readonly WaitingAction[] | undefined): boolean {
    if (actions) void this.#loadWords();
    return this.#wholeCommand?.(actions) !== undefined;
  }

  #automation(key: ConversationKey): AutomationRow | undefined {
    return this.#switchboard.automations.find((row) => row.key === key);
  }

  #group(key: string, now: Time): TreeItem {
    const { grouping } = this.#switchboard.arrangement;
    const rows =
      this.#arrange().listing.groups.find((group) => group.key === key)?.rows ??
      [];
    const label =
      grouping === 'service'
        ? nameOf(this.#switchboard, key)
        : groupLabel(key, grouping, now);
    return groupItem(label, rows.length, grouping === 'service');
  }

  #filter(): TreeItem {
    const { services, arrangement, conversations } = this.#switchboard;
    return filterItem(
      filterWords(arrangement.filter, (address) =>
        nameOf(this.#switchboard, address),
      ),
      {
        shown: this.shown,
        loaded: conversations.rows.size,
        isFilteredHere: services.some(({ client }) =>
          isFilteredHere(
            client.service?.conversations.filters,
            arrangement.filter,
          ),
        ),
      },
    );
  }

  rowOf(conversation: Conversation): ConversationRow | undefined {
    return this.row(rowIdOf(keyOf(conversation)));
  }
}

function rowOfConversation(conversation: Conversation) {
  const key = keyOf(conversation);
  return { kind: 'conversation', id: key, rowId: rowIdOf(key) } as const;
}

function rowOfFile(key: ConversationKey, file: ChangedFile): ConversationRow {
  const id = fileRowId(key, file.path);
  return {
    kind: 'changedFile',
    id,
    key,
    file,
    rowId: `changedFile:${id} ${file.version ?? ''}`,
  };
}

function changesId(key: ConversationKey): string {
  return `changes:${key}`;
}

function automationId(key: ConversationKey): string {
  return `automation:${key}`;
}

function rowIdOf(key: ConversationKey): string {
  return `conversation:${key}`;
}

function rowsOf({ rows, structure, state }: ListChange): string[] {
  const ids = [...rows].map(rowIdOf);
  if (structure || rows.size > 0) ids.push('filter', 'archived');
  if (structure || state.has('isLoadingMore') || state.has('error'))
    ids.push('more');
  return ids;
}
