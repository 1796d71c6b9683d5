/** Choosing an MCP server of a service, and a service that can do something with one. */
import { window } from 'vscode';
import { UserError } from '../../../base/errors.ts';
import { t } from '../../../base/l10n.ts';
import type { AgentService, ToolServers } from '../../../service/agentService.ts';
import type { ServiceServer } from '../../../service/serviceServer.ts';
import type { ConnectedService } from '../../../state/connectedService.ts';
import { atService } from '../../../state/mcpServers/serviceServers.ts';
import type { Switchboard } from '../../../state/switchboard.ts';
import { abilityOf, serviceWith } from '../../services/pickService.ts';
import { inPick } from '../../words/foreignText.ts';
import { serverName } from '../../words/mcpServers/serverWords.ts';
import { serviceServerDescription } from '../../words/mcpServers/serviceServerWords.ts';

export interface Chosen {
  readonly service: ConnectedService;
  readonly server: ServiceServer;
}

/** The server with this id, or one that the person chooses among those of the service that fit. */
export async function serviceServerOf(
  switchboard: Switchboard,
  id: string | undefined,
  placeHolder: string,
  can: (ability: ToolServers, server: ServiceServer) => boolean,
  at?: ConnectedService,
): Promise<Chosen | undefined> {
  if (id !== undefined) {
    const { address, name } = atService(id);
    const service = switchboard.service(address);
    const server = service?.toolServers.find(name);
    if (service && server) return { service, server };
    throw new UserError(
      t('The service no longer has an MCP server “{0}”. Refresh and look again.', serverName({ name })),
    );
  }
  const found = await serviceWithServers(switchboard, placeHolder, at?.address);
  if (!found) return undefined;
  const { service, ability } = found;
  await service.toolServers.refresh();
  const { error, rows } = service.toolServers;
  if (error) throw error;
  const items = rows
    .filter((server) => can(ability, server))
    .map((server) => ({
      label: inPick(serverName(server)),
      description: inPick(serviceServerDescription(server, [])),
      server,
    }));
  if (items.length === 0) {
    throw new UserError(
      ability.whyNot?.() ?? t('The service has no MCP server with which this can be done.'),
    );
  }
  const picked = await window.showQuickPick(items, { placeHolder, matchOnDescription: true });
  return picked && { service, server: picked.server };
}

/** The service with this address, the only one that has servers, or the one that the person chooses. */
export async function serviceWithServers(
  switchboard: Switchboard,
  placeHolder: string,
  address?: string,
): Promise<{ readonly service: ConnectedService; readonly ability: ToolServers } | undefined> {
  const able = ({ toolServers }: AgentService) => toolServers;
  const none = t('The connected services have no MCP servers of their own.');
  const service = address === undefined ? undefined : switchboard.service(address);
  return service
    ? await abilityOf(service, able, none)
    : await serviceWith(switchboard, able, { placeHolder, none });
}

/** Throws a sentence where the servers of a service can only be read. */
export function changing({ whyNot, changing: changes }: ToolServers): NonNullable<ToolServers['changing']> {
  if (changes) return changes;
  throw new UserError(whyNot?.() ?? t('The MCP servers of this service can only be read.'));
}
