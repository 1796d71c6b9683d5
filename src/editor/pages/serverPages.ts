/** The page of one MCP server, and the page of what agents have and will have. Both follow the file. */
import type { Disposable, WebviewPanel } from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { t } from '../../base/l10n.ts';
import type { ServerList } from '../../state/serverList.ts';
import type { ServerStarts } from '../../state/serverStarts.ts';
import type { CommandId } from '../manifest.ts';
import { createPage, drawPage, type Page } from './page.ts';
import { serverFacts, serverName, statusSections } from '../words/serverWords.ts';

const actions = {
  enable: 'switchboard.mcp.enable',
  disable: 'switchboard.mcp.disable',
  edit: 'switchboard.mcp.reveal',
  copy: 'switchboard.mcp.copyAsCommand',
  openConfig: 'switchboard.mcp.openConfig',
} as const satisfies Record<string, CommandId>;

export class ServerPages implements Disposable {
  readonly #servers: ServerList;
  readonly #starts: ServerStarts;
  /** By the name of the server; the page of the status has none. */
  readonly #panels = new Map<string | undefined, WebviewPanel>();
  readonly #stops: readonly (() => void)[];

  constructor(servers: ServerList, starts: ServerStarts) {
    this.#servers = servers;
    this.#starts = starts;
    const drawAll = () => {
      for (const name of this.#panels.keys()) this.#draw(name);
    };
    this.#stops = [servers.onChange(drawAll), starts.onChange(drawAll)];
  }

  showServer(name: string): void {
    this.#show(name);
  }

  showStatus(): void {
    this.#show(undefined);
  }

  dispose(): void {
    for (const stop of this.#stops) stop();
    for (const panel of [...this.#panels.values()]) panel.dispose();
  }

  #show(name: string | undefined): void {
    const open = this.#panels.get(name);
    if (open) {
      open.reveal();
      return;
    }
    const panel = createPage('switchboard.server', Object.values(actions));
    this.#panels.set(name, panel);
    panel.onDidDispose(() => this.#panels.delete(name));
    this.#draw(name);
  }

  #draw(name: string | undefined): void {
    const panel = this.#panels.get(name);
    const page = name === undefined ? this.#statusPage() : this.#serverPage(name);
    // A server that is gone keeps what was last known of it.
    if (panel && page) drawPage(panel, page);
  }

  #serverPage(name: string): Page | undefined {
    const entry = this.#servers.document.entries.find((each) => each.name === name);
    if (!entry) return undefined;
    const pending = this.#starts.pending?.find((each) => each.name === name);
    return {
      title: serverName(entry),
      actions: [
        entry.enabled
          ? { command: actions.disable, label: t('Disable'), args: [name] }
          : { command: actions.enable, label: t('Enable'), args: [name] },
        { command: actions.edit, label: t('Edit in the file'), args: [name] },
        { command: actions.copy, label: t('Copy as a command'), args: [name] },
      ],
      sections: [{ facts: serverFacts(entry, pending, this.#servers.faults.get(name)) }],
    };
  }

  #statusPage(): Page {
    return {
      title: t('Active MCP Servers and Pending Changes'),
      actions: [{ command: actions.openConfig, label: t('Open the configuration file') }],
      sections: statusSections(this.#servers, this.#starts, systemClock.now()),
    };
  }
}
