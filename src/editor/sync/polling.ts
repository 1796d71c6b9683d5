/** When each service is polled: while a view is visible and the window has the focus. */
import { Disposable, type TreeView, window, workspace } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import { Poller } from '../../state/poller.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { setting } from '../settings.ts';

interface Polled {
  readonly poller: Poller;
  readonly decide: () => void;
  readonly stop: () => void;
}

export function pollWhileSeen(switchboard: Switchboard, treeViews: readonly TreeView<unknown>[]): Disposable {
  const isSeen = () => treeViews.some(({ visible }) => visible);
  const polled = new Map<ConnectedService, Polled>();
  const decide = () => {
    for (const each of polled.values()) each.decide();
  };
  const follow = () => {
    const { services } = switchboard;
    for (const [service, { stop }] of polled) {
      if (services.includes(service)) continue;
      stop();
      polled.delete(service);
    }
    for (const service of services) {
      if (polled.has(service)) continue;
      const following = poll(service, isSeen);
      polled.set(service, following);
      following.decide();
    }
  };
  const subscriptions = [
    ...treeViews.map((view) => view.onDidChangeVisibility(decide)),
    window.onDidChangeWindowState(decide),
    new Disposable(switchboard.onServices(follow)),
    workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration('switchboard.refreshInterval')) return;
      for (const { poller } of polled.values()) poller.now();
    }),
  ];
  follow();
  return new Disposable(() => {
    for (const { stop } of polled.values()) stop();
    for (const subscription of subscriptions) subscription.dispose();
  });
}

/** One service at its own pace: that another one fails or hangs costs it nothing. */
function poll(service: ConnectedService, isSeen: () => boolean): Polled {
  const { conversations, sandboxes } = service;
  let stopped = false;
  const poller = new Poller({
    ask: async () => {
      const outcome = await service.refresh('poll');
      decide();
      return outcome;
    },
    interval: () => Math.max(0, setting('refreshInterval')) * 1000,
    clock: systemClock,
  });
  const goOn = () => {
    poller.active = !stopped && isSeen() && window.state.focused && service.refused === undefined;
  };
  const decide = () => {
    // The first rows come at any interval: without them there would be nothing to see.
    const isNew = conversations.asOf === undefined && !conversations.error && !conversations.isRefreshing;
    if (!stopped && isSeen() && isNew) void service.refresh().then(decide);
    goOn();
  };
  const stops = [conversations, sandboxes].map((list) =>
    list.onChange(({ state }) => {
      // After a refusal, a person refreshes; when the service accepts that, polling goes on.
      if (state.has('error') && conversations.asOf !== undefined) goOn();
    }),
  );
  return {
    poller,
    decide,
    stop: () => {
      stopped = true;
      poller.stop();
      for (const stop of stops) stop();
    },
  };
}
