/** Every command by its id. */
import type { LogOutputChannel } from 'vscode';
import { t } from '../../base/l10n.ts';
import type { ServerList } from '../../state/serverList.ts';
import type { Switchboard } from '../../state/switchboard.ts';
import type { ConfigFile } from '../configuration/configFile.ts';
import type { Connector } from '../connection/connector.ts';
import type { ConversationPages } from '../pages/conversationPages.ts';
import type { CommandId, Commands } from '../manifest.ts';
import type { MessageEditor } from '../asking/messageEditor.ts';
import { conversationOf } from '../asking/pickFromList.ts';
import { serverOf } from '../asking/pickServer.ts';
import { gitRepositories } from '../repository.ts';
import type { ServerPages } from '../pages/serverPages.ts';
import type { RegisteredViews } from '../views/registerViews.ts';
import {
  copyAsCommand,
  copyJson,
  makeConfigPrivate,
  removeServers,
  revealServer,
  setEnabled,
  wrapServers,
} from './servers.ts';
import { clearApiKey, setApiKey } from './apiKey.ts';
import { clearFilters, filterConversations, groupConversations, sortConversations } from './arrange.ts';
import { ConnectFlow } from './connect.ts';
import {
  copyConversationId,
  copyConversationUrl,
  openConversation,
  openPullRequest,
  resumeConversation,
} from './conversation.ts';
import { cancelNewConversation, newConversation, type Writing } from './newConversation.ts';
import { showConfig } from './openConfig.ts';
import { refresh } from './refresh.ts';
import { AddServerFlows } from './addServer/commands.ts';
import { copySandboxId, openExposedUrl, pauseSandbox, resumeSandbox, startSandbox } from './sandboxes.ts';

export type Handlers = { readonly [Id in CommandId]: (...args: Commands[Id]) => unknown };

export interface Parts {
  readonly switchboard: Switchboard;
  readonly connector: Connector;
  readonly conversationPages: ConversationPages;
  readonly messageEditor: MessageEditor<Writing>;
  readonly log: LogOutputChannel;
  readonly config: ConfigFile;
  readonly servers: ServerList;
  readonly serverPages: ServerPages;
  readonly views: RegisteredViews;
}

export function allCommands(parts: Parts): Handlers {
  const { switchboard, connector, conversationPages, messageEditor, log, servers, serverPages, views } =
    parts;
  const connecting = new ConnectFlow(connector, views.showConversations);
  const adding = new AddServerFlows(parts);
  return {
    'switchboard.connect': () => connecting.run(),
    'switchboard.disconnect': () => connector.disconnect(),
    'switchboard.setApiKey': () => setApiKey(switchboard, connector),
    'switchboard.clearApiKey': () => clearApiKey(switchboard, connector),
    'switchboard.startDemo': async () => {
      await connector.startDemo();
      await views.showConversations();
    },
    'switchboard.stopDemo': () => connector.stopDemo(),
    'switchboard.showLog': () => {
      log.show();
    },
    'switchboard.conversations.refresh': () => refresh(switchboard),
    'switchboard.conversations.new': (pendingId) =>
      newConversation(switchboard, gitRepositories, messageEditor, pendingId),
    'switchboard.conversations.cancelNew': (pendingId) => {
      cancelNewConversation(switchboard, pendingId);
    },
    'switchboard.conversations.open': (id) => openConversation(switchboard, id),
    'switchboard.conversations.showDetails': async (id) => {
      const conversation = await conversationOf(switchboard, id, t('Select the conversation to show'));
      if (conversation) conversationPages.show(conversation);
    },
    'switchboard.conversations.resume': (id) => resumeConversation(switchboard, id),
    'switchboard.conversations.filter': () => filterConversations(switchboard, gitRepositories),
    'switchboard.conversations.clearFilters': () => clearFilters(switchboard),
    'switchboard.conversations.groupBy': () => groupConversations(switchboard),
    'switchboard.conversations.sortBy': () => sortConversations(switchboard),
    'switchboard.conversations.loadMore': () => switchboard.conversations.loadMore(),
    'switchboard.conversations.copyId': (id) => copyConversationId(switchboard, id),
    'switchboard.conversations.copyUrl': (id) => copyConversationUrl(switchboard, id),
    'switchboard.conversations.openPullRequest': (id) => openPullRequest(switchboard, id),
    'switchboard.sandboxes.refresh': () => refresh(switchboard),
    'switchboard.sandboxes.start': () => startSandbox(switchboard),
    'switchboard.sandboxes.pause': (id) => pauseSandbox(switchboard, id),
    'switchboard.sandboxes.resume': (id) => resumeSandbox(switchboard, id),
    'switchboard.sandboxes.openUrl': (id, index) => openExposedUrl(switchboard, id, index),
    'switchboard.sandboxes.copyId': (id) => copySandboxId(switchboard, id),
    'switchboard.mcp.add': () => adding.askForServer(),
    'switchboard.mcp.addFromText': () => adding.askForText(),
    'switchboard.mcp.enable': (...names) => setEnabled(parts, true, names),
    'switchboard.mcp.disable': (...names) => setEnabled(parts, false, names),
    'switchboard.mcp.remove': (...names) => removeServers(parts, names),
    'switchboard.mcp.get': async (name) => {
      const entry = await serverOf(servers, name, t('Select the MCP server to show'));
      if (entry) serverPages.showServer(entry.name);
    },
    'switchboard.mcp.list': async () => {
      const entry = await serverOf(servers, undefined, t('MCP servers'));
      if (entry) serverPages.showServer(entry.name);
    },
    'switchboard.mcp.status': async () => {
      // With its view closed, the list of conversations may not have been asked for yet.
      const { connection, conversations } = switchboard;
      const unknown = connection && conversations.asOf === undefined;
      await Promise.all([servers.refresh(), unknown && switchboard.refresh()]);
      serverPages.showStatus();
    },
    'switchboard.mcp.openConfig': () => showConfig(() => servers.problem?.position?.offset),
    'switchboard.mcp.reveal': (name) => revealServer(parts, name),
    'switchboard.mcp.copyAsCommand': (name) => copyAsCommand(parts, name),
    'switchboard.mcp.copyJson': (name) => copyJson(parts, name),
    'switchboard.mcp.wrap': () => wrapServers(parts),
    'switchboard.mcp.makePrivate': () => makeConfigPrivate(),
  };
}
