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
  const polled = new Map<ConnectedService, ServicePolling>();
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
        polled.set(service, new ServicePolling(service, isOpen, leadership));
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
class ServicePolling {
  readonly #service: ConnectedService;
  readonly #isOpen: () => boolean;
  readonly #leadership: Pick<Leadership, 'isLeader'>;
  readonly #poller: Poller;
  readonly #subscriptions: Disposable;
  #disposed = false;
  #waitedForWindowMs = 0;
  /** The refresh that loads the first rows. */
  #firstRows: Promise<Outcome> | undefined;
  #wasSeen = false;

  constructor(
    service: ConnectedService,
    isOpen: () => boolean,
    leadership: Pick<Leadership, 'isLeader'>,
  ) {
    this.#service = service;
    this.#isOpen = isOpen;
    this.#leadership = leadership;
    this.#poller = new Poller({
      ask: () => this.#poll(),
      interval: () => {
        const usual = Math.max(0, setting('refreshInterval')) * 1000;
        return this.#isSeen || usual === 0
          ? usual
          : Math.max(usual, unseenIntervalMs);
      },
      waited: () => service.client.pollsWaited + this.#waitedForWindowMs,
      isRetriedSoon: () => this.#isSeen && isOutOfReach(service.error),
      clock: systemClock,
    });
    const { conversations, sandboxes } = service;
    this.#subscriptions = Disposable.from(
      ...[conversations, sandboxes].map((list) =>
        list.onChange(({ state }) => {
          // Polling stops after a refusal, and goes on when a manual refresh
          // succeeds.
          if (state.has('error') && conversations.asOf !== undefined)
            this.#updatePoller();
        }),
      ),
    );
  }

  pollNow(): void {
    this.#poller.now();
  }

  update(): void {
    const { conversations } = this.#service;
    // The first rows are loaded at any interval: without them, the view stays
    // empty.
    const isNew =
      conversations.asOf === undefined &&
      !conversations.error &&
      !conversations.isRefreshing;
    if (!this.#disposed && this.#isOpen() && isNew) {
      this.#firstRows = this.#service.refresh();
      void this.#firstRows.then(() => {
        this.#firstRows = undefined;
        this.update();
      });
    }
    this.#updatePoller();
  }

  dispose(): void {
    this.#disposed = true;
    this.#poller.stop();
    this.#subscriptions.dispose();
  }

  get #isSeen(): boolean {
    return this.#isOpen() && window.state.focused;
  }

  #updatePoller(): void {
    const isSeen = this.#isSeen;
    const isWanted =
      isSeen || (this.#leadership.isLeader && !this.#service.demo);
    const wasActive = this.#poller.active;
    this.#poller.active =
      !this.#disposed && isWanted && this.#service.refused === undefined;
    // A user who comes back does not wait for the slower pace.
    if (isSeen && !this.#wasSeen && wasActive) this.#poller.now();
    this.#wasSeen = isSeen;
  }

  async #poll(): Promise<Outcome> {
    const begin = systemClock.now();
    const firstRows = this.#firstRows;
    await windowAnswered();
    this.#waitedForWindowMs += systemClock.now() - begin;
    if (this.#disposed || !this.#poller.active) return 'steady';
    const outcome = await (firstRows ??
      (this.#isSeen ? this.#service.refresh('poll') : this.#pollUnseen()));
    this.update();
    return outcome;
  }

  /** Asks only for what notifications need. */
  async #pollUnseen(): Promise<Outcome> {
    const { conversations, automations } = this.#service;
    await conversations.refresh('poll');
    if (conversations.error) return 'failed';
    await automations.refresh('poll');
    return 'steady';
  }
}

function isOutOfReach(error: ServiceError | undefined): boolean {
  return error?.kind === 'unreachable' || error?.kind === 'timedOut';
}
