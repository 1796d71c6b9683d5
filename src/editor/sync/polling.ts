/** When the service is polled: while a view is visible and the window has the focus. */
import { Disposable, type TreeView, window, workspace } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { Poller } from '../../state/poller.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { setting } from '../settings.ts';

export function pollWhileSeen(switchboard: Switchboard, treeViews: readonly TreeView<unknown>[]): Disposable {
  const poller = new Poller({
    ask: async () => {
      const outcome = await switchboard.refresh('poll');
      decide();
      return outcome;
    },
    interval: () => Math.max(0, setting('refreshInterval')) * 1000,
    clock: systemClock,
  });
  const isSeen = () => treeViews.some(({ visible }) => visible);
  const decide = () => {
    const { connection, conversations } = switchboard;
    // The first rows come at any interval: without them there would be nothing to see.
    if (
      isSeen() &&
      connection &&
      conversations.asOf === undefined &&
      !conversations.error &&
      !conversations.isRefreshing
    ) {
      void switchboard.refresh().then(decide);
    }
    goOn();
  };
  const goOn = () => {
    const { connection, refused } = switchboard;
    poller.active = isSeen() && window.state.focused && connection !== undefined && refused === undefined;
  };
  const subscriptions = [
    ...treeViews.map((view) => view.onDidChangeVisibility(decide)),
    window.onDidChangeWindowState(decide),
    new Disposable(switchboard.onConnection(decide)),
    // After a refusal, a person refreshes; when the service accepts that, polling goes on.
    ...[switchboard.conversations, switchboard.sandboxes].map(
      (list) =>
        new Disposable(
          list.onChange(({ state }) => {
            // Not while the lists are being reset for another service: when both are, `onConnection` fires.
            if (state.has('error') && switchboard.conversations.asOf !== undefined) goOn();
          }),
        ),
    ),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('switchboard.refreshInterval')) poller.now();
    }),
  ];
  decide();
  return new Disposable(() => {
    poller.stop();
    for (const subscription of subscriptions) subscription.dispose();
  });
}
