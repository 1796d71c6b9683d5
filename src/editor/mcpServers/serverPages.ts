import { Disposable } from 'vscode';
import { t } from '../../base/l10n.ts';
import { present } from '../../base/parts.ts';
import type { Time } from '../../service/model/entities.ts';
import type { ActiveServers } from '../../state/activeServers.ts';
import type { ServerList } from '../../state/mcpServers/serverList.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { ServerChecks } from '../../state/mcpServers/serverChecks.ts';
import {
  type PageAction,
  type DetailsPage,
  OpenPages,
  type PageCommand,
} from '../ui/detailsPage.ts';
import { failureActions } from '../words/failureActions.ts';
import { checkFacts, failureFacts } from '../words/mcpServers/checkWords.ts';
import {
  readersOfFile,
  serverFacts,
  serverName,
} from '../words/mcpServers/serverWords.ts';
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
  status: 'switchboard.mcp.status',
  setting: 'workbench.action.openSettings',
} as const satisfies Record<string, PageCommand>;

export interface ListedServers {
  readonly servers: ServerList;
  readonly checks: ServerChecks;
  readonly switchboard: Switchboard;
}

interface ShownServers extends ListedServers {
  readonly activeServers: ActiveServers;
}

export class ServerPages implements Disposable {
  readonly #parts: ShownServers;
  /** Keyed by the name of the server; the status page has none. */
  readonly #pages: OpenPages<string | undefined>;
  readonly #subscriptions: Disposable;

  constructor(parts: ShownServers) {
    this.#parts = parts;
    const { servers, activeServers, checks, switchboard } = parts;
    this.#pages = new OpenPages(
      'switchboard.server',
      Object.values(actions),
      (name, now) =>
        name === undefined ? this.#statusPage(now) : this.#serverPage(name),
    );
    this.#subscriptions = Disposable.from(
      servers.onChange((change) => {
        this.#pages.redraw(
          (name) => name === undefined || change.servers.has(name),
        );
      }),
      activeServers.onChange(() => {
        this.#pages.redraw((name) => name === undefined);
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
    const entry = this.#parts.servers.entries.find(
      (server) => server.name === name,
    );
    if (!entry) return undefined;
    const { servers, checks, switchboard } = this.#parts;
    const { refusal, faults } = servers;
    const checked = checks.of(entry);
    const result = checked.here?.result;
    const failure = result?.kind === 'fails' ? result.failure : undefined;
    const steps = failure ? failureActions(failure, entry) : [];
    const check = checkFacts(
      entry,
      checked,
      (address) => switchboard.service(address)?.name ?? address,
    );
    const action = (command: PageCommand, label: string) => ({
      command,
      label,
      args: [name],
    });
    return {
      title: serverName(entry),
      actions: present(
        entry.enabled
          ? action(actions.disable, t('Disable'))
          : action(actions.enable, t('Enable')),
        entry.server && action(actions.check, t('Check')),
        ...steps.flatMap(({ isOnPage, ...action }) =>
          isOnPage ? [] : [action],
        ),
        !!checked.tools?.length &&
          action(actions.chooseTools, t('Choose Tools')),
        refusal && openAtProblem(),
        action(actions.edit, t('Edit in the File')),
        action(actions.copy, t('Copy as Command')),
      ),
      sections: present(
        {
          text: readersOfFile(),
          facts: serverFacts(entry, faults.get(name), refusal),
        },
        check.length > 0 && {
          title: t('Check'),
          facts: [...check, ...(failure ? failureFacts(failure) : [])],
        },
      ),
      until: Infinity,
    };
  }

  #statusPage(now: Time): DetailsPage {
    const { servers, activeServers, switchboard } = this.#parts;
    const open = {
      command: actions.openConfig,
      label: t('Open Configuration File'),
    };
    return {
      title: t('MCP Servers of Running Conversations'),
      actions: [
        { command: actions.status, label: t('Refresh') },
        servers.refusal ? openAtProblem() : open,
      ],
      sections: statusSections(
        servers,
        activeServers,
        switchboard.services,
        now,
      ),
      until: statusEnds(activeServers, now),
    };
  }
}

function openAtProblem(): PageAction {
  return {
    command: actions.openConfig,
    label: t('Open the File at the Problem'),
  };
}
