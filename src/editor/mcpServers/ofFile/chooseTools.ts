import { type QuickInputButton, type QuickPickItem, ThemeIcon } from 'vscode';
import { t } from '../../../base/l10n.ts';
import { joinParts } from '../../../base/parts.ts';
import { plainText } from '../../../base/plainText.ts';
import type { Entry } from '../../../mcp/format/entry.ts';
import {
  type ServerTool,
  serverTools,
} from '../../../state/mcpServers/checkMemory.ts';
import { offerAction, showInformation } from '../../ui/messages.ts';
import { runOwnCommand } from '../../ui/runOwnCommand.ts';
import { askMany } from '../../ui/steps.ts';
import { inMessage, inPick } from '../../words/foreignText.ts';
import { serverName } from '../../words/mcpServers/serverWords.ts';
import {
  nameForAgents,
  nameOfTool,
  toolKind,
} from '../../words/mcpServers/toolWords.ts';
import { changeServers, type ServerFileParts } from './changeServers.ts';

type ToolItem = QuickPickItem & { readonly tool: ServerTool };

export async function chooseTools(
  parts: ServerFileParts,
  entry: Entry,
): Promise<void> {
  const checks = await parts.checks();
  const tools = serverTools(entry, checks.of(entry).tools);
  if (tools.length === 0) {
    await offerAction(
      showInformation,
      t(
        'The tools of “{0}” are not known yet. Check it first. You are asked before anything is started.',
        serverName(entry),
      ),
      t('Check MCP Server'),
      () => runOwnCommand('switchboard.mcp.check', entry.name),
    );
    return;
  }
  const enabled = parts.servers.entries.filter(
    (server) => server.enabled,
  ).length;
  const items = tools.map((tool) => itemOf(entry, tool, enabled));
  const title = (chosen: readonly unknown[]) =>
    t(
      'Tools of {0}: {1} of {2} on',
      inPick(serverName(entry)),
      chosen.length,
      tools.length,
    );
  const chosen = items.filter(({ tool }) => tool.on);
  const readOnly = {
    iconPath: new ThemeIcon('eye'),
    tooltip: t('Only Read-Only Tools'),
  };
  const answer = await askMany<ToolItem>({
    title: title(chosen),
    items,
    chosen,
    placeholder: t(
      'Select the tools that agents of the OpenHands command line get',
    ),
    titleOf: title,
    choosers: new Map<QuickInputButton, (item: ToolItem) => boolean>([
      [readOnly, ({ tool }) => tool.known?.readOnly === true],
    ]),
  });
  if (!Array.isArray(answer)) return;
  const selectedTools = new Set(answer.map(({ tool }) => tool));
  const names = (isOn: boolean) =>
    tools.flatMap((tool) =>
      tool.on !== isOn && selectedTools.has(tool) === isOn ? [tool.name] : [],
    );
  await switchToolsInFile(parts, entry, names(true), names(false));
}

export async function switchToolsInFile(
  parts: ServerFileParts,
  entry: Entry,
  on: readonly string[],
  off: readonly string[],
): Promise<void> {
  if (on.length + off.length === 0) return;
  const { name } = entry;
  const knownTools = (await parts.checks()).toolsOf(name);
  const tools = serverTools(entry, knownTools);
  const namesToShow = (names: readonly string[]) =>
    names.map((toolName) => {
      const tool = tools.find((serverTool) => serverTool.name === toolName);
      return tool ? nameOfTool(tool, 80) : plainText(toolName, 80);
    });
  await changeServers(
    parts,
    [{ do: 'tools', name, on, off }],
    switchedMessage(
      inMessage(serverName(entry)),
      namesToShow(on),
      namesToShow(off),
    ),
  );
}

function switchedMessage(
  server: string,
  on: readonly string[],
  off: readonly string[],
): string {
  const toolText = (tool = '') => inMessage(tool);
  if (off.length === 0) {
    return on.length === 1
      ? t('Turned on “{0}” of “{1}”.', toolText(on[0]), server)
      : t('Turned on {0} tools of “{1}”.', on.length, server);
  }
  if (on.length === 0) {
    return off.length === 1
      ? t('Turned off “{0}” of “{1}”.', toolText(off[0]), server)
      : t('Turned off {0} tools of “{1}”.', off.length, server);
  }
  return t(
    'Turned on {0} tools of “{1}”, and turned off {2}.',
    on.length,
    server,
    off.length,
  );
}

function itemOf(
  entry: Entry,
  tool: ServerTool,
  enabledServers: number,
): ToolItem {
  const name = nameOfTool(tool);
  const seen = nameForAgents(entry, tool, enabledServers);
  return {
    label: inPick(name),
    description: inPick(
      joinParts(
        ' · ',
        seen !== name && seen,
        toolKind(tool),
        tool.isGone && t('the server no longer has it'),
      ),
    ),
    detail: inPick(plainText(tool.known?.description ?? '', 200)),
    tool,
  };
}
