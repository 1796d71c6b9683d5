/** V1: conversations with what their agents do, their creation, and sandboxes. */
import type { AgentService } from '../agentService.ts';
import type { Wire } from '../requests.ts';
import { agentsV1 } from './agents.ts';
import { conversationsV1 } from './conversations.ts';
import { creationV1 } from './creation.ts';
import { editingV1 } from './editing.ts';
import { gitV1 } from './git.ts';
import { sandboxesV1 } from './sandboxes.ts';
import { AwaitedSandboxes } from './starting.ts';
import { toolServersV1 } from './toolServers.ts';

export function serviceV1(wire: Wire) {
  return { ...besideV0(wire), toolServers: toolServersV1(wire) } as const satisfies AgentService;
}

/** Where there is a V0, the settings are its own, in another format. */
export function besideV0(wire: Wire) {
  const awaited = new AwaitedSandboxes(wire.clock);
  const conversations = conversationsV1(wire, awaited);
  return {
    interface: 'v1',
    conversations,
    creation: creationV1(wire, awaited),
    sandboxes: sandboxesV1(wire, awaited),
    editing: editingV1(wire, conversations),
    steering: agentsV1(wire),
    git: gitV1(wire),
  } as const satisfies AgentService;
}
