/** A connected service with its lists, polling and failures. */
import { Cancellation } from '../base/cancellation.ts';
import type { Clock } from '../base/clock.ts';
import { lazily } from '../base/lazily.ts';
import type { UserError } from '../base/errors.ts';
import { userError } from '../base/l10n.ts';
import type {
  ConversationQuery,
  Conversations,
} from '../service/abilities/agentService.ts';
import type { ServiceClient } from '../service/client.ts';
import type { AskRule, Sandbox, Time } from '../service/model/entities.ts';
import type { Priority } from '../service/http/pacer.ts';
import { isRefusal, type ServiceError } from '../service/http/serviceError.ts';
import { isInTransition } from './lists/activity.ts';
import { isActiveRun, ServiceAutomations } from './serviceAutomations.ts';
import { AgentLocations } from './conversation/agentLocations.ts';
import type { ApprovalMemory } from './conversation/approvalMemory.ts';
import { Approvals } from './conversation/approvals.ts';
import { ConversationList } from './conversation/conversationList.ts';
import type { ModelParts } from './conversation/conversationModel.ts';
import { RemoteList } from './lists/remoteList.ts';
import { SandboxActions } from './sandboxes/sandboxActions.ts';
import type {
  AgentSteering,
  BeforeMessage,
  BeforeRun,
} from './steering/agentSteering.ts';
import { ServiceServers } from './mcpServers/serviceServers.ts';

export interface ServiceConnection {
  readonly client: ServiceClient;
  /** The address that users see, unique among connected services. */
  readonly address: string;
  readonly name: string;
  readonly demo: boolean;
}

interface ConnectedServiceOptions extends Pick<
  ModelParts,
  'clock' | 'slots' | 'countedCost' | 'noteUnlisted'
> {
  readonly pageSize: () => number;
  /**
   * Makes the query for its conversations; `filters` is undefined until the
   * service is known.
   */
  readonly query: (
    filters: Conversations['filters'] | undefined,
  ) => ConversationQuery;
  readonly beforeMessage?: BeforeMessage;
  readonly beforeRun?: BeforeRun;
  readonly approvalMemory?: ApprovalMemory;
  readonly askRules?: () => readonly AskRule[];
}

/** Polls stay frequent for this long while a row is in transition. */
const maxTransitionMs = 5 * 60_000;

/**
 * Loads all sandboxes at once: users are unlikely to have more. Conversations
 * are loaded page by page.
 */
const maxSandboxes = 990;

export class ConnectedService {
  readonly client: ServiceClient;
  readonly address: string;
  readonly demo: boolean;
  readonly conversations: ConversationList;
  readonly sandboxes: RemoteList<Sandbox>;
  readonly sandboxActions: SandboxActions;
  /** The only way to answer agents, and to write to them. */
  readonly steering: () => Promise<AgentSteering>;
  readonly locations: AgentLocations;
  readonly approvals: Approvals;
  /** Loaded when the view shows them. */
  readonly toolServers: ServiceServers;
  readonly automations: ServiceAutomations;
  readonly #clock: Clock;
  readonly #work = new Cancellation();
  /**
   * The rows in transition, with the time at which each was first seen in
   * transition.
   */
  #inTransition: ReadonlyMap<string, Time> = new Map();

  constructor(
    { client, address, name, demo }: ServiceConnection,
    options: ConnectedServiceOptions,
  ) {
    const { clock, approvalMemory, askRules } = options;
    this.client = client;
    this.address = address;
    this.name = name;
    this.demo = demo;
    this.#clock = clock;
    const locations = (this.locations = new AgentLocations(client));
    const approvals = (this.approvals = new Approvals(
      approvalMemory,
      askRules,
    ));
    const conversations = (this.conversations = new ConversationList({
      ...options,
      client,
      locations,
      approvals,
      work: this.#work,
      query: () => options.query(client.service?.conversations.filters),
    }));
    this.steering = lazily(async () => {
      const { AgentSteering } = await import('./steering/agentSteering.ts');
      return new AgentSteering({
        ...options,
        client,
        locations,
        approvals,
        conversations,
        work: this.#work,
      });
    });
    this.sandboxes = new RemoteList<Sandbox>({
      clock,
      pageSize: () => maxSandboxes,
      open: () => client.sandboxes(),
    });
    this.sandboxActions = new SandboxActions(
      this.sandboxes,
      address,
      clock,
      this.#work,
    );
    this.toolServers = new ServiceServers(client, clock);
    this.automations = new ServiceAutomations(client, address, clock);
  }

  /** The user's name for the service. */
  name: string;

  /** The refusal that stops polling until the user acts. */
  get refused(): ServiceError | undefined {
    return [this.conversations.error, this.sandboxes.error].find(
      (error) => error && isRefusal(error),
    );
  }

  /** The failure that leaves the lists old or empty. */
  get error(): ServiceError | undefined {
    return this.conversations.error ?? this.sandboxes.error;
  }

  /** Refreshes the lists. A poll does nothing after a refusal. */
  async refresh(
    priority: Priority = 'person',
  ): Promise<'steady' | 'inTransition' | 'failed'> {
    if (priority === 'poll' && this.refused) return 'failed';
    await Promise.all([
      this.conversations.refresh(priority),
      this.sandboxes.refresh(priority),
      ...(this.toolServers.asOf === undefined
        ? []
        : [this.toolServers.refresh(priority)]),
    ]);
    if (this.error) return 'failed';
    await this.automations.refresh(priority);
    return this.#isAnythingInTransition() ? 'inTransition' : 'steady';
  }

  /** Cancels all requests and forgets the rows. */
  release(): void {
    this.#work.cancel(connectionClosed());
    this.toolServers.release();
    this.automations.release();
    this.conversations.release();
    this.sandboxes.reset();
  }

  #isAnythingInTransition(): boolean {
    const now = this.#clock.now();
    const before = this.#inTransition;
    const after = new Map<string, Time>();
    for (const [key, row] of this.conversations.rows) {
      if (isInTransition(row)) after.set(key, before.get(key) ?? now);
    }
    for (const [key, { status }] of this.sandboxes.rows) {
      if (status === 'starting') after.set(key, before.get(key) ?? now);
    }
    for (const { run } of this.automations.rows) {
      if (run && isActiveRun(run)) after.set(run.id, before.get(run.id) ?? now);
    }
    this.#inTransition = after;
    return [...after.values()].some((since) => now - since < maxTransitionMs);
  }
}

export function connectionClosed(): UserError {
  return userError(
    'The connection to the service was closed before the result was known.',
  );
}
