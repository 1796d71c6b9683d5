/** The commands for the MCP servers of services. */
import type { AddServerFlows } from '../add/addServer.ts';
import type { CommandParts, Handlers } from '../../start/handlers.ts';
import { checkAtService, checkServiceServer } from './checkAtService.ts';
import { copyToFile, copyToService } from './copyServers.ts';
import { editAtService, enableAtService, removeAtService } from './changeServiceServers.ts';
import { pickServiceToAddTo, serviceDestination } from './sendServers.ts';

/** Asks for servers, and sends them to the service at this address, or to the one that the user chooses. */
export async function addToService(
  { switchboard }: CommandParts,
  adding: AddServerFlows,
  ask: 'askForServer' | 'askForText',
  address: string | undefined,
): Promise<void> {
  const service = await pickServiceToAddTo(switchboard, address);
  if (service) await adding[ask](serviceDestination(service), service.address);
}

export function serviceServerCommands(parts: CommandParts, adding: AddServerFlows) {
  return {
    'switchboard.serviceServers.add': (address) => addToService(parts, adding, 'askForServer', address),
    'switchboard.serviceServers.addFromText': (address) => addToService(parts, adding, 'askForText', address),
    'switchboard.serviceServers.enable': (...ids) => enableAtService(parts, ids, true),
    'switchboard.serviceServers.disable': (...ids) => enableAtService(parts, ids, false),
    'switchboard.serviceServers.remove': (id) => removeAtService(parts, id),
    'switchboard.serviceServers.check': (id) => checkServiceServer(parts, id),
    'switchboard.serviceServers.edit': (id) => editAtService(parts, id),
    'switchboard.serviceServers.copyToFile': (id) => copyToFile(parts, id),
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
