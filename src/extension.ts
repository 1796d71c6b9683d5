import {
  Disposable,
  env,
  type ExtensionContext,
  ExtensionMode,
  l10n,
  type LogOutputChannel,
  window,
  workspace,
} from 'vscode';
import { systemClock } from './base/clock.ts';
import { reason } from './base/errors.ts';
import { speak } from './base/l10n.ts';
import { ApiKeys } from './editor/apiKeys.ts';
import { allCommands } from './editor/commands/all.ts';
import type { Writing } from './editor/commands/newConversation.ts';
import { registerCommands } from './editor/commands/register.ts';
import { ConfigFile } from './editor/configuration/configFile.ts';
import { registerConfigurationHelp } from './editor/configuration/register.ts';
import { Connector } from './editor/connector.ts';
import { Details } from './editor/details.ts';
import { askForKeyOnce } from './editor/keyPrompt.ts';
import { MessageEditor } from './editor/messageEditor.ts';
import { notifyOf } from './editor/notifications.ts';
import { pollWhileSeen } from './editor/polling.ts';
import { ServerPages } from './editor/serverPages.ts';
import { followServers } from './editor/servers.ts';
import { setting } from './editor/settings.ts';
import { showStatus } from './editor/status.ts';
import { equipTerminals } from './editor/terminals.ts';
import { type RegisteredViews, registerViews } from './editor/views/register.ts';
import { ServerList } from './state/serverList.ts';
import { ServerStarts } from './state/serverStarts.ts';
import { Switchboard } from './state/switchboard.ts';

/** What tests look at where nothing in the window tells it. Other extensions get nothing: it leads to the service. */
export interface Insight {
  readonly log: LogOutputChannel;
  readonly switchboard: Switchboard;
  readonly servers: ServerList;
  readonly starts: ServerStarts;
  readonly trees: RegisteredViews['trees'];
  readonly serversView: RegisteredViews['servers'];
}

let connector: Connector | undefined;

export function activate(context: ExtensionContext): Insight | undefined {
  // Without a translation, all is said in English, dates included.
  if (l10n.bundle) speak(env.language, l10n.t);
  const log = window.createOutputChannel('Agent Switchboard', { log: true });
  const switchboard = new Switchboard({
    store: context.workspaceState,
    clock: systemClock,
    pageSize: () => Math.max(1, setting('conversations.pageSize')),
  });
  const keys = new ApiKeys(context.secrets, process.env.SWITCHBOARD_API_KEY);
  const connecting = (connector = new Connector(switchboard, keys, log));
  const details = new Details(switchboard);
  const messageEditor = new MessageEditor<Writing>();
  const config = new ConfigFile();
  const servers = new ServerList(() => config.read());
  const starts = new ServerStarts(context.globalState, systemClock);
  const serverPages = new ServerPages(servers, starts);
  const views = registerViews(switchboard, servers, starts);
  const restore = () => {
    connecting.restore().catch((error: unknown) => {
      log.warn(reason(error));
      void window.showErrorMessage(reason(error));
    });
  };
  context.subscriptions.push(
    log,
    views,
    details,
    messageEditor,
    config,
    serverPages,
    followServers({ config, servers, starts, switchboard }, views.servers),
    registerConfigurationHelp(config, servers, starts),
    equipTerminals(context),
    showStatus(switchboard, views),
    pollWhileSeen(switchboard, [views.conversations, views.sandboxes]),
    notifyOf(switchboard),
    askForKeyOnce(switchboard),
    ...registerCommands(
      allCommands({
        switchboard,
        connector: connecting,
        details,
        messageEditor,
        log,
        config,
        servers,
        serverPages,
        views,
      }),
      log,
    ),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('switchboard.service')) restore();
    }),
    new Disposable(() => {
      switchboard.dispose();
    }),
  );
  // Set by `npm start`.
  if (process.env.SWITCHBOARD_DEMO) void connecting.startDemo();
  else restore();
  return context.extensionMode === ExtensionMode.Test
    ? { log, switchboard, servers, starts, trees: views.trees, serversView: views.servers }
    : undefined;
}

export async function deactivate(): Promise<void> {
  await connector?.dispose();
}
