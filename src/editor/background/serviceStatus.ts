/**
 * Keeps the status bar item, the descriptions and badge of the views, and the
 * context keys up to date.
 */
import { Disposable, type Memento, type TreeView, window } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { t } from '../../base/l10n.ts';
import { joinParts, present } from '../../base/parts.ts';
import {
  activityOf,
  isPutAway,
  needsPerson,
} from '../../state/lists/activity.ts';
import { isFiltered } from '../../state/lists/conversationRows.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import type { ListChange } from '../../state/lists/remoteList.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { enabledServices } from '../services/enabledServices.ts';
import { type ContextKey, contextKeys, views } from '../manifest.ts';
import {
  type AgentService,
  interfaceName,
} from '../../service/abilities/agentService.ts';
import { serviceLine } from '../words/serviceWords.ts';
import { occasionWord } from '../words/stateWords.ts';
import { clockTime } from '../words/times.ts';
import { rememberContext, setContext } from '../ui/rememberedContext.ts';
import { connectionLine, type ServiceItem } from './serviceItem.ts';

interface StatusViews {
  readonly conversations: TreeView<unknown>;
  readonly sandboxes: TreeView<unknown>;
}

export class ServiceStatus implements Disposable {
  readonly #switchboard: Switchboard;
  readonly #views: StatusViews;
  readonly #state: Memento;
  readonly #item: ServiceItem;
  readonly #subscriptions: Disposable;
  /** The context keys as the editor knows them. */
  readonly #context = new Map<ContextKey, boolean>();

  /** `state` is stored for the machine. */
  constructor(
    switchboard: Switchboard,
    treeViews: StatusViews,
    item: ServiceItem,
    state: Memento,
  ) {
    this.#switchboard = switchboard;
    this.#views = treeViews;
    this.#state = state;
    this.#item = item;
    const { conversations, sandboxes, unread } = switchboard;
    this.#subscriptions = Disposable.from(
      switchboard.onServices(this.#show),
      switchboard.onArrangement(this.#show),
      conversations.onChange((change) => {
        if (change.structure || change.rows.size > 0) this.#showBadge();
        this.#follow('conversations', change);
      }),
      unread.onChange(() => {
        this.#showBadge();
      }),
      sandboxes.onChange((change) => {
        this.#follow('sandboxes', change);
      }),
    );
    this.#showBadge();
    // The item names the services of the settings until one is connected.
    this.#showViews();
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }

  #follow(list: keyof StatusViews, { state }: ListChange) {
    if (state.size > 0) this.#show();
    if (!state.has('isRefreshing')) return;
    for (const service of this.#switchboard.services) {
      const { isRefreshing, asOf } = service[list];
      if (!isRefreshing || asOf !== undefined) continue;
      // Shows a progress bar in the view until it has rows.
      const loaded = service[list].refresh().catch(() => undefined);
      void window.withProgress(
        { location: { viewId: views[list] } },
        () => loaded,
      );
    }
  }

  readonly #show = (): void => {
    this.#showItem();
    this.#showViews();
  };

  #showViews() {
    const { services, arrangement, conversations, sandboxes } =
      this.#switchboard;
    const [only] = services;
    let count = '';
    if (services.length > 1)
      count = isDemo(services) ? t('Demo') : t('{0} services', services.length);
    describe(
      this.#views.conversations,
      only && count === '' ? serviceLine(only) : count,
    );
    describe(this.#views.sandboxes, only && count === '' ? only.name : count);
    const lack = (ability: keyof AgentService) =>
      services.length > 0 &&
      services.every(
        ({ client }) => client.service && client.service[ability] === undefined,
      );
    this.#setContext(contextKeys.connected, services.length > 0);
    this.#setContext(
      contextKeys.demo,
      services.some(({ demo }) => demo),
    );
    this.#setContext(contextKeys.lacksSandboxes, lack('sandboxes'));
    this.#showSandboxes();
    this.#setContext(contextKeys.lacksCreation, lack('creation'));
    this.#setContext(contextKeys.filtered, isFiltered(arrangement.filter));
    this.#setContext(
      contextKeys.conversationsLoaded,
      conversations.asOf !== undefined,
    );
    this.#setContext(contextKeys.sandboxesLoaded, sandboxes.asOf !== undefined);
  }

  /**
   * Leaves the view as it was until the kinds of the services are known, so it
   * does not flicker at the start.
   */
  #showSandboxes() {
    const { services } = this.#switchboard;
    const hasSandboxes = services.some(
      ({ client }) => client.service?.sandboxes,
    );
    const isKnown =
      services.length === 0
        ? enabledServices().length === 0
        : services.every(({ client }) => client.service);
    if (!hasSandboxes && !isKnown) return;
    if (this.#context.get(contextKeys.hasSandboxes) === hasSandboxes) return;
    this.#context.set(contextKeys.hasSandboxes, hasSandboxes);
    void rememberContext(this.#state, contextKeys.hasSandboxes, hasSandboxes);
  }

  #showItem() {
    const { services } = this.#switchboard;
    const names = services.map(({ name }) => name);
    this.#item.show(
      services.length > 0 && isDemo(services) ? [t('Demo Service')] : names,
      services.flatMap(linesOf),
      services.some(({ error }) => error) ? 'warning' : 'plug',
    );
  }

  #showBadge() {
    const view = this.#views.conversations;
    const { conversations, unread } = this.#switchboard;
    const asking = [...conversations.rows]
      .filter(
        ([key, row]) => needsPerson(row, unread.has(key)) && !isPutAway(row),
      )
      .map(([, row]) => row);
    const waiting = asking.filter(
      (conversation) => activityOf(conversation) === 'waiting',
    ).length;
    const tooltip = joinParts(
      ', ',
      occasionWord('waits', waiting),
      occasionWord('failed', asking.length - waiting),
    );
    if (view.badge?.tooltip === tooltip || (!view.badge && asking.length === 0))
      return;
    view.badge =
      asking.length === 0 ? undefined : { value: asking.length, tooltip };
  }

  #setContext(key: ContextKey, value: boolean) {
    if (this.#context.get(key) === value) return;
    this.#context.set(key, value);
    setContext(key, value);
  }
}

function isDemo(services: readonly ConnectedService[]): boolean {
  return services.every(({ demo }) => demo);
}

function linesOf(service: ConnectedService): string[] {
  const { name, demo, address, client, conversations, error } = service;
  const { asOf } = conversations;
  const through = client.service && interfaceName(client.service.interface);
  const connection = error
    ? address
    : connectionLine(address, client.service !== undefined);
  return present(
    demo ? t('{0}, built in: its agents only pretend', name) : connection,
    through && t('through its {0} interface', through),
    asOf !== undefined && t('as of {0}', clockTime(asOf, systemClock.now())),
    error?.message,
  );
}

/** VS Code redraws the title even if the text is the same. */
function describe(view: TreeView<unknown>, description: string) {
  if (view.description !== description) view.description = description;
}
