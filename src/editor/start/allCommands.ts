/** The handler of every command. */
import { AddServerFlows } from '../mcpServers/add/addServer.ts';
import { arrangementCommands } from '../conversations/arrangementCommands.ts';
import { changeCommands } from '../changes/changeCommands.ts';
import { connectionCommands } from '../services/connectionCommands.ts';
import { conversationCommands } from '../conversations/conversationCommands.ts';
import type { CommandParts, Handlers } from './handlers.ts';
import { newConversationCommands } from '../conversations/new/newConversationCommands.ts';
import { reviewCommands } from '../changes/reviewCommands.ts';
import { sandboxCommands } from '../sandboxes/sandboxCommands.ts';
import { serverCommands } from '../mcpServers/serverCommands.ts';
import { serviceServerCommands } from '../mcpServers/ofServices/serviceServerCommands.ts';
import { steeringCommands } from '../conversations/steeringCommands.ts';

export function allCommands(parts: CommandParts): Handlers {
  const adding = new AddServerFlows();
  return {
    ...connectionCommands(parts),
    ...conversationCommands(parts),
    ...changeCommands(parts),
    ...reviewCommands(parts),
    ...newConversationCommands(parts),
    ...arrangementCommands(parts),
    ...sandboxCommands(parts),
    ...serverCommands(parts, adding),
    ...serviceServerCommands(parts, adding),
    ...steeringCommands(parts),
  };
}
