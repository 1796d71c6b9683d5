/**
 * Caches the locations of a service's agents. A failure at a location requests
 * it again.
 */
import { UserError } from '../../base/errors.ts';
import { t, userError } from '../../base/l10n.ts';
import type {
  AgentLocation,
  Agents,
  EventSource,
  ReadyLocation,
} from '../../service/abilities/agentService.ts';
import type { ServiceClient } from '../../service/client.ts';
import { type Conversation, keyOf } from '../../service/model/entities.ts';
import { type Failure, ServiceError } from '../../service/http/serviceError.ts';
import type { CallOptions } from '../../service/http/transport.ts';

const maxLocations = 50;
/**
 * Failures of a paused, replaced or moved agent: locate it again at once, not
 * only at the next use.
 */
const failuresOfMoved: ReadonlySet<Failure['kind']> = new Set([
  'unreachable',
  'unauthorised',
  'notFound',
  'serverFailed',
  'notThisService',
]);

export class AgentLocations {
  readonly #client: ServiceClient;
  /** Locations of ready agents by conversation key, latest last. */
  readonly #ready = new Map<string, ReadyLocation>();
  /** Keys of conversations whose listed agents have not answered. */
  readonly #silent = new Set<string>();

  constructor(client: ServiceClient) {
    this.#client = client;
  }

  /**
   * Works at the location of an agent. After a failure at a cached location,
   * requests the location again and repeats the work if the location is another
   * one. `work` must therefore be idempotent.
   */
  async use<T>(
    conversation: Conversation,
    call: CallOptions,
    work: (location: AgentLocation, agents: Agents) => Promise<T>,
  ): Promise<T> {
    const { agents } = await this.#client.recognise(call);
    if (!agents) throw notOffered();
    const location = this.#known(conversation);
    if (!location)
      return await work(await this.#locate(conversation, agents, call), agents);
    try {
      return await work(location, agents);
    } catch (error) {
      if (call.signal?.aborted || !(error instanceof ServiceError)) throw error;
      if (this.#known(conversation) === location) this.forget(conversation);
      if (!failuresOfMoved.has(error.kind)) throw error;
      const now =
        this.#known(conversation) ??
        (await this.#locate(conversation, agents, call));
      if (now.status === 'ready' && now.steering === location.steering)
        throw error;
      return await work(now, agents);
    }
  }

  /**
   * Works like `use`, but rejects with the reason if the agent is not ready.
   */
  async useReady<T>(
    conversation: Conversation,
    call: CallOptions,
    work: (location: ReadyLocation) => Promise<T>,
  ): Promise<T> {
    return await this.use(conversation, call, (location) => {
      if (location.status !== 'ready')
        throw new UserError(whyNotReady(location));
      return work(location);
    });
  }

  /**
   * Reads from the agent if its location is known or listed, else from the
   * service, which may hear of events up to 30 s later. Requests no location
   * for that.
   */
  async readNearest<T>(
    conversation: Conversation,
    call: CallOptions,
    read: (source: EventSource) => Promise<T>,
  ): Promise<T> {
    const { agents } = await this.#client.recognise(call);
    if (!agents) throw notOffered();
    if (this.#known(conversation))
      return await this.use(conversation, call, (location) =>
        read(sourceOf(location, agents)),
      );
    const key = keyOf(conversation);
    const listed = agents.listedAgent?.(conversation.id);
    if (!listed || this.#silent.has(key)) return await read(agents);
    // Counts as silent until it has answered: a slow read is canceled.
    this.#silent.add(key);
    const result = await read(listed.steering);
    this.#silent.delete(key);
    return result;
  }

  /** Requests the location again at its next use. */
  forget(conversation: Conversation): void {
    this.#ready.delete(keyOf(conversation));
    this.#silent.delete(keyOf(conversation));
  }

  #known(conversation: Conversation): ReadyLocation | undefined {
    const location = this.#ready.get(keyOf(conversation));
    return location?.isAllowed?.() === false ? undefined : location;
  }

  async #locate(
    conversation: Conversation,
    agents: Agents,
    call: CallOptions,
  ): Promise<AgentLocation> {
    const location = await agents.locateAgent(conversation.id, call);
    this.forget(conversation);
    if (location.status === 'ready')
      this.#ready.set(keyOf(conversation), location);
    const [oldest] = this.#ready.keys();
    if (this.#ready.size > maxLocations && oldest !== undefined)
      this.#ready.delete(oldest);
    return location;
  }
}

/**
 * Returns the agent's own events if it is ready: an app server hears of them up
 * to 30 s later.
 */
export function sourceOf(location: AgentLocation, agents: Agents): EventSource {
  return location.status === 'ready' ? location.steering : agents;
}

export function notOffered(): UserError {
  return userError(
    "This service cannot do that. Open the conversation in the service's own app.",
  );
}

export interface ConversationAbilities {
  readonly status: AgentLocation['status'];
  /** The paused sandbox that can be resumed. */
  readonly sandboxId: string | undefined;
  /** An origin that enables more actions once the user allows it. */
  readonly origin: string | undefined;
  readonly canSend: boolean;
  /** True if the agent can be answered, stopped, resumed and followed live. */
  readonly canSteer: boolean;
  /** The reason for missing abilities, as a sentence. */
  readonly whyNot: string | undefined;
}

export function abilitiesAt(
  location: AgentLocation,
  canQueue: boolean,
): ConversationAbilities {
  const isReady = location.status === 'ready';
  return {
    status: location.status,
    sandboxId:
      location.status === 'sandboxPaused' ? location.sandboxId : undefined,
    origin: location.status === 'outOfReach' ? location.origin : undefined,
    canSend: isReady || (location.status === 'sandboxStarting' && canQueue),
    canSteer: isReady,
    whyNot: isReady ? undefined : whyNotReady(location),
  };
}

export function whyNotReady(
  location: Exclude<AgentLocation, { status: 'ready' }>,
): string {
  if (location.status === 'outOfReach') return location.why;
  return {
    sandboxPaused: t('Its sandbox is paused.'),
    sandboxStarting: t('Its sandbox is starting.'),
    archived: t('Its sandbox is gone, so the agent cannot continue.'),
    gone: t('The service no longer has this conversation.'),
  }[location.status];
}
