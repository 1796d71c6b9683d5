/** V1: conversations with what their agents do, their creation, and sandboxes. */
import type { AgentService } from '../agentService.ts';
import type { Wire } from '../requests.ts';
import { conversationsV1 } from './conversations.ts';
import { creationV1 } from './creation.ts';
import { sandboxesV1 } from './sandboxes.ts';

export function serviceV1(wire: Wire) {
  return {
    interface: 'v1',
    conversations: conversationsV1(wire),
    creation: creationV1(wire),
    sandboxes: sandboxesV1(wire),
  } as const satisfies AgentService;
}
