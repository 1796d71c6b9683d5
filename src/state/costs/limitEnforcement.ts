/** Stops agents that reach a limit of what they may spend. */
import { reason } from '../../base/errors.ts';
import {
  type Conversation,
  type ConversationKey,
  keyOf,
  partsOfKey,
} from '../../service/model/entities.ts';
import type { AgentLocations } from '../conversation/agentLocations.ts';
import type { ConversationList } from '../conversation/conversationList.ts';
import { activityOf } from '../lists/activity.ts';
import type { AgentSteering } from '../steering/agentSteering.ts';
import type { Limits, Spent } from './limits.ts';

interface LimitedService {
  readonly address: string;
  readonly conversations: Pick<
    ConversationList,
    'rows' | 'unlisted' | 'edit' | 'refresh'
  >;
  readonly locations: Pick<AgentLocations, 'useReady'>;
  readonly steering: () => Promise<Pick<AgentSteering, 'stop'>>;
}

/** Tell the user. */
interface LimitReports {
  stopped(conversation: Conversation, spent: Spent): void;
  near(conversation: Conversation, spent: Spent): void;
  /** Called once for each run of an agent that could not be stopped. */
  failed(conversation: Conversation, why: string): void;
}

interface Watch {
  readonly service: LimitedService;
  readonly controller: AbortController;
}

interface Stop {
  readonly limit: number;
  /** The cost of the agent then, in dollars; infinite until it has stopped. */
  readonly cost: number;
}

/** Agents whose costs are followed as they arise; others are polled. */
const maxWatched = 20;

export class LimitEnforcement {
  readonly #limits: Limits;
  readonly #reports: LimitReports;
  readonly #watches = new Map<ConversationKey, Watch>();
  /** The last stops of agents that still seem to work. */
  readonly #stopped = new Map<ConversationKey, Stop>();
  /** The failures that were shown, each once for a run. */
  readonly #failed = new Set<ConversationKey>();

  constructor(limits: Limits, reports: LimitReports) {
    this.#limits = limits;
    this.#reports = reports;
  }

  /** `isLeading`: no other window looks at this service for all windows. */
  async check(service: LimitedService, isLeading: boolean): Promise<void> {
    const limits = this.#limits;
    await limits.read();
    const { rows, unlisted } = service.conversations;
    const working = new Set<ConversationKey>();
    // The window that leads may not know what is open only here.
    for (const row of [...(isLeading ? rows.values() : []), ...unlisted]) {
      if (activityOf(row) !== 'working' || !limits.isArmed(row)) continue;
      working.add(keyOf(row));
      this.#checkOne(service, row);
    }
    for (const [key, watch] of this.#watches)
      if (watch.service === service && !working.has(key)) this.#unwatch(key);
    for (const key of [...this.#stopped.keys(), ...this.#failed]) {
      if (partsOfKey(key).service !== service.address || working.has(key))
        continue;
      this.#failed.delete(key);
      this.#stopped.delete(key);
    }
  }

  /** Ends all watches of other services. */
  keepOnly(services: readonly LimitedService[]): void {
    for (const [key, { service }] of this.#watches)
      if (!services.includes(service)) this.#unwatch(key);
  }

  dispose(): void {
    this.keepOnly([]);
  }

  #checkOne(service: LimitedService, conversation: Conversation): void {
    const limits = this.#limits;
    const [reached] = limits.reached(conversation);
    if (reached) {
      void this.#stop(service, conversation, reached);
      return;
    }
    for (const near of limits.near(conversation))
      void this.#tell(conversation, near);
    this.#watch(service, conversation);
  }

  async #stop(
    service: LimitedService,
    conversation: Conversation,
    spent: Spent,
  ): Promise<void> {
    const key = keyOf(conversation);
    const { limit } = spent;
    const { cost = 0 } = conversation;
    const last = this.#stopped.get(key);
    if (last?.limit === limit && cost <= last.cost) return;
    this.#stopped.set(key, { limit, cost: Infinity });
    try {
      const steering = await service.steering();
      const { signal } = new AbortController();
      const { result } = await steering.stop(conversation, signal);
      if (result === 'waits') {
        this.#stopped.delete(key);
        return;
      }
      const row = service.conversations.rows.get(key) ?? conversation;
      this.#stopped.set(key, { limit, cost: row.cost ?? 0 });
      this.#unwatch(key);
      void service.conversations.refresh();
      if (result === 'stopped') this.#reports.stopped(conversation, spent);
    } catch (error) {
      if (!this.#failed.has(key))
        this.#reports.failed(conversation, reason(error));
      this.#failed.add(key);
      // The next look tries again.
      this.#stopped.delete(key);
    }
  }

  async #tell(conversation: Conversation, spent: Spent): Promise<void> {
    const limits = this.#limits;
    // Another window may have told it if the file cannot be used.
    const isFirst = await limits
      .claimTelling(conversation, spent)
      .catch(() => false);
    if (isFirst) this.#reports.near(conversation, spent);
  }

  /** Follows the costs of an agent as they arise, without a request. */
  #watch(service: LimitedService, conversation: Conversation): void {
    const key = keyOf(conversation);
    if (this.#watches.has(key) || this.#watches.size >= maxWatched) return;
    const controller = new AbortController();
    const { signal } = controller;
    const watch = { service, controller };
    this.#watches.set(key, watch);
    const end = () => {
      if (this.#watches.get(key) === watch) this.#watches.delete(key);
    };
    service.locations
      .useReady(conversation, { signal }, ({ steering }) => {
        signal.throwIfAborted();
        const close = steering.live(conversation.id, {
          onOpen: () => undefined,
          onEvents: (events) => {
            for (const event of events) {
              const cost =
                event.kind === 'state' ? event.facts.cost : undefined;
              if (cost !== undefined)
                service.conversations.edit(key, (row) =>
                  row.cost === cost ? row : { ...row, cost },
                );
            }
          },
          // The next look begins again.
          onEnd: end,
        });
        signal.addEventListener('abort', close, { once: true });
        return Promise.resolve();
      })
      // The polls of the list tell the costs, too.
      .catch(end);
  }

  #unwatch(key: ConversationKey): void {
    this.#watches.get(key)?.controller.abort();
    this.#watches.delete(key);
  }
}
