/** Describes tools of MCP servers. Statements of a server are shown as such. */
import { t } from '../../../base/l10n.ts';
import { plainText } from '../../../base/plainText.ts';
import { joinParts } from '../../../base/parts.ts';
import type { Entry } from '../../../mcp/format/entry.ts';
import { shownToolName } from '../../../probe/probeResult.ts';
import type { ServerTool } from '../../../state/mcpServers/checkMemory.ts';
import { type Fact, knownFacts } from '../facts.ts';
import { toolNameForAgents } from '../../../mcp/format/verdict.ts';
import { serverName } from './serverWords.ts';

/** The name to show: masked where it repeats a secret. */
export function nameOfTool(
  { name, known }: ServerTool,
  length?: number,
): string {
  return shownToolName(known ?? { name }, length);
}

export function toolKind({ known }: ServerTool): string | undefined {
  if (known?.readOnly === true) return t('read-only');
  return known?.destructive === true ? t('destructive') : undefined;
}

export function toolDescription(tool: ServerTool): string {
  if (tool.isGone) return t('the server no longer has it');
  if (!tool.known) return t('named in the file');
  return joinParts(
    ' · ',
    toolKind(tool),
    plainText(tool.known.description ?? '', 200),
  );
}

export function toolLabel(entry: Entry, tool: ServerTool): string {
  return joinParts(
    ', ',
    t('Tool {0} of {1}', nameOfTool(tool, 80), serverName(entry)),
    tool.on ? t('on') : t('off'),
    !entry.enabled && t('its server is disabled'),
    toolDescription(tool),
  );
}

export function toolFacts(
  entry: Entry,
  tool: ServerTool,
  enabledServers: number,
  isRefused = false,
): Fact[] {
  const { known, isGone } = tool;
  return knownFacts([
    [
      t('Title'),
      known?.title === undefined ? undefined : plainText(known.title, 200),
    ],
    [
      t('Description'),
      known?.description === undefined
        ? undefined
        : plainText(known.description, 1_000),
    ],
    [t('The server says'), toolKind(tool)],
    [
      t('Problem'),
      isGone && t('The file names it, but the server no longer has it.'),
    ],
    [t('Agents see'), agentsSee(entry, tool, enabledServers, isRefused)],
  ]);
}

/** `isRefused`: the program refuses the whole file. */
export function agentsSee(
  entry: Entry,
  tool: ServerTool,
  enabledServers: number,
  isRefused = false,
): string {
  const { on, isGone } = tool;
  if (isGone || isRefused) return t('nothing');
  if (!on) return t('not available (off)');
  if (!entry.enabled) return t('not available (its server is disabled)');
  return nameForAgents(entry, tool, enabledServers);
}

/** The name of a tool for agents; if it is off, the name that it would have. */
export function nameForAgents(
  entry: Entry,
  tool: ServerTool,
  enabledServers: number,
): string {
  const name = entry.toolName(tool.name);
  const ownName = name === tool.name ? nameOfTool(tool) : name;
  return plainText(toolNameForAgents(entry.name, ownName, enabledServers), 200);
}
