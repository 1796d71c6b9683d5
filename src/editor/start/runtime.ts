/** Builds and connects the parts of a window in use, and decides nothing. */
import {
  env,
  type ExtensionContext,
  l10n,
  type Uri,
  type WebviewPanel,
  window,
  workspace,
} from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { reason } from '../../base/errors.ts';
import { lazily } from '../../base/lazily.ts';
import { setLanguage } from '../../base/l10n.ts';
import { serviceInterfaces } from '../../service/abilities/agentService.ts';
import { ServerList } from '../../state/mcpServers/serverList.ts';
import { AllowedOrigins } from '../../state/allowedOrigins.ts';
import { ActiveServers } from '../../state/activeServers.ts';
import { Switchboard } from '../../state/switchboard.ts';
import { ConfigFile } from '../mcpJson/configFile.ts';
import { registerConfigurationHelp } from '../mcpJson/register.ts';
import { ApiKeys, Connector } from '../services/connector.ts';
import { isDemoWanted } from '../services/demoMemory.ts';
import { askForKeyOnce } from '../services/keyPrompt.ts';
import { showError } from '../ui/messages.ts';
import { isWindowThere } from '../ui/windowCaughtUp.ts';
import { pollServices } from '../background/pollServices.ts';
import { Leadership } from '../background/leadership.ts';
import {
  isLeaderWanted,
  leaderLockPath,
} from '../background/waitForLeadership.ts';
import { openDemo } from '../services/openDemo.ts';
import { watchServer } from '../services/watchServer.ts';
import { followServers } from '../mcpServers/followServers.ts';
import { partsOnFirstUse } from './partsOnFirstUse.ts';
import type { CommandId } from '../manifest.ts';
import { approvalRules } from '../approvals/ruleSettings.ts';
import { limitSettings, setting } from '../settings.ts';
import { ServiceStatus } from '../background/serviceStatus.ts';
import { type FirstParts, registerViews } from './registerViews.ts';

export type Runtime = ReturnType<typeof createRuntime>;

/** The parts that tests look into. */
export type TestInsight = Awaited<ReturnType<Runtime['insight']>>;

export function createRuntime(context: ExtensionContext, first: FirstParts) {
  // The bundle of extension.ts has its own copy of the translations.
  if (env.language !== 'en' && l10n.bundle) setLanguage(env.language, l10n.t);
  const {
    globalState,
    globalStorageUri,
    secrets,
    subscriptions,
    workspaceState,
  } = context;
  const log = window.createOutputChannel('Agent Switchboard', { log: true });
  const switchboard: Switchboard = new Switchboard({
    store: workspaceState,
    globalStore: globalState,
    clock: systemClock,
    pageSize: () => Math.max(1, setting('conversations.pageSize')),
    folder: globalStorageUri.fsPath,
    approvalRules,
    limits: limitSettings,
    mayGoOn: async (conversation, spent) => {
      const { mayGoOn } = await import('./lateBundle.ts');
      return await mayGoOn(switchboard, conversation, spent);
    },
  });
  const keys = new ApiKeys(secrets);
  const connector = new Connector(
    switchboard,
    keys,
    new AllowedOrigins(globalState),
    log,
    context,
  );
  const config = new ConfigFile();
  const servers = new ServerList(() => config.read());
  const activeServers = new ActiveServers(switchboard, systemClock);
  const always = { log, switchboard, connector, servers, activeServers };
  const onFirstUse = partsOnFirstUse(context, always);
  const views = registerViews(first, switchboard, servers, onFirstUse.checks);
  const leadership = new Leadership({
    lock: lazily(async () => {
      const { LeaderLock } = await import('../background/leaderLock.ts');
      return new LeaderLock(leaderLockPath(globalStorageUri.fsPath));
    }),
    clock: systemClock,
    log,
    isWanted: () => isLeaderWanted(globalState),
    isSeen: () => window.state.focused,
    isThere: isWindowThere,
  });
  const report = (error: unknown) => {
    log.warn(reason(error));
    void showError(reason(error));
  };
  const connect = () =>
    void connector.restore().then(([problem]) => {
      if (problem) report(problem);
    }, report);
  const updateLeadership = () => {
    if (leadership.isLeader) void leadership.update();
  };
  const reloadChecks = (isNeeded: boolean) => {
    const pendingChecks = onFirstUse.checks.ifMade();
    // Another window may have checked in the meantime.
    if (pendingChecks) void pendingChecks.then((checks) => checks.load());
    else if (isNeeded) void onFirstUse.checks();
  };
  subscriptions.push(
    log,
    views,
    config,
    followServers(
      { config, servers, switchboard, state: globalState, reloadChecks },
      views.servers,
      views.serversTree,
    ),
    registerConfigurationHelp(),
    new ServiceStatus(switchboard, views, first.serviceItem, globalState),
    pollServices(
      switchboard,
      [views.conversations, views.sandboxes],
      leadership,
    ),
    switchboard.onLook((service) => {
      void onFirstUse
        .notifications()
        .then((notifications) => notifications.check(service));
      void onFirstUse
        .limitMessages()
        .then((messages) =>
          messages.check(service, leadership.isLeader || service.demo),
        );
    }),
    askForKeyOnce(switchboard),
    watchServer(switchboard, onFirstUse.serverOnThisMachine),
    // Another window may have stored or removed the key of a service.
    secrets.onDidChange(() => void connector.restore().catch(report)),
    workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('switchboard.services')) connect();
      if (event.affectsConfiguration('switchboard.limits'))
        switchboard.limitGate.retryUnasked();
      if (event.affectsConfiguration('switchboard.approval'))
        void switchboard
          .applyRules(leadership.isLeader || window.state.focused)
          .catch(report);
      if (event.affectsConfiguration('switchboard')) updateLeadership();
    }),
    window.onDidChangeWindowState(updateLeadership),
    switchboard,
  );
  connect();
  if (setting('server.startWithWindow'))
    void onFirstUse
      .serverOnThisMachine()
      .then((server) => server.startWithWindow())
      .catch(report);
  // Comments of an earlier window can still be sent.
  if (switchboard.reviews.all.length > 0) void onFirstUse.reviewComments();
  // Set by `npm start`, to the interface of the only demo service to start or
  // to anything else for all of them.
  const demo = process.env.SWITCHBOARD_DEMO;
  const only = serviceInterfaces.find(
    (serviceInterface) => serviceInterface === demo,
  );
  if (demo) void openDemo(connector.demo, views.showConversations, only);
  else if (isDemoWanted(context)) void connector.demo.start().catch(report);
  const { showConversations, revealFiles } = views;
  const commands = lazily(async () => {
    const { CommandRunner } = await import('./lateBundle.ts');
    return new CommandRunner(
      {
        ...always,
        ...onFirstUse,
        config,
        showConversations,
        revealFiles,
      },
      views.conversations,
    );
  });
  let ended = false;
  return {
    run: async (id: CommandId, args: readonly unknown[]) => {
      const runner = await commands();
      // The window may have been closed in the meantime.
      return ended ? undefined : await runner.run(id, args);
    },
    isConnected: () => switchboard.services.length > 0,
    openLink: async (link: Uri) => {
      const runner = await commands();
      if (!ended) await runner.openLink(link);
    },
    insight: async () => ({
      log,
      keys,
      switchboard,
      servers,
      activeServers,
      leadership,
      clock: systemClock,
      trees: { ...views.trees, servers: await views.serversTree() },
      serversView: views.servers,
    }),
    /**
     * Starts to poll for all windows on this machine, if no other window does.
     */
    lead: () => leadership.update(),
    /**
     * Fills the page of a conversation that was open when the window was
     * closed.
     */
    restorePage: async (panel: WebviewPanel, state: unknown) => {
      await (await onFirstUse.conversationPages()).restore(panel, state);
    },
    changes: onFirstUse.changeDocuments,
    end: async () => {
      ended = true;
      const checks = onFirstUse.checks
        .ifMade()
        ?.then((serverChecks) => serverChecks.end());
      await Promise.all([connector.dispose(), leadership.end(), checks]);
    },
  };
}
