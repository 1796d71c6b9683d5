/**
 * Parts loaded together on first use of any. Separate loading would need
 * another chunk for their shared code.
 */
export { AttentionForwarding } from '../background/attentionForwarding.ts';
export { LimitMessages } from '../background/limitMessages.ts';
export { Notifications } from '../background/notifications.ts';
export { SharedMemory } from '../background/sharedMemory.ts';
export { ChangeDocuments } from '../changes/documents.ts';
export { ReviewComments } from '../changes/reviewComments.ts';
export { mayGoOn } from '../conversations/costLimits.ts';
export { CostPage } from '../conversations/page/costPage.ts';
export { ConversationPages } from '../conversations/page/conversationPages.ts';
export { loadChecks } from '../mcpServers/check/savedChecks.ts';
export { ServerPages } from '../mcpServers/serverPages.ts';
export { ServersTree } from '../mcpServers/serversTree.ts';
export { ServerOnThisMachine } from '../services/serverOnThisMachine.ts';
export { CommandRunner } from './commandRunner.ts';
