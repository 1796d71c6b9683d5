import type { AgentServerConversations } from './agentServer/conversations.ts';
import type { Cursors } from './cursor.ts';
import type { HttpAnswer, Call } from './http.ts';
import type { WireRecords } from './wireRecords.ts';
import type { StoredServers } from './toolServers/record.ts';
import type { World } from './world.ts';

/** The parts that routes need for their answers. */
export interface RouteContext {
  readonly world: World;
  readonly records: WireRecords;
  readonly cursors: Cursors;
  /** The conversations of an Agent Server. */
  readonly agentServer: AgentServerConversations;
  readonly toolServers: StoredServers;
}

export interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Without the first slash; `*` stands for any segment. */
  readonly path: string;
  readonly answer: (call: Call, context: RouteContext) => HttpAnswer;
}
