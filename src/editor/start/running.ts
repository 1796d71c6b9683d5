/** Builds the parts that a window has once it is in use, and connects them. Decides nothing. */
import {
  env,
  type ExtensionContext,
  l10n,
  type LogOutputChannel,
  type Uri,
  type WebviewPanel,
  window,
  workspace,
} from 'vscode';
import { atMost, type Clock, systemClock } from '../../base/clock.ts';
import { reason } from '../../base/errors.ts';
import { lazily } from '../../base/lazily.ts';
import { speak } from '../../base/l10n.ts';
import { type ServiceInterface, serviceInterfaces } from '../../service/agentService.ts';
import { ServerList } from '../../state/mcpServers/serverList.ts';
import { AllowedOrigins } from '../../state/allowedOrigins.ts';
import { ActiveServers } from '../../state/mcpServers/activeServers.ts';
import { Switchboard } from '../../state/switchboard.ts';
import { ApiKeys, Connector } from '../services/connector.ts';
import type { ChangesReader } from '../changes/fileSystem.ts';
import { ConfigFile } from '../mcpJson/configFile.ts';
import { registerConfigurationHelp } from '../mcpJson/register.ts';
import { isDemoWanted } from '../services/demoMemory.ts';
import { askForKeyOnce } from '../services/keyPrompt.ts';
import { showError } from '../ui/messages.ts';
import { windowAnswered } from '../ui/windowCaughtUp.ts';
import { pollServices } from '../background/polling.ts';
import { Lookout } from '../background/lookout.ts';
import { isLookoutWanted } from '../background/standBy.ts';
import { openDemo } from '../services/openDemo.ts';
import { followServers } from '../mcpServers/followServers.ts';
import { lazyParts } from './lazyParts.ts';
import type { CommandId } from '../manifest.ts';
import { setting } from '../settings.ts';
import type { ServiceItem } from '../background/serviceItem.ts';
import { Status } from '../background/status.ts';
import { type LazyViews, type RegisteredViews, registerViews } from './registerViews.ts';
import type { ServersTree } from '../mcpServers/serversTree.ts';

/** What tests look at where the window does not show it. */
export interface Insight {
  readonly log: LogOutputChannel;
  readonly clock: Clock;
  readonly keys: ApiKeys;
  readonly switchboard: Switchboard;
  readonly servers: ServerList;
  readonly activeServers: ActiveServers;
  readonly lookout: Lookout;
  readonly trees: RegisteredViews['trees'] & { readonly servers: ServersTree };
  readonly serversView: RegisteredViews['servers'];
}

/** Parts that `extension.ts` registers before this file is loaded. */
export interface FirstParts extends LazyViews {
  readonly serviceItem: ServiceItem;
}

export interface Running {
  /** Runs a command with what the editor gave it. */
  readonly run: (id: CommandId, args: readonly unknown[]) => Promise<unknown>;
  readonly isConnected: () => boolean;
  /** Opens the conversation that a link leads to. */
  readonly openLink: (link: Uri) => Promise<void>;
  readonly insight: () => Promise<Insight>;
  /** Looks for all windows of the machine, if no other one does. */
  readonly lookOut: () => Promise<void>;
  /** Takes up a page of a conversation that was open when the window was closed. */
  readonly restorePage: (panel: WebviewPanel, state: unknown) => Promise<void>;
  /** What the documents of changed files show. */
  readonly changes: () => Promise<ChangesReader>;
  readonly end: () => Promise<void>;
}

export function start(context: ExtensionContext, first: FirstParts): Running {
  // The bundle of extension.ts has its own copy of the translations.
  if (env.language !== 'en' && l10n.bundle) speak(env.language, l10n.t);
  const log = window.createOutputChannel('Agent Switchboard', { log: true });
  const switchboard = new Switchboard({
    store: context.workspaceState,
    clock: systemClock,
    pageSize: () => Math.max(1, setting('conversations.pageSize')),
  });
  const keys = new ApiKeys(context.secrets);
  const allowed = new AllowedOrigins(context.globalState);
  const connector = new Connector(switchboard, keys, allowed, log, context);
  const config = new ConfigFile();
  const servers = new ServerList(() => config.read());
  const activeServers = new ActiveServers(context.globalState, systemClock);
  const lazy = lazyParts(context, { log, switchboard, connector, servers, activeServers });
  const views = registerViews(first, switchboard, servers, activeServers, lazy.checks);
  const lookout = new Lookout({
    claim: lazy.claim,
    clock: systemClock,
    log,
    isWanted: isLookoutWanted,
    isSeen: () => window.state.focused,
    isThere: isWindowThere,
  });
  const report = (error: unknown) => {
    log.warn(reason(error));
    void showError(reason(error));
  };
  const restore = () => void connector.restore().catch(report);
  context.subscriptions.push(
    log,
    views,
    config,
    followServers(
      {
        config,
        servers,
        activeServers,
        switchboard,
        state: context.globalState,
        reloadChecks: (isNeeded) => {
          const made = lazy.checks.ifMade();
          // Another window may have checked since.
          if (made) void made.then((checks) => checks.load());
          else if (isNeeded) void lazy.checks();
        },
      },
      views.servers,
      views.serversTree,
    ),
    registerConfigurationHelp(activeServers),
    new Status(switchboard, views, first.serviceItem, context.globalState),
    pollServices(switchboard, [views.conversations, views.sandboxes], lookout),
    switchboard.onLook(
      (service) =>
        void lazy.notifications().then((all) => {
          all.look(service);
        }),
    ),
    askForKeyOnce(switchboard),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('switchboard.services')) restore();
      if (event.affectsConfiguration('switchboard') && lookout.isLooking) void lookout.decide();
    }),
    window.onDidChangeWindowState(() => {
      if (lookout.isLooking) void lookout.decide();
    }),
    switchboard,
  );
  restore();
  // What was noted before the window was closed can be sent.
  if (switchboard.reviews.all.length > 0) void lazy.reviewComments();
  // Set by `npm start`.
  const demo = process.env.SWITCHBOARD_DEMO;
  if (demo) void openDemo(connector.demo, views.showConversations, onlyDemo(demo));
  else if (isDemoWanted(context)) void connector.demo.start().catch(report);
  const { showConversations, revealFiles } = views;
  const parts = { ...lazy, switchboard, connector, log, config, servers, showConversations, revealFiles };
  const commands = lazily(async () => {
    const { CommandRunner } = await import('./commandRunner.ts');
    return new CommandRunner(parts, views.conversations);
  });
  let ended = false;
  return {
    run: async (id, args) => {
      const runner = await commands();
      // The window may have been closed in the meantime.
      return ended ? undefined : await runner.run(id, args);
    },
    isConnected: () => switchboard.services.length > 0,
    openLink: async (link) => {
      const runner = await commands();
      if (!ended) await runner.openLink(link);
    },
    insight: async () => ({
      log,
      clock: systemClock,
      keys,
      switchboard,
      servers,
      activeServers,
      lookout,
      trees: { ...views.trees, servers: await views.serversTree() },
      serversView: views.servers,
    }),
    lookOut: () => lookout.decide(),
    restorePage: async (panel, state) => {
      await (await lazy.conversationPages()).restore(panel, state);
    },
    changes: lazy.changeDocuments,
    end: async () => {
      ended = true;
      await Promise.all([
        connector.dispose(),
        lookout.end(),
        lazy.checks.ifMade()?.then((checks) => checks.end()),
      ]);
    },
  };
}

/** The interface of the only service that is wanted; undefined for both services of the demo. */
function onlyDemo(named: string): ServiceInterface | undefined {
  return serviceInterfaces.find((each) => each === named);
}

/** Returns true if the window answers at once. */
async function isWindowThere(): Promise<boolean> {
  let answered = false;
  await atMost(
    systemClock,
    5_000,
    windowAnswered().then(() => (answered = true)),
  );
  return answered;
}
