/** The handler of every command. */
import { arrangementCommands } from './arrange.ts';
import { connectionCommands } from './connection.ts';
import { conversationCommands } from './conversation.ts';
import type { CommandParts, Handlers } from './handlers.ts';
import { newConversationCommands } from './newConversation.ts';
import { sandboxCommands } from './sandboxes.ts';
import { serverCommands } from './servers.ts';
import { steeringCommands } from './steering.ts';

export function allCommands(parts: CommandParts): Handlers {
  return {
    ...connectionCommands(parts),
    ...conversationCommands(parts),
    ...newConversationCommands(parts),
    ...arrangementCommands(parts),
    ...sandboxCommands(parts),
    ...serverCommands(parts),
    ...steeringCommands(parts),
  };
}
