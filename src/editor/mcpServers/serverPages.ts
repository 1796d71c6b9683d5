import { Disposable } from 'vscode';
import { t } from '../../base/l10n.ts';
import type { Time } from '../../service/entities.ts';
import type { ActiveServers } from '../../state/mcpServers/activeServers.ts';
import type { ServerList } from '../../state/mcpServers/serverList.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { ServerChecks } from '../../state/mcpServers/serverChecks.ts';
import { type PageAction, type DetailsPage, OpenPages, type PageCommand } from '../ui/detailsPage.ts';
import { failureActions } from '../words/failureActions.ts';
import { checkFacts, failureFacts } from '../words/mcpServers/checkWords.ts';
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

export interface ShownServers {
  readonly servers: ServerList;
  readonly activeServers: ActiveServers;
  readonly checks: ServerChecks;
  readonly switchboard: Switchboard;
}

export class ServerPages implements Disposable {
  readonly #parts: ShownServers;
  /** Keyed by the name of the server; the status page has none. */
  readonly #pages: OpenPages<string | undefined>;
  readonly #subscriptions: Disposable;

  constructor(parts: ShownServers) {
    this.#parts = parts;
    const { servers, activeServers, checks, switchboard } = parts;
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
      checks.onChange((names) => {
        this.#pages.redraw((name) => name !== undefined && names.has(name));
      }),
      // Updates the ages.
      switchboard.conversations.onChange(() => {
        this.#pages.redraw(() => false);
      }),
    );
  }

  show(name: string | undefined): void {
    this.#pages.show(name);
  }

  dispose(): void {
    this.#subscriptions.dispose();
    this.#pages.dispose();
  }

  #serverPage(name: string): DetailsPage | undefined {
    const entry = this.#parts.servers.entries.find((each) => each.name === name);
    if (!entry) return undefined;
    const { servers, activeServers, checks, switchboard } = this.#parts;
    const { refusal, faults } = servers;
    const pending = activeServers.pending?.find((each) => each.name === name);
    const checked = checks.of(entry);
    const result = checked.here?.result;
    const failure = result?.kind === 'fails' ? result.failure : undefined;
    const steps = failure ? failureActions(failure, entry) : [];
    const check = checkFacts(entry, checked, (address) => switchboard.service(address)?.name ?? address);
    return {
      title: serverName(entry),
      actions: [
        entry.enabled
          ? { command: actions.disable, label: t('Disable'), args: [name] }
          : { command: actions.enable, label: t('Enable'), args: [name] },
        ...(entry.server ? [{ command: actions.check, label: t('Check'), args: [name] }] : []),
        ...steps.flatMap(({ isOnPage, ...action }) => (isOnPage ? [] : [action])),
        ...(checked.tools?.length
          ? [{ command: actions.chooseTools, label: t('Choose Tools'), args: [name] }]
          : []),
        ...(refusal ? [openAtProblem()] : []),
        { command: actions.edit, label: t('Edit in the File'), args: [name] },
        { command: actions.copy, label: t('Copy as Command'), args: [name] },
      ],
      sections: [
        { facts: serverFacts(entry, pending, faults.get(name), refusal) },
        ...(check.length > 0
          ? [{ title: t('Check'), facts: [...check, ...(failure ? failureFacts(failure) : [])] }]
          : []),
      ],
      until: Infinity,
    };
  }

  #statusPage(now: Time): DetailsPage {
    const { servers, activeServers } = this.#parts;
    const open = { command: actions.openConfig, label: t('Open Configuration File') };
    return {
      title: t('Active MCP Servers and Pending Changes'),
      actions: [servers.refusal ? openAtProblem() : open],
      sections: statusSections(servers, activeServers, now),
      until: statusEnds(activeServers, now),
    };
  }
}

function openAtProblem(): PageAction {
  return { command: actions.openConfig, label: t('Open the File at the Problem') };
}
