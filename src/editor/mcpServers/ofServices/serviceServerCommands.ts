/** What can be done with the MCP servers of services, and with those of the file at a service. */
import type { AddServerFlows } from '../add/addServerCommands.ts';
import type { Switchboard } from '../../../state/switchboard.ts';
import type { CommandHandlers } from '../../manifest.ts';
import type { Connector } from '../../services/connector.ts';
import { checkOwn, removeAtService, setEnabled } from './atService.ts';
import { checkAtService, type CopyParts, copyToFile, copyToService } from './copy.ts';
import { editServiceServer } from './editServiceServer.ts';
import { servicePlace, serviceToAddTo } from './servicePlace.ts';

/** Asks for servers, and sends them to the service at this address, or to the one that the user chooses. */
export async function addToService(
  switchboard: Switchboard,
  adding: AddServerFlows,
  ask: 'askForServer' | 'askForText',
  address: string | undefined,
): Promise<void> {
  const service = await serviceToAddTo(switchboard, address);
  if (service) await adding[ask](servicePlace(service), service.address);
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
    'switchboard.serviceServers.enable': async (...ids) => {
      await setEnabled(switchboard, ids, true);
    },
    'switchboard.serviceServers.disable': async (...ids) => {
      await setEnabled(switchboard, ids, false);
    },
    'switchboard.serviceServers.remove': async (id) => {
      await removeAtService(switchboard, id);
    },
    'switchboard.serviceServers.check': async (id) => {
      await checkOwn(switchboard, id);
    },
    'switchboard.serviceServers.edit': async (id) => {
      await editServiceServer(switchboard, id);
    },
    'switchboard.serviceServers.copyToFile': async (id) => {
      await copyToFile(parts, id);
    },
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
