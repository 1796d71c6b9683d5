import {
  type Command,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
} from 'vscode';
import { t } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import { joinParts } from '../../base/parts.ts';
import { agentsGetNone } from '../../mcp/text/refusal.ts';
import type { Entry } from '../../mcp/format/entry.ts';
import type { ConnectedService } from '../../state/connectedService.ts';
import type { ServerTool } from '../../state/mcpServers/checkMemory.ts';
import type { CheckedServer } from '../../state/mcpServers/serverChecks.ts';
import { differenceFromFile } from '../../state/mcpServers/serverForService.ts';
import type { ServerProblem } from '../../state/mcpServers/serverList.ts';
import { activityIcons, finishedIcon } from '../ui/icons.ts';
import { checkBox, rowCommand, treeItem } from '../ui/treeItem.ts';
import { factLines } from '../words/facts.ts';
import {
  checkFacts,
  checkShort,
  type NameOfService,
  toolCount,
} from '../words/mcpServers/checkWords.ts';
import {
  readersOfFile,
  readersOfService,
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
  nameOfTool,
  toolDescription,
  toolFacts,
  toolLabel,
} from '../words/mcpServers/toolWords.ts';

const warningColor = new ThemeColor('list.warningForeground');
const warning = new ThemeIcon('warning', warningColor);

export function serverItem(
  entry: Entry,
  fault: string | undefined,
  refusal: ServerProblem | undefined,
): TreeItem {
  return treeItem(serverName(entry), {
    description: serverDescription(entry),
    tooltip: `${serverTooltip(entry, fault, refusal)}\n${readersOfFile()}`,
    iconPath: fault === undefined ? serverIcon(entry.server, false) : warning,
    context: [
      'server',
      entry.enabled ? 'enabled' : 'disabled',
      fault !== undefined && 'faulty',
    ],
    spoken: serverLabel(entry, fault),
    command: showDetails(entry),
    checkboxState: enabledBox(entry.enabled, serverName(entry)),
  });
}

function showDetails({ name }: Entry): Command {
  return rowCommand('switchboard.mcp.get', t('Show Details'), name);
}

function serverIcon(
  server: { readonly transport: unknown } | undefined,
  isMarked: boolean,
): ThemeIcon {
  return new ThemeIcon(
    server?.transport === 'stdio' ? 'terminal' : 'globe',
    isMarked ? warningColor : undefined,
  );
}

function enabledBox(isOn: boolean, name: string) {
  return isOn
    ? checkBox(isOn, t('Disable {0}', name), t('Enabled'))
    : checkBox(isOn, t('Enable {0}', name), t('Disabled'));
}

/** Prepends an important fact to the description of a row. */
function addInFront(item: TreeItem, short: string, tooltip: string) {
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
    item.contextValue = joinParts(' ', item.contextValue, 'tools');
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
  if (underWay !== undefined) return activityIcons.starting;
  if (isFaulty) return undefined;
  const failsElsewhere =
    here?.result.kind !== 'fails' &&
    elsewhere.some(({ result }) => result.kind === 'fails');
  if (changes || failsElsewhere) return warning;
  if (!here) return undefined;
  if (here.result.kind === 'works') return finishedIcon;
  return here.result.failure.reason === 'signIn'
    ? new ThemeIcon('account', warningColor)
    : activityIcons.error;
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
  const name = nameOfTool(tool, 80);
  return treeItem(name, {
    description: toolDescription(tool),
    tooltip: `${name}\n${factLines(toolFacts(entry, tool, enabledServers, isRefused))}`,
    iconPath: toolIcon(tool, entry.enabled),
    context: ['tool'],
    spoken: toolLabel(entry, tool),
    command: showDetails(entry),
    checkboxState: tool.on
      ? checkBox(
          true,
          t('Keep {0} from agents of the command line', name),
          t('On'),
        )
      : checkBox(
          false,
          t('Allow agents of the command line to use {0}', name),
          t('Off'),
        ),
  });
}

function toolIcon(
  { known, isGone }: ServerTool,
  isServerOn: boolean,
): ThemeIcon {
  const color = isServerOn ? undefined : new ThemeColor('disabledForeground');
  if (isGone) return new ThemeIcon('question', color);
  if (known?.destructive === true && known.readOnly !== true) {
    return new ThemeIcon('flame', color ?? warningColor);
  }
  return new ThemeIcon(known?.readOnly === true ? 'eye' : 'tools', color);
}

export function fileProblemItem(
  problem: ServerProblem | undefined,
  refusal: ServerProblem | undefined,
): TreeItem {
  const reason = refusal ? refusalReason(refusal) : (problem?.message ?? '');
  const shared = {
    description: reason,
    context: ['problem'],
    command: rowCommand(
      'switchboard.mcp.openConfig',
      t('Open Configuration File'),
    ),
  };
  return refusal
    ? treeItem(t('Refused: agents get no servers'), {
        ...shared,
        tooltip: `${agentsGetNone()}\n${reason}`,
        iconPath: new ThemeIcon(
          'error',
          new ThemeColor('list.errorForeground'),
        ),
        spoken: `${agentsGetNone()} ${reason}`,
      })
    : treeItem(t('The file cannot be read'), {
        ...shared,
        tooltip: reason,
        iconPath: warning,
        spoken: t('The configuration file cannot be read: {0}', reason),
      });
}

export function serviceItem({
  name,
  address,
  toolServers,
}: ConnectedService): TreeItem {
  const { rows, error, ability } = toolServers;
  const plainName = plainText(name, 80);
  const isEmpty = rows.length === 0;
  const readOnly = ability?.changing ? undefined : ability?.whyNot?.();
  const description = joinParts(
    ' · ',
    isEmpty ? t('no servers yet') : t('its own servers'),
    readOnly !== undefined && t('read only'),
    error && t('old'),
  );
  return treeItem(plainName, {
    description,
    tooltip: joinParts(
      '\n',
      plainText(address, 200),
      readersOfService(plainName),
      t(
        'They get all tools of a server: single tools cannot be turned off at a service.',
      ),
      readOnly,
      error?.message,
    ),
    iconPath: error ? warning : new ThemeIcon('server-environment'),
    collapsibleState: isEmpty
      ? TreeItemCollapsibleState.None
      : TreeItemCollapsibleState.Expanded,
    context: ['serviceServers', ability?.changing ? 'changing' : 'readOnly'],
    spoken: joinParts(
      ', ',
      t('MCP servers of {0}', plainName),
      description,
      error && plainText(error.message, 300),
    ),
  });
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
  const differences = entry ? differenceFromFile(entry, server) : [];
  const state = server.enabled ? 'enabled' : 'disabled';
  const item = treeItem(plainName, {
    description: serviceServerDescription(server, differences),
    tooltip: `${plainName}\n${factLines(serviceServerFacts(server, differences))}`,
    iconPath: serverIcon(server, differences.length > 0),
    context: [
      'serviceServer',
      ability?.changing ? state : 'readOnly',
      ability?.checkOwn && 'checked',
    ],
    spoken: serviceServerLabel(
      plainName,
      plainText(serviceName, 80),
      server,
      differences,
    ),
  });
  if (ability?.changing)
    item.checkboxState = enabledBox(server.enabled, plainName);
  return item;
}
