/** Following and steering the agents of a service. Loaded when somebody looks at one, or one is seen at work. */
import { type Conversation, keyOf } from '../../service/entities.ts';
import type { Clock } from '../../base/clock.ts';
import type { Emitter } from '../../base/event.ts';
import type { ServiceClient } from '../../service/client.ts';
import type { AgentStates } from '../conversation/agentStates.ts';
import type { LiveSlots } from '../conversation/liveSlots.ts';
import type { RemoteList } from '../lists/remoteList.ts';
import { FollowedConversation } from '../conversation/followedConversation.ts';
import { ConversationEditing } from './conversationEditing.ts';
import { AgentSteering } from './agentSteering.ts';
import { UntilRelease } from '../conversation/untilRelease.ts';

/** The parts of a connected service that its agents need. */
interface ServiceOfAgents {
  readonly client: ServiceClient;
  readonly conversations: RemoteList<Conversation>;
  readonly clock: Clock;
  readonly slots: LiveSlots;
  readonly agentStates: AgentStates;
  readonly onRelease: Emitter['on'];
}

class ServiceAgents {
  readonly steering: AgentSteering;
  readonly editing: ConversationEditing;
  readonly #service: ServiceOfAgents;
  /** By the key of the conversation. */
  readonly #followed = new Map<string, FollowedConversation>();

  constructor(service: ServiceOfAgents) {
    this.#service = service;
    const { client, conversations, clock, agentStates } = service;
    const release = new UntilRelease();
    this.steering = new AgentSteering(client, clock, release, (conversation, waiting) => {
      agentStates.learn(conversation, waiting);
    });
    this.editing = new ConversationEditing(client, conversations, release);
    service.onRelease(() => {
      release.release();
      for (const followed of this.#followed.values()) followed.end();
    });
  }

  follow(conversation: Conversation): FollowedConversation {
    const key = keyOf(conversation);
    const known = this.#followed.get(key);
    if (known) return known.share();
    const { client, conversations: list, clock, slots, agentStates: states } = this.#service;
    const followed = new FollowedConversation(conversation, {
      client,
      list,
      clock,
      slots,
      states,
      onReleased: () => {
        if (this.#followed.get(key) === followed) this.#followed.delete(key);
      },
    });
    this.#followed.set(key, followed);
    return followed;
  }
}

const ofServices = new WeakMap<ServiceOfAgents, ServiceAgents>();

function agentsOf(service: ServiceOfAgents): ServiceAgents {
  const agents = ofServices.get(service) ?? new ServiceAgents(service);
  ofServices.set(service, agents);
  return agents;
}

/** One for each service: what is done with a conversation is done one after the other. */
export function steeringOf(service: ServiceOfAgents): AgentSteering {
  return agentsOf(service).steering;
}

export function editingOf(service: ServiceOfAgents): ConversationEditing {
  return agentsOf(service).editing;
}

/** The same for all who ask for the same conversation. Each of them releases it. */
export function follow(service: ServiceOfAgents, conversation: Conversation): FollowedConversation {
  return agentsOf(service).follow(conversation);
}
