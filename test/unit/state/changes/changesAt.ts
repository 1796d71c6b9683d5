import type { ServiceClient } from '../../../../src/service/client.ts';
import { ConversationChanges } from '../../../../src/state/changes/changedFiles.ts';
import { AgentLocations } from '../../../../src/state/conversation/agentLocations.ts';

/** The changes of the conversations of the service that is connected now. */
export function changesAt(
  connected: () => ServiceClient | undefined,
): ConversationChanges {
  const known = new Map<ServiceClient, AgentLocations>();
  return new ConversationChanges(() => {
    const client = connected();
    if (!client) return undefined;
    const locations = known.get(client) ?? new AgentLocations(client);
    known.set(client, locations);
    return locations;
  });
}
