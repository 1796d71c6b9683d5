/**
 * Polls each service while its rows can be seen; at a slower pace, the leading
 * window polls for all windows.
 */
import { Disposable, type TreeView, window, workspace } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import type { ServiceError } from '../../service/http/serviceError.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import { Poller } from '../../state/lists/poller.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { setting } from '../settings.ts';
import { windowAnswered } from '../ui/windowCaughtUp.ts';
import type { Leadership } from './leadership.ts';

type Outcome = Awaited<ReturnType<ConnectedService['refresh']>>;

/** Shortest interval while the rows cannot be seen. */
const unseenIntervalMs = 30_000;

export function pollServices(
  switchboard: Switchboard,
  views: readonly TreeView<unknown>[],
  leadership: Pick<Leadership, 'isLeader' | 'onChange'>,
): Disposable {
  const isOpen = () => views.some(({ visible }) => visible);
  const polled = new Map<ConnectedService, ReturnType<typeof pollService>>();
  const update = () => {
    for (const polling of polled.values()) polling.update();
  };
  const updateServices = () => {
    const { services } = switchboard;
    for (const [service, polling] of polled) {
      if (services.includes(service)) continue;
      polling.dispose();
      polled.delete(service);
    }
    for (const service of services) {
      if (!polled.has(service))
        polled.set(service, pollService(service, isOpen, leadership));
    }
    update();
  };
  updateServices();
  return Disposable.from(
    ...views.map((view) => view.onDidChangeVisibility(update)),
    window.onDidChangeWindowState(update),
    switchboard.onServices(updateServices),
    leadership.onChange(update),
    workspace.onDidChangeConfiguration((event) => {
      if (!event.affectsConfiguration('switchboard.refreshInterval')) return;
      for (const polling of polled.values()) polling.pollNow();
    }),
    new Disposable(() => {
      for (const polling of polled.values()) polling.dispose();
    }),
  );
}

/** Polls one service. A failing or hanging service does not slow the others. */
function pollService(
  service: ConnectedService,
  isOpen: () => boolean,
  leadership: Pick<Leadership, 'isLeader'>,
) {
  const { conversations, automations, sandboxes } = service;
  let isDisposed = false;
  let waitedForWindowMs = 0;
  /** The refresh that loads the first rows. */
  let firstRows: Promise<Outcome> | undefined;
  let wasSeen = false;
  const isSeenNow = () => isOpen() && window.state.focused;
  const poller = new Poller({
    ask: async () => {
      const begin = systemClock.now();
      const loading = firstRows;
      await windowAnswered();
      waitedForWindowMs += systemClock.now() - begin;
      if (isDisposed || !poller.active) return 'steady';
      const outcome = await (loading ??
        (isSeenNow() ? service.refresh('poll') : pollUnseen()));
      update();
      return outcome;
    },
    interval: () => {
      const usual = Math.max(0, setting('refreshInterval')) * 1000;
      return isSeenNow() || usual === 0
        ? usual
        : Math.max(usual, unseenIntervalMs);
    },
    waited: () => service.client.pollsWaited + waitedForWindowMs,
    isRetriedSoon: () => isSeenNow() && isOutOfReach(service.error),
    clock: systemClock,
  });
  /** Asks only for what notifications need. */
  const pollUnseen = async (): Promise<Outcome> => {
    await conversations.refresh('poll');
    if (conversations.error) return 'failed';
    await automations.refresh('poll');
    return 'steady';
  };
  const updatePoller = () => {
    const isSeen = isSeenNow();
    const isWanted = isSeen || (leadership.isLeader && !service.demo);
    const wasActive = poller.active;
    poller.active = !isDisposed && isWanted && service.refused === undefined;
    // A user who comes back does not wait for the slower pace.
    if (isSeen && !wasSeen && wasActive) poller.now();
    wasSeen = isSeen;
  };
  const update = () => {
    // The first rows are loaded at any interval: without them, the view stays
    // empty.
    const isNew =
      conversations.asOf === undefined &&
      !conversations.error &&
      !conversations.isRefreshing;
    if (!isDisposed && isOpen() && isNew) {
      firstRows = service.refresh();
      void firstRows.then(() => {
        firstRows = undefined;
        update();
      });
    }
    updatePoller();
  };
  const subscriptions = [conversations, sandboxes].map((list) =>
    list.onChange(({ state }) => {
      // Polling stops after a refusal, and goes on when a manual refresh
      // succeeds.
      if (state.has('error') && conversations.asOf !== undefined)
        updatePoller();
    }),
  );
  return {
    update,
    pollNow: () => {
      poller.now();
    },
    dispose: () => {
      isDisposed = true;
      poller.stop();
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

function isOutOfReach(error: ServiceError | undefined): boolean {
  return error?.kind === 'unreachable' || error?.kind === 'timedOut';
}
