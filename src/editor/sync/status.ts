/** What is always visible: the service, its interface, the age of the rows, and how many need a person. */
import {
  commands,
  type Disposable,
  MarkdownString,
  StatusBarAlignment,
  type StatusBarItem,
  type TreeView,
  window,
} from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { t } from '../../base/l10n.ts';
import { activityOf } from '../../state/activity.ts';
import { needsPerson } from '../../state/attention.ts';
import { isFiltered } from '../../state/conversationRows.ts';
import type { ListChange, RemoteList } from '../../state/remoteList.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { contextKeys, views } from '../manifest.ts';
import { occasionWord } from '../words/stateWords.ts';
import { clockTime } from '../words/times.ts';

export interface Views {
  readonly conversations: TreeView<unknown>;
  readonly sandboxes: TreeView<unknown>;
}

export class Status implements Disposable {
  readonly #switchboard: Switchboard;
  readonly #views: Views;
  readonly #item: StatusBarItem;
  readonly #stops: readonly (() => void)[];
  /** The context keys as the editor knows them. */
  readonly #context = new Map<string, boolean>();
  /** What the item says; empty while it is hidden. */
  #shown = '';

  constructor(switchboard: Switchboard, treeViews: Views) {
    this.#switchboard = switchboard;
    this.#views = treeViews;
    this.#item = window.createStatusBarItem('switchboard.connection', StatusBarAlignment.Left, -10);
    this.#item.name = 'Agent Switchboard';
    this.#item.command = `${views.conversations}.focus`;
    const { conversations, sandboxes } = switchboard;
    const show = () => {
      this.#show();
    };
    this.#stops = [
      switchboard.onConnection(show),
      switchboard.onArrangement(show),
      conversations.onChange((change) => {
        if (change.structure || change.rows.size > 0) this.#showBadge();
        this.#follow(conversations, change, views.conversations);
      }),
      sandboxes.onChange((change) => {
        this.#follow(sandboxes, change, views.sandboxes);
      }),
    ];
    this.#showBadge();
    this.#show();
  }

  dispose(): void {
    this.#item.dispose();
    for (const stop of this.#stops) stop();
  }

  #follow<T>(list: RemoteList<T>, { state }: ListChange, viewId: string): void {
    if (state.size > 0) this.#show();
    if (!list.isRefreshing || list.asOf !== undefined || !state.has('isRefreshing')) return;
    // A progress bar in the view, until there is something to see.
    const loaded = list.refresh().catch(() => undefined);
    void window.withProgress({ location: { viewId } }, () => loaded);
  }

  #show(): void {
    const { connection, arrangement, conversations, sandboxes } = this.#switchboard;
    const name = connection?.demo ? t('Demo Service') : connection && new URL(connection.address).host;
    // The title of a view has little room.
    const shortName = connection?.demo ? t('Demo') : name;
    const through = connection?.client.service?.interface.toUpperCase();
    describe(this.#views.conversations, [shortName, through].filter(Boolean).join(' · '));
    describe(this.#views.sandboxes, shortName ?? '');
    this.#showItem(name, through);
    this.#setContext(contextKeys.connected, connection !== undefined);
    this.#setContext(contextKeys.demo, connection?.demo ?? false);
    this.#setContext(contextKeys.filtered, isFiltered(arrangement.filter));
    this.#setContext(contextKeys.conversationsLoaded, conversations.asOf !== undefined);
    this.#setContext(contextKeys.sandboxesLoaded, sandboxes.asOf !== undefined);
  }

  #showItem(name: string | undefined, through: string | undefined): void {
    if (name === undefined) {
      this.#shown = '';
      this.#item.hide();
      return;
    }
    const { connection, conversations, sandboxes } = this.#switchboard;
    const error = conversations.error ?? sandboxes.error;
    const { asOf } = conversations;
    const text = `$(${error ? 'warning' : 'plug'}) ${name}`;
    const lines = [
      connection?.demo ? t('The built-in demo service') : t('Connected to {0}', connection?.address ?? ''),
      through && t('through its {0} interface', through),
      asOf === undefined ? undefined : t('as of {0}', clockTime(asOf, systemClock.now())),
      error?.message,
    ].filter(Boolean);
    const shown = [text, ...lines].join('\n');
    if (shown === this.#shown) return;
    this.#shown = shown;
    this.#item.text = text;
    this.#item.tooltip = new MarkdownString().appendText(lines.join('\n'));
    this.#item.accessibilityInformation = { label: t('Agent Switchboard: {0}', lines.join(', ')) };
    this.#item.show();
  }

  #showBadge(): void {
    const view = this.#views.conversations;
    const asking = [...this.#switchboard.conversations.rows.values()].filter(needsPerson);
    const waiting = asking.filter((conversation) => activityOf(conversation) === 'waiting').length;
    const failed = asking.length - waiting;
    const parts = [occasionWord('waits', waiting), occasionWord('failed', failed)];
    const tooltip = parts.filter(Boolean).join(', ');
    if (view.badge?.tooltip === tooltip || (!view.badge && asking.length === 0)) return;
    view.badge = asking.length === 0 ? undefined : { value: asking.length, tooltip };
  }

  #setContext(key: string, value: boolean): void {
    if (this.#context.get(key) === value) return;
    this.#context.set(key, value);
    void commands.executeCommand('setContext', key, value);
  }
}

/** The editor would update its title for the same text, too. */
function describe(view: TreeView<unknown>, description: string): void {
  if (view.description !== description) view.description = description;
}
