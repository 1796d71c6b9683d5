import type { Conversation } from '../../../service/entities.ts';
import type { Switchboard } from '../../../state/switchboard.ts';
import type { ConversationPages } from './conversationPages.ts';

/** The parts that commands on conversations use. */
export interface ConversationParts {
  readonly switchboard: Switchboard;
  readonly conversationPages: () => Promise<ConversationPages>;
  /** The conversation whose page is the active editor. */
  readonly activeConversation: () => Conversation | undefined;
}
