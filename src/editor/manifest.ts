/**
 * Every id and setting that package.json declares, with its types. A test holds the two against each other.
 * Imports no editor, so that the test needs none.
 */
import type { Interface } from '../service/agentService.ts';
import type { Authentication } from '../service/transport.ts';

export const extensionId = 'agent-switchboard.agent-switchboard';

export const container = 'switchboard';

export const views = {
  conversations: 'switchboard.conversations',
  sandboxes: 'switchboard.sandboxes',
  servers: 'switchboard.servers',
} as const;

/** The arguments that each command takes: plain ids. All are optional, because the palette gives none. */
export interface Commands {
  'switchboard.connect': [];
  'switchboard.disconnect': [];
  'switchboard.setApiKey': [];
  'switchboard.clearApiKey': [];
  'switchboard.startDemo': [];
  'switchboard.stopDemo': [];
  'switchboard.showLog': [];
  'switchboard.conversations.refresh': [];
  /** With the id of one that was not created: tries that again. */
  'switchboard.conversations.new': [pendingId?: string];
  'switchboard.conversations.cancelNew': [pendingId?: string];
  'switchboard.conversations.open': [id?: string];
  'switchboard.conversations.showDetails': [id?: string];
  'switchboard.conversations.resume': [id?: string];
  'switchboard.conversations.filter': [];
  'switchboard.conversations.clearFilters': [];
  'switchboard.conversations.groupBy': [];
  'switchboard.conversations.sortBy': [];
  'switchboard.conversations.loadMore': [];
  'switchboard.conversations.copyId': [id?: string];
  'switchboard.conversations.copyUrl': [id?: string];
  'switchboard.conversations.openPullRequest': [id?: string];
  'switchboard.sandboxes.refresh': [];
  'switchboard.sandboxes.start': [];
  'switchboard.sandboxes.pause': [id?: string];
  'switchboard.sandboxes.resume': [id?: string];
  'switchboard.sandboxes.openUrl': [id?: string, index?: number];
  'switchboard.sandboxes.copyId': [id?: string];
  'switchboard.mcp.add': [];
  'switchboard.mcp.addFromText': [];
  'switchboard.mcp.enable': [...names: string[]];
  'switchboard.mcp.disable': [...names: string[]];
  'switchboard.mcp.remove': [...names: string[]];
  'switchboard.mcp.get': [name?: string];
  'switchboard.mcp.list': [];
  'switchboard.mcp.status': [];
  'switchboard.mcp.openConfig': [];
  'switchboard.mcp.reveal': [name?: string];
  'switchboard.mcp.copyAsCommand': [name?: string];
  'switchboard.mcp.copyJson': [name?: string];
  /** Puts servers that stand at the root of the file into `mcpServers`. */
  'switchboard.mcp.wrap': [];
  'switchboard.mcp.makePrivate': [];
}

export type CommandId = keyof Commands;

/** Each setting without its prefix `switchboard.`, and its default. */
export const settings = {
  'service.url': '',
  'service.authentication': 'sessionKey' as Authentication,
  'service.api': 'auto' as Interface | 'auto',
  'conversations.pageSize': 20,
  refreshInterval: 30,
  notifications: 'attention' as 'all' | 'attention' | 'off',
  cliDirectory: '',
  'mcp.file': '',
};

export type Settings = Readonly<typeof settings>;

/** Keys that package.json asks for, in `when` clauses and for the steps of the walkthrough. */
export const contextKeys = {
  connected: 'switchboard.connected',
  demo: 'switchboard.demo',
  filtered: 'switchboard.filtered',
  conversationsLoaded: 'switchboard.conversationsLoaded',
  sandboxesLoaded: 'switchboard.sandboxesLoaded',
  /** The file of the MCP servers has a server: the walkthrough has seen that one was added. */
  hasServers: 'switchboard.hasServers',
  /** The active editor is the one in which a message is written. */
  writing: 'switchboard.writing',
} as const;
