import { Disposable, TreeItem } from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { present } from '../../base/parts.ts';
import type { Entry } from '../../mcp/format/entry.ts';
import type { Time } from '../../service/model/entities.ts';
import {
  type ServerTool,
  serverTools,
} from '../../state/mcpServers/checkMemory.ts';
import {
  parseServiceServerId,
  serviceServerId,
} from '../../state/mcpServers/serviceServers.ts';
import { views } from '../manifest.ts';
import { type TreeLayout, type TreeRow, RowTree } from '../ui/rowTree.ts';
import {
  addChecks,
  addDifferences,
  fileProblemItem,
  serverItem,
  serviceItem,
  serviceServerItem,
  toolItem,
} from './serverItems.ts';
import type { ListedServers } from './serverPages.ts';

export type ServerRow = TreeRow &
  (
    | { readonly kind: 'server'; readonly id: string }
    | { readonly kind: 'problem' }
    /**
     * The server is not called `id`: commands for servers would take the row
     * for one.
     */
    | { readonly kind: 'tool'; readonly server: string; readonly tool: string }
    /** `id` is the address, as commands for services take it. */
    | { readonly kind: 'service'; readonly id: string }
    | { readonly kind: 'serviceServer'; readonly id: string }
  );

/**
 * The servers of the file with their tools, and below them those of services.
 */
export class ServersTree extends RowTree<ServerRow> {
  readonly #parts: ListedServers;
  readonly #subscriptions: Disposable;
  #serviceSubscriptions = Disposable.from();
  #entries = new Map<string, Entry>();
  #tools = new WeakMap<
    Entry,
    { readonly checkedTools: unknown; readonly tools: readonly ServerTool[] }
  >();
  #enabledServers = 0;
  #isNested = false;

  constructor(parts: ListedServers, clock: Clock) {
    super(views.servers, clock);
    this.#parts = parts;
    const { servers, checks, switchboard } = parts;
    const underWay = new Set<string>();
    this.#subscriptions = Disposable.from(
      servers.onChange((change) => {
        this.changed(['problem']);
        this.#redrawServers(change.servers);
        // Rows of service servers show how they differ from the file.
        if (switchboard.services.length > 0) this.allMaybeChanged();
      }),
      checks.onChange((names) => {
        // A row shows that a check is under way, but not how far it is.
        this.#redrawServers(
          [...names].filter(
            (name) => !(underWay.has(name) && checks.isUnderWay(name)),
          ),
        );
        for (const name of names) {
          if (checks.isUnderWay(name)) underWay.add(name);
          else underWay.delete(name);
        }
      }),
      switchboard.onServices(() => {
        this.#followServices();
        this.allMaybeChanged();
      }),
    );
    this.#followServices();
  }

  #followServices() {
    this.#serviceSubscriptions.dispose();
    this.#serviceSubscriptions = Disposable.from(
      ...this.#parts.switchboard.services.map(({ toolServers }) =>
        toolServers.onChange(() => {
          this.allMaybeChanged();
        }),
      ),
    );
  }

  #redrawServers(names: Iterable<string>) {
    // The editor asks for the children of a changed row too.
    const rowIds = [...names].map((name) => `server:${name}`);
    if (rowIds.length > 0) this.changed(rowIds);
  }

  override dispose(): void {
    this.#subscriptions.dispose();
    this.#serviceSubscriptions.dispose();
    super.dispose();
  }

  protected layOut(): TreeLayout<ServerRow> {
    const { entries, problem, refusal } = this.#parts.servers;
    this.#entries = new Map(entries.map((entry) => [entry.name, entry]));
    const hadOne = this.#enabledServers <= 1;
    this.#enabledServers = entries.filter(({ enabled }) => enabled).length;
    const children = this.#children();
    const wasNested = this.#isNested;
    this.#isNested = children.size > 0;
    return {
      roots: present(
        (problem ?? refusal) && { kind: 'problem', rowId: 'problem' },
        ...entries.map(({ name }): ServerRow => ({
          kind: 'server',
          id: name,
          rowId: `server:${name}`,
        })),
        ...this.#parts.switchboard.services.flatMap(
          ({ address, toolServers }): ServerRow[] =>
            toolServers.asOf === undefined || !toolServers.ability
              ? []
              : [{ kind: 'service', id: address, rowId: `service:${address}` }],
        ),
      ),
      children,
      different: [
        // Agents see other tool names while only one server is enabled.
        ...(hadOne === this.#enabledServers <= 1 ? [] : children.keys()),
        // The editor aligns a row with its neighbours when it draws it.
        ...(wasNested === this.#isNested
          ? []
          : entries.map(({ name }) => `server:${name}`)),
      ],
    };
  }

  #children(): ReadonlyMap<string, readonly ServerRow[]> {
    const children = new Map<string, readonly ServerRow[]>();
    for (const [server, entry] of this.#entries) {
      const tools = this.#toolsOf(entry).map(({ name: tool }): ServerRow => ({
        kind: 'tool',
        server,
        tool,
        rowId: `tool:${JSON.stringify([server, tool])}`,
      }));
      if (tools.length > 0) children.set(`server:${server}`, tools);
    }
    for (const { address, toolServers } of this.#parts.switchboard.services) {
      const rows = toolServers.rows.map(({ name }): ServerRow => {
        const id = serviceServerId(address, name);
        return { kind: 'serviceServer', id, rowId: `serviceServer:${id}` };
      });
      if (rows.length > 0) children.set(`service:${address}`, rows);
    }
    return children;
  }

  #toolsOf(entry: Entry): readonly ServerTool[] {
    const checkedTools = this.#parts.checks.toolsOf(entry.name);
    const cached = this.#tools.get(entry);
    if (cached && cached.checkedTools === checkedTools) return cached.tools;
    const tools = serverTools(entry, checkedTools);
    this.#tools.set(entry, { checkedTools, tools });
    return tools;
  }

  /** No row shows an age. */
  protected until(): Time {
    return Infinity;
  }

  protected draw(row: ServerRow): TreeItem {
    const { faults, problem, refusal } = this.#parts.servers;
    switch (row.kind) {
      case 'server': {
        const entry = this.#entries.get(row.id);
        if (!entry) return new TreeItem('');
        const item = serverItem(entry, faults.get(row.id), refusal);
        const { checks, switchboard } = this.#parts;
        addDifferences(item, entry, switchboard.services);
        const nameOf = (address: string) =>
          switchboard.service(address)?.name ?? address;
        addChecks(
          item,
          entry,
          checks.of(entry),
          this.#toolsOf(entry),
          faults.has(row.id),
          nameOf,
        );
        return item;
      }
      case 'tool': {
        const entry = this.#entries.get(row.server);
        const tool =
          entry && this.#toolsOf(entry).find(({ name }) => name === row.tool);
        return tool
          ? toolItem(entry, tool, this.#enabledServers, refusal !== undefined)
          : new TreeItem(row.tool);
      }
      case 'service': {
        const service = this.#parts.switchboard.service(row.id);
        return service ? serviceItem(service) : new TreeItem('');
      }
      case 'serviceServer': {
        const { address, name } = parseServiceServerId(row.id);
        const service = this.#parts.switchboard.service(address);
        return service
          ? serviceServerItem(service, name, this.#entries.get(name))
          : new TreeItem('');
      }
      case 'problem':
        return fileProblemItem(problem, refusal);
    }
  }
}
