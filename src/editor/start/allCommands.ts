/** The handler of every command. */
import { changeCommands, type ChangeParts } from '../changes/changeCommands.ts';
import { reviewCommands, type ReviewParts } from '../changes/reviewCommands.ts';
import { arrangementCommands } from '../conversations/arrangementCommands.ts';
import { conversationCommands } from '../conversations/conversationCommands.ts';
import { newConversationCommands } from '../conversations/new/newConversationCommands.ts';
import type { ConversationParts } from '../conversations/page/conversationPages.ts';
import { steeringCommands } from '../conversations/steeringCommands.ts';
import type { CommandHandlers } from '../manifest.ts';
import { serverCommands, type ServerParts } from '../mcpServers/serverCommands.ts';
import { sandboxCommands } from '../sandboxes/sandboxCommands.ts';
import { connectionCommands, type ServiceParts } from '../services/connectionCommands.ts';
import { takeOverCommands, type TakeOverParts } from '../takeOver/takeOverChanges.ts';

export type CommandParts = ServiceParts &
  ConversationParts &
  ChangeParts &
  ReviewParts &
  TakeOverParts &
  ServerParts;

export function allCommands(parts: CommandParts): CommandHandlers {
  return {
    ...connectionCommands(parts),
    ...conversationCommands(parts),
    ...changeCommands(parts),
    ...takeOverCommands(parts),
    ...reviewCommands(parts),
    ...newConversationCommands(parts),
    ...arrangementCommands(parts.switchboard),
    ...sandboxCommands(parts.switchboard),
    ...serverCommands(parts),
    ...steeringCommands(parts),
  };
}
