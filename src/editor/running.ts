/** Builds the parts of the extension for the editor and connects them. Decides nothing. */
import {
  commands,
  Disposable,
  env,
  type ExtensionContext,
  l10n,
  type LogOutputChannel,
  type Uri,
  type WebviewPanel,
  window,
  workspace,
} from 'vscode';
import { join } from 'node:path';
import { atMost, systemClock } from '../base/clock.ts';
import { reason } from '../base/errors.ts';
import { speak } from '../base/l10n.ts';
import { ServerList } from '../state/serverList.ts';
import { ActiveServers } from '../state/activeServers.ts';
import { Switchboard } from '../state/switchboard.ts';
import { ApiKeys } from './connection/apiKeys.ts';
import type { CommandParts } from './commands/handlers.ts';
import type { Writing } from './commands/newConversationQuestions.ts';
import type { Run } from './commands/run.ts';
import { ConfigFile } from './configuration/configFile.ts';
import { registerConfigurationHelp } from './configuration/register.ts';
import { Connector } from './connection/connector.ts';
import type { ConversationPages } from './pages/conversationPages.ts';
import { askForKeyOnce } from './sync/keyPrompt.ts';
import { MessageEditor } from './asking/messageEditor.ts';
import { showError } from './asking/messages.ts';
import { Notifications } from './sync/notifications.ts';
import { pollServices } from './sync/polling.ts';
import { Claim } from './lookout/claim.ts';
import { Lookout } from './lookout/lookout.ts';
import { PollingWindows } from './lookout/pollingWindows.ts';
import { SharedMemory } from './lookout/sharedMemory.ts';
import { claimFile, isLookoutWanted } from './lookout/standBy.ts';
import { ServerPages } from './pages/serverPages.ts';
import { followServers } from './sync/followServers.ts';
import type { LazyViews } from './lazyViews.ts';
import { contextKeys } from './manifest.ts';
import { setting } from './settings.ts';
import { Status } from './sync/status.ts';
import { type RegisteredViews, registerViews } from './views/registerViews.ts';

/** What tests look at where the window does not show it. */
export interface Insight {
  readonly log: LogOutputChannel;
  readonly keys: ApiKeys;
  readonly switchboard: Switchboard;
  readonly servers: ServerList;
  readonly activeServers: ActiveServers;
  readonly lookout: Lookout;
  readonly trees: RegisteredViews['trees'];
  readonly serversView: RegisteredViews['servers'];
}

export interface Running {
  /** Runs a command with what the editor gave it. */
  readonly run: Run;
  /** Opens the conversation that a link leads to. */
  readonly openLink: (link: Uri) => Promise<void>;
  readonly insight: Insight;
  /** Looks for all windows of the machine, if no other one does. */
  readonly lookOut: () => Promise<void>;
  /** Takes up a page of a conversation that was open when the window was closed. */
  readonly restorePage: (panel: WebviewPanel, state: unknown) => Promise<void>;
  readonly end: () => Promise<void>;
}

export function start(context: ExtensionContext, lazyViews: LazyViews): Running {
  // Without a translation, all is said in English, dates included.
  if (l10n.bundle) speak(env.language, l10n.t);
  const log = window.createOutputChannel('Agent Switchboard', { log: true });
  const switchboard = new Switchboard({
    store: context.workspaceState,
    clock: systemClock,
    pageSize: () => Math.max(1, setting('conversations.pageSize')),
  });
  const keys = new ApiKeys(context.secrets);
  const shared = context.globalStorageUri.fsPath;
  const pollingWindows = new PollingWindows(join(shared, 'polling'), systemClock);
  const connector = new Connector(switchboard, keys, log, () => pollingWindows.count);
  let pages: Promise<ConversationPages> | undefined;
  /** Once somebody opens one. */
  const loadPages = async () => {
    const { ConversationPages } = await import('./pages/conversationPages.ts');
    const made = new ConversationPages({
      switchboard,
      store: context.workspaceState,
      folder: context.extensionUri,
      restored: () => connector.restored,
      report: (error) => {
        log.error(error instanceof Error ? error : String(error));
      },
    });
    context.subscriptions.push(made);
    return made;
  };
  const conversationPages = () => (pages ??= loadPages());
  const messageEditor = new MessageEditor<Writing>();
  const config = new ConfigFile();
  const servers = new ServerList(() => config.read());
  const activeServers = new ActiveServers(context.globalState, systemClock);
  const serverPages = new ServerPages(servers, activeServers, switchboard);
  const lookout = new Lookout({
    claim: new Claim(claimFile(shared)),
    clock: systemClock,
    log,
    isWanted: isLookoutWanted,
    isSeen: () => window.state.focused,
    isThere: () => answers(switchboard),
  });
  const memory = new SharedMemory(join(shared, 'seen.json'), log);
  const views = registerViews(lazyViews, switchboard, servers, activeServers);
  const restore = () => {
    connector.restore().catch((error: unknown) => {
      log.warn(reason(error));
      void showError(reason(error));
    });
  };
  context.subscriptions.push(
    log,
    views,
    messageEditor,
    config,
    serverPages,
    followServers({ config, servers, activeServers, switchboard }, views.servers, views.trees.servers),
    registerConfigurationHelp(config, servers, activeServers),
    new Status(switchboard, views),
    pollServices(switchboard, [views.conversations, views.sandboxes], lookout, pollingWindows),
    new Notifications(switchboard, memory, systemClock),
    askForKeyOnce(switchboard),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('switchboard.services')) restore();
      if (event.affectsConfiguration('switchboard') && lookout.isLooking) void lookout.decide();
    }),
    window.onDidChangeWindowState(() => {
      if (lookout.isLooking) void lookout.decide();
    }),
    new Disposable(() => {
      switchboard.dispose();
    }),
  );
  restore();
  // Set by `npm start`.
  const demo = process.env.SWITCHBOARD_DEMO;
  if (demo) void connector.startDemo(demo === 'agentServer' || demo === 'v1' ? demo : 'v0');
  const parts = {
    switchboard,
    connector,
    conversationPages,
    messageEditor,
    log,
    config,
    servers,
    serverPages,
    views,
  };
  let commands: Promise<Run> | undefined;
  let ended = false;
  return {
    run: async (id, args) => {
      const run = await (commands ??= loadCommands(parts));
      // The window may have been closed by now.
      return ended ? undefined : await run(id, args);
    },
    openLink: async (link) => {
      const { openConversationLink } = await import('./commands/openConversationLink.ts');
      if (!ended) await openConversationLink(parts, link);
    },
    insight: {
      log,
      keys,
      switchboard,
      servers,
      activeServers,
      lookout,
      trees: views.trees,
      serversView: views.servers,
    },
    lookOut: () => lookout.decide(),
    restorePage: async (panel, state) => {
      await (await conversationPages()).restore(panel, state);
    },
    end: async () => {
      ended = true;
      await Promise.all([connector.dispose(), lookout.end(), pollingWindows.end()]);
    },
  };
}

/** A window that is there answers at once; nothing is different for it by that. */
async function answers({ services }: Switchboard): Promise<boolean> {
  let answered = false;
  const answer = commands.executeCommand('setContext', contextKeys.connected, services.length > 0);
  await atMost(systemClock, 5_000, Promise.resolve(answer.then(() => (answered = true))));
  return answered;
}

/** When the first command runs. */
async function loadCommands(parts: CommandParts): Promise<Run> {
  const { commandRunner } = await import('./commands/run.ts');
  return commandRunner(parts);
}
