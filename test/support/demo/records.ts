/** The records that the demo answers with. */
import type { heldConversation } from '../../../src/demo/agentServer/records.ts';
import type { WireRecords } from '../../../src/demo/routes/wireRecords.ts';

/** V0. */
export type ConversationInfo = ReturnType<WireRecords['conversationInfo']>;
/** V1. */
export type AppConversation = ReturnType<WireRecords['appConversation']>;
export type SandboxInfo = ReturnType<WireRecords['sandbox']>;
export type SandboxSpecInfo = ReturnType<WireRecords['spec']>;
export type WireStartTask = ReturnType<WireRecords['startTask']>;
/** An Agent Server. */
export type HeldConversation = ReturnType<typeof heldConversation>;
