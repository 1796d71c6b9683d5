/** Loaded together, when the first of these is needed. Each one loaded by itself would cost a chunk for whatever it shares. */
export { Notifications } from '../background/notifications.ts';
export { SharedMemory } from '../background/sharedMemory.ts';
export { ChangeDocuments } from '../changes/documents.ts';
export { ReviewComments } from '../changes/reviewComments.ts';
export { ConversationPages } from '../conversations/page/conversationPages.ts';
export { loadChecks } from '../mcpServers/check/savedChecks.ts';
export { ServerPages } from '../mcpServers/serverPages.ts';
export { ServersTree } from '../mcpServers/serversTree.ts';
export { CommandRunner } from './commandRunner.ts';
