/** When the service is asked by itself: while a view is visible and the window has the focus. */
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
    // The first look needs no interval: without it there would be nothing to see.
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
    // Who has put right why the service did not let us in finds out by asking for the lists again.
    ...[switchboard.conversations, switchboard.sandboxes].map(
      (list) =>
        new Disposable(
          list.onChange(() => {
            // Not while the lists are being emptied for another service: that is told when both are.
            if (switchboard.conversations.asOf !== undefined) goOn();
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
