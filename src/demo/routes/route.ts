import type { AgentServerConversations } from '../agentServer/conversations.ts';
import type { FolderConversation } from '../agentServer/held.ts';
import type { StoredAutomation } from '../agentServer/storedAutomations.ts';
import type { StoredModels } from '../agentServer/storedModels.ts';
import type { HttpAnswer, Call } from '../wire/http.ts';
import type { WireRecords } from './wireRecords.ts';
import type { StoredServers } from '../toolServers/record.ts';
import type { World } from '../world/world.ts';

/** The parts that routes need for their answers. */
export interface RouteContext {
  readonly world: World;
  readonly records: WireRecords;
  readonly agentServer: AgentServerConversations;
  readonly toolServers: StoredServers;
  readonly models: StoredModels;
  /** Undefined without an automation server. */
  readonly automations: StoredAutomation[] | undefined;
}

export type AnswerRequest = (call: Call, context: RouteContext) => HttpAnswer;

/** Answers a request about this conversation of an Agent Server. */
export type AnswerAbout = (
  held: FolderConversation,
  context: RouteContext,
  call: Call,
) => HttpAnswer;

/**
 * Answers by method and path, such as `GET api/conversations/*`, where `*`
 * stands for any segment.
 */
export type Routes = Readonly<Record<string, AnswerRequest>>;
