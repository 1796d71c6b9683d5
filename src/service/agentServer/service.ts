/** The Agent Server: conversations that work in folders of its machine. It has no sandboxes. */
import type { AgentService } from '../agentService.ts';
import type { Wire } from '../requests.ts';
import { conversationsOfAgentServer } from './conversations.ts';

export function agentServer(wire: Wire) {
  return {
    interface: 'agentServer',
    conversations: conversationsOfAgentServer(wire),
  } as const satisfies AgentService;
}
