/**
 * When each service is polled: while a view is visible and the window has the focus; and at a calm pace by the one window
 * that looks for all windows of the machine.
 */
import { Disposable, type TreeView, window, workspace } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import { Poller } from '../../state/lists/poller.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { windowAnswered } from '../ui/windowCaughtUp.ts';
import type { Lookout } from './lookout.ts';
import { setting } from '../settings.ts';

/** In milliseconds, where nobody sees the rows. */
const calmPace = 30_000;

interface Polled {
  readonly poller: Poller;
  readonly decide: () => void;
  readonly stop: () => void;
}

interface Onlookers {
  /** Whether a view is visible. */
  readonly isOpen: () => boolean;
  readonly lookout: Pick<Lookout, 'isLooking' | 'onChange'>;
}

export function pollServices(
  switchboard: Switchboard,
  treeViews: readonly TreeView<unknown>[],
  lookout: Onlookers['lookout'],
): Disposable {
  const isOpen = () => treeViews.some(({ visible }) => visible);
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
      const following = poll(service, { isOpen, lookout });
      polled.set(service, following);
    }
    decide();
  };
  const subscriptions = [
    ...treeViews.map((view) => view.onDidChangeVisibility(decide)),
    window.onDidChangeWindowState(decide),
    switchboard.onServices(follow),
    lookout.onChange(decide),
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
function poll(service: ConnectedService, { isOpen, lookout }: Onlookers): Polled {
  const { conversations, sandboxes } = service;
  let stopped = false;
  let waitedForWindowMs = 0;
  let firstRows: ReturnType<typeof service.refresh> | undefined;
  let was = { seen: false, active: false };
  const isSeen = () => isOpen() && window.state.focused;
  const poller = new Poller({
    ask: async () => {
      const begin = systemClock.now();
      const underWay = firstRows;
      await windowAnswered();
      waitedForWindowMs += systemClock.now() - begin;
      if (stopped || !was.active) return 'steady';
      const outcome = await (underWay ?? (isSeen() ? service.refresh('poll') : look(service)));
      decide();
      return outcome;
    },
    interval: () => {
      const usual = Math.max(0, setting('refreshInterval')) * 1000;
      return isSeen() || usual === 0 ? usual : Math.max(usual, calmPace);
    },
    waited: () => service.client.pollsWaited + waitedForWindowMs,
    clock: systemClock,
  });
  const goOn = () => {
    const seen = isSeen();
    const isLookedAt = seen || (lookout.isLooking && !service.demo);
    const active = !stopped && isLookedAt && service.refused === undefined;
    poller.active = active;
    // Whoever begins to look does not wait for the calm pace.
    if (seen && !was.seen && was.active) poller.now();
    was = { seen, active };
  };
  const decide = () => {
    // The first rows come at any interval: without them there would be nothing to see.
    const isNew = conversations.asOf === undefined && !conversations.error && !conversations.isRefreshing;
    if (!stopped && isOpen() && isNew) {
      firstRows = service.refresh();
      void firstRows.then(() => {
        firstRows = undefined;
        decide();
      });
    }
    goOn();
  };
  const subscriptions = [conversations, sandboxes].map((list) =>
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
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

/** Only for what may be told: nobody sees the sandboxes. */
async function look({ conversations }: ConnectedService): Promise<'steady' | 'failed'> {
  await conversations.refresh('poll');
  return conversations.error ? 'failed' : 'steady';
}
