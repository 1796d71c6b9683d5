/** What can be seen at any time: who is connected, through which interface, how old the rows are, what needs a person. */
import { commands, Disposable, MarkdownString, StatusBarAlignment, type TreeView, window } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { t } from '../../base/l10n.ts';
import { needsPerson } from '../../state/attention.ts';
import { activityOf } from '../../state/activity.ts';
import { isFiltered } from '../../state/conversationRows.ts';
import type { RemoteList } from '../../state/remoteList.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { contextKeys, views } from '../manifest.ts';
import { occasionWord } from '../words/stateWords.ts';
import { clockTime } from '../words/times.ts';

export interface Views {
  readonly conversations: TreeView<unknown>;
  readonly sandboxes: TreeView<unknown>;
}

export function showStatus(switchboard: Switchboard, { conversations, sandboxes }: Views): Disposable {
  const item = window.createStatusBarItem('switchboard.connection', StatusBarAlignment.Left, -10);
  item.name = 'Agent Switchboard';
  item.command = `${views.conversations}.focus`;
  const update = () => {
    const { connection, arrangement } = switchboard;
    const name = connection?.demo ? t('Demo Service') : connection && new URL(connection.address).host;
    // The title of a view has little room.
    const shortName = connection?.demo ? t('Demo') : name;
    const through = connection?.client.service?.interface.toUpperCase();
    conversations.description = [shortName, through].filter(Boolean).join(' · ');
    sandboxes.description = shortName ?? '';
    const error = switchboard.conversations.error ?? switchboard.sandboxes.error;
    const asOf = switchboard.conversations.asOf;
    if (name === undefined) {
      item.hide();
    } else {
      item.text = `$(${error ? 'warning' : 'plug'}) ${name}`;
      const lines = [
        connection?.demo
          ? t('The demo service that is built in')
          : t('Connected to {0}', connection?.address ?? ''),
        through && t('through its {0} interface', through),
        asOf === undefined ? undefined : t('as of {0}', clockTime(asOf, systemClock.now())),
        error?.message,
      ];
      item.tooltip = new MarkdownString().appendText(lines.filter(Boolean).join('\n'));
      item.accessibilityInformation = {
        label: t('Agent Switchboard: {0}', lines.filter(Boolean).join(', ')),
      };
      item.show();
    }
    showBadge(switchboard, conversations);
    setContext(contextKeys.connected, connection !== undefined);
    setContext(contextKeys.demo, connection?.demo ?? false);
    setContext(contextKeys.filtered, isFiltered(arrangement.filter));
    setContext(contextKeys.conversationsLoaded, switchboard.conversations.asOf !== undefined);
    setContext(contextKeys.sandboxesLoaded, switchboard.sandboxes.asOf !== undefined);
  };
  const subscriptions = [
    switchboard.onConnection(update),
    switchboard.onArrangement(update),
    switchboard.conversations.onChange(update),
    switchboard.sandboxes.onChange(update),
    showFirstLoad(switchboard.conversations, views.conversations),
    showFirstLoad(switchboard.sandboxes, views.sandboxes),
  ];
  update();
  return new Disposable(() => {
    item.dispose();
    for (const stop of subscriptions) stop();
  });
}

const context = new Map<string, boolean>();

/** Told to the editor only when it is another. */
function setContext(key: string, value: boolean): void {
  if (context.get(key) === value) return;
  context.set(key, value);
  void commands.executeCommand('setContext', key, value);
}

function showBadge({ conversations }: Switchboard, view: TreeView<unknown>): void {
  const asking = [...conversations.rows.values()].filter(needsPerson);
  const waiting = asking.filter((conversation) => activityOf(conversation) === 'waiting').length;
  const failed = asking.length - waiting;
  const parts = [occasionWord('waits', waiting), occasionWord('failed', failed)];
  const tooltip = parts.filter(Boolean).join(', ');
  if (view.badge?.tooltip === tooltip || (!view.badge && asking.length === 0)) return;
  view.badge = asking.length === 0 ? undefined : { value: asking.length, tooltip };
}

/** A bar in the view, as long as there is nothing to see yet. */
function showFirstLoad<T>(list: RemoteList<T>, viewId: string): () => void {
  let busy = false;
  return list.onChange(() => {
    if (busy || !list.isRefreshing || list.asOf !== undefined) return;
    busy = true;
    void window.withProgress({ location: { viewId } }, async () => {
      await list.refresh().catch(() => undefined);
      busy = false;
    });
  });
}
