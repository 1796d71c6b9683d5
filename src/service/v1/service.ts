/** V1: conversations, their agents, their creation, and sandboxes. */
import { t, words } from '../../base/l10n.ts';
import type { AgentService, ToolServers } from '../abilities/agentService.ts';
import { Requests, type Wire } from '../http/requests.ts';
import { readServiceServers, serversIn } from '../records/serviceServer.ts';
import { agentsV1 } from './agents.ts';
import {
  ConversationReader,
  conversationsV1,
  editingV1,
} from './conversations.ts';
import { creationV1 } from './creation.ts';
import { gitV1 } from './git.ts';
import { modelsV1 } from './models.ts';
import { sandboxesV1 } from './sandboxes.ts';
import { SandboxStates } from '../records/sandboxStates.ts';

export function serviceV1(wire: Wire) {
  return {
    ...besideV0(wire),
    models: modelsV1(wire),
    toolServers: toolServersV1(wire),
  } as const satisfies AgentService;
}

/**
 * Omits the models and the MCP servers: a service with V0 keeps its settings in
 * another format.
 */
export function besideV0(
  wire: Wire,
  states = new SandboxStates(wire.clock),
  reader = new ConversationReader(states),
) {
  const conversations = conversationsV1(wire, reader);
  return {
    interface: 'v1',
    conversations,
    creation: creationV1(wire, states),
    sandboxes: sandboxesV1(wire, states),
    editing: editingV1(wire, conversations),
    agents: agentsV1(wire, reader),
    git: gitV1(wire),
  } as const satisfies AgentService;
}

const couldNot = words({
  listToolServers: 'Could not list the MCP servers of the service',
});

/**
 * Read only: the service replaces all servers at once, and does not reveal
 * their variables and headers, which writing would lose.
 */
function toolServersV1(wire: Wire): ToolServers {
  const requests = new Requests(wire, couldNot);
  return {
    list: async (call = {}) => {
      const sent = { path: ['api', 'v1', 'settings'] };
      const servers = serversIn(
        await requests.send('listToolServers', sent, call),
      );
      if (servers) return readServiceServers(servers, false);
      const why = t('it does not contain the MCP servers');
      throw requests.error('listToolServers', { kind: 'notUnderstood', why });
    },
    whyNot: () =>
      t(
        'The MCP servers of this service can only be read here: it replaces all of them at once, and does not reveal their variables and headers, which would be lost.',
      ),
  };
}
