import type { Conversation } from '../../src/service/model/entities.ts';
import {
  type NewMessage,
  partsOf,
} from '../../src/service/model/newMessage.ts';
import type { AgentLocations } from '../../src/state/conversation/agentLocations.ts';

/**
 * Adds a message that runs nothing, as another client can while an action
 * waits.
 */
export async function addMessage(
  locations: AgentLocations,
  conversation: Conversation,
  message: NewMessage,
): Promise<void> {
  await locations.useReady(conversation, {}, ({ steering }) =>
    steering.add(conversation.id, partsOf(message)),
  );
}
