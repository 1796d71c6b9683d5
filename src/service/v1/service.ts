/** V1: conversations with what their agents do, their creation, and sandboxes. */
import type { AgentService } from '../agentService.ts';
import type { Wire } from '../requests.ts';
import { agentsV1 } from './agents.ts';
import { conversationsV1 } from './conversations.ts';
import { creationV1 } from './creation.ts';
import { editingV1 } from './editing.ts';
import { gitV1 } from './git.ts';
import { sandboxesV1 } from './sandboxes.ts';
import { SandboxStates } from './sandboxStates.ts';
import { toolServersV1 } from './toolServers.ts';

export function serviceV1(wire: Wire) {
  return { ...besideV0(wire), toolServers: toolServersV1(wire) } as const satisfies AgentService;
}

/** Without the MCP servers: beside V0, the settings are its own, in another format. */
export function besideV0(wire: Wire, states = new SandboxStates(wire.clock)) {
  const conversations = conversationsV1(wire, states);
  return {
    interface: 'v1',
    conversations,
    creation: creationV1(wire, states),
    sandboxes: sandboxesV1(wire, states),
    editing: editingV1(wire, conversations),
    steering: agentsV1(wire, states),
    git: gitV1(wire),
  } as const satisfies AgentService;
}
