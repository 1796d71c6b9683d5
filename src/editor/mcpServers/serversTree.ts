import { Disposable, ThemeColor, ThemeIcon, TreeItem, TreeItemCheckboxState } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { t } from '../../base/l10n.ts';
import { same } from '../../base/same.ts';
import { agentsGetNone } from '../../mcp/text/refusal.ts';
import type { PendingChange } from '../../mcp/format/pending.ts';
import type { Entry } from '../../mcp/format/entry.ts';
import type { Time } from '../../service/entities.ts';
import type { ActiveServers } from '../../state/mcpServers/activeServers.ts';
import type { ServerList, ServerProblem } from '../../state/mcpServers/serverList.ts';
import { views } from '../manifest.ts';
import {
  refusalReason,
  serverDescription,
  serverLabel,
  serverName,
  serverTooltip,
} from '../words/mcpServers/serverWords.ts';
import { type Layout, type Row, RowTree } from '../ui/rowTree.ts';
import type { CheckRows, ToolRow } from './check/checkRows.ts';
import type { ServiceServerRow, ServiceServersRows } from './serviceServersRows.ts';

export type ServerRow = Row &
  (
    | { readonly kind: 'server'; readonly id: string }
    | { readonly kind: 'removed'; readonly name: string }
    | { readonly kind: 'problem' }
    | ToolRow
    | ServiceServerRow
  );

export class ServersTree extends RowTree<ServerRow> {
  readonly #servers: ServerList;
  readonly #activeServers: ActiveServers;
  readonly #subscriptions: Disposable;
  #entries = new Map<string, Entry>();
  #pending = new Map<string, PendingChange>();
  /** How many servers agents get. */
  #enabled = 0;
  /** Whether any row has others below it. */
  #isNested = false;
  /** Undefined until something is known of a check. */
  #checkRows: CheckRows | undefined;
  /** Undefined until a service has told its own. */
  #serviceRows: ServiceServersRows | undefined;

  constructor(servers: ServerList, activeServers: ActiveServers, clock: Clock) {
    super(views.servers, clock);
    this.#servers = servers;
    this.#activeServers = activeServers;
    this.#subscriptions = Disposable.from(
      servers.onChange((change) => {
        this.changed(['problem']);
        this.redrawServers(change.servers);
      }),
      activeServers.onChange(() => {
        this.changed();
      }),
    );
  }

  /** Shows checks, and the tools that they found. */
  show(checkRows: CheckRows): void {
    this.#checkRows = checkRows;
    this.allMaybeChanged();
  }

  /** Shows those of services. */
  showServices(serviceRows: ServiceServersRows): void {
    this.#serviceRows = serviceRows;
    this.allMaybeChanged();
  }

  /** For servers of which something else is known. */
  redrawServers(names: Iterable<string>): void {
    // With a row, the editor asks for those below it.
    this.changed([...names].map((name) => `server:${name}`));
  }

  override dispose(): void {
    this.#subscriptions.dispose();
    super.dispose();
  }

  protected layOut(): Layout<ServerRow> {
    const { document, problem, refusal } = this.#servers;
    const before = this.#pending;
    this.#entries = new Map(document.entries.map((entry) => [entry.name, entry]));
    this.#pending = new Map(this.#activeServers.pending?.map((pending) => [pending.name, pending]));
    // Those of a file that is refused are still in it.
    const removed = [...this.#pending.values()].filter(
      ({ kind, name }) => kind === 'removed' && !this.#entries.has(name),
    );
    const names = new Set([...before.keys(), ...this.#pending.keys()]);
    const wasOne = this.#enabled <= 1;
    this.#enabled = document.entries.filter(({ enabled }) => enabled).length;
    const children = this.#children();
    const wasNested = this.#isNested;
    this.#isNested = children.size > 0;
    return {
      roots: [
        ...((problem ?? refusal) ? [{ kind: 'problem', rowId: 'problem' } as const] : []),
        ...document.entries.map(({ name }): ServerRow => ({
          kind: 'server',
          id: name,
          rowId: `server:${name}`,
        })),
        ...removed.map(({ name }): ServerRow => ({ kind: 'removed', name, rowId: `removed:${name}` })),
        ...(this.#serviceRows?.roots ?? []),
      ],
      children,
      different: [
        ...[...names]
          .filter((name) => !same(before.get(name), this.#pending.get(name)))
          .map((name) => `server:${name}`),
        // The names that agents see of all tools are different.
        ...(wasOne === this.#enabled <= 1 ? [] : children.keys()),
        // The editor aligns a row with its neighbours when it draws it.
        ...(wasNested === this.#isNested ? [] : document.entries.map(({ name }) => `server:${name}`)),
      ],
    };
  }

  #children(): ReadonlyMap<string, readonly ServerRow[]> {
    const children = new Map<string, readonly ServerRow[]>();
    for (const [name, entry] of this.#checkRows ? this.#entries : []) {
      const tools = this.#checkRows?.children(entry) ?? [];
      if (tools.length > 0) children.set(`server:${name}`, tools);
    }
    for (const [id, rows] of this.#serviceRows?.children ?? []) children.set(id, rows);
    return children;
  }

  /** No row shows an age. */
  protected until(): Time {
    return Infinity;
  }

  protected draw(row: ServerRow): TreeItem {
    switch (row.kind) {
      case 'server': {
        const entry = this.#entries.get(row.id);
        const item = serverItem(
          entry,
          this.#pending.get(row.id),
          this.#servers.faults.get(row.id),
          this.#servers.refusal,
        );
        if (entry) {
          this.#serviceRows?.decorate(item, entry);
          // It comes first in the row, because it matters more.
          this.#checkRows?.decorate(item, entry, this.#servers.faults.has(row.id));
        }
        return item;
      }
      case 'tool': {
        const entry = this.#entries.get(row.server);
        return (entry && this.#checkRows?.drawTool(row, entry, this.#enabled)) ?? new TreeItem('');
      }
      case 'service':
      case 'serviceServer':
        return this.#serviceRows?.draw(row, this.#entries) ?? new TreeItem('');
      case 'removed':
        return removedItem(row.name);
      case 'problem': {
        const { problem, refusal } = this.#servers;
        return refusal ? refusedItem(refusal) : unreadableItem(problem?.message ?? '');
      }
    }
  }
}

function serverItem(
  entry: Entry | undefined,
  pending: PendingChange | undefined,
  fault: string | undefined,
  refusal: ServerProblem | undefined,
): TreeItem {
  if (!entry) return new TreeItem('');
  const item = new TreeItem(serverName(entry));
  item.description = serverDescription(entry, pending);
  item.tooltip = serverTooltip(entry, pending, fault, refusal);
  item.iconPath = iconOf(entry, pending, fault);
  item.contextValue = ['server', entry.enabled ? 'enabled' : 'disabled', fault === undefined ? '' : 'faulty']
    .join(' ')
    .trim();
  item.accessibilityInformation = { label: serverLabel(entry, pending, fault) };
  item.command = { command: 'switchboard.mcp.get', title: t('Show Details'), arguments: [entry.name] };
  item.checkboxState = {
    state: entry.enabled ? TreeItemCheckboxState.Checked : TreeItemCheckboxState.Unchecked,
    tooltip: entry.enabled ? t('Disable {0}', serverName(entry)) : t('Enable {0}', serverName(entry)),
    accessibilityInformation: { label: entry.enabled ? t('Enabled') : t('Disabled') },
  };
  return item;
}

function iconOf({ server }: Entry, pending: PendingChange | undefined, fault: string | undefined): ThemeIcon {
  if (fault !== undefined) return new ThemeIcon('warning', new ThemeColor('list.warningForeground'));
  const color = pending && new ThemeColor('list.warningForeground');
  return new ThemeIcon(server?.transport === 'stdio' ? 'terminal' : 'globe', color);
}

/** A server that running conversations still have. */
function removedItem(name: string): TreeItem {
  const item = new TreeItem(serverName({ name }));
  item.description = t('removed, pending');
  item.tooltip = t('Running conversations have it until they restart.');
  item.iconPath = new ThemeIcon('trash');
  item.contextValue = 'removed';
  item.accessibilityInformation = { label: t('MCP server {0}, removed, pending', serverName({ name })) };
  item.command = {
    command: 'switchboard.mcp.status',
    title: t('Show MCP Status'),
  };
  return item;
}

/** Selecting it opens the file at the place. */
function refusedItem(refusal: ServerProblem): TreeItem {
  const reason = refusalReason(refusal);
  const item = new TreeItem(t('Refused: agents get no servers'));
  item.description = reason;
  item.tooltip = `${agentsGetNone()}\n${reason}`;
  item.iconPath = new ThemeIcon('error', new ThemeColor('list.errorForeground'));
  item.contextValue = 'problem';
  item.accessibilityInformation = { label: `${agentsGetNone()} ${reason}` };
  item.command = { command: 'switchboard.mcp.openConfig', title: t('Open Configuration File') };
  return item;
}

function unreadableItem(message: string): TreeItem {
  const item = new TreeItem(t('The file cannot be read'));
  item.description = message;
  item.tooltip = message;
  item.iconPath = new ThemeIcon('warning', new ThemeColor('list.warningForeground'));
  item.contextValue = 'problem';
  item.accessibilityInformation = { label: t('The configuration file cannot be read: {0}', message) };
  item.command = { command: 'switchboard.mcp.openConfig', title: t('Open Configuration File') };
  return item;
}
