/** The handler of every command. */
import { arrangementCommands } from './arrange.ts';
import { changeCommands } from './changes.ts';
import { connectionCommands } from './connection.ts';
import { conversationCommands } from './conversation.ts';
import type { CommandParts, Handlers } from './handlers.ts';
import { newConversationCommands } from './newConversation.ts';
import { reviewCommands } from './review.ts';
import { sandboxCommands } from './sandboxes.ts';
import { serverCommands } from './servers.ts';
import { serviceServerCommands } from './serviceServers/commands.ts';
import { steeringCommands } from './steering.ts';

export function allCommands(parts: CommandParts): Handlers {
  return {
    ...connectionCommands(parts),
    ...conversationCommands(parts),
    ...changeCommands(parts),
    ...reviewCommands(parts),
    ...newConversationCommands(parts),
    ...arrangementCommands(parts),
    ...sandboxCommands(parts),
    ...serverCommands(parts),
    ...serviceServerCommands(parts),
    ...steeringCommands(parts),
  };
}
