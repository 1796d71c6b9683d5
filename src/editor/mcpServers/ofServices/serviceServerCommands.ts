/** What can be done with the MCP servers of services, and with those of the file at a service. */
import type { AddServerFlows } from '../add/addServerCommands.ts';
import type { CommandParts, Handlers } from '../../start/handlers.ts';
import { checkOwn, removeAtService, setEnabled } from './atService.ts';
import { checkAtService, copyToFile, copyToService } from './copy.ts';
import { edit } from './editServiceServer.ts';
import { servicePlace, serviceToAddTo } from './servicePlace.ts';

/** Asks for servers, and sends them to the service at this address, or to the one that the user chooses. */
export async function addToService(
  { switchboard }: CommandParts,
  adding: AddServerFlows,
  ask: 'askForServer' | 'askForText',
  address: string | undefined,
): Promise<void> {
  const service = await serviceToAddTo(switchboard, address);
  if (service) await adding[ask](servicePlace(service), service.address);
}

export function serviceServerCommands(parts: CommandParts, adding: AddServerFlows) {
  return {
    'switchboard.serviceServers.add': (address) => addToService(parts, adding, 'askForServer', address),
    'switchboard.serviceServers.addFromText': (address) => addToService(parts, adding, 'askForText', address),
    'switchboard.serviceServers.enable': async (...ids) => {
      await setEnabled(parts, ids, true);
    },
    'switchboard.serviceServers.disable': async (...ids) => {
      await setEnabled(parts, ids, false);
    },
    'switchboard.serviceServers.remove': async (id) => {
      await removeAtService(parts, id);
    },
    'switchboard.serviceServers.check': async (id) => {
      await checkOwn(parts, id);
    },
    'switchboard.serviceServers.edit': async (id) => {
      await edit(parts, id);
    },
    'switchboard.serviceServers.copyToFile': async (id) => {
      await copyToFile(parts, id);
    },
    'switchboard.mcp.copyToService': async (name) => {
      await parts.connector.restored;
      await copyToService(parts, name);
    },
    'switchboard.mcp.checkAtService': async (name) => {
      await parts.connector.restored;
      await checkAtService(parts, name);
    },
  } satisfies Partial<Handlers>;
}
