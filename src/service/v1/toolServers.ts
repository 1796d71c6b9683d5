import { t, words } from '../../base/l10n.ts';
import type { ToolServers } from '../agentService.ts';
import { Requests, type Wire } from '../requests.ts';
import { readServiceServers, serversIn } from '../serverRecord.ts';

const couldNot = words({ listToolServers: 'Could not list the MCP servers of the service' });

/**
 * Read only: the service takes the servers only all at once, and tells of none which variables and headers it has, so
 * that writing what was read would lose them.
 */
export function toolServersV1(wire: Wire): ToolServers {
  const requests = new Requests(wire, couldNot);
  return {
    list: async (call = {}) => {
      const sent = { path: ['api', 'v1', 'settings'] };
      const found = serversIn(await requests.send('listToolServers', sent, call));
      if (found) return readServiceServers(found, false);
      const why = t('it does not contain the MCP servers');
      throw requests.error('listToolServers', { kind: 'notUnderstood', why });
    },
    whyNot: () =>
      t(
        'The MCP servers of this service can only be read here: it replaces all of them at once, and does not reveal their variables and headers, which would be lost.',
      ),
  };
}
