import {
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCheckboxState,
  TreeItemCollapsibleState,
} from 'vscode';
import { t } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import { agentsGetNone } from '../../mcp/text/refusal.ts';
import type { Entry } from '../../mcp/format/entry.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import type { ServerTool } from '../../state/mcpServers/checkMemory.ts';
import type { CheckedServer } from '../../state/mcpServers/serverChecks.ts';
import { differenceFromFile } from '../../state/mcpServers/serverForService.ts';
import type { ServerProblem } from '../../state/mcpServers/serverList.ts';
import { factLines } from '../words/facts.ts';
import {
  readersOfFile,
  readersOfService,
} from '../words/mcpServers/placeWords.ts';
import {
  checkFacts,
  checkShort,
  type NameOfService,
  toolCount,
} from '../words/mcpServers/checkWords.ts';
import {
  refusalReason,
  serverDescription,
  serverLabel,
  serverName,
  serverTooltip,
} from '../words/mcpServers/serverWords.ts';
import {
  serviceServerDescription,
  serviceServerFacts,
  serviceServerLabel,
} from '../words/mcpServers/serviceServerWords.ts';
import {
  toolDescription,
  toolFacts,
  toolLabel,
} from '../words/mcpServers/toolWords.ts';

const warningColor = () => new ThemeColor('list.warningForeground');

export function serverItem(
  entry: Entry,
  fault: string | undefined,
  refusal: ServerProblem | undefined,
): TreeItem {
  const item = new TreeItem(serverName(entry));
  item.description = serverDescription(entry);
  item.tooltip = `${serverTooltip(entry, fault, refusal)}\n${readersOfFile()}`;
  item.iconPath =
    fault === undefined
      ? serverIcon(entry.server, false)
      : new ThemeIcon('warning', warningColor());
  item.contextValue = contextOf(
    'server',
    entry.enabled ? 'enabled' : 'disabled',
    fault !== undefined && 'faulty',
  );
  item.accessibilityInformation = { label: serverLabel(entry, fault) };
  item.command = {
    command: 'switchboard.mcp.get',
    title: t('Show Details'),
    arguments: [entry.name],
  };
  item.checkboxState = enabledBox(entry.enabled, serverName(entry));
  return item;
}

function serverIcon(
  server: { readonly transport: unknown } | undefined,
  isMarked: boolean,
): ThemeIcon {
  return new ThemeIcon(
    server?.transport === 'stdio' ? 'terminal' : 'globe',
    isMarked ? warningColor() : undefined,
  );
}

function contextOf(...words: readonly (string | false)[]): string {
  return words.filter(Boolean).join(' ');
}

function checkBox(
  isOn: boolean,
  tooltip: string,
  label: string,
): NonNullable<TreeItem['checkboxState']> {
  const state = isOn
    ? TreeItemCheckboxState.Checked
    : TreeItemCheckboxState.Unchecked;
  return { state, tooltip, accessibilityInformation: { label } };
}

function enabledBox(
  isOn: boolean,
  name: string,
): NonNullable<TreeItem['checkboxState']> {
  return isOn
    ? checkBox(isOn, t('Disable {0}', name), t('Enabled'))
    : checkBox(isOn, t('Enable {0}', name), t('Disabled'));
}

/** Prepends an important fact to the description of a row. */
function addInFront(item: TreeItem, short: string, tooltip: string): void {
  item.description = [short, item.description].filter(Boolean).join(' · ');
  if (typeof item.tooltip === 'string') item.tooltip += `\n${tooltip}`;
  const { label = '' } = item.accessibilityInformation ?? {};
  item.accessibilityInformation = {
    label: `${label}, ${short.replaceAll('● ', '')}`,
  };
}

export function addChecks(
  item: TreeItem,
  entry: Entry,
  checked: CheckedServer,
  tools: readonly ServerTool[],
  isFaulty: boolean,
  nameOf: NameOfService,
): void {
  const off = tools.filter(({ on }) => !on).length;
  const on =
    off > 0
      ? t('{0} of {1} on', tools.length - off, toolCount(tools.length))
      : undefined;
  const short = checkShort(checked, nameOf, on);
  if (tools.length > 0) {
    item.collapsibleState = TreeItemCollapsibleState.Collapsed;
    item.contextValue = contextOf(item.contextValue ?? '', 'tools');
  }
  if (short === undefined) return;
  addInFront(item, short, factLines(checkFacts(entry, checked, nameOf)));
  const icon = checkIcon(checked, isFaulty);
  if (icon) item.iconPath = icon;
}

function checkIcon(
  { here, elsewhere, changes, underWay }: CheckedServer,
  isFaulty: boolean,
): ThemeIcon | undefined {
  if (underWay !== undefined) return new ThemeIcon('loading~spin');
  if (isFaulty) return undefined;
  const failsElsewhere =
    here?.result.kind !== 'fails' &&
    elsewhere.some(({ result }) => result.kind === 'fails');
  if (changes || failsElsewhere)
    return new ThemeIcon('warning', warningColor());
  if (!here) return undefined;
  if (here.result.kind === 'works')
    return new ThemeIcon('pass', new ThemeColor('testing.iconPassed'));
  return here.result.failure.reason === 'signIn'
    ? new ThemeIcon('account', warningColor())
    : new ThemeIcon('error', new ThemeColor('list.errorForeground'));
}

export function addDifferences(
  item: TreeItem,
  entry: Entry,
  services: readonly ConnectedService[],
): void {
  const differences = services.flatMap(({ name, toolServers }) => {
    const serviceServer = toolServers.find(entry.name);
    const words = serviceServer ? differenceFromFile(entry, serviceServer) : [];
    return words.length === 0
      ? []
      : [t('differs at {0}: {1}', plainText(name, 80), words.join(', '))];
  });
  if (differences.length === 0) return;
  const text = differences.join(', ');
  addInFront(item, `● ${text}`, factLines([[t('Services'), text]]));
}

export function toolItem(
  entry: Entry,
  tool: ServerTool,
  enabledServers: number,
  isRefused: boolean,
): TreeItem {
  const name = plainText(tool.name, 80);
  const item = new TreeItem(name);
  item.description = toolDescription(tool);
  item.tooltip = `${name}\n${factLines(toolFacts(entry, tool, enabledServers, isRefused))}`;
  item.accessibilityInformation = { label: toolLabel(entry, tool) };
  item.contextValue = 'tool';
  item.iconPath = toolIcon(tool, entry.enabled);
  item.command = {
    command: 'switchboard.mcp.get',
    title: t('Show Details'),
    arguments: [entry.name],
  };
  item.checkboxState = tool.on
    ? checkBox(
        true,
        t('Keep {0} from agents of the command line', name),
        t('On'),
      )
    : checkBox(
        false,
        t('Allow agents of the command line to use {0}', name),
        t('Off'),
      );
  return item;
}

function toolIcon(
  { known, isGone }: ServerTool,
  isServerOn: boolean,
): ThemeIcon {
  const color = isServerOn ? undefined : new ThemeColor('disabledForeground');
  if (isGone) return new ThemeIcon('question', color);
  if (known?.destructive === true && known.readOnly !== true) {
    return new ThemeIcon('flame', color ?? warningColor());
  }
  return new ThemeIcon(known?.readOnly === true ? 'eye' : 'tools', color);
}

export function fileProblemItem(
  problem: ServerProblem | undefined,
  refusal: ServerProblem | undefined,
): TreeItem {
  const reason = refusal ? refusalReason(refusal) : (problem?.message ?? '');
  const item = new TreeItem(
    refusal
      ? t('Refused: agents get no servers')
      : t('The file cannot be read'),
  );
  item.description = reason;
  item.tooltip = refusal ? `${agentsGetNone()}\n${reason}` : reason;
  item.iconPath = refusal
    ? new ThemeIcon('error', new ThemeColor('list.errorForeground'))
    : new ThemeIcon('warning', warningColor());
  item.contextValue = 'problem';
  const label = refusal
    ? `${agentsGetNone()} ${reason}`
    : t('The configuration file cannot be read: {0}', reason);
  item.accessibilityInformation = { label };
  item.command = {
    command: 'switchboard.mcp.openConfig',
    title: t('Open Configuration File'),
  };
  return item;
}

export function serviceItem({
  name,
  address,
  toolServers,
}: ConnectedService): TreeItem {
  const { rows, error, ability } = toolServers;
  const plainName = plainText(name, 80);
  const isEmpty = rows.length === 0;
  const item = new TreeItem(
    plainName,
    isEmpty ? TreeItemCollapsibleState.None : TreeItemCollapsibleState.Expanded,
  );
  const readOnly = ability?.changing ? undefined : ability?.whyNot?.();
  item.description = [
    isEmpty ? t('no servers yet') : t('its own servers'),
    ...(readOnly === undefined ? [] : [t('read only')]),
    ...(error ? [t('old')] : []),
  ].join(' · ');
  const lines = [
    plainText(address, 200),
    readersOfService(plainName),
    t(
      'They get all tools of a server: single tools cannot be turned off at a service.',
    ),
    readOnly,
    error?.message,
  ];
  item.tooltip = lines.filter((line) => line !== undefined).join('\n');
  item.iconPath = error
    ? new ThemeIcon('warning', warningColor())
    : new ThemeIcon('server-environment');
  item.contextValue = contextOf(
    'serviceServers',
    ability?.changing ? 'changing' : 'readOnly',
  );
  const spoken = [
    t('MCP servers of {0}', plainName),
    item.description,
    error && plainText(error.message, 300),
  ];
  item.accessibilityInformation = { label: spoken.filter(Boolean).join(', ') };
  return item;
}

export function serviceServerItem(
  { name: serviceName, toolServers }: ConnectedService,
  name: string,
  entry: Entry | undefined,
): TreeItem {
  const { ability } = toolServers;
  const server = toolServers.find(name);
  if (!server) return new TreeItem('');
  const plainName = serverName({ name });
  const item = new TreeItem(plainName);
  const differences = entry ? differenceFromFile(entry, server) : [];
  item.description = serviceServerDescription(server, differences);
  item.tooltip = `${plainName}\n${factLines(serviceServerFacts(server, differences))}`;
  item.iconPath = serverIcon(server, differences.length > 0);
  const stateContext = server.enabled ? 'enabled' : 'disabled';
  item.contextValue = contextOf(
    'serviceServer',
    ability?.changing ? stateContext : 'readOnly',
    !!ability?.checkOwn && 'checked',
  );
  item.accessibilityInformation = {
    label: serviceServerLabel(
      plainName,
      plainText(serviceName, 80),
      server,
      differences,
    ),
  };
  if (ability?.changing)
    item.checkboxState = enabledBox(server.enabled, plainName);
  return item;
}
