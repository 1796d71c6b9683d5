/** The handler of every command. */
import { AddServerFlows } from './addServer/addServerCommands.ts';
import { arrangementCommands } from './arrange.ts';
import { changeCommands } from './changeCommands.ts';
import { connectionCommands } from './connectionCommands.ts';
import { conversationCommands } from './conversation.ts';
import type { CommandParts, Handlers } from './handlers.ts';
import { newConversationCommands } from './newConversation.ts';
import { reviewCommands } from './review.ts';
import { sandboxCommands } from './sandboxCommands.ts';
import { serverCommands } from './servers.ts';
import { serviceServerCommands } from './serviceServers/serviceServerCommands.ts';
import { steeringCommands } from './steeringCommands.ts';

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
