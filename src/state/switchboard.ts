/** All connected services, shared by the views and the commands. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { UserError } from '../base/errors.ts';
import { Emitter, type Subscription } from '../base/event.ts';
import { t, userError } from '../base/l10n.ts';
import { lazily } from '../base/lazily.ts';
import {
  type ConversationKey,
  type Conversation,
  idKey,
  keyOf,
  partsOfKey,
  type Sandbox,
  isConversationKey,
} from '../service/model/entities.ts';
import type { Priority } from '../service/http/pacer.ts';
import { isBrief, ServiceError } from '../service/http/serviceError.ts';
import {
  ConnectedService,
  connectionClosed,
  type ServiceConnection,
} from './connectedService.ts';
import { LimitGate, type LimitGateOptions } from './costs/limitGate.ts';
import { Limits, type LimitSettings } from './costs/limits.ts';
import { SpendingLedger } from './costs/spending.ts';
import type { AutomationRow } from './serviceAutomations.ts';
import { ConversationChanges } from './changes/changedFiles.ts';
import { type FileReview, progressOf } from './changes/fileReviews.ts';
import type { ReviewProgress } from './changes/reviewProgress.ts';
import { activityOf } from './lists/activity.ts';
import {
  type Arrangement,
  askedOf,
  readArrangement,
} from './lists/conversationRows.ts';
import { ListOverAll } from './lists/listOverAll.ts';
import { UnreadConversations } from './lists/unreadConversations.ts';
import { AcceptedActions } from './approvalRules/acceptedActions.ts';
import type { ApprovalRules } from './approvalRules/acceptRules.ts';
import { RuledAnswers } from './approvalRules/ruledAnswers.ts';
import { ApprovalMemory } from './conversation/approvalMemory.ts';
import type { ConversationSnapshot } from './conversation/conversationModel.ts';
import { RemovedWorktrees } from './conversation/removedWorktrees.ts';
import { LiveSlots } from './conversation/liveSlots.ts';
import { RequestedConversations } from './newConversation/requestedConversations.ts';
import type { AgentSteering } from './steering/agentSteering.ts';
import { QueuedMessages } from './steering/queuedMessages.ts';
import { Reviews } from './changes/reviews.ts';
import type { Store } from '../base/store.ts';

interface SwitchboardOptions {
  readonly store: Store;
  /** Shared by all windows on this machine, too. */
  readonly globalStore?: Store;
  readonly clock: Clock;
  readonly pageSize: () => number;
  /** Shared by all windows on this machine. */
  readonly folder?: string;
  /** The rules in force. */
  readonly approvalRules?: () => ApprovalRules;
  readonly limits?: () => LimitSettings;
  /**
   * Asks whether an agent may go on at its limit, and raises the limit then.
   */
  readonly mayGoOn?: LimitGateOptions['mayGoOn'];
}

const noRules: ApprovalRules = { ask: [], accept: [] };

const storeKey = 'arrangement';

export class Switchboard {
  readonly conversations = new ListOverAll<Conversation>();
  readonly sandboxes = new ListOverAll<Sandbox>();
  readonly requested: RequestedConversations;
  readonly changes = new ConversationChanges(
    (address) => this.service(address)?.locations,
    undefined,
    (conversation) => this.whyNoFolder(conversation),
  );
  readonly reviews: Reviews;
  readonly unread = new UnreadConversations();
  readonly queuedMessages: QueuedMessages;
  readonly acceptedActions: AcceptedActions;
  readonly ruledAnswers: RuledAnswers;
  readonly removedWorktrees: RemovedWorktrees;
  /** Costs at all services but those of the demo. */
  readonly spending: SpendingLedger;
  readonly demoSpending: SpendingLedger;
  readonly limits: Limits;
  readonly limitGate: LimitGate;
  readonly progress = lazily(async () => {
    const [{ ReviewProgress }, { BaselineStore }] = await Promise.all([
      import('./changes/reviewProgress.ts'),
      import('./changes/baselines.ts'),
    ]);
    const store = new BaselineStore(
      join(this.#options.folder ?? tmpdir(), 'reviewed'),
    );
    const locationsAt = (address: string) => this.service(address)?.locations;
    const progress = new ReviewProgress(
      this.changes,
      store,
      locationsAt,
      this.#options.store,
    );
    progress.onChange((key) => {
      this.#reviewed.fire(key);
    });
    return (this.#progress = progress);
  });
  #progress: ReviewProgress | undefined;
  readonly #reviewed = new Emitter<ConversationKey>();
  /** Fires with the key of a conversation whose files to review changed. */
  readonly onReviewed = this.#reviewed.on;
  readonly #options: SwitchboardOptions;
  readonly #slots = new LiveSlots();
  readonly #changed = new Emitter();
  /** Fires when a service is connected, disconnected or renamed. */
  readonly onServices = this.#changed.on;
  readonly #arranged = new Emitter();
  /** Fires when the filter, grouping or sorting changes. */
  readonly onArrangement = this.#arranged.on;
  readonly #looked = new Emitter<ConnectedService>();
  /**
   * Fires when a service has listed its conversations, and when more is known
   * about one of them or about its automations.
   */
  readonly onLook = this.#looked.on;
  readonly #automated = new Emitter();
  /** Fires when the automations of a service, or their last runs, change. */
  readonly onAutomations = this.#automated.on;
  readonly #acted = new Emitter<ConversationKey>();
  /** Fires with the key of a sandbox when an action on it begins or ends. */
  readonly onSandboxAction = this.#acted.on;
  readonly #services = new Map<
    string,
    {
      readonly service: ConnectedService;
      readonly subscriptions: readonly Subscription[];
    }
  >();
  readonly #approvalMemory: ApprovalMemory;
  readonly #rules = () => this.#options.approvalRules?.() ?? noRules;
  readonly #lookingAgain = new Set<ConversationKey>();
  readonly #disposed = new AbortController();
  #arrangement: Arrangement;

  constructor(options: SwitchboardOptions) {
    const { store, clock, folder } = (this.#options = options);
    this.#approvalMemory = new ApprovalMemory(
      folder && join(folder, 'approvals.json'),
    );
    this.spending = new SpendingLedger(
      clock,
      folder && join(folder, 'spending.json'),
    );
    this.demoSpending = new SpendingLedger(clock);
    this.limits = new Limits(
      clock,
      () => options.limits?.() ?? { conversation: undefined, day: undefined },
      ({ service }) => this.#ledgerOf(this.service(service)),
      folder && join(folder, 'limits.json'),
    );
    this.limitGate = new LimitGate({
      limits: this.limits,
      conversation: (key) => this.conversation(key),
      mayGoOn: options.mayGoOn ?? (() => Promise.resolve(false)),
      retry: (key) => {
        this.queuedMessages.retry(key);
        this.ruledAnswers.retry(key);
        this.#noteRow(key);
      },
    });
    this.removedWorktrees = new RemovedWorktrees(options.globalStore ?? store);
    this.#arrangement = readArrangement(store.get(storeKey));
    this.reviews = new Reviews(store);
    this.queuedMessages = new QueuedMessages(
      store,
      async (conversation, message) => {
        const steering = await this.#steeringUnasked(conversation);
        return await steering.send(
          conversation,
          message,
          this.#disposed.signal,
        );
      },
    );
    this.acceptedActions = new AcceptedActions(
      folder && join(folder, 'accepted-by-rules.json'),
    );
    this.ruledAnswers = new RuledAnswers({
      accepted: this.acceptedActions,
      rules: this.#rules,
      accept: async (conversation, actions, signal) => {
        const steering = await this.#steeringUnasked(conversation);
        const answer = { accept: true };
        return await steering.answer(conversation, actions, answer, signal);
      },
    });
    for (const { onOutcome } of [this.queuedMessages, this.ruledAnswers])
      onOutcome(({ key, result }) => {
        if (result instanceof ServiceError && isBrief(result))
          this.limitGate.retryLater(key);
      });
    this.conversations.onChange(({ rows }) => {
      for (const key of rows) this.#noteRow(key);
    });
    this.limits.onChange(() => {
      this.limitGate.retryUnasked();
    });
    this.requested = new RequestedConversations({
      store,
      clock,
      askRules: () => this.#rules().ask,
      onReady: (conversation, { approval }) => {
        const service = this.service(conversation.service);
        service?.conversations.insertFirst(conversation);
        if (
          approval === undefined ||
          !service?.client.service?.creation?.takesApproval
        )
          return;
        // The record still names the policy if it cannot be remembered.
        service.approvals
          .created(keyOf(conversation), approval)
          .catch(() => undefined);
      },
    });
  }

  /** Services in the order of connection. */
  get services(): readonly ConnectedService[] {
    return [...this.#services.values()].map(({ service }) => service);
  }

  get arrangement(): Arrangement {
    return this.#arrangement;
  }

  service(address: string): ConnectedService | undefined {
    return this.#services.get(address)?.service;
  }

  /** Finds a row by its key, or by its id at any service. */
  conversation(keyOrId: string): Conversation | undefined {
    return found(this.conversations.rows, keyOrId);
  }

  /**
   * Requests an unlisted conversation; `undefined` if the service does not have
   * it.
   */
  async find(
    key: ConversationKey,
    signal: AbortSignal,
  ): Promise<Conversation | undefined> {
    const { service: address, id } = partsOfKey(key);
    const service = this.service(address);
    if (!service)
      throw userError(
        'The service of this conversation is no longer connected.',
      );
    const { conversations } = await service.client.recognise({ signal });
    return await conversations.find(id, { signal });
  }

  /**
   * Returns the snapshot of a conversation; `undefined` if only its record is
   * known.
   */
  snapshot(conversation: Conversation): ConversationSnapshot | undefined {
    return this.service(conversation.service)?.conversations.snapshot(
      keyOf(conversation),
    );
  }

  /** The known reviews of changed files, without a request. */
  fileReviews(key: ConversationKey): readonly FileReview[] | undefined {
    return this.#progress?.snapshot(key)?.reviewed;
  }

  /** A sentence if the folder of the agent was removed from here. */
  whyNoFolder(conversation: Conversation): string | undefined {
    return this.removedWorktrees.get(keyOf(conversation)) === undefined
      ? undefined
      : t(
          'The worktree of this conversation was removed. Run "Switchboard: Unarchive Conversation" to make it again.',
        );
  }

  /** Finds a row by its key, or by its id at any service. */
  sandbox(keyOrId: string): Sandbox | undefined {
    return found(this.sandboxes.rows, keyOrId);
  }

  sandboxOf({ service, sandboxId }: Conversation): Sandbox | undefined {
    return sandboxId === undefined
      ? undefined
      : this.sandboxes.rows.get(keyOf({ service, id: sandboxId }));
  }

  get automations(): readonly AutomationRow[] {
    return this.services.flatMap(({ automations }) => automations.rows);
  }

  servedBy({ service, id }: Sandbox): readonly Conversation[] {
    const all = [...this.conversations.rows.values()];
    return all.filter(
      (conversation) =>
        conversation.service === service && conversation.sandboxId === id,
    );
  }

  connect(connection: ServiceConnection): ConnectedService {
    const { clock, pageSize } = this.#options;
    this.#release(connection.address);
    const ledger = this.#ledgerOf(connection);
    const service: ConnectedService = new ConnectedService(connection, {
      clock,
      pageSize,
      query: (filters) =>
        askedOf(filters, this.#arrangement.filter, this.#arrangement.sorting),
      slots: this.#slots,
      approvalMemory: this.#approvalMemory,
      askRules: () => this.#rules().ask,
      beforeMessage: (conversation) =>
        this.#progress?.beforeMessage(
          this.conversation(keyOf(conversation)) ?? conversation,
        ),
      beforeRun: (conversation) => this.#beforeRun(conversation),
      countedCost: (conversation) => ledger.counted(conversation),
      noteUnlisted: ({ conversation, reportedAt }) => {
        ledger.note(connection.address, [conversation], () => reportedAt);
        if (this.limits.isArmed(conversation)) this.#looked.fire(service);
      },
    });
    const subscriptions = [
      service.conversations.onChange(({ rows, structure, state }) => {
        if (rows.size > 0 || state.has('asOf'))
          ledger.note(
            connection.address,
            [...rows].flatMap(
              (key) => service.conversations.rows.get(key) ?? [],
            ),
            (row) => service.conversations.snapshot(keyOf(row))?.reportedAt,
          );
        if (rows.size > 0 || structure || state.has('asOf')) {
          this.limitGate.retryUnasked();
          this.#looked.fire(service);
        }
      }),
      service.sandboxActions.onChange((key) => {
        this.#acted.fire(key);
      }),
      service.automations.onChange(() => {
        this.#automated.fire();
        this.#looked.fire(service);
      }),
    ];
    this.#services.set(connection.address, { service, subscriptions });
    this.conversations.add(service.conversations);
    this.sandboxes.add(service.sandboxes);
    this.#changed.fire();
    this.requested.resume(connection.client, connection.address);
    return service;
  }

  /**
   * Lets changed rules count at once: accepts what waits and is covered now,
   * and, with `sends`, tells the services of agents at work. Rejects with the
   * first failure, after all were tried.
   */
  async applyRules(sends: boolean): Promise<void> {
    this.ruledAnswers.rulesChanged();
    const { signal } = this.#disposed;
    const updates = this.services.flatMap((service) =>
      [...service.conversations.rows.values()].flatMap((row) => {
        this.#noteRow(keyOf(row));
        const isOld =
          sends &&
          row.approval !== undefined &&
          service.approvals.hasOldRules(row.approval) &&
          (activityOf(row) === 'working' || activityOf(row) === 'waiting');
        return isOld
          ? [
              service
                .steering()
                .then((agents) => agents.updateRules(row, signal)),
            ]
          : [];
      }),
    );
    for (const update of await Promise.allSettled(updates))
      if (update.status === 'rejected') throw update.reason;
  }

  /** Rejects at a limit. */
  async #steeringUnasked(conversation: Conversation): Promise<AgentSteering> {
    const service = this.service(conversation.service);
    if (!service) throw connectionClosed();
    await this.limitGate.refuseAtLimits(conversation);
    return await service.steering();
  }

  #ledgerOf(service: Pick<ConnectedService, 'demo'> | undefined) {
    return service?.demo ? this.demoSpending : this.spending;
  }

  async #beforeRun(conversation: Conversation): Promise<void> {
    const why = this.whyNoFolder(conversation);
    if (why !== undefined) throw new UserError(why);
    await this.limitGate.askAtLimits(conversation);
  }

  disconnect(address: string): void {
    if (this.#release(address)) this.#changed.fire();
  }

  rename(address: string, name: string): void {
    const service = this.service(address);
    if (!service || service.name === name) return;
    service.name = name;
    this.#changed.fire();
  }

  async arrange(change: Partial<Arrangement>): Promise<void> {
    const before = this.#arrangement;
    const after = (this.#arrangement = { ...before, ...change });
    for (const { client, conversations } of this.services) {
      const filters = client.service?.conversations.filters;
      const asked = (arrangement: Arrangement) =>
        JSON.stringify(
          askedOf(filters, arrangement.filter, arrangement.sorting),
        );
      // The rows belong to another query.
      if (asked(after) !== asked(before)) conversations.reset();
    }
    this.#arranged.fire();
    await Promise.all([
      this.#options.store.update(storeKey, after),
      ...this.services.map(({ conversations }) =>
        conversations.asOf === undefined ? conversations.refresh() : undefined,
      ),
    ]);
  }

  async refresh(priority: Priority = 'person'): Promise<void> {
    await Promise.all(
      this.services.map((service) => service.refresh(priority)),
    );
  }

  dispose(): void {
    this.#disposed.abort(connectionClosed());
    this.ruledAnswers.dispose();
    for (const address of [...this.#services.keys()]) this.disconnect(address);
  }

  #noteRow(key: ConversationKey): void {
    const conversation = this.conversations.rows.get(key);
    if (!conversation) return;
    this.queuedMessages.note(conversation);
    this.ruledAnswers.note(conversation, this.snapshot(conversation)?.waiting);
    if (activityOf(conversation) === 'working')
      this.changes.noteWork(conversation);
    else void this.#reloadReviews(key);
  }

  /**
   * Reloads the changes of a stopped agent if its row shows review progress.
   */
  async #reloadReviews(key: ConversationKey): Promise<void> {
    if (!this.#progress || this.#lookingAgain.has(key)) return;
    this.#lookingAgain.add(key);
    try {
      for (;;) {
        const conversation = this.conversations.rows.get(key);
        const isOver = !conversation || activityOf(conversation) === 'working';
        if (
          isOver ||
          !this.changes.isStale(conversation) ||
          !progressOf(this.fileReviews(key))
        )
          return;
        await this.#progress.readReviews(conversation, {
          signal: this.#disposed.signal,
          priority: 'poll',
        });
      }
    } catch {
      // The row indicates new work until the next load.
    } finally {
      this.#lookingAgain.delete(key);
    }
  }

  #release(address: string): boolean {
    const connected = this.#services.get(address);
    if (!connected) return false;
    const { service, subscriptions } = connected;
    this.#services.delete(address);
    for (const subscription of subscriptions) subscription.dispose();
    this.requested.release(address);
    this.conversations.remove(service.conversations);
    this.sandboxes.remove(service.sandboxes);
    service.release();
    return true;
  }
}

function found<T extends { readonly id: string }>(
  rows: ReadonlyMap<ConversationKey, T>,
  keyOrId: string,
): T | undefined {
  const row = isConversationKey(keyOrId) && rows.get(keyOrId);
  if (row) return row;
  const key = idKey(keyOrId);
  for (const candidate of rows.values())
    if (idKey(candidate.id) === key) return candidate;
  return undefined;
}
