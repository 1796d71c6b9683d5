/** The MCP servers of services, as groups below those of the file. */
import { ThemeColor, ThemeIcon, TreeItem, TreeItemCheckboxState, TreeItemCollapsibleState } from 'vscode';
import { t } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import type { Entry } from '../../mcp/format/entry.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import { differenceFromFile } from '../../state/mcpServers/serverDifference.ts';
import { atService, idAtService } from '../../state/mcpServers/serviceServers.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import { factLines } from '../words/facts.ts';
import {
  serviceServerDescription,
  serviceServerFacts,
  serviceServerLabel,
} from '../words/mcpServers/serviceServerWords.ts';
import { serverName } from '../words/mcpServers/serverWords.ts';

export type ServiceServerRow =
  /** `id` is its address, as commands for services take it. */
  | { readonly kind: 'service'; readonly id: string; readonly rowId: string }
  | { readonly kind: 'serviceServer'; readonly id: string; readonly rowId: string };

export class ServiceServersRows {
  readonly #switchboard: Switchboard;

  constructor(switchboard: Switchboard) {
    this.#switchboard = switchboard;
  }

  /** A group for each service of which something is known. */
  get roots(): readonly ServiceServerRow[] {
    return this.#switchboard.services.flatMap(({ address, toolServers }) =>
      toolServers.asOf === undefined || !toolServers.ability
        ? []
        : [{ kind: 'service', id: address, rowId: `service:${address}` }],
    );
  }

  get children(): ReadonlyMap<string, readonly ServiceServerRow[]> {
    return new Map(
      this.#switchboard.services.map(({ address, toolServers }) => [
        `service:${address}`,
        toolServers.rows.map(({ name }) => {
          const id = idAtService(address, name);
          return { kind: 'serviceServer', id, rowId: `serviceServer:${id}` } as const;
        }),
      ]),
    );
  }

  /** Adds to the item of a server of the file where it is not the same as at a service. */
  decorate(item: TreeItem, entry: Entry): void {
    const differences = this.#switchboard.services.flatMap(({ name, toolServers }) => {
      const there = toolServers.find(entry.name);
      const words = there ? differenceFromFile(entry, there) : [];
      return words.length === 0 ? [] : [t('differs at {0}: {1}', plainText(name, 80), words.join(', '))];
    });
    showDifferences(item, differences);
  }

  draw(row: ServiceServerRow, entries: ReadonlyMap<string, Entry>): TreeItem {
    if (row.kind === 'service') {
      const service = this.#switchboard.service(row.id);
      return service ? groupItem(service) : new TreeItem('');
    }
    const { address, name } = atService(row.id);
    const service = this.#switchboard.service(address);
    return service ? serverItem(service, name, entries.get(name)) : new TreeItem('');
  }
}

function showDifferences(item: TreeItem, differences: readonly string[]): void {
  if (differences.length === 0) return;
  const said = differences.join(', ');
  item.description = [`● ${said}`, item.description].filter(Boolean).join(' · ');
  if (typeof item.tooltip === 'string') item.tooltip += `\n${factLines([[t('Services'), said]])}`;
  const { label = '' } = item.accessibilityInformation ?? {};
  item.accessibilityInformation = { label: `${label}, ${said}` };
}

function groupItem({ name, address, toolServers }: ConnectedService): TreeItem {
  const { rows, error, ability } = toolServers;
  const shown = plainText(name, 80);
  const item = new TreeItem(shown, TreeItemCollapsibleState.Expanded);
  const readOnly = ability?.changing ? undefined : ability?.whyNot?.();
  item.description = [
    t('its own servers'),
    ...(rows.length === 0 ? [t('none')] : []),
    ...(readOnly === undefined ? [] : [t('read only')]),
    ...(error ? [t('old')] : []),
  ].join(' · ');
  const facts = [
    plainText(address, 200),
    t('Agents of this service get these servers, which are in its settings and not in the file.'),
    ...[readOnly, error?.message].filter((line) => line !== undefined),
  ];
  item.tooltip = facts.join('\n');
  item.iconPath = error
    ? new ThemeIcon('warning', new ThemeColor('list.warningForeground'))
    : new ThemeIcon('server-environment');
  item.contextValue = ['serviceServers', ability?.changing ? 'changing' : 'readOnly'].join(' ');
  item.accessibilityInformation = { label: t('MCP servers of {0}', shown) };
  return item;
}

function serverItem(
  { name: serviceName, toolServers }: ConnectedService,
  name: string,
  entry: Entry | undefined,
): TreeItem {
  const server = toolServers.find(name);
  const shown = serverName({ name });
  if (!server) return new TreeItem('');
  const item = new TreeItem(shown);
  const differences = entry ? differenceFromFile(entry, server) : [];
  item.description = serviceServerDescription(server, differences);
  item.tooltip = `${shown}\n${factLines(serviceServerFacts(server, differences))}`;
  const color = differences.length > 0 ? new ThemeColor('list.warningForeground') : undefined;
  item.iconPath = new ThemeIcon(server.transport === 'stdio' ? 'terminal' : 'globe', color);
  const { ability } = toolServers;
  item.contextValue = [
    'serviceServer',
    ability?.changing ? (server.enabled ? 'enabled' : 'disabled') : 'readOnly',
    ability?.checkOwn ? 'checked' : '',
  ]
    .join(' ')
    .trim();
  item.accessibilityInformation = {
    label: serviceServerLabel(shown, plainText(serviceName, 80), server, differences),
  };
  if (!ability?.changing) return item;
  item.checkboxState = {
    state: server.enabled ? TreeItemCheckboxState.Checked : TreeItemCheckboxState.Unchecked,
    tooltip: server.enabled ? t('Disable {0}', shown) : t('Enable {0}', shown),
    accessibilityInformation: { label: server.enabled ? t('Enabled') : t('Disabled') },
  };
  return item;
}
