/** The locations of the agents of one service: each is asked for once, and again when something fails there. */
import { UserError } from '../../base/errors.ts';
import { t } from '../../base/l10n.ts';
import type { AgentLocation, Agents } from '../../service/abilities/agentService.ts';
import type { ServiceClient } from '../../service/client.ts';
import { type Conversation, keyOf } from '../../service/model/entities.ts';
import { type Failure, ServiceError } from '../../service/http/serviceError.ts';
import type { CallOptions } from '../../service/http/transport.ts';

type ReadyLocation = Extract<AgentLocation, { status: 'ready' }>;

const maxLocations = 50;
/** Failures of an agent that was paused, replaced or moved: it is located again at once, and otherwise for the next use. */
const failuresOfMoved: ReadonlySet<Failure['kind']> = new Set([
  'unreachable',
  'unauthorised',
  'notFound',
  'serverFailed',
  'notThisService',
]);

export class AgentLocations {
  readonly #client: ServiceClient;
  /** Locations of agents that are ready, by the keys of their conversations, the latest last. */
  readonly #ready = new Map<string, ReadyLocation>();

  constructor(client: ServiceClient) {
    this.#client = client;
  }

  /**
   * Works at the location of an agent. When that fails at a location that was known, the location is asked for again, and
   * the work is repeated if it is another one: so `work` must only read, or do what can be done twice.
   */
  async use<T>(
    conversation: Conversation,
    call: CallOptions,
    work: (location: AgentLocation, agents: Agents) => Promise<T>,
  ): Promise<T> {
    const { agents } = await this.#client.recognise(call);
    if (!agents) throw notOffered();
    const location = this.#known(conversation);
    if (!location) return await work(await this.#locate(conversation, agents, call), agents);
    try {
      return await work(location, agents);
    } catch (error) {
      if (call.signal?.aborted || !(error instanceof ServiceError)) throw error;
      if (this.#known(conversation) === location) this.forget(conversation);
      if (!failuresOfMoved.has(error.kind)) throw error;
      const now = this.#known(conversation) ?? (await this.#locate(conversation, agents, call));
      if (now.status === 'ready' && now.steering === location.steering) throw error;
      return await work(now, agents);
    }
  }

  /** Works at an agent that is ready, as `use` does. Rejects with the reason if it is not. */
  async useReady<T>(
    conversation: Conversation,
    call: CallOptions,
    work: (location: ReadyLocation) => Promise<T>,
  ): Promise<T> {
    return await this.use(conversation, call, (location) => {
      if (location.status !== 'ready') throw new UserError(whyNotReady(location));
      return work(location);
    });
  }

  /** Asks for the location when it is used the next time. */
  forget(conversation: Conversation): void {
    this.#ready.delete(keyOf(conversation));
  }

  #known(conversation: Conversation): ReadyLocation | undefined {
    const location = this.#ready.get(keyOf(conversation));
    return location?.isAllowed?.() === false ? undefined : location;
  }

  async #locate(conversation: Conversation, agents: Agents, call: CallOptions): Promise<AgentLocation> {
    const location = await agents.locateAgent(conversation.id, call);
    this.forget(conversation);
    if (location.status === 'ready') this.#ready.set(keyOf(conversation), location);
    const [oldest] = this.#ready.keys();
    if (this.#ready.size > maxLocations && oldest !== undefined) this.#ready.delete(oldest);
    return location;
  }
}

export function notOffered(): UserError {
  return new UserError(t("This service cannot do that. Open the conversation in the service's own app."));
}

export interface ConversationAbilities {
  readonly status: AgentLocation['status'];
  /** The paused sandbox that can be resumed. */
  readonly sandboxId: string | undefined;
  /** An origin that makes more possible once the user allows it. */
  readonly origin: string | undefined;
  readonly canSend: boolean;
  /** True if the agent can be answered, stopped, resumed and followed live. */
  readonly canSteer: boolean;
  /** The reason why something is not possible, as a sentence. */
  readonly whyNot: string | undefined;
}

export function abilitiesAt(location: AgentLocation, canQueue: boolean): ConversationAbilities {
  const isReady = location.status === 'ready';
  return {
    status: location.status,
    sandboxId: location.status === 'sandboxPaused' ? location.sandboxId : undefined,
    origin: location.status === 'outOfReach' ? location.origin : undefined,
    canSend: isReady || (location.status === 'sandboxStarting' && canQueue),
    canSteer: isReady,
    whyNot: isReady ? undefined : whyNotReady(location),
  };
}

export function whyNotReady(location: Exclude<AgentLocation, { status: 'ready' }>): string {
  if (location.status === 'outOfReach') return location.why;
  return {
    sandboxPaused: t('Its sandbox is paused.'),
    sandboxStarting: t('Its sandbox is starting.'),
    archived: t('Its sandbox is gone, so the agent cannot continue.'),
    gone: t('The service no longer has this conversation.'),
  }[location.status];
}
