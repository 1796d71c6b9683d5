/** V1: conversations with what their agents do, their creation, and sandboxes. */
import type { AgentService } from '../agentService.ts';
import type { Wire } from '../requests.ts';
import { conversationsV1 } from './conversations.ts';
import { creationV1 } from './creation.ts';
import { sandboxesV1 } from './sandboxes.ts';
import { AwaitedSandboxes } from './starting.ts';

export function serviceV1(wire: Wire) {
  const awaited = new AwaitedSandboxes(wire.clock);
  return {
    interface: 'v1',
    conversations: conversationsV1(wire, awaited),
    creation: creationV1(wire, awaited),
    sandboxes: sandboxesV1(wire, awaited),
  } as const satisfies AgentService;
}
