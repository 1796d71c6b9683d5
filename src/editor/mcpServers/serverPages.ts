/** The page of one MCP server, and the page of the servers that conversations use and will use. Both follow the file. */
import { Disposable } from 'vscode';
import { t } from '../../base/l10n.ts';
import type { Time } from '../../service/entities.ts';
import type { ActiveServers } from '../../state/mcpServers/activeServers.ts';
import type { ServerList } from '../../state/mcpServers/serverList.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { CheckPage } from './check/checkPage.ts';
import { type PageAction, OpenPages, type DetailsPage, type PageCommand } from '../ui/detailsPage.ts';
import { serverFacts, serverName } from '../words/mcpServers/serverWords.ts';
import { statusEnds, statusSections } from '../words/mcpServers/statusWords.ts';

const actions = {
  enable: 'switchboard.mcp.enable',
  disable: 'switchboard.mcp.disable',
  edit: 'switchboard.mcp.reveal',
  copy: 'switchboard.mcp.copyAsCommand',
  openConfig: 'switchboard.mcp.openConfig',
  check: 'switchboard.mcp.check',
  chooseTools: 'switchboard.mcp.chooseTools',
  changeUrl: 'switchboard.mcp.changeUrl',
  setting: 'workbench.action.openSettings',
} as const satisfies Record<string, PageCommand>;

export class ServerPages implements Disposable {
  readonly #servers: ServerList;
  readonly #activeServers: ActiveServers;
  /** By the name of the server; the page of the status has none. */
  readonly #pages: OpenPages<string | undefined>;
  readonly #subscriptions: Disposable;
  /** Undefined until something is known of a check. */
  #checkPage: CheckPage | undefined;

  /** The ages on a page are updated when conversations are refreshed, as in their rows. */
  constructor(servers: ServerList, activeServers: ActiveServers, { conversations }: Switchboard) {
    this.#servers = servers;
    this.#activeServers = activeServers;
    this.#pages = new OpenPages('switchboard.server', Object.values(actions), (name, now) =>
      name === undefined ? this.#statusPage(now) : this.#serverPage(name),
    );
    this.#subscriptions = Disposable.from(
      servers.onChange((change) => {
        this.#pages.redraw((name) => name === undefined || change.servers.has(name));
      }),
      activeServers.onChange(() => {
        this.#pages.redraw(() => true);
      }),
      conversations.onChange(() => {
        this.#pages.redraw(() => false);
      }),
    );
  }

  /** Shows checks. */
  show(checkPage: CheckPage): void {
    this.#checkPage = checkPage;
    this.#pages.redraw((name) => name !== undefined);
  }

  /** For servers of which something else is known. */
  redrawServers(names: ReadonlySet<string>): void {
    this.#pages.redraw((name) => name !== undefined && names.has(name));
  }

  showServer(name: string): void {
    this.#pages.show(name);
  }

  showStatus(): void {
    this.#pages.show(undefined);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#pages.dispose();
  }

  #serverPage(name: string): DetailsPage | undefined {
    const entry = this.#servers.document.entries.find((each) => each.name === name);
    if (!entry) return undefined;
    const pending = this.#activeServers.pending?.find((each) => each.name === name);
    return {
      title: serverName(entry),
      actions: [
        entry.enabled
          ? { command: actions.disable, label: t('Disable'), args: [name] }
          : { command: actions.enable, label: t('Enable'), args: [name] },
        ...(entry.server ? [{ command: actions.check, label: t('Check'), args: [name] }] : []),
        ...(this.#checkPage?.actions(entry) ?? []),
        ...(this.#servers.refusal ? [openAtProblem()] : []),
        { command: actions.edit, label: t('Edit in the File'), args: [name] },
        { command: actions.copy, label: t('Copy as Command'), args: [name] },
      ],
      sections: [
        { facts: serverFacts(entry, pending, this.#servers.faults.get(name), this.#servers.refusal) },
        ...(this.#checkPage?.sections(entry) ?? []),
      ],
      until: Infinity,
    };
  }

  #statusPage(now: Time): DetailsPage {
    return {
      title: t('Active MCP Servers and Pending Changes'),
      actions: [
        this.#servers.refusal
          ? openAtProblem()
          : { command: actions.openConfig, label: t('Open Configuration File') },
      ],
      sections: statusSections(this.#servers, this.#activeServers, now),
      until: statusEnds(this.#activeServers, now),
    };
  }
}

/** For a file that is refused: the command opens it at the first reason. */
function openAtProblem(): PageAction {
  return { command: actions.openConfig, label: t('Open the File at the Problem') };
}
