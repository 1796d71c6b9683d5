/** What the rows of MCP servers show of checks, and the rows of their tools below them. */
import { ThemeColor, ThemeIcon, TreeItem, TreeItemCheckboxState, TreeItemCollapsibleState } from 'vscode';
import { t } from '../../base/l10n.ts';
import { plainText } from '../../base/plainText.ts';
import type { Entry } from '../../mcp/format/entry.ts';
import { shownStart } from '../../probe/shownStart.ts';
import { type NameOfService, checkFacts, checkShort, toolCount } from '../words/mcpServers/checkWords.ts';
import { type CheckedServer, probedOf, type ServerChecks } from '../../state/mcpServers/serverChecks.ts';
import { type ServerTool, serverTools } from '../../state/mcpServers/checkMemory.ts';
import { factLines } from '../words/facts.ts';
import { serverName } from '../words/mcpServers/serverWords.ts';
import { toolFacts, toolDescription, toolLabel } from '../words/mcpServers/toolWords.ts';

export interface ToolRow {
  readonly kind: 'tool';
  /** Not called `id`: a command for servers must not take it for one. */
  readonly server: string;
  readonly tool: string;
  readonly rowId: string;
}

export class CheckRows {
  readonly #checks: ServerChecks;
  readonly #nameOf: NameOfService;
  /** The tools of an entry, and what they were worked out from. */
  #tools = new WeakMap<
    Entry,
    { readonly known: unknown; readonly byName: ReadonlyMap<string, ServerTool> }
  >();

  constructor(checks: ServerChecks, nameOf: NameOfService) {
    this.#checks = checks;
    this.#nameOf = nameOf;
  }

  children(entry: Entry): readonly ToolRow[] {
    return [...this.#toolsOf(entry).keys()].map((tool) => ({
      kind: 'tool',
      server: entry.name,
      tool,
      rowId: `tool:${JSON.stringify([entry.name, tool])}`,
    }));
  }

  /** Adds to the item of a server what is known of its check. */
  decorate(item: TreeItem, entry: Entry, isFaulty: boolean): void {
    const checked = this.#checks.of(entry);
    const tools = this.#toolsOf(entry);
    const off = [...tools.values()].filter(({ on }) => !on).length;
    const on = off > 0 ? t('{0} of {1} on', tools.size - off, toolCount(tools.size)) : undefined;
    const short = checkShort(checked, this.#nameOf, on);
    if (tools.size > 0) {
      item.collapsibleState = TreeItemCollapsibleState.Collapsed;
      item.contextValue = [item.contextValue, 'tools'].join(' ');
    }
    if (short === undefined) return;
    const probed = probedOf(entry);
    const facts = checkFacts(serverName(entry), checked, probed && shownStart(probed), this.#nameOf);
    item.description = [short, item.description].filter((part) => part).join(' · ');
    if (typeof item.tooltip === 'string') item.tooltip += `\n${factLines(facts)}`;
    const { label = '' } = item.accessibilityInformation ?? {};
    item.accessibilityInformation = { label: `${label}, ${short.replaceAll('● ', '')}` };
    const icon = iconOf(checked, isFaulty);
    if (icon) item.iconPath = icon;
  }

  drawTool({ tool: name }: ToolRow, entry: Entry, enabledServers: number): TreeItem {
    const tool = this.#toolsOf(entry).get(name);
    const shown = plainText(name, 80);
    const item = new TreeItem(shown);
    if (!tool) return item;
    item.description = toolDescription(tool);
    item.tooltip = `${shown}\n${factLines(toolFacts(entry, tool, enabledServers))}`;
    item.accessibilityInformation = { label: toolLabel(entry, tool) };
    item.contextValue = 'tool';
    item.iconPath = toolIcon(tool, entry.enabled);
    item.command = { command: 'switchboard.mcp.get', title: t('Show Details'), arguments: [entry.name] };
    item.checkboxState = {
      state: tool.on ? TreeItemCheckboxState.Checked : TreeItemCheckboxState.Unchecked,
      tooltip: tool.on ? t('Keep {0} from agents', shown) : t('Let agents have {0}', shown),
      accessibilityInformation: { label: tool.on ? t('On') : t('Off') },
    };
    return item;
  }

  #toolsOf(entry: Entry): ReadonlyMap<string, ServerTool> {
    const known = this.#checks.toolsOf(entry.name);
    const found = this.#tools.get(entry);
    if (found && found.known === known) return found.byName;
    const byName = new Map(serverTools(entry, known).map((tool) => [tool.name, tool]));
    this.#tools.set(entry, { known, byName });
    return byName;
  }
}

/** Undefined where the one that it has says more. */
function iconOf(
  { here, elsewhere, changes, underWay }: CheckedServer,
  isFaulty: boolean,
): ThemeIcon | undefined {
  if (underWay !== undefined) return new ThemeIcon('loading~spin');
  if (isFaulty) return undefined;
  const isWrongThere =
    here?.result.kind !== 'fails' && elsewhere.some(({ result }) => result.kind === 'fails');
  if (changes || isWrongThere) return new ThemeIcon('warning', new ThemeColor('list.warningForeground'));
  if (!here) return undefined;
  if (here.result.kind === 'works') return new ThemeIcon('pass', new ThemeColor('testing.iconPassed'));
  return here.result.failure.reason === 'signIn'
    ? new ThemeIcon('account', new ThemeColor('list.warningForeground'))
    : new ThemeIcon('error', new ThemeColor('list.errorForeground'));
}

function toolIcon({ known, isGone }: ServerTool, isServerOn: boolean): ThemeIcon {
  const color = isServerOn ? undefined : new ThemeColor('disabledForeground');
  if (isGone) return new ThemeIcon('question', color);
  if (known?.destructive === true && known.readOnly !== true) {
    return new ThemeIcon('flame', color ?? new ThemeColor('list.warningForeground'));
  }
  return new ThemeIcon(known?.readOnly === true ? 'eye' : 'tools', color);
}
