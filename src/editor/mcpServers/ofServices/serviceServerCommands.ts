/** The commands for the MCP servers of services. */
import type { AddServerFlows } from '../add/addServer.ts';
import type { Switchboard } from '../../../state/switchboard.ts';
import type { CommandHandlers } from '../../manifest.ts';
import type { Connector } from '../../services/connector.ts';
import { checkAtService, checkServiceServer } from './checkAtService.ts';
import { type CopyParts, copyToFile, copyToService } from './copyServers.ts';
import { editAtService, enableAtService, removeAtService } from './changeServiceServers.ts';
import { pickServiceToAddTo, serviceDestination } from './sendServers.ts';

/** Asks for servers, and sends them to the service at this address, or to the one that the user chooses. */
export async function addToService(
  switchboard: Switchboard,
  adding: AddServerFlows,
  ask: 'askForServer' | 'askForText',
  address: string | undefined,
): Promise<void> {
  const service = await pickServiceToAddTo(switchboard, address);
  if (service) await adding[ask](serviceDestination(service), service.address);
}

export interface ServiceServerParts extends CopyParts {
  readonly connector: Pick<Connector, 'whenReady'>;
}

export function serviceServerCommands(parts: ServiceServerParts, adding: AddServerFlows) {
  const { switchboard, connector } = parts;
  return {
    'switchboard.serviceServers.add': (address) => addToService(switchboard, adding, 'askForServer', address),
    'switchboard.serviceServers.addFromText': (address) =>
      addToService(switchboard, adding, 'askForText', address),
    'switchboard.serviceServers.enable': (...ids) => enableAtService(switchboard, ids, true),
    'switchboard.serviceServers.disable': (...ids) => enableAtService(switchboard, ids, false),
    'switchboard.serviceServers.remove': (id) => removeAtService(switchboard, id),
    'switchboard.serviceServers.check': (id) => checkServiceServer(switchboard, id),
    'switchboard.serviceServers.edit': (id) => editAtService(switchboard, id),
    'switchboard.serviceServers.copyToFile': (id) => copyToFile(parts, id),
    'switchboard.mcp.copyToService': async (name) => {
      await connector.whenReady;
      await copyToService(parts, name);
    },
    'switchboard.mcp.checkAtService': async (name) => {
      await connector.whenReady;
      await checkAtService(parts, name);
    },
  } satisfies Partial<CommandHandlers>;
}
