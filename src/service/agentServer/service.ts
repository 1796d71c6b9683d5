/** The Agent Server: conversations that work in folders of its machine. It has no sandboxes. */
import type { AgentService } from '../agentService.ts';
import type { Wire } from '../requests.ts';
import { conversationsOfAgentServer, editingAtAgentServer } from './conversations.ts';
import { creationAtAgentServer } from './creation.ts';
import { Rows } from './rows.ts';
import { steeringAtAgentServer } from './steering.ts';
import { toolServersOfAgentServer } from './toolServers.ts';

export function agentServer(wire: Wire) {
  const rows = new Rows(wire);
  const conversations = conversationsOfAgentServer(rows, wire.log);
  return {
    interface: 'agentServer',
    conversations,
    creation: creationAtAgentServer(rows, wire),
    editing: editingAtAgentServer(conversations, wire),
    steering: steeringAtAgentServer(rows.eventTimes, wire),
    toolServers: toolServersOfAgentServer(wire),
  } as const satisfies AgentService;
}
