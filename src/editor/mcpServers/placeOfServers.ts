/** Asks where an MCP server is, for a command of the palette that names none: in the file, or at a service. */
import { ThemeIcon, window } from 'vscode';
import { atMost, systemClock } from '../../base/clock.ts';
import { t } from '../../base/l10n.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import { configPath } from '../mcpJson/places.ts';
import { inPick } from '../words/foreignText.ts';
import { shownPath } from '../words/shownPath.ts';
import type { ServerList } from '../../state/mcpServers/serverList.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { Connector } from '../services/connector.ts';

interface ServerPlaces {
  readonly switchboard: Switchboard;
  readonly connector: Pick<Connector, 'whenReady'>;
  readonly servers: ServerList;
}

/** For services whose kind is not known yet. */
const recogniseTimeoutMs = 1_000;

/** Undefined when it was given up. */
export async function placeOfServers(
  { switchboard, connector, servers }: ServerPlaces,
  purpose: 'add' | 'change' | 'check',
): Promise<'file' | ConnectedService | undefined> {
  await connector.whenReady;
  const unknown = switchboard.services.filter(({ client }) => !client.service);
  await atMost(
    systemClock,
    recogniseTimeoutMs,
    Promise.allSettled(unknown.map(({ client }) => client.recognise({}))),
  );
  const services = switchboard.services.filter(({ client: { service } }) =>
    purpose === 'check' ? service?.toolServers?.checkOwn : service?.toolServers?.changing,
  );
  if (services.length === 0) return 'file';
  if (purpose !== 'add') await servers.refresh();
  const isFilePlace =
    purpose === 'add' || servers.problem !== undefined || servers.document.entries.length > 0;
  const items = [
    ...(isFilePlace
      ? [
          {
            label: t('This Machine'),
            description: inPick(shownPath(configPath())),
            iconPath: new ThemeIcon('device-desktop'),
            place: 'file' as const,
          },
        ]
      : []),
    ...services.map((service) => ({
      label: inPick(service.name),
      description: inPick(service.address),
      iconPath: new ThemeIcon('plug'),
      place: service,
    })),
  ];
  const placeHolder =
    purpose === 'add' ? t('Select where to add the MCP server') : t('Select where the MCP server is');
  const picked =
    items.length === 1
      ? items[0]
      : await window.showQuickPick(items, { placeHolder, matchOnDescription: true });
  return picked?.place;
}
