/** What can be done with the MCP servers of services, and with those of the file at a service. */
import { AddServerFlows } from '../addServer/addServerCommands.ts';
import type { CommandParts, Handlers } from '../handlers.ts';

export function serviceServerCommands(parts: CommandParts) {
  const load = () => import('./atService.ts');
  const adding = new AddServerFlows();
  return {
    'switchboard.serviceServers.add': async (address) => {
      const { servicePlace, serviceToAddTo } = await import('./servicePlace.ts');
      const service = await serviceToAddTo(parts.switchboard, address);
      if (service) await adding.askForServer(servicePlace(service), service.address);
    },
    'switchboard.serviceServers.addFromText': async (address) => {
      const { servicePlace, serviceToAddTo } = await import('./servicePlace.ts');
      const service = await serviceToAddTo(parts.switchboard, address);
      if (service) await adding.askForText(servicePlace(service), service.address);
    },
    'switchboard.serviceServers.enable': async (...ids) => {
      await (await load()).setEnabled(parts, ids, true);
    },
    'switchboard.serviceServers.disable': async (...ids) => {
      await (await load()).setEnabled(parts, ids, false);
    },
    'switchboard.serviceServers.remove': async (id) => {
      await (await load()).removeAtService(parts, id);
    },
    'switchboard.serviceServers.check': async (id) => {
      await (await load()).checkOwn(parts, id);
    },
    'switchboard.serviceServers.edit': async (id) => {
      const { edit } = await import('./editServiceServer.ts');
      await edit(parts, id);
    },
    'switchboard.serviceServers.copyToFile': async (id) => {
      const { copyToFile } = await import('./copy.ts');
      await copyToFile(parts, id);
    },
    'switchboard.mcp.copyToService': async (name) => {
      await parts.connector.restored;
      const { copyToService } = await import('./copy.ts');
      await copyToService(parts, name);
    },
    'switchboard.mcp.checkAtService': async (name) => {
      await parts.connector.restored;
      const { checkAtService } = await import('./copy.ts');
      await checkAtService(parts, name);
    },
  } satisfies Partial<Handlers>;
}
