import { window } from 'vscode';
import { UserError } from '../../../base/errors.ts';
import { t, userError } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import type { ToolServers } from '../../../service/abilities/agentService.ts';
import type { ServiceServer } from '../../../service/records/serviceServer.ts';
import type { ConnectedService } from '../../../state/connectedService.ts';
import {
  parseServiceServerId,
  serverText,
} from '../../../state/mcpServers/serviceServers.ts';
import type { Switchboard } from '../../../state/switchboard.ts';
import { pickServiceWith } from '../../services/pickService.ts';
import { inPick } from '../../words/foreignText.ts';
import { serverName } from '../../words/mcpServers/serverWords.ts';
import { serviceServerDescription } from '../../words/mcpServers/serviceServerWords.ts';

/**
 * The id of a server, or the service whose server the user picks; undefined to
 * pick that too.
 */
export type ServerSource = string | ConnectedService | undefined;

/** The server, which must fit if the user picks it. */
export async function pickServiceServer(
  switchboard: Switchboard,
  source: ServerSource,
  placeHolder: string,
  fits: (ability: ToolServers, server: ServiceServer) => boolean,
) {
  const picked = (service: ConnectedService, server: ServiceServer) => ({
    service,
    server,
    name: serverName(server),
    place: shownServiceName(service),
  });
  if (typeof source === 'string') {
    const { address, name } = parseServiceServerId(source);
    const service = switchboard.service(address);
    const server = service?.toolServers.find(name);
    if (service && server) return picked(service, server);
    throw userError(
      'The service no longer has an MCP server “{0}”. Refresh and look again.',
      serverName({ name }),
    );
  }
  const selection = await pickServiceWithServers(
    switchboard,
    placeHolder,
    source?.address,
  );
  if (!selection) return undefined;
  const { service, ability } = selection;
  await service.toolServers.refreshOrThrow();
  const items = service.toolServers.rows
    .filter((server) => fits(ability, server))
    .map((server) => ({
      label: inPick(serverName(server)),
      description: inPick(serviceServerDescription(server, [])),
      server,
    }));
  if (items.length === 0) {
    throw new UserError(
      ability.whyNot?.() ??
        t('The service has no MCP server that supports this.'),
    );
  }
  const answer = await window.showQuickPick(items, {
    placeHolder,
    matchOnDescription: true,
  });
  return answer && picked(service, answer.server);
}

/**
 * The service with this address, the only one that has servers, or the one that
 * the user picks.
 */
export async function pickServiceWithServers(
  switchboard: Switchboard,
  placeHolder: string,
  address?: string,
) {
  return await pickServiceWith(switchboard, ({ toolServers }) => toolServers, {
    placeHolder,
    none: t('The connected services have no MCP servers of their own.'),
    address,
  });
}

export function shownServiceName({ name }: ConnectedService): string {
  return plainText(name, 80);
}

type Changing = NonNullable<ToolServers['changing']>;

/** Throws a UserError if the servers of the service are read-only. */
export function requireChanging({ whyNot, changing }: ToolServers): Changing {
  if (changing) return changing;
  throw new UserError(
    whyNot?.() ?? t('The MCP servers of this service can only be read.'),
  );
}

/**
 * Changes the settings of a service if these servers are still there as the
 * user has seen them.
 */
export async function changeAtService(
  service: ConnectedService,
  shownServers: readonly ServiceServer[],
  act: (changing: Changing) => Promise<void>,
): Promise<void> {
  await service.toolServers.change(async (ability) => {
    await requireUnchanged(service, shownServers);
    await act(requireChanging(ability));
  });
}

/**
 * Throws a UserError if one of these servers is not as the user has seen it,
 * apart from being enabled.
 */
export async function requireUnchanged(
  service: ConnectedService,
  shownServers: readonly ServiceServer[],
): Promise<void> {
  if (shownServers.length === 0) return;
  const { toolServers } = service;
  await toolServers.refreshOrThrow();
  const changed = shownServers.find((server) => {
    const now = toolServers.find(server.name);
    const { enabled } = server;
    return !now || serverText({ ...now, enabled }) !== serverText(server);
  });
  if (!changed) return;
  throw userError(
    '“{0}” at {1} has changed since, so nothing was done. Look at it, and try again.',
    serverName(changed),
    shownServiceName(service),
  );
}
